# SPDX-License-Identifier: Apache-2.0
"""Describe a whole schema file, and classes that another library declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .table import EXTERN, MODULE, given, options_of
from .values import Object


class ModuleSpec:
    """The arguments of `module`."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


@options_of(MODULE)
def module(
    *,
    namespace: str = "",
    type_key_prefix: str = "",
    header: str = "",
    source: str = "",
    python: str = "",
    export: str = "",
    dialect: str = "",
    closed: bool = False,
    defaults: Mapping[str, Any] | None = None,
    includes: Sequence[str] = (),
    source_includes: Sequence[str] = (),
) -> Any:
    """State options of the whole file: ``__tschema__ = module(namespace="demo", ...)``.

    `docs/settings.md` describes each option.

    Raises
    ------
    TypeError, ValueError
        If an option is unknown, or if a value has a wrong type.

    """
    return ModuleSpec(given(locals(), MODULE))


class ExternSpec:
    """The arguments of `extern`; schema files use the object as a base class and as a type."""

    def __init__(self, type_key: str, options: dict[str, Any]) -> None:
        self.type_key = type_key
        self.options = options

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (type(self.type_key, (Object,), {"__tschema_extern__": self}),)

    def __call__(self, cls: type) -> type:
        """Decorate `cls`, so that bases and annotations can name it instead of the extern class."""
        if not isinstance(cls, type) or not issubclass(cls, Object):
            raise TypeError(f"@extern goes before a class of objects, not before {cls!r}")
        cls.__tschema_extern__ = self  # type: ignore[attr-defined]
        return cls

    def __or__(self, other: Any) -> Any:
        from ..ty import TypeExpr

        return TypeExpr("Union", (self, other))

    def __ror__(self, other: Any) -> Any:
        from ..ty import TypeExpr

        return TypeExpr("Union", (other, self))


@options_of(EXTERN)
def extern(
    type_key: str,
    /,
    *,
    obj: str = "",
    ref: str = "",
    header: str = "",
    parent: str = "ffi.Object",
    slots: int = -1,
) -> Any:
    """Name a class that another library defines; `docs/settings.md` describes each option.

    Use the returned object as a base class or a type. To satisfy type checkers, decorate a class
    with the returned object, and use that class::

        @extern("other.Span", obj="::other::SpanNode", ref="::other::Span")
        class Span(Object): ...

    Raises
    ------
    TypeError
        If an argument is missing or unknown, or has a wrong type.

    """
    if not isinstance(type_key, str) or not type_key:
        raise TypeError(f"extern(): the type key must be a text, not {type_key!r}")
    options = given(locals(), EXTERN)
    for name in ("obj", "ref"):
        if not options.get(name):
            raise TypeError(f"extern() needs {name}=, the C++ name of the class")
    return ExternSpec(type_key, options)

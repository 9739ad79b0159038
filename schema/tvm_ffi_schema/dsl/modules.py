# SPDX-License-Identifier: Apache-2.0
"""What is said of a whole file, and of classes that other files or hands declare."""

from __future__ import annotations

from typing import Any

from .checks import check_choice, check_options
from .values import Object


class ModuleSpec:
    """The arguments of `module`."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


_MODULE_TYPES: dict[str, tuple[type, ...]] = {
    "namespace": (str,),
    "type_key_prefix": (str,),
    "header": (str,),
    "source": (str,),
    "python": (str,),
    "includes": (list, tuple),
    "source_includes": (list, tuple),
    "export": (str,),
    "closed": (bool,),
    "obj_suffix": (str,),
    "license": (str,),
    "dialect": (str,),
}


def module(**options: Any) -> Any:
    """Describe the file: ``__tschema__ = module(namespace="demo", ...)``.

    Raises
    ------
    TypeError, ValueError
        For an unknown option or a value of another type.

    """
    check_options("module()", options, _MODULE_TYPES)
    check_choice("module()", options, "dialect", ("", "modern", "classic"))
    for name in ("includes", "source_includes"):
        if not all(isinstance(item, str) for item in options.get(name, ())):
            raise TypeError(f"module(): {name} must hold texts, not {options[name]!r}")
    return ModuleSpec(options)


class ExternSpec:
    """The arguments of `extern`; may be a base class and a type."""

    def __init__(self, type_key: str, options: dict[str, Any]) -> None:
        self.type_key = type_key
        self.options = options

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (type(self.type_key, (Object,), {"__tschema_extern__": self}),)

    def __or__(self, other: Any) -> Any:
        from ..ty import TypeExpr

        return TypeExpr("Union", (self, other))

    def __ror__(self, other: Any) -> Any:
        from ..ty import TypeExpr

        return TypeExpr("Union", (other, self))


_EXTERN_TYPES: dict[str, tuple[type, ...]] = {
    "obj": (str,),
    "ref": (str,),
    "header": (str,),
    "parent": (str,),
    "slots": (int,),
}


def extern(type_key: str, **options: Any) -> Any:
    """Name a class that another library owns.

    Raises
    ------
    TypeError
        If an argument is missing, unknown or of another type.

    """
    if not isinstance(type_key, str) or not type_key:
        raise TypeError(f"extern(): the type key must be a text, not {type_key!r}")
    check_options("extern()", options, _EXTERN_TYPES)
    for name in ("obj", "ref"):
        if not options.get(name):
            raise TypeError(f"extern() needs {name}=, the C++ name of the class")
    return ExternSpec(type_key, options)

# SPDX-License-Identifier: Apache-2.0
"""``InitVar``: parameters of ``__init__`` that are passed to ``__post_init__`` but not stored."""

from __future__ import annotations

from tvm_ffi import core

from .field import MISSING
from .members import set_init

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Signature
    from typing import Any

    from .collect import Declarations
    from .field import Field


def note_parameters(cls: type, found: Declarations) -> None:
    """Record the order of fields and ``InitVar`` parameters if there is any ``InitVar``."""
    if found.init_vars or parameters_of(cls):
        own = [(field, name in found.init_vars) for name, field in found.parameters.items()]
        cls.__ffi_own_parameters__ = own  # type: ignore[attr-defined]


def parameters_of(cls: type) -> list[tuple[Field, bool]]:
    """Return all fields (with False) and ``InitVar`` parameters (True) of a class, parent first.

    The list is empty for a class that has no ``InitVar``.
    """
    if not hasattr(cls, "__ffi_own_parameters__"):
        return []
    found: dict[str, tuple[Field, bool]] = {}
    for owner in reversed(cls.__mro__):
        own = vars(owner).get("__ffi_own_parameters__")
        if own is None:  # This class has no `InitVar`; a derived class may have some.
            fields = vars(owner).get("__ffi_fields__", ())
            own = [(field, False) for field in fields if field.name not in found]
        found.update((field.name, (field, is_var)) for field, is_var in own)
    if not any(is_var for _, is_var in found.values()):
        return []
    return list(found.values())


def install(cls: type, info: Any, properties: dict[str, Callable[[Any], Any]]) -> None:
    """Install an ``__init__`` with ``InitVar`` parameters, and a matching ``__replace__``."""
    parameters = parameters_of(cls)
    binder = _Binder(info.type_key, parameters)
    has_post_init = hasattr(cls, "__post_init__")

    def init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        if self.__chandle__():
            return
        values, variables = binder.bind(args, kwargs)
        self.__ffi_init__(**values)
        for name, compute in properties.items():
            getattr(type(self), name).set(self, compute(self))
        if has_post_init:
            self.__post_init__(*variables)

    init.__signature__ = binder.signature()  # type: ignore[attr-defined]
    set_init(cls, init)
    if vars(cls).get("__replace__") is core._replace_method:
        cls.__replace__ = _make_replace(binder)  # type: ignore[attr-defined]


def _make_replace(binder: _Binder) -> Callable[..., Any]:
    def replace(self: Any, /, **changes: Any) -> Any:
        for field, is_var in binder.ordered:
            name = str(field.name)
            if name in changes:
                continue
            if not is_var:
                changes[name] = getattr(self, name)
            elif field.default is MISSING:
                raise ValueError(f"InitVar {field.name!r} must be specified with replace()")
        return type(self)(**changes)

    replace.__name__ = replace.__qualname__ = "__replace__"
    return replace


class _Binder:
    """Separates the values of fields from the values of ``InitVar`` parameters."""

    def __init__(self, type_key: str, parameters: list[tuple[Field, bool]]) -> None:
        self.title = f"{type_key}.__ffi_init__()"
        shown = [(field, is_var) for field, is_var in parameters if field.init]
        shown.sort(key=lambda shown: (shown[0].kw_only, has_default(shown[0])))
        self.ordered = shown
        self.positional = [str(field.name) for field, _ in shown if not field.kw_only]
        # The order of declaration is the order of the arguments of __post_init__.
        self.variables = [field for field, is_var in parameters if is_var]

    def signature(self) -> Signature:
        """Return the signature of ``__init__``."""
        from inspect import Parameter, Signature

        shown = [Parameter("self", Parameter.POSITIONAL_ONLY)]
        for field, _ in self.ordered:
            kind = Parameter.KEYWORD_ONLY if field.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            default = MISSING if has_default(field) else Parameter.empty
            shown.append(Parameter(str(field.name), kind, default=default))
        return Signature(shown)

    def bind(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[dict[str, Any], list[Any]]:
        """Return the field values by name, and the ``InitVar`` values in declaration order."""
        if len(args) > len(self.positional):
            raise TypeError(
                f"{self.title} takes at most {len(self.positional)} positional argument(s), "
                f"but {len(args)} were given"
            )
        values = dict(zip(self.positional, args))
        for name, value in kwargs.items():
            if value is MISSING:
                continue
            if name in values:
                raise TypeError(f"{self.title} got multiple values for argument {name!r}")
            values[name] = value
        return values, [self._take(field, values) for field in self.variables]

    def _take(self, field: Field, values: dict[str, Any]) -> Any:
        value = values.pop(str(field.name), MISSING)
        origin = "field"
        if value is MISSING:
            value, origin = field.default, "default for field"
        if value is MISSING:
            kind = "keyword-only argument" if field.kw_only else "argument"
            raise TypeError(f"{self.title} missing required {kind}: {field.name!r}")
        try:
            return core._to_py_class_value(field._ty_schema.convert(value))
        except (TypeError, ValueError) as error:
            prefix = f"type conversion failed for {field._ty_schema!r}: "
            text = str(error).removeprefix(prefix).replace("\n", "\n  ")
            raise type(error)(f"{self.title} {origin} {field.name!r}:\n  {text}") from error


def has_default(field: Field) -> bool:
    """Return whether a field is optional in ``__init__``."""
    return field.default is not MISSING or field.default_factory is not MISSING

# SPDX-License-Identifier: Apache-2.0
"""Constructors that restore an object from its fields without running code of its class."""

from __future__ import annotations

from inspect import Parameter, Signature

from .. import core
from .common import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .field import Field


def _make_constructor(
    cls: type,
    *,
    positional_fields: list[str] | None = None,
    field_normalizers: dict[str, Callable[[Any], Any]] | None = None,
) -> Callable[..., Any]:
    """Return a function that creates an object of a data class from the values of its fields.

    All registered fields are parameters, also fields with ``init=False``; a field without an
    argument gets its default. The function does not run ``__init__``, init properties or
    ``__post_init__``.

    The fields ``positional_fields`` may be passed by position, in this order; other fields are
    keyword-only. By default, these are all fields in the order of declaration.
    ``field_normalizers`` maps a field name to a function that is applied to the value before it is
    stored. Raise TypeError if ``cls`` is not a data class, and KeyError if ``positional_fields``
    contains an unknown name, or a name twice.
    """
    remaining = {str(field.name): field for field in fields(cls)}
    every = dict(remaining)
    if positional_fields is None:
        positional_fields = list(remaining)
    parameters = [
        _parameter(remaining.pop(name), Parameter.POSITIONAL_OR_KEYWORD)
        for name in positional_fields
    ]
    parameters += [_parameter(field, Parameter.KEYWORD_ONLY) for field in remaining.values()]
    names = tuple(positional_fields)
    normalizers = dict(field_normalizers or {})
    title = cls.__name__

    def construct(*args: Any, **kwargs: Any) -> Any:
        values = _bind(title, names, every, args, kwargs)
        for name, normalize in normalizers.items():
            if name in values:
                values[name] = normalize(values[name])
        return _restore(cls, every, values)

    construct.__name__ = cls.__name__
    construct.__qualname__ = cls.__qualname__
    construct.__module__ = cls.__module__
    construct.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return construct


def _parameter(field: Field, kind: Any) -> Parameter:
    return Parameter(str(field.name), kind, default=field.default)


def _bind(
    title: str,
    positional: tuple[str, ...],
    every: dict[str, Field],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> dict[str, Any]:
    """Return the given values by field name."""
    if len(args) > len(positional):
        raise TypeError(
            f"{title}() takes from 0 to {len(positional)} positional arguments "
            f"but {len(args)} were given"
        )
    values = dict(zip(positional, args))
    for name, value in kwargs.items():
        if name not in every:
            raise TypeError(f"{title}() got an unexpected keyword argument {name!r}")
        if name in values:
            raise TypeError(f"{title}() got multiple values for argument {name!r}")
        values[name] = value
    return {name: value for name, value in values.items() if value is not core.MISSING}


def _restore(cls: Any, every: dict[str, Field], values: dict[str, Any]) -> Any:
    made = cls.__new__(cls)
    packed: list[Any] = [core.KWARGS]
    for name, value in values.items():
        if every[name].init:
            packed += (name, value)
    index = cls.__tvm_ffi_type_info__.type_index
    made.__init_handle_by_constructor__(core._lookup_type_attr(index, "__ffi_init__"), *packed)
    for name, value in values.items():
        if not every[name].init:
            getattr(cls, name).set(made, value)
    return made

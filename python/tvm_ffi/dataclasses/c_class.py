# SPDX-License-Identifier: Apache-2.0
"""``@c_class``: a data class for a type that native code defines."""

from __future__ import annotations

import keyword
import sys
import warnings

from tvm_ffi import core
from tvm_ffi._pickle import definition
from tvm_ffi.registry import _require_object_class, _unknown_type_key

from . import collect, declared_types, members, native_field, resolve, traits
from .field import Field, _field_converter, field
from .library_type import require_type_key
from .methods import _FFI_TYPE_ATTR_NAMES
from .transform import dataclass_transform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _T = TypeVar("_T", bound=type)


@dataclass_transform(
    eq_default=False,
    order_default=False,
    kw_only_default=False,
    frozen_default=False,
    field_specifiers=(Field, field),
    kwargs={"converter": _field_converter},  # type: ignore[literal-required]
)
def c_class(
    type_key: str,
    *,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = False,
    order: bool = False,
    unsafe_hash: bool = False,
    match_args: bool = True,
) -> Callable[[_T], _T]:
    """Register a class as the Python class of a native type, with the members of a data class.

    The class has the fields that the type reflects. Annotations in the body are for readers and
    type checkers; they must agree with the types of the fields. The options have the same meaning
    as for :func:`py_class`.

    Parameters
    ----------
    type_key
        The key of the type.
    frozen
        Reject assignment to the fields of this class; ``Cls.name.set(obj, value)`` still writes.
    init, repr, eq, order, unsafe_hash, match_args
        Which members to install, unless the body defines them.

    Raises
    ------
    ValueError
        If there is no such type, or ``order`` is given without ``eq``.
    TypeError
        If the type key is not a string, or if values of the type cannot be instances of the class,
        as with :func:`tvm_ffi.register_object`; or if an annotation contradicts the type of the
        registered field, because the library has changed since the class was written.

    Examples
    --------
    >>> import tvm_ffi, tvm_ffi.testing
    >>> from tvm_ffi.dataclasses import c_class
    >>> @c_class("testing.TestIntPair", eq=True)
    ... class IntPair(tvm_ffi.Object):
    ...     a: int
    ...     b: int
    >>> IntPair(1, 2) == IntPair(1, 2)
    True

    """
    require_type_key("c_class", type_key)
    if order and not eq:
        raise ValueError("order=True requires eq=True")
    options = {
        "init": init,
        "repr": repr,
        "eq": eq,
        "order": order,
        "unsafe_hash": unsafe_hash,
        "match_args": match_args,
    }

    def decorate(cls: _T) -> _T:
        if not isinstance(cls, type):
            raise TypeError(f"c_class expects a class, got {type(cls).__name__}")
        type_index = core._object_type_key_to_index(type_key)
        if type_index is None:
            raise _unknown_type_key(type_key)
        _require_object_class(cls, type_key)
        for name, value in list(vars(cls).items()):
            if isinstance(value, Field):
                delattr(cls, name)
        body = dict(vars(cls))
        defined = set(body)
        declared_types.check_types(cls, type_index, type_key)
        info = core._register_object_by_index(type_index, cls, init)
        _warn_of_missing_annotations(cls, info, type_key)
        if frozen:
            _freeze_fields(cls, info, defined)
        cls.__ffi_fields__ = native_field.fields_of(info)  # type: ignore[attr-defined]
        _expose_hooks(cls, type_index)
        members.install_operators(cls, options, defined)
        members.install_copies(cls, defined)
        if match_args and "__match_args__" not in defined:
            members.set_match_args(cls, cls.__ffi_fields__)  # type: ignore[attr-defined]
        members.update_abstract(cls)
        traits.publish(cls, type_index, body)
        cls.__ffi_is_dataclass__ = True  # type: ignore[attr-defined]
        if definition.ATTRIBUTE not in body:
            definition.note(cls, _define_again, type_key, {**options, "frozen": frozen}, body)
        return cls

    return decorate


def _define_again(cls: Any, type_key: str, options: dict[str, Any]) -> None:
    """Register a class that a pickle has made; pickles call this function by name."""
    c_class(type_key, **options)(cls)


def _warn_of_missing_annotations(cls: type, info: core.TypeInfo, type_key: str) -> None:
    parent = info.parent_type_info.type_cls if info.parent_type_info is not None else None
    owners = collect.owners_of(cls, parent) if parent is not None else [cls]
    annotated = {name for owner in owners for name in resolve.own_annotations(owner)}
    # Omit names that are keywords, because Python syntax does not allow annotations of them.
    names = (f.name for f in info.fields or () if not keyword.iskeyword(f.name))
    missing = sorted(name for name in names if name not in annotated)
    if missing:
        warnings.warn(
            f"@c_class({type_key!r}): class `{cls.__qualname__}` does not annotate the following "
            f"reflected field(s): {', '.join(missing)}. Add type annotations (e.g. "
            "`field_name: type`) to the class body for IDE support and documentation.",
            UserWarning,
            stacklevel=_level_of_user(),
        )


def _level_of_user() -> int:
    """Return the ``stacklevel`` for a warning, so that it points to the decorators' caller."""
    level = 1
    frame: Any = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__):
        level, frame = level + 1, frame.f_back
    return level


def _freeze_fields(cls: type, type_info: Any, shadowed_names: set[str]) -> None:
    """Make the own fields of the class read-only, except those that the body shadows."""
    for native in type_info.fields or ():
        if native.name not in shadowed_names:
            native.frozen = True
            vars(cls)[native.name]._freeze()


def _expose_hooks(cls: type, type_index: int) -> None:
    """Set the hooks of the type as attributes of the class."""
    for name in _FFI_TYPE_ATTR_NAMES:
        if not any(name in vars(base) for base in cls.__mro__):
            value = core._lookup_type_attr(type_index, name)
            if value is not None:
                core._class_set(cls, name, core._trait_new(type_index, name, value))

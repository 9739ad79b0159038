# SPDX-License-Identifier: Apache-2.0
"""Type attributes: named values of a type, readable and writable from every language."""

from __future__ import annotations

from . import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_type_attr", "set_type_attr"]


def get_type_attr(
    type_or_key: type | str, name: str, default: Any = None, *, ancestor: bool = False
) -> Any:
    """Return an attribute of a type.

    A class also has the attributes that the body of a base defines, as ``getattr`` shows them.

    May be called from any thread.

    Parameters
    ----------
    type_or_key
        A registered class, or the key of a type.
    name
        The name of the attribute: any text.
    default
        The value to return if the type does not have the attribute.
    ancestor
        Whether to use the attribute of the nearest ancestor if the type itself has none. A key has
        only its own attributes otherwise.

    Raises
    ------
    TypeError
        If the first argument is neither a registered class nor a string.
    ValueError
        If no type has the key.

    Examples
    --------
    >>> import tvm_ffi
    >>> @tvm_ffi.py_class("doc.get_type_attr.Add")
    ... class Add(tvm_ffi.Object):
    ...     commutative = True
    >>> tvm_ffi.get_type_attr(Add, "commutative")
    True
    >>> tvm_ffi.get_type_attr("doc.get_type_attr.Add", "cost", 1)
    1

    """
    value = core._type_get_attr(_index_of(type_or_key), name, ancestor)
    if value is None and isinstance(type_or_key, type):
        value = _inherited(type_or_key, name)
    return default if value is None else value


def _inherited(cls: type, name: str) -> Any:
    """Return the value of the attribute that a class inherits in Python, or None."""
    for base in cls.__mro__:
        if name in vars(base):
            is_inherited = base is not cls and isinstance(vars(base)[name], core._Trait)
            return getattr(cls, name, None) if is_inherited else None
    return None


def set_type_attr(type_or_key: type | str, name: str, value: Any) -> None:
    """Set an attribute of a type; replace an existing value.

    Values are converted like arguments: lists and tuples to ``Array``, dictionaries to ``Map``.
    Python reads functions and classes unchanged; other languages read them as functions. A class
    attribute with the same name also gets the value.

    May be called from any thread, also while native code reads the attribute. After native code has
    read an attribute, replaced values stay alive until the process ends. To change a value often,
    store one ``Dict`` or ``List`` and change its contents.

    Parameters
    ----------
    type_or_key
        A registered class, or the key of a type.
    name
        The name of the attribute: any text. User-defined names should have a prefix, as in
        ``"my_ir.commutative"``.
    value
        The value; None removes the attribute.

    Raises
    ------
    TypeError
        If the first argument is neither a registered class nor a string.
    ValueError
        If no type has the key.
    RuntimeError
        If the name is a hook of this library, such as ``__ffi_repr__``, that the type already has.

    Examples
    --------
    >>> import tvm_ffi
    >>> @tvm_ffi.py_class("doc.set_type_attr.Add")
    ... class Add(tvm_ffi.Object):
    ...     pass
    >>> tvm_ffi.set_type_attr(Add, "my_ir.fold", max)
    >>> tvm_ffi.get_type_attr(Add, "my_ir.fold") is max
    True

    """
    type_index = _index_of(type_or_key)
    core._type_set_attr(type_index, name, value)
    info = core._type_index_to_type_info(type_index)
    cls = None if info is None else info.type_cls
    if cls is None or value is None:
        return
    shown = vars(cls).get(name)
    if shown is not None and not hasattr(type(shown), "__get__"):
        # Replace a plain class attribute by a descriptor that reads the type attribute.
        core._class_set(cls, name, core._trait_new(type_index, name, value))


def _index_of(type_or_key: object) -> int:
    if isinstance(type_or_key, str):
        type_index = core._object_type_key_to_index(type_or_key)
        if type_index is None:
            raise ValueError(f"Cannot find type key: {type_or_key}")
        return type_index
    info = None
    if isinstance(type_or_key, type):
        info = core._type_cls_to_type_info(type_or_key)
    if info is None:
        raise TypeError(f"expected a registered class or a type key, got {type_or_key!r}")
    return info.type_index

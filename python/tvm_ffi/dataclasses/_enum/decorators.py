# SPDX-License-Identifier: Apache-2.0
"""``py_enum`` and ``c_enum``: decorators that turn ``class A(EnumObject)`` into an enum."""

from __future__ import annotations

from ... import core
from ..._pickle import definition
from ..._types.info import _all_fields
from ...registry import _unknown_type_key
from .. import native
from ..library_type import is_native, require_type_key
from . import declare, variants
from .annotations import own_annotations
from .attempt import Attempt
from .body import payload_type
from .entry import _EnumEntry
from .enum_object import EnumObject, bind_all
from .family import Enum, check_family, define, register, wrap_native
from .state import ENUM_STATE_ATTR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from typing_extensions import Unpack

    from ..options import ClassOptions, MemberOptions
    from .declare import Declarations

    _EnumT = TypeVar("_EnumT", bound=EnumObject)


if TYPE_CHECKING:

    @overload
    def py_enum(cls_or_type_key: type[_EnumT], /) -> type[_EnumT]: ...
    @overload
    def py_enum(
        cls_or_type_key: str | None = None,
        /,
        *,
        type_key: str | None = None,
        **options: Unpack[ClassOptions],
    ) -> Callable[[type[_EnumT]], type[_EnumT]]: ...


def py_enum(cls_or_type_key: Any = None, /, *, type_key: str | None = None, **options: Any) -> Any:
    """Register a class as an enum that is defined in Python.

    Annotations declare fields, as in ``py_class``. ``X: ClassVar[A] = entry(field=value)``
    declares a variant, and ``X: ClassVar[A]`` declares a variant with default values. If all
    entries are ``entry(<int>)`` and the class does not declare fields, the class gets the field
    ``value: int``.

    Parameters
    ----------
    cls_or_type_key
        The class (``@py_enum`` without parentheses) or the type key.
    type_key
        The type key; the default is ``{module}.{qualname}``.
    **options
        Options of ``py_class``; the defaults are ``frozen=True`` and
        ``structural_eq="singleton"``.

    Raises
    ------
    SchemaMismatchError
        If a library has registered the type and that type differs from the declaration.
    TypeError
        If the class does not derive from ``EnumObject``, or a variant cannot be created; then
        nothing is registered.
    ValueError
        If the key is taken. An enum with the same module, qualified name and key replaces the
        earlier definition, whose variants stay usable.

    Examples
    --------
    >>> from typing import ClassVar
    >>> from tvm_ffi.dataclasses import EnumObject, entry, py_enum
    >>> @py_enum("doc.py_enum.Activation")
    ... class Activation(EnumObject):
    ...     approximate: bool = False
    ...     ReLU: ClassVar["Activation"] = entry()
    ...     GeLU: ClassVar["Activation"] = entry(approximate=True)
    >>> Activation.get("GeLU") is Activation.GeLU, Activation.GeLU.approximate
    (True, True)
    >>> [name for name, variant in Activation.entries()]
    ['ReLU', 'GeLU']

    """
    if isinstance(cls_or_type_key, type):
        return _define_python_enum(cls_or_type_key, type_key, options)
    if cls_or_type_key is not None and not isinstance(cls_or_type_key, str):
        raise TypeError(f"py_enum: expected str or type, got {type(cls_or_type_key)}")
    key = cls_or_type_key or type_key
    return lambda cls: _define_python_enum(cls, key, options)


def _define_native_enum(cls: Any, type_key: str, options: Any) -> None:
    """Bind a class that a pickle has made; pickles call this function by name."""
    c_enum(type_key, **options)(cls)


def _define_python_enum(cls: Any, type_key: str | None, options: dict[str, Any]) -> Any:
    """Define an enum. Pickles of classes call this function by name."""
    if not isinstance(cls, type) or not issubclass(cls, EnumObject):
        raise TypeError(f"py_enum expects a class that derives from EnumObject, got {cls!r}")
    key = type_key or f"{cls.__module__}.{cls.__qualname__}"
    if issubclass(cls, Enum):
        define(cls, key, {"frozen": True, "init": True, **options})
        return cls
    body = dict(vars(cls))
    _define_plain(cls, key, options)
    if definition.ATTRIBUTE not in body:
        definition.note(cls, _define_python_enum, key, options, body)
    return cls


def _define_plain(cls: Any, key: str, options: dict[str, Any]) -> None:
    """Register an enum that does not derive from ``Enum``."""
    found = declare.collect(cls, None, any_annotation=True)
    entries = found.in_order()
    simple = not _has_fields(cls)
    if simple and entries:
        _check_simple(cls, found)
    if is_native(key):
        _bind_native(cls, key, found, simple, options)
        return
    declare.refuse_plain_values(cls, found, None)
    with Attempt(cls, found):
        if simple and any(declared.args for declared in entries.values()):
            cls.__annotations__ = {**own_annotations(cls), "value": int}
        register(cls, key, {"frozen": True, "structural_eq": "singleton", **options})
        variants.add(cls, entries, None, is_native=False)
        core._enum_close(cls, True)


def _bind_native(
    cls: Any, key: str, found: Declarations, simple: bool, options: dict[str, Any]
) -> None:
    """Register a class for a native enum, after comparing the declaration with the native type."""
    entries = found.in_order()
    args = {"frozen": True, "structural_eq": "singleton", **options}
    type_index = core._object_type_key_to_index(key)
    assert type_index is not None
    with Attempt(cls, found, type_index):
        if simple and any(declared.args for declared in entries.values()):
            cls.__annotations__ = {**own_annotations(cls), "value": int}
        order = list(native.compared(cls, key, args))
        declare.remove_defaults(cls, key)
        wrap_native(cls, key, {"init": False, "frozen": args["frozen"]})
        core._enum_close(cls, True)
        bind_all(cls)
        for name, one in entries.items():
            entries[name] = _EnumEntry(**dict(zip(order, one.args)), **one.kwargs)
        variants.add(cls, entries, None, is_native=True)


def _has_fields(cls: type) -> bool:
    """Return whether instances have fields: fields that the class declares or inherits."""
    inherited = _all_fields(getattr(cls, "__tvm_ffi_type_info__", None))
    return bool(inherited) or declare.declares_fields(cls, EnumObject)


def _check_simple(cls: type, found: Declarations) -> None:
    """Check an enum without fields: no entry has arguments, or each entry has one integer only."""
    entries = found.in_order()
    if not any(declared.args or declared.kwargs for declared in entries.values()):
        return
    for name, declared in entries.items():
        is_number = len(declared.args) == 1 and type(declared.args[0]) is int
        if not is_number or declared.kwargs:
            raise TypeError(
                f"{cls.__name__}.{name}: without declared fields every entry must be "
                f"entry(<int>), got {declared!r}"
            )


def c_enum(
    type_key: str, **options: Unpack[MemberOptions]
) -> Callable[[type[_EnumT]], type[_EnumT]]:
    """Register a class as the Python class of an enum that a library has registered.

    Registered variants become attributes of the class, if their names are identifiers and not in
    use. Variants that are registered later are immediately available from ``get``;
    ``_refresh_entries()`` makes them attributes. ``X: ClassVar[A]`` in the body is a hint for type
    checkers; ``X: ClassVar[A] = entry(field=value)`` adds a variant, if the type has an allocator.

    Parameters
    ----------
    type_key
        The key of the type.
    **options
        Options of ``c_class``; the defaults are ``init=False``, since variants are the only
        instances, and ``frozen=True``.

    Raises
    ------
    ValueError
        If no library has registered the key, or a declared index is taken.
    TypeError
        If the type is not an enum, the class does not derive from ``EnumObject``, or it derives
        from ``IntEnum`` or ``StrEnum`` and the type does not. Then nothing is changed.

    Examples
    --------
    >>> import tvm_ffi.testing
    >>> from tvm_ffi.dataclasses import EnumObject, c_enum
    >>> @c_enum("testing.TestEnumVariant")
    ... class Variant(EnumObject):
    ...     pass
    >>> Variant.Alpha is Variant.get("Alpha"), Variant.def_attr("code")[Variant.Beta]
    (True, 20)

    """
    require_type_key("c_enum", type_key)

    def decorate(cls: type[_EnumT]) -> type[_EnumT]:
        if not isinstance(cls, type) or not issubclass(cls, EnumObject):
            raise TypeError(f"c_enum expects a class that derives from EnumObject, got {cls!r}")
        type_index = core._object_type_key_to_index(type_key)
        if type_index is None:
            raise _unknown_type_key(type_key)
        if core._type_get_attr(type_index, ENUM_STATE_ATTR) is None:
            raise TypeError(f"type {type_key!r} is not registered as an enum")
        check_family(cls, type_key, type_index)
        payload = payload_type(cls)
        found = declare.collect(cls, payload)
        body = dict(vars(cls))
        with Attempt(cls, found, type_index):
            wrap_native(cls, type_key, {"init": False, "frozen": True, **options})
            core._enum_close(cls, True)
            bind_all(cls)
            variants.add(cls, found.entries, payload, is_native=True)
        if definition.ATTRIBUTE not in body:
            definition.note(cls, _define_native_enum, type_key, {**options}, body)
        return cls

    return decorate

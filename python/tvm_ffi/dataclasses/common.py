# SPDX-License-Identifier: Apache-2.0
"""Functions for all data classes: fields, conversion to builtin values, replacement."""

from __future__ import annotations

import copy
from collections import namedtuple

from tvm_ffi import _ffi_api, core

from .field import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    _T = TypeVar("_T")
    _ObjectT = TypeVar("_ObjectT", bound=core.CObject)

__all__ = ["asdict", "astuple", "fields", "is_dataclass", "replace"]


def is_dataclass(obj: Any) -> bool:
    """Return whether a class, or the class of an object, was made by ``@py_class`` or ``@c_class``.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import is_dataclass
    >>> is_dataclass(tvm_ffi.Object)
    False

    """
    cls = obj if isinstance(obj, type) else type(obj)
    return getattr(cls, "__ffi_is_dataclass__", False) is True


def fields(obj_or_cls: core.CObject | type[core.CObject]) -> tuple[Field, ...]:
    """Return the fields of a data class or of an instance; fields of ancestors come first.

    A class with unresolved names in its annotations does not have fields yet.

    Raises
    ------
    TypeError
        If the argument is neither a data class nor an instance of one.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import fields, py_class
    >>> @py_class("doc.fields.Point")
    ... class Point(tvm_ffi.Object):
    ...     x: int
    ...     y: int
    >>> [f.name for f in fields(Point)]
    ['x', 'y']

    """
    cls = obj_or_cls if isinstance(obj_or_cls, type) else type(obj_or_cls)
    try:
        found: tuple[Field, ...] = cls.__ffi_fields__  # type: ignore[attr-defined]
    except AttributeError:
        raise TypeError(
            "fields() argument must be a c_class or py_class type or instance, "
            f"got {type(obj_or_cls).__name__}"
        ) from None
    return found


def replace(obj: _ObjectT, /, **changes: Any) -> _ObjectT:
    """Return a copy of a data class object with some fields changed, even if they are frozen.

    Neither ``__init__`` nor ``__post_init__`` runs, except for classes with ``InitVar``.

    Raises
    ------
    AttributeError
        If a name is not a field.
    TypeError
        If a value cannot be converted to the type of its field.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import py_class, replace
    >>> @py_class("doc.replace.Point", frozen=True)
    ... class Point(tvm_ffi.Object):
    ...     x: int
    ...     y: int
    >>> replace(Point(1, 2), y=3)
    doc.replace.Point(x=1, y=3)

    """
    return obj.__replace__(**changes)  # type: ignore[attr-defined,no-any-return]


# ---- conversion to builtin values ----


if TYPE_CHECKING:

    @overload
    def asdict(obj: core.CObject) -> dict[str, Any]: ...
    @overload
    def asdict(obj: core.CObject, *, dict_factory: Callable[[list[tuple[str, Any]]], _T]) -> _T: ...


def asdict(obj: Any, *, dict_factory: Callable[..., Any] = dict) -> Any:
    """Return the fields of a data class object as a dictionary, recursively.

    FFI containers become builtin containers, and other values are copied. Variants of enums and
    objects that cannot be copied are included unchanged.

    Parameters
    ----------
    obj
        The object.
    dict_factory
        Creates each dictionary from a list of pairs.

    Raises
    ------
    TypeError
        If ``obj`` is not an instance of a data class, or is a variant of an enum.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import asdict, py_class
    >>> @py_class("doc.asdict.Point")
    ... class Point(tvm_ffi.Object):
    ...     x: int
    ...     tags: list[str]
    >>> asdict(Point(1, ["a"]))
    {'x': 1, 'tags': ['a']}

    """
    if not _is_ffi_dataclass_instance(obj):
        raise TypeError("asdict() should be called on c_class / py_class instances")
    return _as_dict(obj) if dict_factory is dict else _as_mapping(obj, dict_factory)


if TYPE_CHECKING:

    @overload
    def astuple(obj: core.CObject) -> tuple[Any, ...]: ...
    @overload
    def astuple(obj: core.CObject, *, tuple_factory: Callable[[list[Any]], _T]) -> _T: ...


def astuple(obj: Any, *, tuple_factory: Callable[..., Any] = tuple) -> Any:
    """Return the values of a data class object as a tuple, recursively; see :func:`asdict`.

    Raises
    ------
    TypeError
        If ``obj`` is not an instance of a data class, or is a variant of an enum.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import astuple, py_class
    >>> @py_class("doc.astuple.Point")
    ... class Point(tvm_ffi.Object):
    ...     x: int
    ...     y: int
    >>> astuple(Point(1, 2))
    (1, 2)

    """
    if not _is_ffi_dataclass_instance(obj):
        raise TypeError("astuple() should be called on c_class / py_class instances")

    def of_fields(value: Any) -> Any:
        values = [
            _plain(getattr(value, f.name), of_fields, dict) for f in type(value).__ffi_fields__
        ]
        return tuple_factory(values)

    return of_fields(obj)


# The metaclass of all data classes that are not enums and do not have a metaclass of their own.
_USUAL_META = type(core.Object)


def _is_ffi_dataclass_instance(obj: Any) -> bool:
    cls = type(obj)
    if getattr(cls, "__ffi_is_dataclass__", False) is not True:
        return False
    return type(cls) is _USUAL_META or not isinstance(cls, core._EnumMeta)


# Types of values that need no copy.
_ATOMIC_TYPES = frozenset(
    {type(None), bool, int, float, str, bytes, complex, type, type(...), type(NotImplemented)}
)


def _as_dict(obj: Any) -> dict[str, Any]:
    """Return the fields of an object by name, on the fast path of :func:`asdict`."""
    made = {}
    for field in type(obj).__ffi_fields__:
        name = field.name
        value = getattr(obj, name)
        made[name] = value if type(value) in _ATOMIC_TYPES else _plain(value, _as_dict, dict)
    return made


def _as_mapping(obj: Any, dict_factory: Callable[..., Any]) -> Any:
    """Return the fields of an object in a mapping that ``dict_factory`` makes."""

    def of_fields(value: Any) -> Any:
        values = [
            (f.name, _plain(getattr(value, f.name), of_fields, dict_factory))
            for f in type(value).__ffi_fields__
        ]
        return dict_factory(values)

    return of_fields(obj)


def _plain(value: Any, of_fields: Callable[..., Any], of_mapping: Callable[..., Any]) -> Any:
    """Convert a value to builtin containers; ``of_fields`` converts data class objects."""
    cls = type(value)
    if cls in _ATOMIC_TYPES:
        return value
    if isinstance(cls, core._EnumMeta):
        return value  # A copy of a variant would not be equal to the variant.
    if getattr(cls, "__ffi_is_dataclass__", False) is True:
        return of_fields(value)
    if isinstance(value, core.CContainerBase):
        return _plain_container(value, of_fields, of_mapping)
    if isinstance(value, core.PyNativeObject):
        return _plain_native(value)
    if isinstance(value, (list, tuple)):
        items = [_plain(item, of_fields, of_mapping) for item in value]
        return cls(*items) if hasattr(cls, "_fields") else cls(items)
    if isinstance(value, dict):
        entries = [
            (_plain(k, of_fields, of_mapping), _plain(v, of_fields, of_mapping))
            for k, v in value.items()
        ]
        if hasattr(cls, "default_factory"):
            made_dict = cls(value.default_factory)  # type: ignore[attr-defined]
            made_dict.update(entries)
            return made_dict
        return cls(entries)
    return _copied(value)


def _plain_container(
    value: Any, of_fields: Callable[..., Any], of_mapping: Callable[..., Any]
) -> Any:
    if isinstance(value, core._SequenceBase):
        return [_plain(item, of_fields, of_mapping) for item in value]
    return of_mapping(
        [
            (_plain(k, of_fields, of_mapping), _plain(v, of_fields, of_mapping))
            for k, v in value.items()
        ]
    )


def _plain_native(value: Any) -> Any:
    """Convert a string or bytes to the builtin type; return other values unchanged."""
    if isinstance(value, core.String):
        return str(value)
    if isinstance(value, core.Bytes):
        return bytes(value)
    return value


def _copied(value: Any) -> Any:
    """Return a deep copy, or the same native object if it cannot be copied."""
    if not isinstance(value, core.CObject):
        return copy.deepcopy(value)
    try:
        return _ffi_api.DeepCopy(value)
    except RuntimeError:
        return value


# ---- named tuples ----


def _make_namedtuple(typename: str, fields: tuple[Field, ...]) -> Any:
    """Return a named tuple class that converts each value with the schema of its field.

    Its constructor raises ``TypeError`` with messages that begin with ``{typename}.{field}: ``.
    """
    names = [str(field.name) for field in fields]
    schemas = [field._ty_schema for field in fields]
    make_class: Any = namedtuple
    base = make_class(typename, names)
    make_base = base.__new__

    def converted(values: Any) -> list[Any]:
        made = []
        for name, schema, value in zip(names, schemas, values):
            try:
                made.append(core._to_py_class_value(schema.convert(value)))
            except (TypeError, ValueError) as error:
                raise type(error)(f"{typename}.{name}: {error}") from error
        return made

    def made_of(cls: Any, *values: Any) -> Any:
        return make_base(cls, *converted(values))

    # For signatures and errors, the parameters have the names of the fields. `namedtuple` has
    # already rejected names that are not identifiers or begin with an underscore.
    parameters = ", ".join(["_cls", *names])
    new: Any = eval(f"lambda {parameters}: _made_of({parameters})", {"_made_of": made_of})
    new.__doc__ = make_base.__doc__

    def make(cls: Any, iterable: Any) -> Any:
        values = tuple(iterable)
        if len(values) != len(names):
            raise TypeError(f"Expected {len(names)} arguments, got {len(values)}")
        return make_base(cls, *converted(values))

    for name, function in (("__new__", new), ("_make", make)):
        function.__name__ = name
        function.__qualname__ = f"{typename}.{name}"
    base.__new__ = new
    base._make = classmethod(make)
    base.__annotations__ = {f.name: f.type for f in fields if f.type is not None}
    return base

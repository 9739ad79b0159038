# SPDX-License-Identifier: Apache-2.0
"""Convert dataclasses to tuples of their fields, recursively."""

from __future__ import annotations

import dataclasses
import keyword
import threading
import types
import typing
from weakref import WeakKeyDictionary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    # Field -> None (keep the value), "unpack" (inspect the value), or the schema of its dataclass.
    DataclassToTupleSchema = dict[str, "Literal['unpack'] | DataclassToTupleSchema | None"]
    _Unpack = Callable[[Any], Any]

# The schema of a field whose value is inspected at run time.
UNPACK = "unpack"

# Types whose values never contain dataclasses.
_LEAF_TYPES = frozenset({int, float, str, bool, bytes, complex, type(None)})
# Containers that contain dataclasses only if their element types do.
_LEAF_CONTAINERS = frozenset({tuple, dict, set, frozenset, typing.Union, types.UnionType})

_cache = threading.local()


def unpack_dataclass_to_tuple(x: Any) -> Any:
    """Return a value with every dataclass in it replaced by the tuple of its fields.

    Lists and tuples, including named tuples, keep their type; mappings become a ``dict``. Other
    values, and fields whose declared type cannot contain a dataclass, are returned unchanged.

    Examples
    --------
    >>> import dataclasses
    >>> from tvm_ffi.utils.unpack_dataclass import unpack_dataclass_to_tuple
    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> unpack_dataclass_to_tuple([Point(1, 2), {"at": Point(3, 4)}])
    [(1, 2), {'at': (3, 4)}]

    """
    cls = type(x)
    if cls in _LEAF_TYPES:
        return x
    if dataclasses.is_dataclass(cls):
        return _unpacker_of(cls)(x)
    if isinstance(x, tuple):
        items = map(unpack_dataclass_to_tuple, x)
        # The constructor of a named tuple takes the fields as separate arguments.
        return cls(*items) if hasattr(cls, "_fields") else cls(items)
    if isinstance(x, list):
        return cls(map(unpack_dataclass_to_tuple, x))
    if isinstance(x, dict):
        return {key: unpack_dataclass_to_tuple(value) for key, value in x.items()}
    return x


def _unpacker_of(cls: type) -> _Unpack:
    """Return the function that unpacks instances of a dataclass; cached per class and thread."""
    unpackers: WeakKeyDictionary[type, _Unpack] | None = getattr(_cache, "unpackers", None)
    if unpackers is None:
        unpackers = _cache.unpackers = WeakKeyDictionary()
    unpacker = unpackers.get(cls)
    if unpacker is None:
        unpacker = unpackers[cls] = _compile(_extract_dataclass_to_tuple_schema(cls))
    return unpacker


# ---- analysis of declared types ----


def _extract_dataclass_to_tuple_schema(
    cls: type, *, memo: set[type] | None = None
) -> DataclassToTupleSchema:
    """Return, for each field of a dataclass, how its value is converted.

    If a dataclass occurs again, the later fields with this type are marked ``"unpack"`` instead of
    repeating its schema. So the schema is finite even if dataclasses contain each other. ``memo``
    has the dataclasses that already have a schema; the function adds every further dataclass. Raise
    TypeError if ``cls`` is not a dataclass.
    """
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise TypeError(f"Expected a dataclass class, got {cls!r}")
    return _schema_of(cls, set() if memo is None else memo)


def _schema_of(cls: type, seen: set[type]) -> DataclassToTupleSchema:
    seen.add(cls)
    hints = _hints_of(cls)
    return {
        field.name: _classify(hints.get(field.name, typing.Any), seen)
        for field in dataclasses.fields(cls)
    }


def _hints_of(cls: type) -> dict[str, Any]:
    """Resolve the annotations of a class. An annotation that cannot be resolved becomes ``Any``."""
    try:
        return typing.get_type_hints(cls)
    except Exception:  # Annotations may contain any code.
        hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        holder = type("_", (), {"__module__": base.__module__})
        for name, annotation in vars(base).get("__annotations__", {}).items():
            holder.__annotations__ = {name: annotation}
            try:
                hints.update(typing.get_type_hints(holder))
            except Exception:
                hints[name] = typing.Any
    return hints


def _classify(
    annotation: Any, seen: set[type]
) -> Literal["unpack"] | DataclassToTupleSchema | None:
    if _is_leaf(annotation):
        return None
    is_dataclass = isinstance(annotation, type) and dataclasses.is_dataclass(annotation)
    if is_dataclass and annotation not in seen:
        return _schema_of(annotation, seen)
    return "unpack"


def _is_leaf(annotation: Any) -> bool:
    if isinstance(annotation, type) and annotation in _LEAF_TYPES:
        return True
    if typing.get_origin(annotation) not in _LEAF_CONTAINERS:
        return False
    arguments = typing.get_args(annotation)
    return bool(arguments) and all(a is Ellipsis or _is_leaf(a) for a in arguments)


def _validate_dataclass_to_tuple_schema(schema: DataclassToTupleSchema) -> None:
    """Reject a schema whose names cannot be attributes.

    Raise TypeError if the schema is not a dictionary, or a name in it is not a string. Raise
    ValueError if a name is not an identifier.
    """
    if not isinstance(schema, dict):
        raise TypeError(f"DataclassToTupleSchema must be a dict, got {type(schema).__name__}")
    for name, how in schema.items():
        if not isinstance(name, str):
            raise TypeError(f"Schema field name must be a string, got {type(name).__name__}")
        if not name.isidentifier():
            raise ValueError(f"Schema field name {name!r} is not a valid Python identifier")
        if keyword.iskeyword(name):
            raise ValueError(f"Schema field name {name!r} is a Python keyword")
        if how is not None and how != UNPACK:
            _validate_dataclass_to_tuple_schema(typing.cast("DataclassToTupleSchema", how))


# ---- compiling a schema ----


def _compile(schema: DataclassToTupleSchema) -> _Unpack:
    """Compile a schema to a function."""
    _validate_dataclass_to_tuple_schema(schema)
    namespace: dict[str, Any] = {"_unpack": unpack_dataclass_to_tuple}
    source = f"lambda x: {_expression(schema, 'x')}"
    fast: _Unpack = eval(source, namespace)

    def unpack(x: Any) -> Any:
        try:
            return fast(x)
        except AttributeError:  # A field value does not have its declared type: inspect all values.
            return tuple(unpack_dataclass_to_tuple(getattr(x, name)) for name in schema)

    return unpack


def _expression(schema: DataclassToTupleSchema, value: str) -> str:
    parts = []
    for name, how in schema.items():
        part = f"{value}.{name}"
        if how == UNPACK:
            part = f"_unpack({part})"
        elif isinstance(how, dict):
            part = _expression(how, part)
        parts.append(f"{part}, ")
    return f"({''.join(parts)})"

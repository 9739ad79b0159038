# SPDX-License-Identifier: Apache-2.0
"""From annotations to type schemas."""

from __future__ import annotations

import collections.abc
import sys
import types
import typing

from .. import core
from . import origins
from .record import TypeSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# Types that mean a schema without arguments.
_PLAIN: dict[Any, str] = {
    None: "None",
    type(None): "None",
    typing.Any: "Any",
    object: "Any",
    **{cls: cls.__name__ for cls in (bool, int, float, str, bytes)},
}

# Python's containers and what they become -> how many arguments they take.
_CONTAINERS: dict[Any, tuple[str, int]] = {
    list: ("List", 1),
    collections.abc.MutableSequence: ("List", 1),
    collections.abc.Sequence: ("Array", 1),
    dict: ("Dict", 2),
    collections.abc.MutableMapping: ("Dict", 2),
    collections.abc.Mapping: ("Map", 2),
}

# Our containers -> how many arguments they take.
_OWN_CONTAINERS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}

_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


def schema_of(annotation: Any) -> TypeSchema:
    """Return the schema of an annotation; see ``TypeSchema.from_annotation``."""
    kind = type(annotation)
    if kind is types.GenericAlias:
        origin, args = annotation.__origin__, annotation.__args__
    else:
        # Not looked up before this: hashing an annotation goes as deep as it is nested.
        origin = None if kind is type else typing.get_origin(annotation)
        if origin is None:
            return _of_name(annotation)
        args = typing.get_args(annotation)
    if origin in _CONTAINERS:
        return _container(origin, args)
    if origin in _UNIONS:
        return _union(args)
    if origin is typing.Annotated:
        return schema_of(args[0])
    if origin is typing.Literal:
        return _literal(annotation, args)
    if origin is collections.abc.Callable:
        return _callable(annotation, args)
    if origin is tuple:
        return _tuple(annotation, args)
    if isinstance(origin, type):
        return _of_generic_class(annotation, origin, args)
    _refuse(annotation)


def _refuse(annotation: Any) -> NoReturn:
    raise TypeError(f"Cannot convert {annotation!r} to TypeSchema")


def _of_name(annotation: Any) -> TypeSchema:
    """Return the schema of an annotation without arguments."""
    try:
        plain = _PLAIN.get(annotation)
    except TypeError:  # It has no hash.
        _refuse(annotation)
    if plain is not None:
        return TypeSchema(plain)
    return _of_class(annotation) if isinstance(annotation, type) else _refuse(annotation)


def _of_class(cls: Any) -> TypeSchema:
    if cls is tuple:
        return TypeSchema("tuple")
    if cls is collections.abc.Callable:
        return TypeSchema("Callable")
    if cls in _CONTAINERS:
        return _container(cls, ())
    name = _name_of_value_class(cls)
    if name is not None:
        return TypeSchema(name)
    name = _name_of_object_class(cls)
    if name is not None:
        return TypeSchema(name, origin_type_index=_index_of_class(cls, name))
    if hasattr(cls, "__dlpack__"):
        return TypeSchema("Tensor")
    _refuse(cls)


def _name_of_value_class(cls: type) -> str | None:
    """Return the name of a class whose values are no wrappers of objects."""
    for base, name in ((core.String, "str"), (core.Bytes, "bytes"), (core.Device, "Device")):
        if issubclass(cls, base):
            return name
    if issubclass(cls, (core.DataType, core._CLASS_DTYPE or core.DataType)):
        return "dtype"
    ctypes = sys.modules.get("ctypes")
    return "ctypes.c_void_p" if ctypes is not None and cls is ctypes.c_void_p else None


def _name_of_object_class(cls: type) -> str | None:
    """Return the name of a registered class; None for classes that have no object type."""
    info = core._type_cls_to_type_info(cls)
    if info is not None:
        return origins.name_of_key(info.type_key)
    if issubclass(cls, core.CObject):
        raise TypeError(
            f"CObject subclass {cls!r} is not registered in TYPE_CLS_TO_INFO; "
            "use @register_object to register it"
        )
    return None


def _index_of_class(cls: type, name: str) -> int:
    """Return the index of a registered class, which its key need not name any more."""
    info = core._type_cls_to_type_info(cls)
    is_key = info is not None and info.type_key == name
    return info.type_index if info is not None and is_key else origins.UNKNOWN_INDEX


def _of_generic_class(annotation: Any, origin: type, args: tuple[Any, ...]) -> TypeSchema:
    """Return the schema of a registered class with arguments."""
    name = _name_of_object_class(origin)
    if name is None:
        _refuse(annotation)
    wanted = _OWN_CONTAINERS.get(name)
    if wanted is not None and len(args) != wanted:
        plural = "s" if wanted > 1 else ""
        raise TypeError(f"{name} requires {wanted} type argument{plural}, got {len(args)}")
    if wanted is not None:
        return TypeSchema._made(name, tuple([schema_of(arg) for arg in args]))
    return TypeSchema(name, map(schema_of, args), _index_of_class(origin, name))


def _container(cls: type, args: tuple[Any, ...]) -> TypeSchema:
    name, wanted = _CONTAINERS[cls]
    if args and len(args) != wanted:
        asked = "takes at most 1 type argument" if wanted == 1 else "requires 0 or 2 type arguments"
        raise TypeError(f"{cls.__name__} {asked}, got {len(args)}")
    if not args:
        return TypeSchema(name)
    return TypeSchema._made(name, tuple([schema_of(arg) for arg in args]))


def _tuple(annotation: Any, args: tuple[Any, ...]) -> TypeSchema:
    if annotation is typing.Tuple:  # noqa: UP006 - the bare name is what is asked for
        return TypeSchema("tuple")
    if args == ((),):  # `Tuple[()]` before Python 3.11.
        args = ()
    if len(args) == 2 and args[1] is Ellipsis:
        return TypeSchema._made("Array", (schema_of(args[0]),))
    return TypeSchema("tuple", map(schema_of, args))


def _callable(annotation: Any, args: tuple[Any, ...]) -> TypeSchema:
    if not args:
        return TypeSchema("Callable")
    params, result = args
    groups: dict[str, tuple[TypeSchema, ...]] = {"return": (schema_of(result),)}
    if isinstance(params, list):
        groups["params"] = tuple(map(schema_of, params))
    elif params is not Ellipsis:  # A parameter specification.
        _refuse(annotation)
    return TypeSchema("Callable", named_args=groups)


def _union(args: tuple[Any, ...]) -> TypeSchema:
    return _choice(
        [schema_of(arg) for arg in args if arg not in (None, type(None))],
        optional=None in args or type(None) in args,
    )


def _choice(
    members: list[TypeSchema], optional: bool, literals: tuple[Any, ...] | None = None
) -> TypeSchema:
    """Return the union of some members, one perhaps, with None standing outside."""
    if optional and members:
        return TypeSchema("Optional", (_choice(members, optional=False),), literals=literals)
    if len(members) > 1:
        return TypeSchema("Union", members, literals=literals)
    if not members:
        return TypeSchema("None")
    return members[0] if literals is None else TypeSchema(members[0].origin, literals=literals)


def _literal(annotation: Any, values: tuple[Any, ...]) -> TypeSchema:
    """Return the union of the types of some values, and the values."""
    if not all(value is None or type(value) in (bool, int, str) for value in values):
        _refuse(annotation)
    names = dict.fromkeys(type(value).__name__ for value in values if value is not None)
    return _choice([TypeSchema(name) for name in names], None in values, values)

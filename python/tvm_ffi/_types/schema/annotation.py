# SPDX-License-Identifier: Apache-2.0
"""Convert annotations to type schemas."""

from __future__ import annotations

import collections.abc
import sys
import types
import typing

from ... import core
from . import origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .record import TypeSchema

# Types whose schema has no arguments.
_PLAIN: dict[Any, str] = {
    None: "None",
    type(None): "None",
    typing.Any: "Any",
    object: "Any",
    **{cls: cls.__name__ for cls in (bool, int, float, str, bytes)},
}

# Container of Python -> (origin of its schema, number of arguments).
_CONTAINERS: dict[Any, tuple[str, int]] = {
    list: ("List", 1),
    collections.abc.MutableSequence: ("List", 1),
    collections.abc.Sequence: ("Array", 1),
    dict: ("Dict", 2),
    collections.abc.MutableMapping: ("Dict", 2),
    collections.abc.Mapping: ("Map", 2),
}

# Container of this package -> number of arguments of its schema.
_OWN_CONTAINERS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}

_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


class Reader:
    """Converts annotations to schemas of the class ``make``, which is ``TypeSchema``."""

    def __init__(self, make: type[TypeSchema]) -> None:
        self.make = make

    def schema_of(self, annotation: Any) -> TypeSchema:
        """Return the schema of an annotation; see ``TypeSchema.from_annotation``."""
        kind = type(annotation)
        if kind is types.GenericAlias:
            origin, args = annotation.__origin__, annotation.__args__
        else:
            # `_of_name` hashes the annotation, so it is called only for an annotation without an
            # origin: hashing a nested annotation would recurse into it.
            origin = None if kind is type else typing.get_origin(annotation)
            if origin is None:
                return self._of_name(annotation)
            args = typing.get_args(annotation)
        if origin in _CONTAINERS:
            return self._container(origin, args)
        if origin in _UNIONS:
            return self._union(args)
        if origin is typing.Annotated:
            return self.schema_of(args[0])
        if origin is typing.Literal:
            return self._literal(annotation, args)
        if origin is collections.abc.Callable:
            return self._callable(annotation, args)
        if origin is tuple:
            return self._tuple(annotation, args)
        if isinstance(origin, type):
            return self._of_generic_class(annotation, origin, args)
        _refuse(annotation)

    def _of_name(self, annotation: Any) -> TypeSchema:
        """Return the schema of an annotation without arguments."""
        try:
            plain = _PLAIN.get(annotation)
        except TypeError:  # The annotation is not hashable.
            _refuse(annotation)
        if plain is not None:
            return self.make(plain)
        return self._of_class(annotation) if isinstance(annotation, type) else _refuse(annotation)

    def _of_class(self, cls: Any) -> TypeSchema:
        if cls is tuple:
            return self.make("tuple")
        if cls is collections.abc.Callable:
            return self.make("Callable")
        if cls in _CONTAINERS:
            return self._container(cls, ())
        name = _name_of_value_class(cls)
        if name is not None:
            return self.make(name)
        name = _name_of_object_class(cls)
        if name is not None:
            return self.make(name, origin_type_index=_index_of_class(cls, name))
        if hasattr(cls, "__dlpack__"):
            return self.make("Tensor")
        _refuse(cls)

    def _of_generic_class(self, annotation: Any, origin: type, args: tuple[Any, ...]) -> TypeSchema:
        """Return the schema of a registered class with arguments."""
        name = _name_of_object_class(origin)
        if name is None:
            _refuse(annotation)
        wanted = _OWN_CONTAINERS.get(name)
        if wanted is not None and len(args) != wanted:
            plural = "s" if wanted > 1 else ""
            raise TypeError(f"{name} requires {wanted} type argument{plural}, got {len(args)}")
        if wanted is not None:
            return self.make._made(name, tuple([self.schema_of(arg) for arg in args]))
        return self.make(name, map(self.schema_of, args), _index_of_class(origin, name))

    def _container(self, cls: type, args: tuple[Any, ...]) -> TypeSchema:
        name, wanted = _CONTAINERS[cls]
        if args and len(args) != wanted:
            asked = (
                "takes at most 1 type argument" if wanted == 1 else "requires 0 or 2 type arguments"
            )
            raise TypeError(f"{cls.__name__} {asked}, got {len(args)}")
        if not args:
            return self.make(name)
        return self.make._made(name, tuple([self.schema_of(arg) for arg in args]))

    def _tuple(self, annotation: Any, args: tuple[Any, ...]) -> TypeSchema:
        if annotation is typing.Tuple:  # noqa: UP006 - the bare name is meant
            return self.make("tuple")
        if args == ((),):  # `Tuple[()]` before Python 3.11.
            args = ()
        if len(args) == 2 and args[1] is Ellipsis:
            return self.make._made("Array", (self.schema_of(args[0]),))
        return self.make("tuple", map(self.schema_of, args))

    def _callable(self, annotation: Any, args: tuple[Any, ...]) -> TypeSchema:
        if not args:
            return self.make("Callable")
        params, result = args
        groups: dict[str, tuple[TypeSchema, ...]] = {"return": (self.schema_of(result),)}
        if isinstance(params, list):
            groups["params"] = tuple(map(self.schema_of, params))
        elif params is not Ellipsis:  # A parameter specification.
            _refuse(annotation)
        return self.make("Callable", named_args=groups)

    def _union(self, args: tuple[Any, ...]) -> TypeSchema:
        return self._choice(
            [self.schema_of(arg) for arg in args if arg not in (None, type(None))],
            optional=None in args or type(None) in args,
        )

    def _choice(
        self, members: list[TypeSchema], optional: bool, literals: tuple[Any, ...] | None = None
    ) -> TypeSchema:
        """Return the union of the members; None among them makes an ``Optional`` of the rest."""
        if optional and members:
            return self.make(
                "Optional", (self._choice(members, optional=False),), literals=literals
            )
        if len(members) > 1:
            return self.make("Union", members, literals=literals)
        if not members:
            return self.make("None")
        return members[0] if literals is None else self.make(members[0].origin, literals=literals)

    def _literal(self, annotation: Any, values: tuple[Any, ...]) -> TypeSchema:
        """Return the union of the types of the values, restricted to these values."""
        if not all(value is None or type(value) in (bool, int, str) for value in values):
            _refuse(annotation)
        names = dict.fromkeys(type(value).__name__ for value in values if value is not None)
        return self._choice([self.make(name) for name in names], None in values, values)


def _refuse(annotation: Any) -> NoReturn:
    raise TypeError(f"Cannot convert {annotation!r} to TypeSchema")


def _name_of_value_class(cls: type) -> str | None:
    """Return the schema name of a class without an object type, such as ``dtype``; else None."""
    for base, name in ((core.String, "str"), (core.Bytes, "bytes"), (core.Device, "Device")):
        if issubclass(cls, base):
            return name
    if issubclass(cls, (core.DataType, core._CLASS_DTYPE or core.DataType)):
        return "dtype"
    ctypes = sys.modules.get("ctypes")
    return "ctypes.c_void_p" if ctypes is not None and cls is ctypes.c_void_p else None


def _name_of_object_class(cls: type) -> str | None:
    """Return the name of a registered class, or None if the class does not have an object type."""
    info = core._type_cls_to_type_info(cls)
    if info is not None:
        return origins.name_of_key(info.type_key)
    if isinstance(cls, core._EnumMeta):
        raise TypeError(
            f"the enum `{cls.__name__}` is not registered (write `type_key=` in its class "
            "statement, or decorate it with @py_enum)"
        )
    if issubclass(cls, core.CObject):
        raise TypeError(
            f"CObject subclass {cls!r} is not registered in TYPE_CLS_TO_INFO; "
            "use @register_object to register it"
        )
    return None


def _index_of_class(cls: type, name: str) -> int:
    """Return the type index of a registered class, even if another class now has its key."""
    info = core._type_cls_to_type_info(cls)
    is_key = info is not None and info.type_key == name
    return info.type_index if info is not None and is_key else origins.UNKNOWN_INDEX

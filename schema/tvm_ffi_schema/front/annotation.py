# SPDX-License-Identifier: Apache-2.0
"""Convert the values of annotations to unresolved types."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import dsl, ty
from ..ir import TypeRef
from .raw import ClassName, EntryName, Unreadable

NONE = TypeRef("None")
_PYTHON_MODULES = {
    *("builtins", "typing", "typing_extensions", "collections.abc", "ctypes", "types"),
    *("tvm_ffi", "tvm_ffi.core", "tvm_ffi.container", "tvm_ffi._dtype", "tvm_ffi._tensor"),
}
_CONTAINERS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}
#: Name of a type that is not in the language -> what to write instead.
INSTEAD = {
    "set": "use ty.Array, ty.List or ty.Map: there is no set",
    "frozenset": "use ty.Array, ty.List or ty.Map: there is no set",
    "ndarray": "write ty.Tensor",
    "Path": "write str",
    "complex": "write a class with two fields",
}
_BUILTIN = {"bool", "int", "float", "str", "bytes", "object", "list", "dict", "tuple"}
MAX_DEPTH = 64
_MAX_PARTS = 4096


def not_a_type(node: Any, text: str, name: str = "") -> Unreadable:
    """Return the error for an expression that is not a type."""
    help_ = "use a name of tvm_ffi.schema.ty, a Python type that one stands for, or a class"
    return Unreadable(node, text, "TS030", help=INSTEAD.get(name, help_))


def is_literal(value: Any) -> bool:
    """Return whether a value is `typing.Literal`."""
    return getattr(value, "_name", None) == "Literal"


def is_class_variable(value: Any) -> bool:
    """Return whether a value is `ClassVar`, with or without an argument."""
    return value is typing.ClassVar or getattr(value, "__origin__", None) is typing.ClassVar


def origin_of(value: Any) -> str | None:
    """Return the name of a type in `ty.TABLE`; None if the table has no row for the type."""
    if isinstance(value, ty.TypeName):
        return value.origin
    name = getattr(value, "_name", None) or getattr(value, "__name__", None)
    module = getattr(value, "__module__", "")
    if isinstance(name, str) and (module in _PYTHON_MODULES or value is typing.Any):
        return ty.PYTHON_NAMES.get(name)
    return None


class Quoted(NamedTuple):
    """The value of an annotation in quotes; errors in the annotation are located at the quotes."""

    value: Any
    node: Any


class Annotations:
    """Converts annotations of one file; `quoted` returns the value of a text in quotes."""

    def __init__(self, quoted: Callable[[str, Any], Any]) -> None:
        self.quoted = quoted

    def type(self, value: Any, node: Any = None, depth: int = 0) -> TypeRef:
        """Return the type of an annotation; errors are located at `node`.

        Raises
        ------
        Unreadable
            If the annotation is not a type; the rule is TS030.

        """
        if depth > MAX_DEPTH:
            raise Unreadable(node, "this type is nested too deep", "TS030")
        if value is None or value is type(None):
            return NONE
        if isinstance(value, ClassName):
            return TypeRef("class", name=value.key())
        if isinstance(value, ty.TypeName):
            return apply(value.origin, [], node)
        if isinstance(value, ty.TypeExpr):
            return self._applied(value.origin, value.args, value.node or node, depth)
        if isinstance(value, Quoted):
            try:
                return self.type(value.value, None, depth + 1)
            except Unreadable as problem:
                problem.node = value.node
                raise
        if isinstance(value, (str, typing.ForwardRef)):
            text = value if isinstance(value, str) else value.__forward_arg__
            return self.type(self.quoted(text, node), node, depth + 1)
        if isinstance(value, ty.Cpp):
            as_type = None if value.as_ is None else self.type(value.as_, node, depth + 1)
            return TypeRef("Cpp", cpp=dataclasses.replace(value.cpp, as_type=as_type))
        if isinstance(value, dsl.ExternSpec):
            return TypeRef("class", name=f"extern:{value.type_key}")
        if isinstance(value, EntryName):  # a class of a module that is not known
            return TypeRef("class", name=f"{value.owner}:{value.name}")
        if type(value) is type and value.__module__ == "builtins" and value.__name__ in _BUILTIN:
            return apply(ty.PYTHON_NAMES[value.__name__], [], node)
        if isinstance(value, type) and is_declared(value):
            return _of_class(value)
        return self._of_python(value, node, depth)

    def _of_python(self, value: Any, node: Any, depth: int) -> TypeRef:
        """Return the type of an annotation that consists of types of Python."""
        arguments = typing.get_args(value)
        origin = typing.get_origin(value) or value
        if origin is typing.Annotated:
            chosen = next((one for one in arguments if isinstance(one, ty.Cpp)), arguments[0])
            return self.type(chosen, node, depth + 1)
        if is_literal(origin):
            return _of_literals(arguments, node)
        if origin is typing.Union or type(value).__name__ == "UnionType":
            return self._applied("Union", arguments, node, depth)
        name = getattr(origin, "__name__", "")
        known = origin_of(origin) or (ty.PYTHON_NAMES.get(name) if arguments else None)
        if known is None:
            shown = name if isinstance(value, type) else repr(value)
            text = f"{shown} is not a type of the schema language"
            raise not_a_type(node, text, getattr(value, "__name__", name))
        return self._applied(known, arguments, node, depth)

    def _applied(self, origin: str, values: Sequence[Any], node: Any, depth: int) -> TypeRef:
        if origin == "Function" and values:
            if len(values) == 2 and values[0] is Ellipsis:
                return TypeRef("Function")
            if len(values) != 2 or not isinstance(values[0], list):
                text = "a function type is Function[[arguments], result]"
                raise Unreadable(node, text, "TS030")
            result = self.type(values[1], node, depth + 1)
            return TypeRef(
                "Function", (result, *(self.type(one, node, depth + 1) for one in values[0]))
            )
        if origin == "Tuple" and len(values) == 2 and values[1] is Ellipsis:
            origin, values = "Array", values[:1]
        return apply(origin, [self.type(one, node, depth + 1) for one in values], node)


def is_declared(value: type) -> bool:
    """Return whether a class is one of a schema file, maybe without a base."""
    return issubclass(value, dsl.Object) or isinstance(vars(value).get("type_key"), str)


def _of_class(value: type) -> TypeRef:
    spec = vars(value).get("__tschema_extern__")
    if spec is not None:
        return TypeRef("class", name=f"extern:{spec.type_key}")
    return (
        TypeRef("ObjectRef") if value is dsl.Object else TypeRef("class", name=name_of(value).key())
    )


def name_of(value: type) -> ClassName:
    """Return the name of a class of a file that was run."""
    file = vars(value).get("__tschema_file__") or value.__module__.rpartition(".")[2]
    return ClassName(value.__name__, file)


def _of_literals(values: Sequence[Any], node: Any) -> TypeRef:
    """Return the type of a `Literal`; it contains the values, which checks of defaults need."""
    kinds = {bool: "bool", int: "int64_t", str: "String", bytes: "Bytes", type(None): "None"}
    held: dict[str, list[Any]] = {}
    for value in values:
        if type(value) not in kinds:
            text = f"a Literal holds texts, bytes, integers, bools and None, not {value!r}"
            raise Unreadable(node, text, "TS030")
        held.setdefault(kinds[type(value)], []).append(value)
    return union([TypeRef(kind, literals=tuple(found)) for kind, found in held.items()])


def apply(origin: str, args: list[TypeRef], node: Any) -> TypeRef:
    """Return `origin[args]` after checking the number of arguments.

    Raises
    ------
    Unreadable
        If the number of arguments is wrong; the rule is TS030.

    """
    if origin == "Union":
        return union(args)
    if origin == "Optional" and len(args) == 1:
        return union([args[0], NONE])
    if origin in _CONTAINERS and not args:
        args = [TypeRef("Any")] * _CONTAINERS[origin]
    row = ty.row_of(origin)
    arity = 0 if row is None else row.arity
    if origin == "Function" and not args:
        return TypeRef("Function")
    if arity != len(args) and not (arity < 0 and args):
        wanted = "arguments" if arity < 0 else f"{arity} argument{'s' * (arity != 1)}"
        raise Unreadable(node, f"{origin} takes {wanted}, found {len(args)}", "TS030")
    if any(arg.origin == "None" for arg in args) and origin != "Function":
        raise Unreadable(node, f"None is not an argument for {origin}", "TS030")
    _check_size(args, node)
    return TypeRef(origin, tuple(args))


def _check_size(args: list[TypeRef], node: Any) -> None:
    """Refuse a type with too many levels or parts; count a part again for each use."""
    level, count, depth = args, 0, 0
    while level:
        count, depth = count + len(level), depth + 1
        if count > _MAX_PARTS or depth > MAX_DEPTH:
            raise Unreadable(node, "this type is nested too deep", "TS030")
        level = [arg for one in level if one.args for arg in one.args]


def _wider(one: TypeRef, other: TypeRef) -> TypeRef:
    """Merge two types that are equal except for the values of a `Literal`."""
    both = (*one.literals, *other.literals) if one.literals and other.literals else ()
    return dataclasses.replace(one, literals=both)


def union(parts: list[TypeRef]) -> TypeRef:
    """Return a union without nested unions and repeated types; an optional if a part is None."""
    flat: list[TypeRef] = []
    optional = False
    todo = list(reversed(parts))
    while todo:
        part = todo.pop()
        if part.origin == "Optional":
            optional = True
            todo.append(part.args[0])
        elif part.origin == "Union":
            todo.extend(reversed(part.args))
        elif part.origin == "None":
            optional = True
        elif part not in flat:
            flat.append(part)
        elif part.literals != flat[flat.index(part)].literals:
            flat[flat.index(part)] = _wider(part, flat[flat.index(part)])
    if not flat:
        return NONE
    whole = flat[0] if len(flat) == 1 else TypeRef("Union", tuple(flat))
    return TypeRef("Optional", (whole,)) if optional else whole

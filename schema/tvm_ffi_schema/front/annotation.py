# SPDX-License-Identifier: Apache-2.0
"""Convert annotations, as syntax or as run-time values, to unresolved types."""

from __future__ import annotations

import ast
import dataclasses
import functools
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from .. import dsl, ty
from ..diag import near
from ..ir import TypeRef
from .raw import ClassName, Unreadable

NONE = TypeRef("None")
_PYTHON_MODULES = {
    *("builtins", "typing", "typing_extensions", "collections.abc", "ctypes", "types"),
    *("tvm_ffi", "tvm_ffi.core", "tvm_ffi.container", "tvm_ffi._dtype", "tvm_ffi._tensor"),
}
_CONTAINERS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}
_MAX_DEPTH = 64
_MAX_PARTS = 4096


def from_node(node: ast.expr, env: Mapping[str, Any], depth: int = 0) -> TypeRef:
    """Return the type of an annotation expression.

    Raises
    ------
    Unreadable
        If the expression is not a type; the rule is TS030 or TS020.

    """
    if depth > _MAX_DEPTH:
        raise Unreadable(node, "this type is nested too deep", "TS030")
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            return _from_text(node.value, env, node, depth)
        if node.value is Ellipsis:
            raise _no_type(node, "'...' is not a type here")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        left = from_node(node.left, env, depth + 1)
        return union([left, from_node(node.right, env, depth + 1)])
    elif isinstance(node, ast.Subscript):
        return _from_subscript(node, env, depth)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        return from_value(value_of(node, env), env, node, depth)
    raise _no_type(node, "this is not a type of the schema language")


def _no_type(node: Any, text: str) -> Unreadable:
    help_ = "use a name of tvm_ffi.schema.ty, a Python type that one stands for, or a class"
    return Unreadable(node, text, "TS030", help=help_)


def value_of(node: ast.expr, env: Mapping[str, Any]) -> Any:
    """Return the value of a name or an attribute of a module; a `ClassName` for an unknown name."""
    if isinstance(node, ast.Name):
        if node.id in env:
            return env[node.id]
        builtin = {"int": int, "float": float, "str": str, "bytes": bytes, "bool": bool}
        builtin.update({"object": object, "list": list, "dict": dict, "tuple": tuple})
        return builtin.get(node.id, ClassName(node.id))
    if isinstance(node, ast.Attribute):
        base = value_of(node.value, env)
        if isinstance(base, ClassName):
            module = f"{base.module}.{base.name}" if base.module else base.name
            return ClassName(node.attr, module.rpartition(".")[2])
        try:
            return base[node.attr] if isinstance(base, Mapping) else getattr(base, node.attr)
        except (KeyError, AttributeError):
            help_ = near(node.attr, base if isinstance(base, Mapping) else dir(base))
            text = f"there is no type {ast.unparse(node)!r}"
            raise Unreadable(node, text, "TS030", help=help_) from None
    raise Unreadable(node, "this is not a name", "TS030")


@functools.lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    """Return the syntax tree of an annotation; the tree is cached and must not be changed."""
    return ast.parse(text, mode="eval").body


def _from_text(text: str, env: Mapping[str, Any], node: Any, depth: int) -> TypeRef:
    try:
        inner = _parsed(text.strip())
    except (SyntaxError, ValueError):
        raise _no_type(node, f"{text!r} is not a type") from None
    try:
        return from_node(inner, env, depth + 1)
    except Unreadable as problem:
        if node is not None:  # report an error in a string literal at the place of the literal
            problem.node = node
        raise


def takes_arguments(value: Any) -> bool:
    """Return whether a value can have arguments in brackets to form a type."""
    return origin_of(value) is not None or is_literal(value) or value is typing.Annotated


def is_literal(value: Any) -> bool:
    """Return whether a value is `typing.Literal`."""
    return getattr(value, "_name", None) == "Literal"


def _from_literals(values: Sequence[Any], node: Any) -> TypeRef:
    """Return the type of a `Literal`; it contains the values, which checks of defaults need."""
    kinds = {bool: "bool", int: "int64_t", str: "String", bytes: "Bytes", type(None): "None"}
    held: dict[str, list[Any]] = {}
    for value in values:
        if type(value) not in kinds:
            text = f"a Literal holds texts, bytes, integers, bools and None, not {value!r}"
            raise Unreadable(node, text, "TS030")
        held.setdefault(kinds[type(value)], []).append(value)
    return union([TypeRef(kind, literals=tuple(found)) for kind, found in held.items()])


def _from_subscript(node: ast.Subscript, env: Mapping[str, Any], depth: int) -> TypeRef:
    head = value_of(node.value, env)
    if is_literal(head):
        return _from_literals(_constants(node.slice), node)
    if head is typing.Annotated:
        return _from_annotated(node, env, depth)
    origin = origin_of(head)
    if origin is None:
        raise Unreadable(node.value, f"{ast.unparse(node.value)!r} takes no arguments", "TS030")
    if origin == "Tensor":
        return from_value(_tensor(node), env, node, depth)
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if origin == "Function":
        return _function(node, items, env, depth)
    if origin == "Tuple" and len(items) == 2 and _is_ellipsis(items[1]):
        return apply("Array", [from_node(items[0], env, depth + 1)], node)
    return apply(origin, [from_node(item, env, depth + 1) for item in items], node)


def _tensor(node: ast.Subscript) -> Any:
    try:
        return ty.TypeName("Tensor")[ast.literal_eval(node.slice)]
    except (ValueError, TypeError, SyntaxError, RecursionError) as error:
        raise Unreadable(node, str(error), "TS030") from None


def _from_annotated(node: ast.Subscript, env: Mapping[str, Any], depth: int) -> TypeRef:
    """Return the type of an `Annotated`: the first `ty.Cpp` after the type, or else the type.

    Schema files write `ty.Cpp` in this way because type checkers refuse a call as a type.
    """
    from .evaluate import Evaluator

    assert isinstance(node.slice, ast.Tuple)
    first, *rest = node.slice.elts
    for one in rest:
        if isinstance(one, ast.Call) and value_of(one.func, env) is ty.Cpp:
            return from_value(Evaluator(env).value(one), env, node, depth + 1)
        if isinstance(one, ast.Name) and isinstance(env.get(one.id), ty.Cpp):
            return from_value(env[one.id], env, node, depth + 1)
    return from_node(first, env, depth + 1)


def _constants(node: ast.expr) -> list[Any]:
    """Return the values in the brackets of a `Literal`."""
    try:
        found = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        text = "a Literal holds texts, bytes, integers, bools and None"
        raise Unreadable(node, text, "TS030") from None
    return list(found) if isinstance(node, ast.Tuple) else [found]


def _is_ellipsis(node: Any) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _function(node: Any, items: list[Any], env: Mapping[str, Any], depth: int) -> TypeRef:
    if len(items) != 2:
        raise Unreadable(node, "a function type is Function[[arguments], result]", "TS030")
    if _is_ellipsis(items[0]):
        return TypeRef("Function")
    if not isinstance(items[0], ast.List):
        raise Unreadable(items[0], "the arguments of a function type are a list", "TS030")
    params = [from_node(item, env, depth + 1) for item in items[0].elts]
    return TypeRef("Function", (from_node(items[1], env, depth + 1), *params))


def origin_of(value: Any) -> str | None:
    """Return the name of a type in `ty.TABLE`; None if the table has no row for the type."""
    if isinstance(value, ty.TypeName):
        return value.origin
    name = getattr(value, "_name", None) or getattr(value, "__name__", None)
    module = getattr(value, "__module__", "")
    if isinstance(name, str) and (module in _PYTHON_MODULES or value is typing.Any):
        return ty.PYTHON_NAMES.get(name)
    return None


def from_value(value: Any, env: Mapping[str, Any], node: Any = None, depth: int = 0) -> TypeRef:
    """Return the type of a run-time annotation.

    Raises
    ------
    Unreadable
        If the annotation is not a type; the rule is TS030.

    """
    if depth > _MAX_DEPTH:
        raise Unreadable(node, "this type is nested too deep", "TS030")
    if isinstance(value, TypeRef):
        return value
    if value is None or value is type(None):
        return NONE
    if isinstance(value, (str, typing.ForwardRef)):
        text = value if isinstance(value, str) else value.__forward_arg__
        return _from_text(text, env, node, depth)
    if isinstance(value, ty.TypeExpr):
        return _from_expr(value, env, node, depth)
    if isinstance(value, ty.Cpp):
        as_type = None
        if value.as_ is not None:
            as_type = from_value(value.as_, env, node, depth + 1)
        return TypeRef("Cpp", cpp=dataclasses.replace(value.cpp, as_type=as_type))
    if isinstance(value, dsl.ExternSpec):
        return TypeRef("class", name=f"extern:{value.type_key}")
    if isinstance(value, ClassName):
        return TypeRef("class", name=value.key())
    if isinstance(value, type) and issubclass(value, dsl.Object):
        return _from_class(value)
    if isinstance(value, type) and isinstance(vars(value).get("type_key"), str):
        return _from_class(value)  # a schema class that has a type key, but no base class
    if typing.get_origin(value) is typing.Annotated:
        first, *rest = typing.get_args(value)
        chosen = next((one for one in rest if isinstance(one, ty.Cpp)), first)
        return from_value(chosen, env, node, depth + 1)
    origin = origin_of(value)
    arguments = typing.get_args(value)
    if origin is None or arguments:
        return _from_generic(value, arguments, env, node, depth)
    return apply(origin, [], node)


def _from_class(value: type) -> TypeRef:
    spec = vars(value).get("__tschema_extern__")
    if spec is not None:
        return TypeRef("class", name=f"extern:{spec.type_key}")
    if value is dsl.Object:
        return TypeRef("ObjectRef")
    module = value.__module__.rpartition(".")[2]
    return TypeRef("class", name=f"{module}:{value.__name__}")


def _from_expr(value: ty.TypeExpr, env: Mapping[str, Any], node: Any, depth: int) -> TypeRef:
    if value.origin == "Function":
        if len(value.args) != 2 or not isinstance(value.args[0], list):
            if len(value.args) == 2 and value.args[0] is Ellipsis:
                return TypeRef("Function")
            raise Unreadable(node, "a function type is Function[[arguments], result]", "TS030")
        params = [from_value(arg, env, node, depth + 1) for arg in value.args[0]]
        return TypeRef("Function", (from_value(value.args[1], env, node, depth + 1), *params))
    if value.origin == "Tuple" and len(value.args) == 2 and value.args[1] is Ellipsis:
        return apply("Array", [from_value(value.args[0], env, node, depth + 1)], node)
    arguments = [from_value(arg, env, node, depth + 1) for arg in value.args]
    return apply(value.origin, arguments, node)


def _from_generic(value: Any, args: Any, env: Mapping[str, Any], node: Any, depth: int) -> TypeRef:
    origin = typing.get_origin(value)
    if is_literal(origin):
        return _from_literals(args, node)
    if origin is typing.Union or type(value).__name__ == "UnionType":
        return union([from_value(arg, env, node, depth + 1) for arg in args])
    name = None if origin is None else ty.PYTHON_NAMES.get(getattr(origin, "__name__", ""))
    if name is None:
        raise Unreadable(node, f"{value!r} is not a type of the schema language", "TS030")
    if name == "Function":
        if args and args[0] is Ellipsis:
            return TypeRef("Function")
        params = [from_value(arg, env, node, depth + 1) for arg in args[0]]
        return TypeRef("Function", (from_value(args[1], env, node, depth + 1), *params))
    if name == "Tuple" and len(args) == 2 and args[1] is Ellipsis:
        return apply("Array", [from_value(args[0], env, node, depth + 1)], node)
    return apply(name, [from_value(arg, env, node, depth + 1) for arg in args], node)


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
        if count > _MAX_PARTS or depth > _MAX_DEPTH:
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

# SPDX-License-Identifier: Apache-2.0
"""Evaluate expressions of the static subset: literals, constants, arithmetic, names in `dsl`.

The code of the file is not run. The only calls in the subset are calls of functions of `dsl`, with
arguments in the subset.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from .. import dsl, ty
from . import annotation
from .known import import_of
from .raw import ClassName, EntryName, Unreadable

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.Pow: operator.pow,
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_CALLABLE = {
    *(dsl.field, dsl.entry, dsl.auto, dsl.auto_slots, dsl.cpp, dsl.extern, dsl.module),
    *(dsl.Trait, ty.Cpp, float),
}
_MAX_BITS = 4096
_MAX_TEXT = 1 << 16


class Evaluator:
    """Evaluates expressions of a file with the names of the file."""

    def __init__(self, env: Mapping[str, Any]) -> None:
        self.env = env
        self._sizes: dict[int, tuple[Any, int]] = {}  # id -> container, size

    def value(self, node: ast.expr, depth: int = 0) -> Any:
        """Return the value of an expression.

        Raises
        ------
        Unreadable
            If the expression is outside of the static subset, or a function of `dsl` refuses its
            arguments.

        """
        if depth > 200:
            raise Unreadable(node, "this expression is nested too deep")
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            items = [self.value(item, depth + 1) for item in node.elts]
            kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
            return self._counted(node, kind(items), items)
        if isinstance(node, ast.Dict):
            return self._dict(node, depth)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node, depth)
        if isinstance(node, ast.BinOp):
            return self._binary(node, depth)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        if isinstance(node, ast.Lambda):
            return self._factory(node, depth)
        if isinstance(node, ast.Subscript):
            head = annotation.value_of(node.value, self.env)
            if annotation.takes_arguments(head):
                return annotation.from_node(node, self.env)
        raise Unreadable(node, "this expression cannot be read without running the file")

    def _dict(self, node: ast.Dict, depth: int) -> dict[Any, Any]:
        result = {}
        for key, item in zip(node.keys, node.values):
            if key is None:
                raise Unreadable(item, "'**' cannot be read without running the file")
            result[self.value(key, depth + 1)] = self.value(item, depth + 1)
        self._counted(node, result, [*result.values()])
        return result

    def _counted(self, node: ast.expr, made: Any, parts: list[Any]) -> Any:
        """Return a container; refuse a container that is too large. Count each use of a part."""
        size = 1 + sum(self._sizes.get(id(part), (part, 1))[1] for part in parts)
        if size > _MAX_TEXT:
            raise Unreadable(node, "this value is too large for a schema", help="")
        self._sizes[id(made)] = (made, size)
        return made

    def _unary(self, node: ast.UnaryOp, depth: int) -> Any:
        operand = self.value(node.operand, depth + 1)
        if not isinstance(operand, (int, float, complex)):
            raise Unreadable(node, "this operator is for numbers")
        return _UNARY[type(node.op)](operand)

    def _binary(self, node: ast.BinOp, depth: int) -> Any:
        if isinstance(node.op, ast.BitOr) and _looks_like_type(node, self.env):
            return annotation.from_node(node, self.env)
        left, right = self.value(node.left, depth + 1), self.value(node.right, depth + 1)
        function = _OPERATORS.get(type(node.op))
        if function is None or not _is_small(node.op, left, right):
            raise Unreadable(node, "this arithmetic cannot be read without running the file")
        try:
            made = function(left, right)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise Unreadable(node, f"this arithmetic fails: {error}", help="") from None
        return self._counted(node, made, list(made)) if isinstance(made, (list, tuple)) else made

    def _name(self, node: ast.Name) -> Any:
        if node.id not in self.env:
            if node.id in ("list", "dict", "set", "tuple", "str", "int", "float", "bool", "bytes"):
                return annotation.value_of(node, self.env) if node.id != "set" else set
            help_ = import_of(node.id)
            if help_:
                raise Unreadable(node, f"{node.id!r} is not imported", help=help_)
            raise Unreadable(
                node,
                "this expression cannot be read without running the file",
                label=f"{node.id!r} is not a constant",
            )
        return self.env[node.id]

    def _attribute(self, node: ast.Attribute) -> Any:
        base = self.value(node.value)
        if isinstance(base, ClassName):
            return EntryName(base.name, node.attr)
        if isinstance(base, Mapping) and node.attr in base:
            return base[node.attr]
        if hasattr(base, "__spec__") and hasattr(base, node.attr):  # a module
            return getattr(base, node.attr)
        raise Unreadable(node, "this expression cannot be read without running the file")

    def _call(self, node: ast.Call, depth: int) -> Any:
        function = self.value(node.func, depth + 1)
        try:
            known = function in _CALLABLE
        except TypeError:
            known = False
        if not known:
            raise Unreadable(node, "this call cannot be read without running the file")
        args = [self.value(arg, depth + 1) for arg in node.args]
        options = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Unreadable(keyword.value, "'**' cannot be read without running the file")
            options[keyword.arg] = self.value(keyword.value, depth + 1)
        try:
            return function(*args, **options)
        except (TypeError, ValueError, OverflowError) as error:
            raise Unreadable(node, str(error), "TS023") from None

    def _factory(self, node: ast.Lambda, depth: int) -> Any:
        arguments = node.args
        if arguments.args or arguments.vararg or arguments.kwonlyargs or arguments.kwarg:
            raise Unreadable(node, "a default factory takes no arguments")
        body = node.body
        return lambda: self.value(body, depth + 1)


def _looks_like_type(node: ast.BinOp, env: Mapping[str, Any]) -> bool:
    """Return whether ``a | b`` is probably a union of types, and not an operation on integers."""
    for side in (node.left, node.right):
        if isinstance(side, ast.Constant) and (side.value is None or isinstance(side.value, str)):
            return True
        if isinstance(side, ast.Subscript):
            return True
        if isinstance(side, (ast.Name, ast.Attribute)):
            try:
                value = annotation.value_of(side, env)
            except Unreadable:
                continue
            if not isinstance(value, (int, float, set)):
                return True
        if isinstance(side, ast.BinOp) and _looks_like_type(side, env):
            return True
    return False


def _is_small(op: ast.operator, left: Any, right: Any) -> bool:
    """Return whether the result of an operation will not be too large."""
    if isinstance(op, (ast.Pow, ast.LShift)):
        if not isinstance(left, int) or not isinstance(right, int) or not 0 <= right <= 256:
            return False
        return left.bit_length() * max(right, 1) <= _MAX_BITS
    if isinstance(op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if isinstance(one, (str, bytes, list, tuple)):
                return isinstance(other, int) and len(one) * other <= _MAX_TEXT
    if isinstance(op, ast.Mod) and isinstance(left, (str, bytes)):
        return False
    if isinstance(op, ast.Add) and isinstance(left, (str, bytes, list, tuple)):
        return not isinstance(right, type(left)) or len(left) + len(right) <= _MAX_TEXT
    return not isinstance(left, int) or left.bit_length() <= _MAX_BITS

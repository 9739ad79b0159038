# SPDX-License-Identifier: Apache-2.0
"""Evaluate expressions of schema files.

In a file that is not run, only the static subset is allowed: literals, constants, arithmetic, types
and calls of the functions of `dsl`. In a file that was run, Python evaluates values.
"""

from __future__ import annotations

import ast
import functools
import operator
import typing
from collections.abc import Callable, Mapping
from typing import Any

from .. import dsl, ty
from ..diag import near
from ..ir import TypeRef
from . import annotation
from .annotation import INSTEAD, MAX_DEPTH, Annotations, Quoted, not_a_type
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
_BUILTIN = {one.__name__: one for one in (int, float, str, bytes, bool, list, dict, tuple, set)}
_TYPES: dict[str, Any] = {**_BUILTIN, "object": object, "frozenset": frozenset, "complex": complex}
_MAX_BITS = 4096
_MAX_TEXT = 1 << 16
_SUBSET = "this expression cannot be read without running the file"


@functools.lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    """Return the syntax tree of an annotation; the tree is cached and must not be changed."""
    return ast.parse(text, mode="eval").body


class Evaluator:
    """Evaluates expressions with the names of a file; `was_run` allows all expressions."""

    def __init__(self, env: dict[str, Any], was_run: bool = False) -> None:
        self.env = env
        self.was_run = was_run
        self.annotations = Annotations(self._quoted)
        self._sizes: dict[int, tuple[Any, int]] = {}  # id -> container, size

    def within(self, names: Mapping[str, Any]) -> Evaluator:
        """Return an evaluator that knows further names, which precede those of the file."""
        return Evaluator({**self.env, **names}, self.was_run)

    # --- types

    def type(self, node: ast.expr) -> TypeRef:
        """Return the type of an annotation; raise `Unreadable` if it is not a type."""
        return self.annotations.type(self.hint(node), node)

    def hint(self, node: ast.expr, depth: int = 0) -> Any:
        """Return the value of an annotation. A name that is not known is the name of a class.

        Raises
        ------
        Unreadable
            If the annotation is not an expression of the kinds that types have.

        """
        if depth > MAX_DEPTH:
            raise Unreadable(node, "this type is nested too deep", "TS030")
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.resolve(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            sides = (self.hint(node.left, depth + 1), self.hint(node.right, depth + 1))
            return ty.TypeExpr("Union", sides, node)
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                return self._quoted(node.value, node, depth)
            if node.value is None:
                return None
            if node.value is Ellipsis:
                raise not_a_type(node, "'...' is not a type here")
        raise not_a_type(node, "this is not a type of the schema language")

    def _quoted(self, text: str, node: Any, depth: int = 0) -> Any:
        """Return the value of an annotation in quotes; errors are located at the quotes."""
        try:
            inner = _parsed(text.strip())
        except (SyntaxError, ValueError):
            raise not_a_type(node, f"{text!r} is not a type") from None
        try:
            return Quoted(self.hint(inner, depth + 1), node)
        except Unreadable as problem:
            problem.node = node
            raise

    def _subscript(self, node: ast.Subscript, depth: int) -> Any:
        head = self.resolve(node.value)
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if head is typing.Annotated:
            return self._annotated(items, depth)
        if head is typing.ClassVar:
            return typing.ClassVar[Any]
        origin = annotation.origin_of(head)
        try:
            if annotation.is_literal(head):
                return typing.Literal[ast.literal_eval(node.slice)]
            if origin == "Tensor":
                return ty.TypeName("Tensor")[ast.literal_eval(node.slice)]
        except (ValueError, TypeError, SyntaxError, RecursionError) as error:
            text = "a Literal holds texts, bytes, integers, bools and None"
            raise Unreadable(node, str(error) if origin else text, "TS030") from None
        if origin is None:
            raise self._without_arguments(node, head)
        return ty.TypeExpr(origin, tuple(self._argument(item, depth) for item in items), node)

    def _without_arguments(self, node: ast.Subscript, head: Any) -> Unreadable:
        name, shown = getattr(head, "__name__", ""), ast.unparse(node.value)
        if name in INSTEAD:
            return not_a_type(
                node, f"{ast.unparse(node)} is not a type of the schema language", name
            )
        help_ = import_of(shown) if head == ClassName(shown) else ""
        text = f"{shown!r} is not imported" if help_ else f"{shown!r} takes no arguments"
        return Unreadable(node.value, text, "TS030", help=help_)

    def _argument(self, node: ast.expr, depth: int) -> Any:
        if isinstance(node, ast.List):
            return [self.hint(item, depth + 1) for item in node.elts]
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return Ellipsis
        return self.hint(node, depth + 1)

    def _annotated(self, items: list[ast.expr], depth: int) -> Any:
        """Return the value of an `Annotated`: the first `ty.Cpp` after the type, or else the type.

        Schema files write `ty.Cpp` in this way because type checkers refuse a call as a type.
        """
        for one in items[1:]:
            if isinstance(one, ast.Call) and self.resolve(one.func) is ty.Cpp:
                return self.value(one)
            if isinstance(one, ast.Name) and isinstance(self.env.get(one.id), ty.Cpp):
                return self.env[one.id]
        return self.hint(items[0], depth + 1)

    def resolve(self, node: ast.expr) -> Any:
        """Return the value of a name or an attribute of a module; a `ClassName` if not known."""
        if isinstance(node, ast.Name):
            if node.id in self.env:
                return self.env[node.id]
            return _TYPES.get(node.id) or ClassName(node.id)
        if not isinstance(node, ast.Attribute):
            raise Unreadable(node, "this is not a name", "TS030")
        base = self.resolve(node.value)
        if isinstance(base, ClassName):
            module = f"{base.module}.{base.name}" if base.module else base.name
            return ClassName(node.attr, module.rpartition(".")[2])
        try:
            return base[node.attr] if isinstance(base, Mapping) else getattr(base, node.attr)
        except (KeyError, AttributeError):
            help_ = near(node.attr, base if isinstance(base, Mapping) else dir(base))
            text = f"there is no type {ast.unparse(node)!r}"
            raise Unreadable(node, text, "TS030", help=help_) from None

    # --- values

    def value(self, node: ast.expr, depth: int = 0) -> Any:
        """Return the value of an expression.

        Raises
        ------
        Unreadable
            If the expression is outside of the static subset, or a function of `dsl` refuses its
            arguments.

        """
        if isinstance(node, ast.Constant):
            return node.value
        if self.was_run:
            return self._run(node)
        if depth > 200:
            raise Unreadable(node, "this expression is nested too deep")
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
        if isinstance(node, ast.Subscript) and self._is_type(node):
            return self._alias(node)
        raise Unreadable(node, _SUBSET)

    def _run(self, node: ast.expr) -> Any:
        try:
            return eval(compile(ast.Expression(node), "<schema>", "eval"), dict(self.env))
        except Exception as error:
            text = f"this expression fails: {type(error).__name__}: {error}"
            raise Unreadable(node, text, "TS004") from None

    def _alias(self, node: ast.expr) -> Any:
        """Return the value of a type that is used as a value, after checking that it is a type."""
        found = self.hint(node)
        self.annotations.type(found, node)
        return found

    def _is_type(self, node: ast.expr) -> bool:
        """Return whether an expression is probably a type, and not an operation on integers."""
        if isinstance(node, ast.BinOp):
            return self._is_type(node.left) or self._is_type(node.right)
        if isinstance(node, ast.Constant):
            return node.value is None or isinstance(node.value, str)
        try:
            if isinstance(node, ast.Subscript):
                head = self.resolve(node.value)
                is_known = annotation.origin_of(head) is not None or annotation.is_literal(head)
                return is_known or head is typing.Annotated
            return not isinstance(self.resolve(node), (int, float, set))
        except Unreadable:
            return False

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
        if isinstance(node.op, ast.BitOr) and self._is_type(node):
            return self._alias(node)
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
        if node.id in self.env:
            return self.env[node.id]
        if node.id in _BUILTIN:
            return _BUILTIN[node.id]
        help_ = import_of(node.id)
        if help_:
            raise Unreadable(node, f"{node.id!r} is not imported", help=help_)
        raise Unreadable(node, _SUBSET, label=f"{node.id!r} is not a constant")

    def _attribute(self, node: ast.Attribute) -> Any:
        base = self.value(node.value)
        if isinstance(base, ClassName):
            return EntryName(base.name, node.attr)
        if isinstance(base, Mapping) and node.attr in base:
            return base[node.attr]
        if hasattr(base, "__spec__") and hasattr(base, node.attr):  # a module
            return getattr(base, node.attr)
        is_known = isinstance(base, Mapping) and import_of(node.attr)
        raise Unreadable(node, _SUBSET, help=import_of(node.attr) if is_known else None)

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

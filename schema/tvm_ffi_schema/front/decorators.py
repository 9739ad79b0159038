# SPDX-License-Identifier: Apache-2.0
"""Read the decorators of class statements: the kind and the options of each class."""

from __future__ import annotations

import ast
from typing import Any

from .. import dsl
from ..diag import near
from . import annotation
from .evaluate import Evaluator
from .known import import_of, kind_of
from .raw import Unreadable


def read(node: ast.ClassDef, evaluator: Evaluator) -> tuple[str, dict[str, Any]]:
    """Return the kind of a class and the options of its first decorator.

    Raises
    ------
    Unreadable
        If the class has no decorator or an unknown decorator, or if an option is wrong.

    """
    for item in node.decorator_list:
        call = item if isinstance(item, ast.Call) else None
        function = annotation.value_of(call.func if call else item, evaluator.env)
        kind = kind_of(function)
        if kind is None:
            raise unknown(item)
        if len(node.decorator_list) > 1:
            _check_single(node, evaluator)
        return kind, {} if call is None else _options(call, kind, evaluator)
    raise missing(node)


def _check_single(node: ast.ClassDef, evaluator: Evaluator) -> None:
    calls = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    kinds = [kind_of(annotation.value_of(one, evaluator.env)) for one in calls]
    if len([kind for kind in kinds if kind is not None]) > 1:
        raise several(node)


def missing(node: ast.ClassDef) -> Unreadable:
    """Return the error for a class without a decorator."""
    help_ = "write @declare or @mixin before it"
    return Unreadable(node, f"class {node.name} has no decorator", "TS037", help=help_)


def several(node: ast.ClassDef) -> Unreadable:
    """Return the error for a class with more than one decorator of the schema language."""
    text = f"class {node.name} has several decorators of schemas"
    return Unreadable(node, text, "TS037", help="leave one; is the class of the other missing?")


def unknown(node: ast.expr) -> Unreadable:
    """Return the error for an unknown decorator."""
    function = node.func if isinstance(node, ast.Call) else node
    name = function.id if isinstance(function, ast.Name) else ""
    help_ = import_of(name)
    if help_:
        return Unreadable(node, f"the decorator '@{name}' is not imported", "TS037", help=help_)
    text = f"unknown decorator '@{ast.unparse(node)}'"
    return Unreadable(node, text, "TS037", help=near(name, ("declare", "mixin", "method")))


def extern_of(node: ast.ClassDef, evaluator: Evaluator) -> dsl.ExternSpec | None:
    """Return the arguments of the decorator `@extern(...)`; None if a class does not have it.

    Raises
    ------
    Unreadable
        If the class has other decorators or a body, or if an argument is wrong.

    """
    for item in node.decorator_list:
        call = item if isinstance(item, ast.Call) else None
        if call is None or annotation.value_of(call.func, evaluator.env) is not dsl.extern:
            continue
        if len(node.decorator_list) > 1:
            raise Unreadable(item, "@extern goes with no other decorator", "TS037")
        if not is_empty(node.body):
            text = f"class {node.name} is extern: its body can hold documentation alone"
            raise Unreadable(node.body[-1], text, "TS037")
        spec: dsl.ExternSpec = evaluator.value(call)
        return spec
    return None


def is_empty(body: list[ast.stmt]) -> bool:
    """Return whether a body consists only of a docstring, `...` or `pass`."""
    return all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in body
    )


def _options(call: ast.Call, kind: str, evaluator: Evaluator) -> dict[str, Any]:
    options = {k.arg or "**": evaluator.value(k.value) for k in call.keywords}
    if kind == "mixin":
        raise Unreadable(call, "@mixin takes no options: write it without parentheses", "TS037")
    if kind == "declare" and options:
        text = f"unknown option {next(iter(options))!r}; @declare takes none"
        raise Unreadable(call, text, "TS037")
    if call.args:
        raise Unreadable(call, f"@{kind} takes no positional arguments", "TS037")
    return options

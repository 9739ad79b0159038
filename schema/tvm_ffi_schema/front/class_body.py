# SPDX-License-Identifier: Apache-2.0
"""Read the body of a class statement: fields, settings, entries, methods."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from .. import dsl
from ..diag import Bag
from ..ir import Default, MethodDef, ParamDef, TypeRef
from . import annotation, decorators, numpydoc, python_code
from .decorators import is_empty
from .evaluate import Evaluator
from .raw import Places, RawClass, RawField, Unreadable, report

ALLOW = re.compile(r"#\s*tschema:\s*allow\s+([A-Z0-9_, ]+?)\s*(?:--\s*(.*))?$")


def allowances(node: ast.ClassDef, places: Places) -> list[str]:
    """Return the rules that comments in a class and on the line above the class allow."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    found = []
    for line in places.lines[max(first - 2, 0) : node.end_lineno or node.lineno]:
        match = ALLOW.search(line) if "tschema:" in line else None
        if match and match[2]:  # a comment without a reason is ignored
            found += re.findall(r"[A-Z0-9_]+", match[1])
    return found


class ClassBody:
    """Reads a class body into a `RawClass`; reports and skips wrong statements."""

    def __init__(
        self,
        env: Mapping[str, Any],
        places: Places,
        bag: Bag,
        raw: RawClass,
        tree: ast.Module | None = None,
    ) -> None:
        self.tree = tree
        self.env = dict(env)
        self.places = places
        self.bag = bag
        self.raw = raw
        self.evaluator = Evaluator(self.env)
        self.kw_only = False

    def read(self, node: ast.ClassDef) -> None:
        """Read every statement of the body."""
        self._docstring(node)
        self.raw.allow += allowances(node, self.places)
        for at, statement in enumerate(node.body):
            if at == 0 and self.raw.doc_line:
                continue
            try:
                self._statement(statement)
            except Unreadable as problem:
                self._report(problem, statement)
            except RecursionError:
                self._report(Unreadable(statement, "nested too deep"), statement)

    def _report(self, problem: Unreadable, node: ast.AST) -> None:
        report(self.bag, self.places, problem, node)

    def _docstring(self, node: ast.ClassDef) -> None:
        first = node.body[0]
        value = first.value if isinstance(first, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            self.raw.doc = value.value
            self.raw.doc_line = first.lineno

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.AnnAssign):
            self._annotated(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._setting(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._method(node)
        elif not (
            isinstance(node, ast.Pass)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ):
            word = "nested class" if isinstance(node, ast.ClassDef) else "statement"
            raise Unreadable(node, f"a schema class holds no such {word}")

    def _annotated(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            raise Unreadable(node.target, "a field is a plain name")
        name = node.target.id
        if self._is_class_variable(node.annotation):
            value = None if node.value is None else self.evaluator.value(node.value)
            if isinstance(value, dsl.EntrySpec):
                value.doc = self.places.comment_above(node.lineno)
                self.raw.entries.append((name, value, self.places.of(node.target)))
            return
        if self._is_kw_only_mark(node.annotation):
            self.kw_only = True
            return
        type_: TypeRef | None = None
        try:
            type_ = annotation.from_node(node.annotation, self.env)
        except Unreadable as problem:
            self._report(problem, node.annotation)
        default: Any = dsl.MISSING
        if node.value is not None:
            default = self.evaluator.value(node.value)
        self._add_field(name, type_, default, node)

    def _add_field(self, name: str, type_: Any, default: Any, node: ast.AnnAssign) -> None:
        if self.kw_only:
            if not isinstance(default, dsl.FieldSpec):
                default = dsl.field() if default is dsl.MISSING else dsl.field(default=default)
            if default.options.get("kw_only") is None:
                default.options["kw_only"] = True
        self.raw.fields.append(
            RawField(
                name,
                type_,
                default,
                self.places.of(node.target),
                self.places.comment_above(node.lineno),
                None if node.value is None else self.places.of(node.value),
            )
        )

    def _is_class_variable(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value.lstrip().startswith(("ClassVar", "typing.ClassVar"))
        head = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(head, ast.Name):
            return head.id == "ClassVar"
        if isinstance(head, ast.Attribute) and isinstance(head.value, ast.Name):
            return head.value.id == "typing" and head.attr.startswith("ClassVar")
        return ast.unparse(node).startswith(("ClassVar[", "typing.ClassVar"))

    def _is_kw_only_mark(self, node: ast.expr) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return isinstance(node, ast.Constant) and node.value == "KW_ONLY"
        try:
            return annotation.value_of(node, self.env) is dsl.KW_ONLY
        except Unreadable:
            return False

    def _setting(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if not isinstance(target, ast.Name):
            raise Unreadable(target, "a setting is a plain name")
        value = self.evaluator.value(node.value)
        span = self.places.of(target)
        if isinstance(value, dsl.EntrySpec):
            value.owner, value.name = self.raw.name, target.id
            value.doc = self.places.comment_above(node.lineno)
            self.raw.entries.append((target.id, value, span))
        else:
            self.raw.settings[target.id] = (value, span)
            self.env[target.id] = value

    # --- methods

    def _method(self, node: Any) -> None:
        mark, static = self._method_mark(node)
        body = [one for one in node.body if mark is None or not _is_refusing(one)]
        has_body = not is_empty(body)
        if mark is None and not has_body and not node.decorator_list:
            self.bag.add(
                "TS040",
                f"method {node.name!r} has neither a body nor @method",
                self.places.name_of(node, node.name),
                help="give it a body, or write @method before it and the body in C++",
            )
            return
        code = "" if mark is not None else python_code.text_of(node, self.places.lines)
        text = ""
        if has_body and mark is not None:
            lines = self.places.lines[node.body[0].lineno - 1 : node.end_lineno]
            text = "\n".join(lines)
        doc = ast.get_docstring(node, clean=False) or ""
        params: tuple[ParamDef, ...] = ()
        returns = annotation.NONE
        if mark is not None:
            params = tuple(self._params(node, static))
            if node.returns is not None:
                returns = annotation.from_node(node.returns, self.env)
            elif node.name != "__init__":
                text = f"method {node.name!r} needs a result type"
                raise Unreadable(node, text, "TS040", help="write  -> None  if it has no result")
        self.raw.methods.append(
            MethodDef(
                name=node.name,
                params=params,
                returns=returns,
                cpp_name=mark.cpp_name if mark else "",
                renamed_from=mark.renamed_from if mark else "",
                const=mark.const if mark else True,
                static=static,
                native=mark is not None,
                python_body=text,
                python_code=code,
                python_imports=python_code.imports_of(node, self.tree) if code else (),
                doc=numpydoc.parse(doc),
                span=self.places.name_of(node, node.name),
            )
        )

    def _method_mark(self, node: Any) -> tuple[dsl.MethodMark | None, bool]:
        mark: dsl.MethodMark | None = None
        static = False
        for item in node.decorator_list:
            text = ast.unparse(item)
            call = item if isinstance(item, ast.Call) else None
            if text == "staticmethod":
                static = True
            elif text in ("overload", "typing.overload", "property", "classmethod"):
                continue
            elif annotation.value_of(call.func if call else item, self.env) is dsl.method:
                options = {}
                for keyword in call.keywords if call else ():
                    options[keyword.arg or "**"] = self.evaluator.value(keyword.value)
                try:
                    mark = dsl.method(lambda: None, **options)
                except TypeError as error:
                    raise Unreadable(item, str(error), "TS040") from None
            elif not self._is_imported(call.func if call else item):
                raise decorators.unknown(item)
        return mark, static

    def _is_imported(self, node: ast.expr) -> bool:
        """Return whether a decorator is imported, so that its effect is unknown."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.env

    def _params(self, node: Any, static: bool) -> list[ParamDef]:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise Unreadable(node, "a native method takes positional parameters only", "TS040")
        names = [*arguments.posonlyargs, *arguments.args]
        if not static:
            if not names:
                text = f"method {node.name!r} has no self"
                raise Unreadable(node, text, "TS040", help="add self, or write @staticmethod")
            names = names[1:]
        defaults = [None] * (len(names) - len(arguments.defaults)) + list(arguments.defaults)
        result = []
        for name, default in zip(names, defaults[-len(names) :] if names else []):
            if name.annotation is None:
                text = f"parameter {name.arg!r} needs a type"
                raise Unreadable(name, text, "TS040", help="annotate it; ty.Any takes everything")
            type_ = annotation.from_node(name.annotation, self.env)
            value = None
            if default is not None:
                value = Default("value", self.evaluator.value(default))
            result.append(ParamDef(name.arg, type_, value))
        return result


def _is_refusing(node: ast.stmt) -> bool:
    """Return whether a statement is ``raise NotImplementedError``, a body for type checkers."""
    error = node.exc if isinstance(node, ast.Raise) else None
    if isinstance(error, ast.Call) and not (error.args or error.keywords):
        error = error.func
    return isinstance(error, ast.Name) and error.id == "NotImplementedError"

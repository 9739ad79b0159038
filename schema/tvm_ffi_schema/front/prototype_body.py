# SPDX-License-Identifier: Apache-2.0
"""Read the class bodies of prototypes; all statements except fields and entries stay in Python."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Mapping
from typing import Any

from .. import dsl
from ..diag import Bag
from ..ir import MethodDef, TypeRef
from . import annotation, numpydoc, prototype, python_code, run_time
from .class_body import ClassBody
from .evaluate import Evaluator
from .raw import Places, RawClass, Unreadable


class PrototypeBody(ClassBody):
    """Reads one class body.

    If the file was run, `actual` has the values of the names in the file and in the class.
    """

    def __init__(
        self,
        env: Mapping[str, Any],
        places: Places,
        bag: Bag,
        raw: RawClass,
        tree: ast.Module | None,
        actual: Mapping[str, Any] | None,
    ) -> None:
        super().__init__(env, places, bag, raw, tree)
        self.actual = actual
        self.evaluator = Evaluator(self.env, actual)
        self.payload = prototype.payload_of(raw)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef)):
            super()._statement(node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._assigned(target, node)

    # --- fields and entries

    def _annotated(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            return
        name = node.target.id
        if self._is_class_variable(node.annotation):
            if node.value is not None:
                self._assigned(node.target, node, is_class_variable=True)
            elif self._is_binder(name, node.annotation):
                self.raw.entries.append((name, None, self.places.of(node.target)))
            return
        if self._is_kw_only_mark(node.annotation):
            self.kw_only = True
            return
        default: Any = dsl.MISSING
        if isinstance(node.value, ast.Call) and _is_init_property(node.value.func):
            raise _computed(node.value)
        if node.value is not None:
            default = self.evaluator.value(node.value)
        if isinstance(default, dsl.EntrySpec):
            self._entry(name, default, node.target, node.lineno)
            return
        type_, is_final = self._type(node.annotation)
        if is_final:
            if not isinstance(default, dsl.FieldSpec):
                default = dsl.field(default=default)
            default.options["frozen"] = True
        self._add_field(name, type_, default, node)

    def _type(self, node: ast.expr) -> tuple[TypeRef | None, bool]:
        """Return (type, whether the field is final); the type is None after an error."""
        is_final = False
        with contextlib.suppress(SyntaxError):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node = ast.copy_location(ast.parse(node.value.strip(), mode="eval").body, node)
        while isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            if head == "InitVar":
                text = "an InitVar is not a field: only a class of Python has such a parameter"
                help_ = "make it a field, or move the class into a file that is not promoted"
                self._report(Unreadable(node, text, "TS030", help=help_), node)
                return None, False
            if head not in ("Final", "Annotated"):
                break
            is_final = is_final or head == "Final"
            node = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        try:
            return annotation.from_node(node, self.env), is_final
        except Unreadable as problem:
            if self.actual is not None:
                with contextlib.suppress(Unreadable):
                    found = run_time.evaluated(node, self.actual)
                    return annotation.from_value(found, self.env), is_final
            self._report(problem, node)
        return None, is_final

    def _is_binder(self, name: str, node: ast.expr) -> bool:
        """Return whether ``name: ClassVar[A]`` declares an entry."""
        if self.raw.kind not in prototype.ENUMS:
            return False
        text = ast.unparse(node).partition("[")[2].rpartition("]")[0].strip("'\" ")
        return name[:1] != "_" or text.rpartition(".")[2] in (self.raw.name, "Self")

    def _entry(self, name: str, spec: Any, target: ast.AST, line: int) -> None:
        spec.owner, spec.name = self.raw.name, name
        spec.doc = self.places.comment_above(line)
        self.raw.entries.append((name, spec, self.places.of(target)))

    def _assigned(self, target: ast.Name, node: Any, is_class_variable: bool = False) -> None:
        """Record an entry or a type attribute; a value that cannot be read stays in Python."""
        try:
            value = self.evaluator.value(node.value)
        except Unreadable:
            if self.payload is not None and target.id[:1] != "_":
                raise
            return
        self.env[target.id] = value
        is_payload = self.payload is not None and target.id[:1] != "_"
        if isinstance(value, dsl.EntrySpec):
            self._entry(target.id, value, target, node.lineno)
        elif is_payload:
            self._entry(target.id, prototype.entry(value), target, node.lineno)
        elif not is_class_variable and _is_literal(value):
            self.raw.settings[target.id] = (value, self.places.of(target))

    # --- methods

    def _method(self, node: Any) -> None:
        """Record a method; its code stays in Python."""
        texts = [ast.unparse(one) for one in node.decorator_list]
        for decorator in filter(_is_init_property, node.decorator_list):
            raise _computed(decorator)
        self.raw.methods.append(
            MethodDef(
                name=node.name,
                static="staticmethod" in texts,
                native=False,
                python_code=python_code.text_of(node, self.places.lines),
                python_imports=python_code.imports_of(node, self.tree),
                doc=numpydoc.parse(ast.get_docstring(node, clean=False) or ""),
                span=self.places.name_of(node, node.name),
            )
        )


def _is_init_property(node: ast.expr) -> bool:
    return ast.unparse(node).rpartition(".")[2] == "init_property"


def _computed(node: ast.expr) -> Unreadable:
    """Return the error for a field whose value Python computes."""
    text = "an init_property is computed by Python, so that a native class cannot have it"
    help_ = "write  field(init=False)  with a default, and compute the value in __post_init__"
    return Unreadable(node, text, "TS030", help=help_)


def _is_literal(value: Any) -> bool:
    """Return whether a native library can register this value as a type attribute."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_literal, value))
    if isinstance(value, dict):
        return all(isinstance(k, str) and _is_literal(v) for k, v in value.items())
    if isinstance(value, int):
        return -(1 << 63) <= value < 1 << 63
    return isinstance(value, (float, str, bytes))

# SPDX-License-Identifier: Apache-2.0
"""Compare hand-written Python bindings, ``@c_class("key")``, with the schema.

The Python files are parsed and not run.
"""

from __future__ import annotations

import ast
import dataclasses
import keyword
import typing
from collections.abc import Container, Iterator
from typing import Any

from ..back.cpp_file import FIRST_LINE
from ..back.python_type import PythonNames, python_name
from ..diag import Bag, Edit, near
from ..files.source import SourceFile, shown
from ..front import annotation
from ..front.known import KNOWN_MODULES
from ..front.raw import Places, Unreadable
from ..ir import FieldDef, Span, TypeRef
from ..link.program import Class, Program


def check(program: Program, files: dict[str, SourceFile], bag: Bag) -> None:
    """Report differences between the fields in bindings and the fields in the schema."""
    for path, one in files.items():
        if "c_class" not in one.text or FIRST_LINE in one.text.partition("\n")[0]:
            continue  # skip files without bindings, and generated files, which `check` compares
        try:
            tree = ast.parse(one.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # skip a file with a syntax error, which Python will report
        places = Places(shown(path), one.text)
        for node in ast.walk(tree):
            cls = program.classes.get(_key_of(node))
            if cls is not None:
                _Binding(cls, program, places, bag).check(node)


def _key_of(node: ast.AST) -> str:
    """Return the type key that a class statement binds; empty for any other statement."""
    for item in getattr(node, "decorator_list", ()) if isinstance(node, ast.ClassDef) else ():
        function = getattr(item, "func", None)
        name = getattr(function, "id", getattr(function, "attr", ""))
        if name == "c_class" and item.args and isinstance(item.args[0], ast.Constant):
            return str(item.args[0].value)
    return ""


class _Binding:
    """One class of a binding file."""

    def __init__(self, cls: Class, program: Program, places: Places, bag: Bag) -> None:
        self.cls = cls
        self.places = places
        self.bag = bag
        self.names = PythonNames(program, "")
        self.env: dict[str, Any] = {name: getattr(typing, name) for name in typing.__all__}
        self.env.update(KNOWN_MODULES["tvm_ffi"])
        self.env.update(KNOWN_MODULES["ctypes"])

    def check(self, node: Any) -> None:
        wanted = {f.reflected_name or f.name: f for f in self.cls.d.fields if f.reflect}
        given = dict(self._fields(node, wanted))
        before: Any = None
        for name, one in wanted.items():
            if name not in given:
                if not keyword.iskeyword(name):  # a binding cannot declare a field with this name
                    self._missing(name, one, before, node)
                continue
            before = given[name]
            self._annotation(name, one, before)
        for name, found in given.items():
            if name not in wanted:
                text = f"{name!r} of {self.cls.type_key} is not in the schema"
                self._add(text, self.places.of(found), help=near(name, wanted))

    def _fields(self, node: Any, wanted: Container[str]) -> Iterator[tuple[str, ast.AnnAssign]]:
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                text = ast.unparse(item.annotation)
                is_field = "ClassVar" not in text and "KW_ONLY" not in text
                if is_field and (item.target.id in wanted or not item.target.id.startswith("_")):
                    yield item.target.id, item

    def _missing(self, name: str, one: FieldDef, before: Any, node: Any) -> None:
        text = f"field {name!r} is missing in the binding of {self.cls.type_key}"
        line = f"{name}: {self.names.type(one.type)}"
        fix = []
        if before is not None:
            end = self.places.of(before)
            at = Span(end.file, end.end_line, end.end_col, end.end_line, end.end_col)
            fix.append(Edit(at, "\n" + " " * before.col_offset + line))
        self._add(text, self.places.name_of(node, node.name), fix=fix, help=f"add  {line}")

    def _annotation(self, name: str, one: FieldDef, found: ast.AnnAssign) -> None:
        wanted = self.names.type(one.type)
        given = self._type(found.annotation)
        if given is None or given == self._type(ast.parse(wanted, mode="eval").body):
            return
        text = f"{name!r} is annotated with {ast.unparse(found.annotation)}"
        span = self.places.of(found.annotation)
        self._add(f"{text}, the schema says {wanted}", span, fix=[Edit(span, wanted)])

    def _type(self, node: ast.expr) -> TypeRef | None:
        """Return the schema type of an annotation; None if the annotation is not a schema type."""
        try:
            return self._plain(annotation.from_node(node, self.env))
        except Unreadable:
            return None

    def _plain(self, type_: TypeRef) -> TypeRef:
        """Return a type for comparisons; reduce the name of each class in it to the last part."""
        name = type_.name.rpartition(":")[2].rpartition(".")[2]
        if name in (self.cls.obj, self.cls.d.name):
            name = python_name(self.cls)
        args = tuple(self._plain(arg) for arg in type_.args)
        return dataclasses.replace(type_, name=name, args=args)

    def _add(self, text: str, span: Span, *, fix: Any = (), help: str = "") -> None:
        notes = [(self.cls.span, "declared in the schema here")]
        self.bag.add("TS426", text, span, notes=notes, fix=fix, help=help)

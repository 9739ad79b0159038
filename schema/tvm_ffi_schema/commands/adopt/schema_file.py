# SPDX-License-Identifier: Apache-2.0
"""Write a schema file with the adopted classes, or add the classes to an existing file."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...back.schema_source import SchemaWriter
from ...dsl.table import CLASS, SHARED
from ...ir import ExternDef, Module, ObjectDef
from ...link.program import held_classes

_ALIAS = re.compile(r"^Cpp(\d+) = ", re.MULTILINE)
_PACKAGES = ("tvm_ffi.schema", "tvm_ffi_schema")


class NotASchema(Exception):  # noqa: N818 - a reason, not a fault
    """The reason why classes cannot be added to a file."""


def new(
    stem: str,
    objects: list[ObjectDef],
    externs: list[ExternDef],
    elsewhere: Mapping[str, tuple[str, str]],
) -> str:
    """Return the text of a new schema file.

    The most common settings of the classes become settings of the module. `elsewhere` maps the type
    key of each class in other schema files to (name, module).
    """
    usual = {name: _most_common(objects, name) for name in ("namespace", "header")}
    shared = {name: _most_common(objects, CLASS[name].attribute) for name in SHARED}
    defaults = {name: v for name, v in shared.items() if v != CLASS[name].value and objects[1:]}
    module = Module(
        stem,
        namespace=usual["namespace"],
        header=usual["header"],
        defaults=defaults,
        objects=tuple(_without(one, usual) for one in objects),
        externs=tuple(externs),
    )
    writer = SchemaWriter(module)
    _import(writer, objects, elsewhere)
    return writer.text()


def _most_common(objects: list[ObjectDef], name: str) -> Any:
    return Counter(getattr(one, name) for one in objects).most_common(1)[0][0]


def added(
    text: str,
    module: Module,
    objects: list[ObjectDef],
    externs: list[ExternDef],
    elsewhere: Mapping[str, tuple[str, str]],
) -> str:
    """Add classes to a schema file and return its new text; `module` is the present content.

    A class replaces its extern declaration if the file has one. Other classes are added at the end.

    Raises
    ------
    NotASchema
        If the file cannot be extended.
    """
    said = {"namespace": module.namespace, "header": module.header}
    objects = [_without(one, said) for one in objects]
    file = _File(text, module, objects)
    at_end = len(file.rows) + 1
    lines = {one.type_key: file.places.get(one.type_key, (at_end, 0))[0] for one in objects}
    present = {one.type_key for one in module.externs}
    fresh = tuple(one for one in externs if one.type_key not in present)
    for line, group in sorted(_groups(objects, lines), reverse=True, key=lambda pair: pair[0]):
        file.add(line, group, fresh if line == at_end else (), elsewhere)
    return _with_imports("\n".join(file.rows) + "\n", file.words, sorted(file.imports))


class _File:
    """A schema file to which classes are added.

    Callers add classes from the last line to the first, so that the line numbers stay valid.
    """

    def __init__(self, text: str, module: Module, objects: list[ObjectDef]) -> None:
        self.stem, self.defaults = module.stem, module.defaults
        self.rows = text.rstrip("\n").split("\n")
        self.places = _extern_lines(text)
        self.words: set[str] = set()
        self.imports: set[str] = set()
        self._names = {one.type_key: one.name for one in module.externs}
        self._names.update((one.type_key, one.name) for one in (*module.objects, *objects))
        self._lines = {one.type_key: one.span.line for one in module.objects if one.span}
        self._lines.update((key, first) for key, (first, _) in self.places.items())
        numbers = map(int, _ALIAS.findall(text))
        self._taken = {f"<{n}>": f"Cpp{n}" for n in range(1, max(numbers, default=0) + 1)}

    def add(
        self,
        line: int,
        group: list[ObjectDef],
        externs: tuple[ExternDef, ...],
        elsewhere: Mapping[str, tuple[str, str]],
    ) -> None:
        """Insert classes at a line; replace the extern declaration that begins at the line."""
        for one in group:
            if self._lines.get(one.parent, 0) > line:
                raise NotASchema(f"{self._names[one.parent]} must stand before {one.name}")
        module = Module(self.stem, objects=tuple(group), externs=externs, defaults=self.defaults)
        writer = SchemaWriter(module)
        writer.names.update(self._names)
        writer.seen.update(key for key, place in self._lines.items() if place < line)
        writer.aliases.update(self._taken)
        _import(writer, group, elsewhere)
        body = [*([""] if externs else []), *writer.body()]
        made = [f"{n} = {text}" for text, n in writer.aliases.items() if text not in self._taken]
        stop = self.places.get(group[0].type_key, (0, line - 1))[1]
        self.rows[line - 1 : stop] = [*(["", *made] if made else []), *body]
        self._taken = dict(writer.aliases)
        self.words |= writer.words - {"module"}
        self.imports |= writer.imports


def _groups(objects: list[ObjectDef], ends: Mapping[str, int]) -> list[tuple[int, list[ObjectDef]]]:
    """Return (line, classes to insert at the line) for each line."""
    out: dict[int, list[ObjectDef]] = {}
    for one in objects:
        out.setdefault(ends[one.type_key], []).append(one)
    return list(out.items())


def _extern_lines(text: str) -> dict[str, tuple[int, int]]:
    """Return type key -> first and last line of the statement that declares an extern class."""
    out = {}
    for node in ast.parse(text).body:
        call = node.value if isinstance(node, ast.Assign) else None
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "extern" and call.args:
            key = call.args[0]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                out[key.value] = (node.lineno, node.end_lineno or node.lineno)
    return out


def _import(
    writer: SchemaWriter, objects: list[ObjectDef], elsewhere: Mapping[str, tuple[str, str]]
) -> None:
    """Import the classes of other schema files that the added classes use."""
    used = {one.parent for one in objects}.union(*map(held, objects))
    for key in sorted(used & set(elsewhere)):
        name, stem = elsewhere[key]
        writer.imports.add(f"from {stem} import {name}")
        writer.names[key] = name
        writer.seen.add(key)


def held(one: ObjectDef) -> set[str]:
    """Return the type keys of the classes in the fields and methods of a class."""
    types = [f.type for f in one.fields] + [m.returns for m in one.methods]
    types += [p.type for m in one.methods for p in m.params]
    return {key for type_ in types for key in held_classes(type_)}


def _without(one: ObjectDef, usual: Mapping[str, str]) -> ObjectDef:
    same = {name: "" for name, value in usual.items() if getattr(one, name) == value}
    return dataclasses.replace(one, **same)  # type: ignore[arg-type]


def _with_imports(text: str, words: set[str], imports: list[str]) -> str:
    """Return a schema file that also imports `words` of the schema language.

    `imports` has further import lines to add.
    """
    tree = ast.parse(text)
    found = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module in _PACKAGES]
    if not found or any(a.asname or a.name == "*" for n in found for a in n.names):
        raise NotASchema("it does not import the words of the schema by their names")
    node = found[-1]
    held = {a.name for n in found for a in n.names}
    missing = sorted(words - held)
    lines = text.splitlines(keepends=True)
    new_lines = [f"{line}\n" for line in imports if line + "\n" not in lines]
    if missing:
        names = sorted({a.name for a in node.names} | set(missing), key=_rank)
        made = f"from {node.module} import {', '.join(names)}"
        if len(made) > 100:
            inner = "".join(f"    {name},\n" for name in names)
            made = f"from {node.module} import (\n{inner})"
        assert node.end_lineno is not None
        lines[node.lineno - 1 : node.end_lineno] = [*new_lines, made + "\n"]
    else:
        lines[node.lineno - 1 : node.lineno - 1] = new_lines
    return "".join(lines)


def _rank(word: str) -> tuple[bool, bool, str]:
    return (not word.isupper(), not word[0].isupper(), word)

# SPDX-License-Identifier: Apache-2.0
"""The schema file of adopted classes: a new one, or one with classes added."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections import Counter
from collections.abc import Mapping

from ..back.schema_source import SchemaWriter
from ..ir import ExternDef, Module, ObjectDef
from ..passes.program import held_classes

_ALIAS = re.compile(r"^Cpp(\d+) = ", re.MULTILINE)
_PACKAGES = ("tvm_ffi.schema", "tvm_ffi_schema")


class NotASchema(Exception):  # noqa: N818 - the reason why a file is not added to
    """A file that no classes can be added to."""


def new(
    stem: str,
    objects: list[ObjectDef],
    externs: list[ExternDef],
    elsewhere: Mapping[str, tuple[str, str]],
) -> str:
    """Return the text of a new schema file; settings that most classes share are the module's.

    `elsewhere` has the name and the module of each class in another schema file, by type key.
    """
    usual = {
        name: Counter(getattr(one, name) for one in objects).most_common(1)[0][0]
        for name in ("namespace", "header")
    }
    module = Module(
        stem,
        namespace=usual["namespace"],
        header=usual["header"],
        objects=tuple(_without(one, usual) for one in objects),
        externs=tuple(externs),
    )
    writer = SchemaWriter(module)
    _import(writer, objects, elsewhere)
    return writer.text()


def added(
    text: str,
    module: Module,
    objects: list[ObjectDef],
    externs: list[ExternDef],
    elsewhere: Mapping[str, tuple[str, str]],
) -> str:
    """Return the text of a schema file, which says what `module` does, with classes at its end.

    Raises
    ------
    NotASchema
        If the imports of the file cannot be extended.

    """
    said = {"namespace": module.namespace, "header": module.header}
    present = {one.type_key for one in module.externs}
    more = Module(
        module.stem,
        objects=tuple(_without(one, said) for one in objects),
        externs=tuple(one for one in externs if one.type_key not in present),
    )
    writer = SchemaWriter(more)
    writer.words.discard("module")
    known = {one.type_key: one.name for one in module.objects}
    known |= {one.type_key: one.name for one in module.externs}
    writer.names.update(known)
    writer.seen.update(known)
    numbers = [int(n) for n in _ALIAS.findall(text)]
    taken = {f"<{n}>": f"Cpp{n}" for n in range(1, max(numbers, default=0) + 1)}
    writer.aliases.update(taken)
    _import(writer, objects, elsewhere)
    body = writer.body()
    aliases = [f"{name} = {made}" for made, name in writer.aliases.items() if made not in taken]
    lines = ["", *aliases] if aliases else []
    lines += ["", *body] if more.externs else body
    text = _with_imports(text, writer.words, sorted(writer.imports))
    return text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"


def _import(
    writer: SchemaWriter, objects: list[ObjectDef], elsewhere: Mapping[str, tuple[str, str]]
) -> None:
    """Import the classes of other schema files that some classes name."""
    used = {one.parent for one in objects}.union(*map(held, objects))
    for key in sorted(used & set(elsewhere)):
        name, stem = elsewhere[key]
        writer.imports.add(f"from {stem} import {name}")
        writer.names[key] = name
        writer.seen.add(key)


def held(one: ObjectDef) -> set[str]:
    """Return the type keys of the classes that fields and methods of a class name."""
    types = [f.type for f in one.fields] + [m.returns for m in one.methods]
    types += [p.type for m in one.methods for p in m.params]
    return {key for type_ in types for key in held_classes(type_)}


def _without(one: ObjectDef, usual: Mapping[str, str]) -> ObjectDef:
    same = {name: "" for name, value in usual.items() if getattr(one, name) == value}
    return dataclasses.replace(one, **same)  # type: ignore[arg-type]


def _with_imports(text: str, words: set[str], imports: list[str]) -> str:
    """Return a schema file that imports more words."""
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

# SPDX-License-Identifier: Apache-2.0
"""The schema file of adopted classes: a new one, or one with classes added."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping

from ..back.schema_source import SchemaWriter, emit
from ..ir import ExternDef, Module, ObjectDef

_ALIAS = re.compile(r"^Cpp(\d+) = ", re.MULTILINE)
_PACKAGES = ("tvm_ffi.schema", "tvm_ffi_schema")


class NotASchema(Exception):  # noqa: N818 - the reason why a file is not added to
    """A file that no classes can be added to."""


def new(stem: str, objects: list[ObjectDef], externs: list[ExternDef]) -> str:
    """Return the text of a new schema file; settings that most classes share are the module's."""
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
    return emit(module)


def added(
    text: str,
    module: Module,
    objects: list[ObjectDef],
    externs: list[ExternDef],
    elsewhere: Mapping[str, tuple[str, str]],
) -> str:
    """Return the text of a schema file with classes added at its end.

    Parameters
    ----------
    text : str
        The file.
    module : Module
        What it says.
    objects : list[ObjectDef]
        The classes to add.
    externs : list[ExternDef]
        Classes of other libraries that they name.
    elsewhere : Mapping[str, tuple[str, str]]
        Type key -> name and module of a class in another schema file.

    Raises
    ------
    NotASchema
        If the imports of the file cannot be extended.

    """
    said = {"namespace": module.namespace, "header": module.header}
    more = Module(
        module.stem,
        objects=tuple(_without(one, said) for one in objects),
        externs=tuple(e for e in externs if e.type_key not in {x.type_key for x in module.externs}),
    )
    writer = SchemaWriter(more)
    writer.words.discard("module")
    known = {one.type_key: one.name for one in (*module.objects, *module.externs)}
    writer.names.update(known)
    writer.seen.update(known)
    numbers = [int(n) for n in _ALIAS.findall(text)]
    taken = {f"<{n}>": f"Cpp{n}" for n in range(1, max(numbers, default=0) + 1)}
    writer.aliases.update(taken)
    used = {one.parent for one in objects} | {k for one in objects for k in held(one)}
    for key in sorted(used & set(elsewhere)):
        name, stem = elsewhere[key]
        writer.imports.add(f"from {stem} import {name}")
        writer.names[key] = name
        writer.seen.add(key)
    body = writer.body()
    aliases = [f"{name} = {made}" for made, name in writer.aliases.items() if made not in taken]
    lines = [*([""] + aliases if aliases else []), *([""] if more.externs else []), *body]
    text = _with_imports(text, writer.words, sorted(writer.imports))
    return text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"


def held(one: ObjectDef) -> list[str]:
    from ..passes.program import held_classes

    types = [f.type for f in one.fields] + [m.returns for m in one.methods]
    types += [p.type for m in one.methods for p in m.params]
    return [key for type_ in types for key in held_classes(type_)]


def _without(one: ObjectDef, usual: Mapping[str, str]) -> ObjectDef:
    import dataclasses

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

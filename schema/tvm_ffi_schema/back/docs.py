# SPDX-License-Identifier: Apache-2.0
"""Write documents: a Markdown page with a class diagram per module."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..ir import Module
from ..link.program import Class, Foreign, Program, header_name
from .cpp_file import FIRST_LINE
from .docs_facts import Table, tables, used_by
from .writer import Pieces


def emit(program: Program) -> Iterator[tuple[str, Pieces]]:
    """Yield (path below the docs root, text) of every document."""
    for module in program.schema.modules:
        if module.objects:
            yield _page(program, module), _markdown(program, module)


def _page(program: Program, module: Module) -> str:
    """Return the file name of the page of a module; two modules may have the same stem."""
    stems = [one.stem for one in program.schema.modules]
    if stems.count(module.stem) == 1:
        return f"{module.stem}.md"
    return f"{os.path.splitext(header_name(module))[0].replace('/', '.')}.md"


def _markdown(program: Program, module: Module) -> Pieces:
    classes = program.of_module(module)
    out = [f"<!-- {FIRST_LINE} {module.path or module.stem}. -->", f"# {module.stem}", ""]
    if module.doc:
        out += [*module.doc.splitlines(), ""]
    out += _diagram(classes)
    users = used_by(program)
    for cls in classes:
        out += ["", *section(program, cls, users.get(cls.type_key, []))]
    return [*out]


def _diagram(classes: list[Class]) -> list[str]:
    lines = ["```mermaid", "classDiagram"]
    for cls in classes:
        parent = cls.parent
        name = parent.d.name if isinstance(parent, Class) else parent.type_key.rpartition(".")[2]
        lines.append(f"  {name} <|-- {cls.d.name}")
    return [*lines, "```"]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def section(program: Program, cls: Class, users: list[tuple[str, str]]) -> list[str]:
    """Return the section of a class; `users` are the (type key, field) pairs that refer to it."""
    doc = cls.d.doc
    out = [f"## {cls.d.name}", "", f"`{cls.type_key}`"]
    out[-1] += f", derives from {_link(program, cls.parent.type_key, cls)}"
    if isinstance(cls.parent, Foreign) and cls.parent.is_runtime:
        out[-1] += " of the runtime"
    if cls.d.deprecated:
        out += ["", f"> **Deprecated:** {cls.d.deprecated}"]
    for text in (doc.summary, doc.text):
        if text:
            out += ["", *text.splitlines()]
    if doc.notes:
        out += ["", "**Notes**", "", *doc.notes.splitlines()]
    if doc.examples:
        out += ["", "**Examples**", "", "```python", *doc.examples.splitlines(), "```"]
    if doc.see_also:
        links = ", ".join(_named(program, name, cls) for name in doc.see_also)
        out += ["", f"See also: {links}"]
    for table in tables(program, cls):
        out += ["", f"**{table.title}**", "", *_table(table)]
    if users:
        links = ", ".join(f"{_link(program, key, cls)} (`{name}`)" for key, name in users)
        out += ["", f"Used by: {links}"]
    return out


def _table(table: Table) -> list[str]:
    out = [f"| {' | '.join(table.head)} |", "|" + " --- |" * len(table.head)]
    for row in table.rows:
        cells = [
            f"`{_cell(text)}`" if at in table.code and text else _cell(text)
            for at, text in enumerate(row)
        ]
        out.append(f"| {' | '.join(cells)} |")
    return out


def _link(program: Program, key: str, here: Class) -> str:
    """Return a link to a class, or its type key if the documents do not contain the class."""
    found = program.classes.get(key)
    if found is None:
        return f"`{key}`"
    page = "" if found.module is here.module else _page(program, found.module)
    return f"[`{key}`]({page}#{found.d.name.lower()})"


def _named(program: Program, name: str, here: Class) -> str:
    """Return a link for a name in a docstring, or the name itself if it is not a class."""
    for cls in program.order:
        if name in (cls.d.name, cls.ref, cls.type_key):
            return _link(program, cls.type_key, here).replace(f"`{cls.type_key}`", f"`{name}`")
    return f"`{name}`"

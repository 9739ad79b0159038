# SPDX-License-Identifier: Apache-2.0
"""Documents: a Markdown page per module with a class diagram, and one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterator

from ..front.fields import describe
from ..ir import FieldDef, Module
from ..passes import layout
from ..passes.program import Class, Foreign, Program, held_classes
from .cpp_file import FIRST_LINE
from .docs_html import page
from .writer import Pieces


def emit(program: Program) -> Iterator[tuple[str, Pieces]]:
    """Yield (path below the docs root, text) of every document."""
    for module in program.schema.modules:
        if module.objects:
            yield f"{module.stem}.md", _markdown(program, module)
    yield "index.html", page(program)


def _markdown(program: Program, module: Module) -> Pieces:
    classes = program.of_module(module)
    out = [f"<!-- {FIRST_LINE} {module.path or module.stem}. -->", f"# {module.stem}", ""]
    if module.doc:
        out += [*module.doc.splitlines(), ""]
    out += _diagram(classes)
    users = used_by(program)
    for cls in classes:
        out += ["", *_class(program, cls, users.get(cls.type_key, []))]
    return [*out]


def _diagram(classes: list[Class]) -> list[str]:
    lines = ["```mermaid", "classDiagram"]
    for cls in classes:
        parent = cls.parent
        name = parent.d.name if isinstance(parent, Class) else parent.type_key.rpartition(".")[2]
        lines.append(f"  {name} <|-- {cls.d.name}")
    return [*lines, "```"]


def used_by(program: Program) -> dict[str, list[str]]:
    """Return, for each class, the fields that hold it."""
    users: dict[str, list[str]] = {}
    for cls in program.order:
        for one in cls.d.fields:
            for key in dict.fromkeys(held_classes(one.type)):
                users.setdefault(key, []).append(f"{cls.type_key}.{one.name}")
    return users


def default_text(one: FieldDef) -> str:
    """Return the default of a field for readers."""
    if one.default is None:
        return ""
    if one.default.kind == "entry":
        return ".".join(one.default.value)
    return str(one.default.value) if one.default.kind == "cpp" else repr(one.default.value)


def flags_text(one: FieldDef) -> str:
    """Return what is unusual about a field."""
    words = []
    if not one.init:
        words.append("not in the constructor")
    if one.kw_only:
        words.append("keyword-only")
    if one.structural_eq:
        words.append(f"structural: {one.structural_eq}")
    if not one.reflect:
        words.append("not reflected")
    if one.deprecated:
        words.append(f"deprecated: {one.deprecated}")
    return ", ".join(words)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _class(program: Program, cls: Class, users: list[str]) -> list[str]:
    doc = cls.d.doc
    out = [f"## {cls.d.name}", "", f"`{cls.type_key}`"]
    parent = cls.parent.type_key
    out[-1] += f", derives from `{parent}`"
    if isinstance(cls.parent, Foreign) and cls.parent.is_runtime:
        out[-1] += " of the runtime"
    for text in (doc.summary, doc.text, doc.notes):
        if text:
            out += ["", *text.splitlines()]
    if cls.d.deprecated:
        out += ["", f"> **Deprecated:** {cls.d.deprecated}"]
    if doc.see_also:
        out += ["", "See also: " + ", ".join(f"`{name}`" for name in doc.see_also)]
    if cls.d.fields:
        out += ["", *_fields(program, cls)]
    if cls.d.enum is not None:
        out += ["", "| entry | value |", "| --- | --- |"]
        for entry in cls.d.enum.entries:
            value = entry.fields or entry.value
            out.append(f"| `{entry.name}` | {_cell(str(value) if value is not None else '')} |")
    if users:
        out += ["", "Used by: " + ", ".join(f"`{user}`" for user in users)]
    return out


def _fields(program: Program, cls: Class) -> list[str]:
    places = {slot.name: slot for slot in layout.compute(cls, program).slots}
    out = ["| field | type | default | offset | |", "| --- | --- | --- | --- | --- |"]
    for one in cls.d.fields:
        slot = places.get(one.name)
        offset = str(slot.offset) if slot else "?"
        words = ". ".join(filter(None, (one.doc.rstrip("."), flags_text(one))))
        default = f"`{_cell(default_text(one))}`" if one.default else ""
        type_text = _cell(describe(one.type))
        out.append(f"| `{one.name}` | `{type_text}` | {default} | {offset} | {_cell(words)} |")
    return out

# SPDX-License-Identifier: Apache-2.0
"""Tables of facts about a class, for the documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..front.fields import describe
from ..ir import FieldDef, MethodDef
from ..link import layout
from ..link.program import Class, Program, held_classes


@dataclass
class Table:
    """A table; `code` has the indices of the columns that contain code."""

    title: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    code: tuple[int, ...] = ()


def used_by(program: Program) -> dict[str, list[tuple[str, str]]]:
    """Return the type key of each class -> the fields whose types contain this class.

    Each field is represented by a pair: the type key of its class and the name of the field.
    """
    users: dict[str, list[tuple[str, str]]] = {}
    for cls in program.order:
        for one in cls.d.fields:
            for key in dict.fromkeys(held_classes(one.type)):
                users.setdefault(key, []).append((cls.type_key, one.reflected_name or one.name))
    return users


def tables(program: Program, cls: Class) -> list[Table]:
    """Return the tables of a class: fields, entries, methods, layout."""
    found = [_fields(cls), _entries(cls), _methods(cls), _layout(program, cls)]
    return [table for table in found if table.rows]


def _fields(cls: Class) -> Table:
    table = Table("Fields", ("field", "type", "default", "description"), code=(0, 1, 2))
    for one in cls.d.fields:
        words = ". ".join(filter(None, (one.doc.rstrip("."), _flags(one))))
        name = one.reflected_name or one.name
        table.rows.append((name, describe(one.type), _default(one), words))
    return table


def _default(one: FieldDef) -> str:
    if one.default is None:
        return ""
    if one.default.kind == "entry":
        return ".".join(one.default.value)
    return str(one.default.value) if one.default.kind == "cpp" else repr(one.default.value)


def _flags(one: FieldDef) -> str:
    """Return the settings of a field that differ from the defaults."""
    words = []
    if one.mixin:
        words.append(f"of {one.mixin}")
    if not one.init:
        words.append("not in the constructor")
    if one.kw_only:
        words.append("keyword-only")
    if one.frozen is False:
        words.append("writable")
    if one.structural_eq:
        words.append(f"structural: {one.structural_eq}")
    if not one.reflect:
        words.append("not reflected")
    return ", ".join(words)


def _entries(cls: Class) -> Table:
    enum = cls.d.enum
    if enum is None:
        return Table("", ())
    names = [one.reflected_name or one.name for one in cls.d.fields]
    table = Table("Entries", ("entry", "value", *names, "description"))
    table.code = tuple(range(2 + len(names)))
    for entry in enum.entries:
        values = [_shown(entry.fields.get(one.name, _usual(one))) for one in cls.d.fields]
        value = "" if entry.value is None else repr(entry.value)
        table.rows.append((entry.name, value, *values, entry.doc))
    return table


def _usual(one: FieldDef) -> Any:
    return one.default.value if one.default is not None else ""


def _shown(value: Any) -> str:
    return "" if value == "" else repr(value)


def _methods(cls: Class) -> Table:
    table = Table("Methods", ("method", "description"), code=(0,))
    for method in cls.d.methods:
        if method.native:
            table.rows.append((_signature(method), _method_words(method)))
        else:
            table.rows.append((f"{method.name}(...)", f"{method.doc.summary} (Python)".strip()))
    return table


def _signature(method: MethodDef) -> str:
    params = []
    for one in method.params:
        text = f"{one.name}: {describe(one.type)}"
        params.append(text if one.default is None else f"{text} = {one.default.value!r}")
    head = "static " if method.static else ""
    if method.name == "__init__":
        return f"{head}{method.name}({', '.join(params)})"
    return f"{head}{method.name}({', '.join(params)}) -> {describe(method.returns)}"


def _method_words(method: MethodDef) -> str:
    doc = method.doc
    parts = [doc.summary, doc.text]
    parts += [f"{one.name}: {one.text}" for one in doc.params]
    parts += [f"Returns: {doc.returns}"] if doc.returns else []
    parts += [f"Raises {one.name}: {one.text}" for one in doc.raises]
    return " ".join(" ".join(part.split()) for part in parts if part)


def _layout(program: Program, cls: Class) -> Table:
    found = layout.compute(cls, program)
    if found.opaque and cls.d.enum is not None:
        return Table("", ())  # the runtime, not the schema, determines the layout of an enum
    if found.opaque:
        return Table("Layout", ("not known",), [(found.opaque,)])
    title = f"Layout: {found.size} bytes"
    table = Table(title, ("member", "offset", "size", "alignment"), code=(0,))
    for slot in found.slots:
        table.rows.append((slot.name, str(slot.offset), str(slot.size), str(slot.align)))
    return table

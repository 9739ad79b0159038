# SPDX-License-Identifier: Apache-2.0
"""Write the class diagram of a whole schema, in Mermaid."""

from __future__ import annotations

from collections.abc import Iterator

from ..front.fields import describe
from ..link.program import Class, Program, held_classes
from .cpp_file import FIRST_LINE
from .writer import Pieces


def mermaid(program: Program) -> Pieces:
    """Return a Markdown page with one diagram."""
    out = [f"<!-- {FIRST_LINE} the schema. -->", "# Classes", "", "```mermaid", "classDiagram"]
    names = {cls.type_key: _name(cls.type_key) for cls in program.order}
    for cls in program.order:
        parent = names.get(cls.parent.type_key, _name(cls.parent.type_key))
        out.append(f"  {parent} <|-- {names[cls.type_key]}")
        out += [f"  {names[cls.type_key]} : {_plain(text)}" for text in _fields(cls)]
        for name, key in _held(program, cls):
            out.append(f"  {names[cls.type_key]} ..> {names[key]} : {name}")
    return [*out, "```"]


def _fields(cls: Class) -> Iterator[str]:
    for one in cls.d.fields:
        yield f"{one.reflected_name or one.name}: {describe(one.type)}"
    for entry in cls.d.enum.entries if cls.d.enum is not None else ():
        yield entry.name


def _held(program: Program, cls: Class) -> Iterator[tuple[str, str]]:
    for one in cls.d.fields:
        for key in dict.fromkeys(held_classes(one.type)):
            if key in program.classes:
                yield one.reflected_name or one.name, key


def _name(key: str) -> str:
    """Return a name that Mermaid accepts: dots are replaced."""
    return key.replace(".", "_")


def _plain(text: str) -> str:
    """Return a member in the notation of Mermaid, which writes generics with tildes."""
    return text.replace("[", "~").replace("]", "~").replace("<", "~").replace(">", "~")

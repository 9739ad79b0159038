# SPDX-License-Identifier: Apache-2.0
"""Hand-written C++ read by one of two engines, which say the same about what both understand.

``scan`` is built in. ``tree-sitter`` needs the packages of the extra ``schema``; it understands
more of C++ and knows which classes it could not read whole. ``auto`` takes it where it is there.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Sequence

from . import cpp_neutral, cpp_scan
from .cpp_chain import follow, read_entry
from .cpp_facts import Alias, CppClass, Entry, FileFacts, Found, Place, Sources, joined_name
from .cpp_scope import Scopes
from .cpp_tokens import Cursor, Lines, normal

ENGINES = ("auto", "scan", "tree-sitter")
Engine = Callable[[cpp_neutral.Neutral], FileFacts]
_LONGEST_BODY = 20_000
_TYPEDEF = re.compile(r"\btypedef\s+(?P<type>[^;{}()\[\]]{1,400}?)\s+(?P<name>\w+)\s*;")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<name>[^>\"\n]+)[>\"]", re.MULTILINE)


class NoEngine(Exception):  # noqa: N818 - the reason why an engine cannot be had
    """The engine that was asked for cannot run here; the text says why."""


def engine(name: str) -> tuple[str, Engine, str]:
    """Return an engine: its name, what reads a file, and why `auto` did not take the other one.

    Raises
    ------
    NoEngine
        If tree-sitter is asked for by name and cannot be had.

    """
    if name == "scan":
        return "scan", cpp_scan.read, ""
    try:
        from . import cpp_tree

        return "tree-sitter", cpp_tree.Tree().read, ""
    except ImportError as error:
        reason = f"the packages tree-sitter and tree-sitter-cpp are needed: {error}"
        missing = True
    except (ValueError, TypeError, AttributeError, OSError) as error:
        reason = f"tree-sitter and its grammar do not fit together: {error}"
        missing = False
    if name == "tree-sitter":
        raise NoEngine(reason)
    return "scan", cpp_scan.read, "" if missing else reason


class _Bodies:
    """The classes of a file, by the ranges of their bodies, which nest."""

    def __init__(self, classes: list[Found]) -> None:
        self.classes = sorted(classes, key=lambda item: item[0])
        self.starts = [first for first, _, _ in self.classes]
        self.outer: list[int] = []
        for number, start in enumerate(self.starts):
            self.outer.append(self._index(number - 1, start))

    def _index(self, at: int, offset: int) -> int:
        while at >= 0 and offset >= self.classes[at][1]:
            at = self.outer[at]
        return at

    def around(self, offset: int) -> CppClass | None:
        """Return the innermost class whose body holds an offset."""
        at = self._index(bisect.bisect_left(self.starts, offset) - 1, offset)
        return None if at < 0 else self.classes[at][2]


def read(
    path: str,
    text: str,
    into: Sources,
    export_macros: Sequence[str] = (),
    object_macros: Sequence[str] = (),
    use: Engine = cpp_scan.read,
) -> None:
    """Add what one file says."""
    file = cpp_neutral.neutralise(path, text, export_macros, object_macros)
    facts = use(file)
    scopes = Scopes(file.lines.text)
    bodies = _Bodies(facts.classes)

    def place(offset: int) -> Place:
        owner = bodies.around(offset)
        return scopes.at(offset) if owner is None else owner.inside

    for first, _, found in bodies.classes:
        found.place = place(first)
    for offset, macro in file.macros:
        owner = bodies.around(offset)
        if owner is not None:
            owner.macro = macro
    for _, last, found in bodies.classes:
        if "VisitAttrs" in found.methods:
            found.visited = _visited(file.lines, last, found)
        into.add_class(found)
    into.node_types += [(name, place(offset)) for offset, name in file.node_types]
    into.register_calls += [(name, place(offset)) for offset, name in facts.calls]
    for chain in facts.chains:
        owner = bodies.around(chain.offset)
        chain.owner = owner.full if owner is not None else ""
        chain.place = place(chain.offset)
        if chain.variable:
            follow(file.lines, chain)
    into.chains += facts.chains
    for offset, name, alias in (*facts.aliases, *_typedefs(file.lines.text)):
        alias.place = place(offset)
        into.aliases.setdefault(joined_name(alias.place.scope, name), alias)
    into.includes[path] = [m["name"] for m in _INCLUDE.finditer(text)]


def _typedefs(text: str) -> Iterator[tuple[int, str, Alias]]:
    for match in _TYPEDEF.finditer(text) if "typedef" in text else ():
        yield match.start(), match["name"], Alias(normal(match["type"]))


def _visited(lines: Lines, last: int, found: CppClass) -> list[Entry] | None:
    """Return what VisitAttrs visits; None when its body is elsewhere."""
    start = lines.offset(found.methods["VisitAttrs"][1].line, found.methods["VisitAttrs"][1].col)
    cursor = Cursor(lines, start, min(last, start + _LONGEST_BODY))
    paren = next((i for i, word in enumerate(cursor.words) if word == "("), len(cursor))
    brace = cursor.closing(paren) + 1
    if cursor.words[brace : brace + 1] != ["{"]:
        return None
    end = cursor.closing(brace)
    entries = []
    for at in range(brace, min(end, len(cursor)) - 2):
        if cursor.words[at] == "Visit" and cursor.words[at + 1] == "(":
            entries.append(read_entry(cursor, at, at + 1))
    return entries

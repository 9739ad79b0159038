# SPDX-License-Identifier: Apache-2.0
"""Read hand-written C++ into `cpp_facts`, one file at a time.

The steps, in order::

    cpp_branches    replaces parts that ``#if`` removes with blanks
    cpp_macros      replaces macros with blanks, and records macros that declare classes
    cpp_tree        parses the rest with tree-sitter: classes, chains, aliases
    cpp_body        reads the members, constants, constructors and methods of a class
    cpp_chain       reads the calls of a registration chain
    cpp_scope       finds the namespace of each offset
    cpp_facts       defines the records with the facts
    cpp_lookup      resolves names from the namespace where they occur
    cpp_value       computes the value of a literal or a constant

`cpp_tokens` has a cursor over the tokens of a range. This module imports tree-sitter when it reads
the first file, so commands that do not read C++ do not need tree-sitter.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterator, Sequence

from . import cpp_macros
from .cpp_chain import follow, read_entry
from .cpp_facts import Alias, CppClass, Entry, Found, Place, Sources, joined_name
from .cpp_scope import Scopes
from .cpp_tokens import Cursor, Lines, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import cpp_tree

_LONGEST_BODY = 20_000
_TYPEDEF = re.compile(r"\btypedef\s+(?P<type>[^;{}()\[\]]{1,400}?)\s+(?P<name>\w+)\s*;")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<name>[^>\"\n]+)[>\"]", re.MULTILINE)


class NoParser(Exception):  # noqa: N818 - the reason why C++ cannot be read
    """tree-sitter or its grammar cannot be used; `help` is advice for the user, or empty."""

    def __init__(self, message: str, help_: str = "") -> None:
        super().__init__(message)
        self.help = help_


@functools.cache  # cached: to build the query takes longer than to parse a small file
def _parser() -> cpp_tree.Parser:
    packages = ("tree_sitter", "tree_sitter_cpp")
    try:
        from . import cpp_tree

        return cpp_tree.Parser()
    except ModuleNotFoundError as error:
        help_ = "pip install tree-sitter tree-sitter-cpp" if error.name in packages else ""
        message = f"reading C++ needs the packages tree-sitter and tree-sitter-cpp: {error}"
        raise NoParser(message, help_) from error
    except ImportError as error:
        raise NoParser(f"tree-sitter cannot be imported: {error}") from error
    except (ValueError, TypeError, AttributeError) as error:
        message = f"the packages tree-sitter and tree-sitter-cpp do not fit together: {error}"
        raise NoParser(message, "install the versions that tvm-ffi-schema asks for") from error


class _Bodies:
    """An index that finds the classes of a file by the offsets of their bodies."""

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
        """Return the innermost class whose body contains an offset."""
        at = self._index(bisect.bisect_left(self.starts, offset) - 1, offset)
        return None if at < 0 else self.classes[at][2]


def read(
    path: str,
    text: str,
    into: Sources,
    export_macros: Sequence[str] = (),
    object_macros: Sequence[str] = (),
) -> None:
    """Add the facts of one file to `into`.

    Raises
    ------
    NoParser
        If tree-sitter or its grammar cannot be used.

    """
    parser = _parser()
    file = cpp_macros.blanked(path, text, export_macros, object_macros)
    facts = parser.read(file)
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
    """Return the members that VisitAttrs visits; None if its body is not in the class."""
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

# SPDX-License-Identifier: Apache-2.0
"""Read the C++ files of one run: texts, tokens, and the facts that `cxx.read` finds."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...cxx import read as reader
from ...cxx.cursor import Cursor, Lines
from ...cxx.model import CppClass, Sources
from ...cxx.names import Lookup
from ...diag import Bag
from ...files.source import SourceFile, shown
from ...ir import Span
from ...weave import markers


class Refused(Exception):  # noqa: N818 - a reason, not a fault
    """The reason why a class cannot be adopted safely; `span` is the code that is the cause."""

    def __init__(self, message: str, span: Span, help_: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.help = help_


class CppFile:
    """One file with all its tokens."""

    def __init__(self, path: str, source: SourceFile) -> None:
        self.path = path
        self.name = shown(path)
        self.source = source
        self.text = source.text
        self.cursor = Cursor(Lines(self.name, source.text))
        parsed = markers.parse(self.name, source.text, Bag())
        self.targets = {block.target.rpartition("::")[2] for block in parsed.blocks}

    def token(self, line: int, col: int) -> int:
        """Return the index of the token at a place."""
        return bisect.bisect_left(self.cursor.offsets, self.cursor.lines.offset(line, col))

    def offset(self, token: int) -> int:
        """Return the offset of a token."""
        return self.cursor.offsets[token]

    def end(self, token: int) -> int:
        """Return the offset of the end of a token."""
        return self.cursor.offsets[token] + len(self.cursor.words[token])


@dataclass
class Head:
    """The definition of a class: indices of the tokens `class`, the name and the braces."""

    file: CppFile
    first: int
    name: int
    opening: int
    closing: int

    @property
    def words(self) -> list[str]:
        """Return the words between `class` and the name."""
        return self.file.cursor.words[self.first + 1 : self.name]


@dataclass
class Tree:
    """All files, and the classes in them."""

    files: dict[str, CppFile] = field(default_factory=dict)
    sources: Sources = field(default_factory=Sources)
    heads: dict[str, list[Head]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lookup = Lookup(self.sources)

    def head(self, found: CppClass) -> Head:
        """Return the definition of a class.

        Raises
        ------
        Refused
            If the file defines the class more than once, or if its definition was not found.

        """
        file = self.files[found.span.file]
        token = file.token(found.span.line, found.span.col)
        near = [h for h in self.heads.get(found.name, ()) if h.file is file]
        head = next((h for h in near if h.name == token), None)
        if head is None:
            raise Refused(f"the head of {found.name} cannot be read", found.span)
        if len(near) > 1:
            other = next(h for h in near if h is not head)
            place = other.file.cursor.span(other.name)
            text = f"{found.name} is defined a second time in {file.name}, at line {place.line}"
            raise Refused(text, found.span)
        return head

    def references(self, found: CppClass) -> list[CppClass]:
        """Return the reference classes of an object class."""
        return [
            one
            for one in self.sources.classes.values()
            if one.declares_reference
            and one.macro is not None
            and self.lookup.find(one.macro.text("cls"), one.inside) is found
        ]


def read(
    files: Mapping[str, SourceFile], export_macros: Iterable[str], object_macros: Iterable[str]
) -> Tree:
    """Read C++ files and return their tree.

    Raises
    ------
    NoParser
        If tree-sitter or its grammar cannot be used.
    """
    sources = Sources()
    held: dict[str, CppFile] = {}
    for path, source in files.items():
        file = CppFile(path, source)
        held[file.name] = file
        reader.read(file.name, file.text, sources, list(export_macros), list(object_macros))
    tree = Tree(held, sources)
    for file in held.values():
        for head in _heads(file):
            tree.heads.setdefault(file.cursor.words[head.name], []).append(head)
    return tree


def _heads(file: CppFile) -> Iterable[Head]:
    """Yield the class definitions in a file."""
    c = file.cursor
    for first, word in enumerate(c.words):
        if word not in ("class", "struct"):
            continue
        at, name = first + 1, -1
        while at < len(c) and c.words[at] not in ("{", ";", ":", ")", "=", ">", ","):
            if c.words[at] in ("(", "["):
                at = c.closing(at)
            elif c.is_word(at) and c.words[at] != "final":
                name = at
            at += 1
        while at < len(c) and c.words[at] not in ("{", ";", ")", "="):
            at += 1  # skip the list of bases
        if name > 0 and at < len(c) and c.words[at] == "{" and c.closing(at) < len(c):
            yield Head(file, first, name, at, c.closing(at))

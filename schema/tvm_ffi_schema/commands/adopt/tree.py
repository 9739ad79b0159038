# SPDX-License-Identifier: Apache-2.0
"""Read the C++ files of one run: texts, and the model that `cxx.read` makes of them."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from typing import TypeVar

from ...cxx import read as reader
from ...cxx.cursor import Lines
from ...cxx.model import CppClass, Sources, Statement, Use, joined_name
from ...cxx.names import Lookup
from ...diag import Bag
from ...files import tokens
from ...files.source import SourceFile, shown
from ...ir import Span
from ...weave import markers

_Of = TypeVar("_Of", Statement, Use)


class Refused(Exception):  # noqa: N818 - a reason, not a fault
    """The reason why a class cannot be adopted safely; `span` is the code that is the cause.

    Of the classes with the same `family`, one finding names all.
    """

    def __init__(self, message: str, span: Span, help_: str = "", family: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.help = help_
        self.family = family


class CppFile:
    """One file: its text, and the blocks in it."""

    def __init__(self, path: str, source: SourceFile) -> None:
        self.path = path
        self.name = shown(path)
        self.text = source.text
        self.lines = Lines(self.name, source.text)
        self._words, self._offsets = tokens.code_lists(source.text, 0, len(source.text))
        parsed = markers.parse(self.name, source.text, Bag())
        self.blocks = parsed.blocks

    def between(self, offset: int) -> str:
        """Return the text between the last token before an offset and the offset."""
        at = bisect.bisect_left(self._offsets, offset) - 1
        start = self._offsets[at] + len(self._words[at]) if at >= 0 else 0
        return self.text[start:offset]

    def code(self, first: int, end: int) -> list[str]:
        """Return the tokens between two offsets, without comments."""
        return tokens.code_lists(self.text, first, end)[0]


class Tree:
    """All files, and what is known about each class in them."""

    def __init__(self, files: dict[str, CppFile], sources: Sources) -> None:
        self.files = files
        self.sources = sources
        self.lookup = Lookup(sources)
        self._statements = self._by_class(sources.statements)
        self._node_types = self._by_class(u for u in sources.uses if u.kind == "node_type")
        #: Name of a constant -> full name of a class -> the value that the class has or inherits.
        self.constants: dict[str, dict[str, str]] = {}
        self._references: dict[str, list[CppClass]] = {}
        for one in sources.classes.values():
            said = sources.aliases.get(joined_name(one.full, "ContainerType"))
            if one.declares_reference and one.macro is not None:
                name = one.macro.text("cls")
            elif said is not None and one.bases:  # a reference class without a macro
                name = said.text
            else:
                continue
            found = self.lookup.find(name, one.inside)
            if found is not None:
                self._references.setdefault(found.full, []).append(one)

    def _by_class(self, listed: Iterable[_Of]) -> dict[str, list[_Of]]:
        out: dict[str, list[_Of]] = {}
        for one in listed:
            found = self.lookup.find(one.target, one.place)
            if found is not None:
                out.setdefault(found.full, []).append(one)
        return out

    def file(self, found: CppClass) -> CppFile:
        """Return the file that defines a class.

        Raises
        ------
        Refused
            If the file defines the class more than once.

        """
        if found.again is not None:
            text = f"{found.name} is defined a second time in {found.again.file}, "
            raise Refused(f"{text}at line {found.again.line}", found.span)
        return self.files[found.span.file]

    def has_block(self, found: CppClass) -> bool:
        """Return whether a block in the file of a class has the class, or a part of the class."""
        is_only = len(self.lookup.called(found.name)) == 1
        return any(
            block.key == found.name and (is_only or block.first < found.span.line <= block.last)
            for block in self.files[found.span.file].blocks
        )

    def references(self, found: CppClass) -> list[CppClass]:
        """Return the reference classes of an object class."""
        return self._references.get(found.full, [])

    def statements(self, found: CppClass) -> list[Statement]:
        """Return the statements that register a class, its type attributes or enum entries."""
        return self._statements.get(found.full, [])

    def node_types(self, found: CppClass) -> list[Use]:
        """Return the uses of the macro that registers a class as a node type."""
        return self._node_types.get(found.full, [])


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
    return Tree(held, sources)

# SPDX-License-Identifier: Apache-2.0
"""Records of schema files before names are resolved; the readers pass them to `assemble`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from ..diag import Bag
from ..ir import MethodDef, Span
from ..ty import Type

#: The files of all modules that schemas have imported so far; depfiles list them.
files_run: set[str] = set()
_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True)
class ClassName(Type):
    """A class that is known only by name; `module` is the file that defines the class, or ""."""

    name: str
    module: str = ""

    def key(self) -> str:
        """Return the name in the form of unresolved types."""
        return f"{self.module}:{self.name}" if self.module else self.name


@dataclass(frozen=True)
class EntryName:
    """An entry of an enum; only the names of the enum and the entry are known."""

    owner: str
    name: str


@dataclass
class RawField:
    """An annotated name of a class body; `type` is None if the annotation was refused."""

    name: str
    type: Any
    default: Any
    span: Span
    comment: str = ""
    value_span: Any = None


@dataclass
class RawClass:
    """The content of a class statement."""

    name: str
    kind: str
    span: Span
    bases: list[tuple[Any, Span]] = field(default_factory=list)
    doc: str = ""
    doc_line: int = 0
    settings: dict[str, tuple[Any, Span]] = field(default_factory=dict)
    fields: list[RawField] = field(default_factory=list)
    entries: list[tuple[str, Any, Span]] = field(default_factory=list)
    methods: list[MethodDef] = field(default_factory=list)
    allow: list[str] = field(default_factory=list)


@dataclass
class RawExtend:
    """The content of a call of `extend`."""

    enum: Any
    entries: list[tuple[str, Any, Span]]
    span: Span


@dataclass
class RawModule:
    """The content of a schema file."""

    stem: str
    path: str
    doc: str = ""
    spec: Any = None
    spec_span: Any = None
    classes: list[RawClass] = field(default_factory=list)
    externs: dict[str, tuple[Any, Span]] = field(default_factory=dict)
    extends: list[RawExtend] = field(default_factory=list)


class Unreadable(Exception):  # noqa: N818 - it is a place and a reason, not an error of the program
    """Code that a reader cannot process; `node` is the syntax node, or None if not known.

    If `help` is None, a finding of the rule TS020 advises to run the file. An empty `help` means no
    advice.
    """

    def __init__(
        self,
        node: Any,
        message: str,
        rule: str = "TS020",
        label: str = "",
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.node = node
        self.message = message
        self.rule = rule
        self.label = label
        self.help = help

    def help_in(self, file: str) -> str:
        """Return the help for a finding in a file."""
        if self.help is None and self.rule == "TS020":
            return f'write the value out, or set frontend = "import" for {file}'
        return self.help or ""


class Places:
    """Converts positions of a syntax tree to spans; columns count characters, not bytes."""

    def __init__(self, shown: str, text: str) -> None:
        self.file = shown
        self.is_ascii = text.isascii()
        # `str.splitlines` also splits at characters that do not end a line of Python.
        self.lines = _LINE_END.split(text)

    def of(self, node: ast.AST) -> Span:
        """Return the range of a node."""
        line = getattr(node, "lineno", 1)
        end_line = getattr(node, "end_lineno", None) or line
        first, last = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None) or 0
        if self.is_ascii:
            return Span(self.file, line, first + 1, end_line, last + 1)
        begin, end = self._column(line, first), self._column(end_line, last)
        return Span(self.file, line, begin, end_line, end)

    def target_of(self, node: Any) -> Span:
        """Return the range of the first name that an assignment assigns to."""
        return self.of(node.targets[0] if isinstance(node, ast.Assign) else node.target)

    def name_of(self, node: ast.AST, word: str) -> Span:
        """Return the range of `word` in the first line of a node, or else the range of the node."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        at = text.find(word)
        if at < 0:
            return self.of(node)
        return Span(self.file, line, at + 1, line, at + 1 + len(word))

    def comment_above(self, line: int) -> str:
        """Return the text of the `#:` lines directly above a line."""
        words: list[str] = []
        at = line - 2
        while at >= 0 and self.lines[at].lstrip().startswith("#:"):
            words.append(self.lines[at].lstrip()[2:].strip())
            at -= 1
        return " ".join(reversed(words)).strip()

    def _column(self, line: int, offset: int) -> int:
        if line > len(self.lines):
            return offset + 1
        text = self.lines[line - 1]
        if text.isascii():
            return offset + 1
        return len(text.encode("utf-8")[:offset].decode("utf-8", "ignore")) + 1


def report(
    bag: Bag, places: Places, problem: Unreadable, place: Any = None, was_run: bool = False
) -> None:
    """Report an `Unreadable` as a finding, at its node, or else at a node or span.

    For a file that was run, omit the advice to run it.
    """
    where = problem.node if problem.node is not None else place
    span = where if isinstance(where, Span) else places.of(where) if where is not None else None
    help_ = (problem.help or "") if was_run else problem.help_in(places.file)
    span = span or Span(places.file)
    bag.add(problem.rule, problem.message, span, label=problem.label, help=help_)

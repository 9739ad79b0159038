# SPDX-License-Identifier: Apache-2.0
"""Suppressions: comments ``# tschema: allow TS323 -- reason`` in schema files.

A comment at the end of a statement covers the statement. A comment at the end of a class line
covers the class. A comment on a line of its own covers the class if it is inside of the class or
directly above the class; otherwise it covers the file.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..diag import Bag
from ..files import source
from ..ir import Span
from ..link.program import Program

ALLOW = re.compile(r"#\s*tschema:\s*allow\s+([A-Za-z0-9_, ]+?)\s*(?:--\s*(.*?))?\s*$")
_WORD = re.compile(r"[A-Za-z0-9_]+")


@dataclass
class Suppression:
    """One comment: the names of rules with their places, and the lines that the comment covers."""

    span: Span
    rules: dict[str, Span]
    reason: str
    first: int
    last: int
    is_whole_comment: bool
    spent: set[str] = field(default_factory=set)

    def covers(self, rule: str, span: Span) -> bool:
        """Return whether the comment suppresses a finding; if it does, mark the rule as used."""
        inside = span.file == self.span.file and self.first <= span.line <= self.last
        if not (inside and rule in self.rules and self.reason):
            return False
        self.spent.add(rule)
        return True


class Suppressions:
    """The suppressions in all Python files of a program; JSON files and images cannot have any."""

    def __init__(self, program: Program) -> None:
        self.items: list[Suppression] = []
        self._classes = program.order
        texts: dict[str, str] = {}
        for module in program.schema.modules:
            spans = [*(one.span for one in module.objects), *(one.span for one in module.externs)]
            texts.update((span.file, "") for span in spans if span is not None)
        for file in texts:
            found = source.read(file, Bag()) if file.endswith(".py") else None
            if found is not None:
                self.items += _of_file(file, found.text)

    def covers(self, rule: str, span: Span) -> bool:
        """Return whether a comment suppresses a finding; mark all comments that do as used."""
        return bool([one for one in self.items if one.covers(rule, span)])

    def owners(self, one: Suppression) -> list[str]:
        """Return the type keys of the classes that a comment covers, or of the class around it."""
        there = [cls for cls in self._classes if cls.span.file == one.span.file]
        covered = [c.type_key for c in there if one.first <= c.span.line <= one.last]
        above = [c for c in there if c.span.line <= one.first]
        last = max(above, key=lambda c: c.span.line, default=None)
        return covered or ([] if last is None else [last.type_key])

    def unused(self) -> Iterator[tuple[Suppression, str, Span]]:
        """Yield (comment, rule, place) for each rule in a comment that suppressed no finding.

        Comments without a reason are omitted.
        """
        for one in self.items:
            if one.reason:
                for rule, span in one.rules.items():
                    if rule not in one.spent:
                        yield one, rule, span


def _of_file(file: str, text: str) -> list[Suppression]:
    if not re.search(r"tschema:\s*allow", text):
        return []  # parsing takes many times longer
    try:
        tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return []  # the reader of the file reports the error
    found = []
    for token in tokens:
        match = ALLOW.match(token.string) if token.type == tokenize.COMMENT else None
        if match:
            line, start = token.start
            before = token.line[:start].rstrip()
            first, last = _lines(tree, line, not before)
            column = start + 1 if not before else len(before) + 1
            words = {
                word.group(): Span(
                    file,
                    line,
                    start + match.start(1) + word.start() + 1,
                    line,
                    start + match.start(1) + word.end() + 1,
                )
                for word in _WORD.finditer(match[1])
            }
            span = Span(file, line, column, line, token.end[1] + 1)
            found.append(Suppression(span, words, match[2] or "", first, last, not before))
    return found


def _lines(tree: ast.Module, line: int, alone: bool) -> tuple[int, int]:
    """Return the first and the last line that a comment covers."""
    for node in tree.body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.ClassDef):
            if first - (1 if alone else 0) <= line <= last:
                return _lines_in_class(node, line, alone, first, last)
        elif first <= line <= last:
            return first, last
    return 1, 1 << 30


def _lines_in_class(
    node: ast.ClassDef, line: int, alone: bool, first: int, last: int
) -> tuple[int, int]:
    for item in () if alone else node.body:
        top = min([item.lineno, *(d.lineno for d in getattr(item, "decorator_list", ()))])
        if top <= line <= (item.end_lineno or item.lineno):
            return top, item.end_lineno or item.lineno
    return first, last

# SPDX-License-Identifier: Apache-2.0
"""Check that each statement of ``tests/statements`` has a test with its marker.

``git grep -w PY-A1 tests`` prints the tests of a statement. ``tools/spec_marks.py`` describes the
markers.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from spec_marks import Problem, all_marks

STATEMENT = re.compile(r"- ((?:[A-Z]+-)?[A-Z]+)(\d+)(?:\.(\d+))?: (.+)")


class Table(NamedTuple):
    """A list of statements."""

    statements: str
    #: Matches the letters before the number of an id. An id such as ``A1.2`` is a part of ``A1``.
    letters: str
    #: Whether the numbers continue, instead of starting again, when the letters change.
    goes_on: bool = False
    #: Whether numbers may be missing.
    has_gaps: bool = False


TABLES = (
    Table("tests/statements/cpp.md", "[A-Z]|SY"),  # the C ABI and the C++ headers
    Table("tests/statements/python.md", "PY-[A-Z]", goes_on=True),
    Table("tests/statements/tooling.md", "TOOL-[A-Z]+"),  # the commands and the builder
    Table("tests/statements/schema.md", "SC", has_gaps=True),  # the object schema tool
    Table("tests/statements/distributed.md", "DIST-D"),  # pickles and distributed engines
    Table("tests/statements/rust.md", "RUST-R"),
    Table("tests/statements/generations.md", "GEN-G", has_gaps=True),  # other releases
)


def statements(table: Table, text: str, problems: list[Problem]) -> dict[str, tuple[str, int]]:
    """Return id -> file and line. Lines before the first heading are an introduction."""
    found: dict[str, tuple[str, int]] = {}
    numbering = _Numbering(table)
    in_list = False
    for line, words in enumerate(text.splitlines(), 1):
        if words.startswith("## "):
            in_list = True
        if not in_list or not words or words.startswith("## "):
            continue
        match = STATEMENT.fullmatch(words)
        if match is None or not re.fullmatch(table.letters, match[1]):
            reason = f"expected `## heading` or `- ID: text`; found {words!r}"
            problems.append(Problem(table.statements, line, reason))
            continue
        number = words[2 : words.index(":")]
        problem = numbering.check(match[1], match[2], match[3])
        if problem:
            problems.append(Problem(table.statements, line, problem))
        found.setdefault(number, (table.statements, line))
    return found


class _Numbering:
    """Checks that the numbers of ids begin with 0 or 1, and that parts follow their statement."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.counts: Counter[str] = Counter()
        self.width: dict[str, int] = {}
        self.last = 0

    def check(self, letters: str, whole: str, part: str | None) -> str:
        """Return the error in the next id, or an empty text if the id is right."""
        prefix = f"{letters}{whole}." if part else letters
        if part and int(whole) > self.counts[letters]:
            return f"{prefix}{part} is before {letters}{whole}"
        first = letters not in self.counts
        width = self.width.setdefault(letters, len(whole))
        if not part and first and self.table.goes_on:
            self.counts[letters] = self.last
        number = int(part or whole)
        following = 0 if first and number == 0 else self.counts[prefix] + 1
        expected = f"{prefix}{following}" if part else f"{prefix}{following:0{width}}"
        self.counts[prefix] = number
        self.last = self.last if part else number
        given = f"{prefix}{part or whole}"
        if self.table.has_gaps and number >= following:
            return ""
        return "" if given == expected else f"expected {expected}, found {given}"


def problems(root: Path) -> list[Problem]:
    """Return the errors in the lists of statements and in the markers below ``root``."""
    found: list[Problem] = []
    known: dict[str, tuple[str, int]] = {}
    for table in TABLES:
        text = (root / table.statements).read_text(encoding="utf-8")
        known |= statements(table, text, found)
    tested = set()
    for mark in all_marks(root, found):
        tested.add(mark.number)
        if mark.number not in known:
            reason = f"{mark.test}: tests/statements has no statement {mark.number!r}"
            found.append(Problem(mark.path, mark.line, reason))
    untested = [number for number in known if number not in tested]
    return found + [Problem(*known[n], f"no test has a marker with {n}") for n in untested]

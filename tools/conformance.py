# SPDX-License-Identifier: Apache-2.0
"""Print the tables that list the tests of each statement, from markers on the tests.

    python tools/conformance.py            # print the tables
    python tools/conformance.py --check    # print only errors; exit status 1 when there are any

The statements are in ``tests/statements``, the markers are described in ``tools/spec_marks.py``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from spec_marks import Mark, Problem, all_marks

HEAD = """\
# Which test shows what: {title}

The statements are in `{statements}`. A Python test names the ids of those that it shows with
`@pytest.mark.spec(...)`, other files with a comment `spec: ...` above the test. Paths are relative
to the root; a test without a file is in the file named before it.
"""
STATEMENT = re.compile(r"- ((?:[A-Z]+-)?[A-Z]+)(\d+)(?:\.(\d+))?: (.+)")


class Table(NamedTuple):
    """A list of statements, and the title of the table for the list."""

    title: str
    statements: str
    #: Matches the letters before the number of an id. An id such as ``A1.2`` is a part of ``A1``.
    letters: str
    #: Whether the numbers continue, instead of starting again, when the letters change.
    goes_on: bool = False
    #: Whether numbers may be missing.
    has_gaps: bool = False


TABLES = (
    Table(
        "the C ABI and the C++ headers",
        "tests/statements/cpp.md",
        "[A-Z]|SY",
    ),
    Table(
        "the Python package",
        "tests/statements/python.md",
        "PY-[A-Z]",
        goes_on=True,
    ),
    Table(
        "the commands and the builder",
        "tests/statements/tooling.md",
        "TOOL-[A-Z]+",
    ),
    Table(
        "the object schema tool",
        "tests/statements/schema.md",
        "SC",
        has_gaps=True,
    ),
    Table(
        "pickles and distributed engines",
        "tests/statements/distributed.md",
        "DIST-D",
    ),
    Table(
        "the Rust crates",
        "tests/statements/rust.md",
        "RUST-R",
    ),
    Table(
        "libraries and packages of other releases",
        "tests/statements/generations.md",
        "GEN-G",
        has_gaps=True,
    ),
)


class Statement(NamedTuple):
    """A statement with its heading, its file and its line."""

    heading: str
    text: str
    path: str
    line: int


# ---- statements


def statements(table: Table, text: str, problems: list[Problem]) -> dict[str, Statement]:
    """Return the statements by their ids. Lines before the first heading are an introduction."""
    found: dict[str, Statement] = {}
    numbering = _Numbering(table)
    heading = ""
    for line, words in enumerate(text.splitlines(), 1):
        if words.startswith("## "):
            heading = words.removeprefix("## ")
        if not heading or not words or words.startswith("## "):
            continue
        match = STATEMENT.fullmatch(words)
        if match is None or "|" in words or not re.fullmatch(table.letters, match[1]):
            expected = "expected `## heading` or `- ID: text`, without `|`"
            problems.append(Problem(table.statements, line, f"{expected}; found {words!r}"))
            continue
        number = words[2 : words.index(":")]
        problem = numbering.check(match[1], match[2], match[3])
        if problem:
            problems.append(Problem(table.statements, line, problem))
        found.setdefault(number, Statement(heading, match[4], table.statements, line))
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


# ---- pages


def pages(root: Path, problems: list[Problem]) -> dict[Table, str]:
    """Return the text for each list of the tree below ``root``; add errors to ``problems``."""
    lists = {
        table: statements(table, (root / table.statements).read_text(encoding="utf-8"), problems)
        for table in TABLES
    }
    known = {number for found in lists.values() for number in found}
    tests: dict[str, list[Mark]] = defaultdict(list)
    for mark in all_marks(root, problems):
        tests[mark.number].append(mark)
        if mark.number not in known:
            reason = f"{mark.test}: tests/statements has no statement {mark.number!r}"
            problems.append(Problem(mark.path, mark.line, reason))
    for found in lists.values():
        for number, statement in found.items():
            if not tests[number]:
                reason = f"no test has a marker with {number}"
                problems.append(Problem(statement.path, statement.line, reason))
    return {table: _page(table, found, tests) for table, found in lists.items()}


def _page(table: Table, found: dict[str, Statement], tests: dict[str, list[Mark]]) -> str:
    out = [HEAD.format(title=table.title, statements=table.statements)]
    for heading, group in groupby(found.items(), lambda item: item[1].heading):
        rows = [f"| {n} | {s.text} | {_references(tests[n])} |\n" for n, s in group]
        out.append(f"## {heading}\n\n| id | statement | tests |\n|---|---|---|\n{''.join(rows)}")
    return "\n".join(out)


def _references(tests: list[Mark]) -> str:
    out, before = [], ""
    for path, test in sorted({(mark.path, mark.test) for mark in tests}):
        name = test.replace("|", "\\|")
        out.append(f"`{'' if path == before else path}::{name}`")
        before = path
    return ", ".join(out)


def main(arguments: list[str] | None = None, root: Path = Path(__file__).parents[1]) -> int:
    """Print the tables, or only errors with ``--check``; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="print only errors")
    check = parser.parse_args(arguments).check
    problems: list[Problem] = []
    texts = pages(root, problems)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not check and not problems:
        print("\n".join(texts.values()), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

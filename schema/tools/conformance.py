# SPDX-License-Identifier: Apache-2.0
"""Writes the table of which test shows which statement about the object schema tool.

The statements are in ``tests/schema_statements.md``. A test names the ids of those that it shows:
``@pytest.mark.spec("SC1", "SC13")``. The markers are read from the syntax of the test files, which
are not imported.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

STATEMENTS = "tests/schema_statements.md"
PAGE = "tests/SCHEMA_CONFORMANCE.md"
TESTS = ("schema/tests", "tests")
COMMAND = "python schema/tools/conformance.py"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/conformance.py; do not edit. -->
# Which test shows what, in the object schema tool

The statements are in `schema_statements.md`; a test names the ids of those that it shows with
`@pytest.mark.spec(...)`. Paths are relative to the root; a test without a file is in the file named
before it. A number with a dot is a part of the statement that the number before the dot has.
"""
STATEMENT = re.compile(r"- (SC(\d+)(?:\.(\d+))?): (.+)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Problem(NamedTuple):
    """What is wrong in a line of a file."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: error: {self.text}"


class Statement(NamedTuple):
    """A statement, and the line and the heading where it stands."""

    heading: str
    text: str
    line: int


class Mark(NamedTuple):
    """An id that a test names."""

    path: str
    line: int
    test: str
    number: str


def statements(text: str, problems: list[Problem]) -> dict[str, Statement]:
    """Return the statements by their ids. Lines before the first heading are an introduction."""
    found: dict[str, Statement] = {}
    counts: Counter[str] = Counter()
    heading = ""
    for line, words in enumerate(text.splitlines(), 1):
        if words.startswith("## "):
            heading = words.removeprefix("## ")
        if not heading or not words or words.startswith("## "):
            continue
        match = STATEMENT.fullmatch(words)
        if match is None or "|" in words:
            expected = "expected `## heading` or `- SC1: text`, without `|`"
            problems.append(Problem(STATEMENTS, line, f"{expected}; found {words!r}"))
            continue
        number, whole, part, statement = match.groups()
        prefix = f"SC{whole}." if part else "SC"
        next_number = f"{prefix}{counts[prefix] + 1}"
        if part and f"SC{whole}" not in found:
            problems.append(Problem(STATEMENTS, line, f"{number} is before SC{whole}"))
        elif number != next_number:
            problems.append(Problem(STATEMENTS, line, f"expected {next_number}, found {number}"))
        counts[prefix] = int(part or whole)
        found.setdefault(number, Statement(heading, statement, line))
    return found


def marks(path: str, text: str, problems: list[Problem]) -> list[Mark]:
    """Return what the markers of a test file say."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        problems.append(Problem(path, error.lineno or 1, f"not valid Python: {error.msg}"))
        return []
    found: list[Mark] = []
    placed: set[ast.expr] = set()
    for test, node in _tests(tree):
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and _is_spec(decorator.func):
                placed.add(decorator.func)
                found += _ids(path, test, decorator, problems)
    for other in ast.walk(tree):
        if isinstance(other, ast.Attribute) and _is_spec(other) and other not in placed:
            problems.append(Problem(path, other.lineno, "expected `spec(...)` above a test"))
    for mark, count in Counter((one.test, one.number) for one in found).items():
        if count > 1:
            line = max(one.line for one in found if (one.test, one.number) == mark)
            problems.append(Problem(path, line, f"{mark[0]} names {mark[1]} {count} times"))
    return found


def _tests(tree: ast.Module) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield what pytest collects: functions, classes, and the functions of these classes."""
    for node in tree.body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield node.name, node
            for inner in node.body:
                if isinstance(inner, Function) and inner.name.startswith("test"):
                    yield f"{node.name}::{inner.name}", inner


def _is_spec(node: ast.expr) -> bool:
    """Tell whether the expression is `pytest.mark.spec` or `mark.spec`."""
    if not isinstance(node, ast.Attribute) or node.attr != "spec":
        return False
    mark = node.value
    return (isinstance(mark, ast.Attribute) and mark.attr == "mark") or (
        isinstance(mark, ast.Name) and mark.id == "mark"
    )


def _ids(path: str, test: str, call: ast.Call, problems: list[Problem]) -> list[Mark]:
    found = []
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            found.append(Mark(path, argument.lineno, test, argument.value))
    if not call.args or call.keywords or len(found) != len(call.args):
        given = f"found `{ast.unparse(call)}`"
        problems.append(Problem(path, call.lineno, f"{test}: expected ids as strings; {given}"))
    return found


def page(root: Path, problems: list[Problem]) -> str:
    """Return the table for the tree below ``root``; add what is wrong to ``problems``."""
    known = statements((root / STATEMENTS).read_text(encoding="utf-8"), problems)
    tests: dict[str, list[Mark]] = {number: [] for number in known}
    for folder in TESTS:
        for file in sorted((root / folder).rglob("test_*.py")):
            path, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
            for mark in marks(path, text, problems) if "mark.spec" in text else ():
                if mark.number in tests:
                    tests[mark.number].append(mark)
                else:
                    reason = f"{mark.test}: {STATEMENTS} has no statement {mark.number!r}"
                    problems.append(Problem(mark.path, mark.line, reason))
    for number, statement in known.items():
        if not tests[number]:
            reason = f"no test has the marker `spec({number!r})`"
            problems.append(Problem(STATEMENTS, statement.line, reason))
    out = [HEAD]
    for heading, group in groupby(known.items(), lambda item: item[1].heading):
        rows = [f"| {n} | {s.text} | {_references(tests[n])} |\n" for n, s in group]
        out.append(f"## {heading}\n\n| id | statement | tests |\n|---|---|---|\n{''.join(rows)}")
    return "\n".join(out)


def _references(tests: list[Mark]) -> str:
    out, before = [], ""
    for path, test in sorted({(mark.path, mark.test) for mark in tests}):
        out.append(f"`{'' if path == before else path}::{test}`")
        before = path
    return ", ".join(out)


def _difference(old: str, new: str) -> Problem:
    """Say in which line the page is out of date."""
    lines = zip([*old.splitlines(), ""], [*new.splitlines(), ""])
    line = next((n for n, (one, other) in enumerate(lines, 1) if one != other), 1)
    return Problem(PAGE, line, f"out of date; run `{COMMAND}`")


def main(arguments: list[str] | None = None, root: Path = Path(__file__).parents[2]) -> int:
    """Write the table, or check it with ``--check``; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="check the table, write nothing")
    check = parser.parse_args(arguments).check
    problems: list[Problem] = []
    text = page(root, problems)
    path = root / PAGE
    if check and not problems:
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if old != text:
            problems.append(_difference(old, text))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not check and not problems:
        path.write_text(text, encoding="utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

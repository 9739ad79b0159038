# SPDX-License-Identifier: Apache-2.0
"""Read the ids of statements that the tests name, for ``tools/conformance.py``.

A Python test names ids in a decorator, ``@pytest.mark.spec("SC1", "PY-A1")``. The test files are
parsed and not imported. In C, C++, CMake and Rust files a comment names the ids, on the line above
a test or above the tested line: ``// spec: A01, A02`` and ``# spec: A01``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

TESTS = ("schema/tests", "tests")
COMMENTED = ("*.c", "*.cc", "*.cpp", "CMakeLists.txt")
#: The tests of each crate.
RUST_TESTS = "rust/*/tests/**/*.rs"
COMMENT = re.compile(r"\s*(?://|#) spec: (\S+(?:, \S+)*)")
LOOSE_COMMENT = re.compile(r"\s*(?://|#|/\*)\s*spec\s*:", re.IGNORECASE)
CPP_TEST = re.compile(r"(?:TEST(?:_F|_P)?|TYPED_TEST)\(\s*(\w+),\s*(\w+)\)")
RUST_TEST = re.compile(r"(?:\s*#\[[^\n]*\]\n)*\s*fn (\w+)\(")
CMAKE_TEST = re.compile(r"add_test\(NAME ([^\s\"]+)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Problem(NamedTuple):
    """An error in a line of a file."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: error: {self.text}"


class Mark(NamedTuple):
    """An id that a test names."""

    path: str
    line: int
    test: str
    number: str


# ---- markers of Python tests


def marks(path: str, text: str, problems: list[Problem]) -> list[Mark]:
    """Return the ids in the decorators of a Python file."""
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
    return found


def _tests(tree: ast.Module) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield the test functions, the test classes and the test functions in the classes."""
    for node in tree.body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield node.name, node
            for inner in node.body:
                if isinstance(inner, Function) and inner.name.startswith("test"):
                    yield f"{node.name}::{inner.name}", inner


def _is_spec(node: ast.expr) -> bool:
    """Return whether the expression is `pytest.mark.spec` or `mark.spec`."""
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


# ---- markers of other files


def comment_marks(path: str, text: str, problems: list[Problem]) -> list[Mark]:
    """Return the ids in the comments of a C, C++, CMake or Rust file.

    A comment above a test of GoogleTest, CTest or Rust belongs to the test. Any other comment
    belongs to the line below the comment.
    """
    found: list[Mark] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        match = COMMENT.fullmatch(line)
        if match is None:
            if LOOSE_COMMENT.match(line):
                expected = "expected a line `// spec: ID, ID` or `# spec: ID, ID`"
                problems.append(Problem(path, number, f"{expected}; found {line.strip()!r}"))
            continue
        test = _test_below(lines[number:])
        if not test:
            problems.append(Problem(path, number, "expected a test below the comment"))
        found += [Mark(path, number, test, one) for one in match[1].split(", ")]
    return found


def _test_below(lines: list[str]) -> str:
    """Return the name of the test that begins in the first line, or the line if there is none."""
    first = lines[0].strip() if lines else ""
    match = CPP_TEST.match("\n".join(lines[:3]))
    if match:
        return f"{match[1]}.{match[2]}"
    match = RUST_TEST.match("\n".join(lines[:6])) or CMAKE_TEST.match(first)
    if match:
        return match[1]
    return "" if LOOSE_COMMENT.match(first) else first.rstrip(" {")


# ---- all files


def all_marks(root: Path, problems: list[Problem]) -> list[Mark]:
    """Return the markers of all test files below ``root``."""
    found: list[Mark] = []
    for folder in TESTS:
        for file in sorted((root / folder).rglob("test_*.py")):
            text = file.read_text(encoding="utf-8")
            if "mark.spec" in text:
                found += marks(file.relative_to(root).as_posix(), text, problems)
        for pattern in COMMENTED:
            for file in sorted((root / folder).rglob(pattern)):
                text = file.read_text(encoding="utf-8")
                found += comment_marks(file.relative_to(root).as_posix(), text, problems)
    for file in sorted(root.glob(RUST_TESTS)):
        text = file.read_text(encoding="utf-8")
        found += comment_marks(file.relative_to(root).as_posix(), text, problems)
    found.sort(key=lambda one: (one.path, one.test, one.number, one.line))
    for (path, test, number), group in groupby(found, lambda one: (one.path, one.test, one.number)):
        lines = [one.line for one in group]
        if len(lines) > 1:
            reason = f"{test} names {number} {len(lines)} times"
            problems.append(Problem(path, lines[-1], reason))
    return found

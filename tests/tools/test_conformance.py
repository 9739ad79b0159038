# SPDX-License-Identifier: Apache-2.0
"""Test that statements without tests, and errors in statements and markers, are reported.

``test_generated_files.py`` checks the statements and tests of this repository.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import conformance
import spec_marks

ROOT = Path(__file__).resolve().parents[2]
CPP, PYTHON, TOOLING, SCHEMA, DISTRIBUTED, RUST, GENERATIONS = conformance.TABLES

STATEMENTS = """\
# Statements

- words before the first heading are an introduction

## First part

- SC1: one
- SC1.1: a part of `one`

## Second part

- SC2: two
- SC1.2: another part
"""
TESTS = """\
import pytest

@pytest.mark.spec("SC1", "SC1.1")
def test_b():
    pass

@pytest.mark.spec("SC2")
@pytest.mark.parametrize("value", [1])
async def test_a(value):
    pass

@pytest.mark.spec("SC1")
class TestParts:
    @pytest.mark.spec("SC1.2")
    def test_part(self):
        pass
"""
OTHER_TESTS = """\
from pytest import mark

@mark.spec("SC1")
@mark.spec("SC2")
def test_c():
    pass
"""
CPP_STATEMENTS = """\
## A. Base

- A01: one
- A02: two

## SY. Symbols

- SY1: one
"""
CPP_TESTS = """\
// spec: A01, A02
TEST(Suite, First) {}

// A comment may stand above the marker.
// spec: A01
TEST_F(AnotherSuite,
       Second) {}

  // spec: A02
  static_assert(sizeof(int) == 4 || false);
"""
CMAKE_TESTS = """\
foreach(_standard 17 20)
  # spec: SY1
  add_test(NAME one/${_standard} COMMAND one)
endforeach()
# spec: A02
tvm_ffi_refused(object 1 "words")
"""
PYTHON_STATEMENTS = """\
## A. Surface

- PY-A1: one

## B. Objects

- PY-B2: two
"""
TOOLING_STATEMENTS = """\
## S. The command line

- TOOL-S1: one
"""
RUST_STATEMENTS = """\
## Build

- RUST-R01: one
- RUST-R02: two
"""
GENERATION_STATEMENTS = """\
## Functions

- GEN-G06: one
- GEN-G09: two
"""
RUST_TESTS = """\
// spec: RUST-R01
#[test]
fn first() {}

// spec: RUST-R01, RUST-R02
#[test]
#[should_panic]
fn second() {}
"""
MORE_TESTS = """\
import pytest

@pytest.mark.spec("PY-A1", "PY-B2", "TOOL-S1", "GEN-G06", "GEN-G09", "DIST-D01")
def test_all():
    pass
"""


FILE = "schema/tests/test_x.py"
CPP_FILE = "tests/cpp/test_z.cc"
CMAKE_FILE = "tests/cpp/CMakeLists.txt"
RUST_FILE = "rust/one/tests/test_one.rs"


class Tree:
    """A tree with statements and tests."""

    def __init__(self, root):
        self.root = root
        self.write(CPP.statements, CPP_STATEMENTS)
        self.write(PYTHON.statements, PYTHON_STATEMENTS)
        self.write(TOOLING.statements, TOOLING_STATEMENTS)
        self.write(SCHEMA.statements, STATEMENTS)
        self.write(RUST.statements, RUST_STATEMENTS)
        self.write(GENERATIONS.statements, GENERATION_STATEMENTS)
        self.write(DISTRIBUTED.statements, "## Pickles\n\n- DIST-D01: one\n")
        self.write(FILE, TESTS)
        self.write(CPP_FILE, CPP_TESTS)
        self.write(CMAKE_FILE, CMAKE_TESTS)
        self.write(RUST_FILE, RUST_TESTS)
        self.write("tests/python/test_y.py", OTHER_TESTS)
        self.write("tests/python/test_z.py", MORE_TESTS)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def problems(self):
        """Return the lines of the errors."""
        return [str(problem) for problem in conformance.problems(self.root)]


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_statements_with_tests_have_no_error(tree):
    assert tree.problems() == []


def test_the_marks_name_their_tests(tree):
    problems = []
    found = {(m.test, m.number) for m in spec_marks.all_marks(tree.root, problems)}
    assert problems == []
    assert {("TestParts", "SC1"), ("test_b", "SC1"), ("test_c", "SC1")} <= found
    assert {("test_a", "SC2"), ("TestParts::test_part", "SC1.2")} <= found
    assert {("Suite.First", "A01"), ("AnotherSuite.Second", "A01")} <= found
    assert ("static_assert(sizeof(int) == 4 || false);", "A02") in found
    assert {("one/${_standard}", "SY1"), ('tvm_ffi_refused(object 1 "words")', "A02")} <= found
    assert {("first", "RUST-R01"), ("second", "RUST-R01"), ("second", "RUST-R02")} <= found


def test_numbers_that_may_be_left_out_still_count_on(tree):
    tree.write(GENERATIONS.statements, GENERATION_STATEMENTS.replace("G06", "G10"))
    assert any("expected GEN-G11, found GEN-G09" in line for line in tree.problems())


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("- SC2: two", "- SC2: two\n- SC3: three", "13: error: no test has a marker with SC3"),
        ("- SC2: two", "- SC1: two", "12: error: expected SC2, found SC1"),
        ("- SC1.2:", "- SC4.1:", "13: error: SC4.1 is before SC4"),
        (
            "- SC2: two",
            "- SC2 two",
            "12: error: expected `## heading` or `- ID: text`; found '- SC2 two'",
        ),
    ],
)
def test_an_error_in_the_statements_is_reported_at_its_line(tree, old, new, error):
    assert STATEMENTS.count(old) == 1
    tree.write(SCHEMA.statements, STATEMENTS.replace(old, new))
    refused(tree, f"{SCHEMA.statements}:{error}")


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            '"SC1", "SC1.1"',
            '"SC1.1",\n    "SC9",\n',
            "4: error: test_b: tests/statements has no statement 'SC9'",
        ),
        ('("SC2")', "()", "7: error: test_a: expected ids as strings; found `pytest.mark.spec()`"),
        (
            '("SC2")',
            "(2)",
            "7: error: test_a: expected ids as strings; found `pytest.mark.spec(2)`",
        ),
        (
            '("SC2")',
            '("SC2", why="")',
            "7: error: test_a: expected ids as strings; found `pytest.mark.spec('SC2', why='')`",
        ),
        ('spec("SC2")', "spec", "7: error: expected `spec(...)` above a test"),
        ("def test_a(", "def check_a(", "7: error: expected `spec(...)` above a test"),
        ("def test_part(", "def part(", "14: error: expected `spec(...)` above a test"),
        ("class TestParts", "class Parts", "12: error: expected `spec(...)` above a test"),
        (
            "import pytest\n",
            'import pytest\npytestmark = pytest.mark.spec("SC2")\n',
            "2: error: expected `spec(...)` above a test",
        ),
        ("[1]", '[pytest.param(1, marks=pytest.mark.spec("SC2"))]', "8: error: expected `spec("),
        ('"SC1.1"', '"SC1"', "3: error: test_b names SC1 2 times"),
        ("async def", "async", "9: error: not valid Python: invalid syntax"),
    ],
)
def test_an_error_in_a_marker_is_reported_at_its_line(tree, old, new, error):
    assert TESTS.count(old) == 1
    tree.write(FILE, TESTS.replace(old, new))
    refused(tree, f"{FILE}:{error}")


def refused(tree, error):
    lines = tree.problems()
    assert any(line.startswith(error) for line in lines), lines


def test_all_errors_are_reported_together(tree):
    tree.write(FILE, TESTS.replace("SC1.1", "SC8").replace("SC1.2", "SC9"))
    assert len(tree.problems()) == 4  # two unknown ids, and two statements without a test


@pytest.mark.parametrize(
    ("file", "old", "new", "error"),
    [
        (
            CPP_FILE,
            "spec: A01, A02",
            "spec: A01 A02",
            "1: error: expected a line `// spec: ID, ID`",
        ),
        (CPP_FILE, "// spec: A01, A02", "//spec: A01, A02", "1: error: expected a line `// spec:"),
        (
            CPP_FILE,
            "  static_assert(sizeof(int) == 4 || false);\n",
            "",
            "9: error: expected a test",
        ),
        (
            CPP_FILE,
            "// spec: A01, A02",
            "// spec: A01, A01",
            "1: error: Suite.First names A01 2 times",
        ),
        (
            CPP_FILE,
            "// spec: A01, A02",
            "// spec: A01, A09",
            "1: error: Suite.First: tests/statements",
        ),
        (
            CMAKE_FILE,
            "spec: SY1",
            "spec: SY2",
            "2: error: one/${_standard}: tests/statements has no",
        ),
        (CPP.statements, "- A02:", "- A2:", "4: error: expected A02, found A2"),
        (CPP.statements, "- SY1:", "- SC1:", "8: error: expected `## heading` or `- ID: text`"),
        (PYTHON.statements, "- PY-B2:", "- PY-B1:", "7: error: expected PY-B2, found PY-B1"),
    ],
)
def test_an_error_in_another_file_is_reported_at_its_line(tree, file, old, new, error):
    text = (tree.root / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    tree.write(file, text.replace(old, new))
    refused(tree, f"{file}:{error}")


# The number of statements in each list. Statements may be added, but not removed.
COUNTS = {
    CPP: "A10 B21 C24 D18 E17 F15 G14 H7 I14 J12 K13 L24 M14 N8 O9 P16 Q6 R10 S6 Y23 Z7 SY7",
    PYTHON: "PY-A12 PY-B59 PY-C76 PY-D120 PY-E127 PY-F159 PY-G177 PY-H211 PY-I249 PY-J275 PY-K282",
    TOOLING: "TOOL-S10 TOOL-T7 TOOL-U17 TOOL-V6 TOOL-W11 TOOL-X17 TOOL-SR10 TOOL-TO20",
    SCHEMA: "SC105",
}


@pytest.mark.parametrize("table", COUNTS, ids=lambda table: table.statements)
def test_no_statement_was_dropped(table):
    problems = []
    text = (ROOT / table.statements).read_text(encoding="utf-8")
    found = set(conformance.statements(table, text, problems))
    assert problems == []
    letters = {}
    for number in found:
        prefix, digits = re.fullmatch(r"(\D+)(\d+)(?:\.\d+)?", number).groups()
        letters[prefix] = max(int(digits), letters.get(prefix, 0))
    for last in COUNTS[table].split():
        prefix, digits = re.fullmatch(r"(\D+)(\d+)", last).groups()
        assert letters[prefix] >= int(digits), last

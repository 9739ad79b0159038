# SPDX-License-Identifier: Apache-2.0
"""The table of statements and tests: what it says, and each error in its sources with its line."""

from __future__ import annotations

import conformance
import pytest

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
PAGE = f"""\
{conformance.HEAD}
## First part

| id | statement | tests |
|---|---|---|
| SC1 | one | `schema/tests/test_x.py::TestParts`, `::test_b`, `tests/python/test_y.py::test_c` |
| SC1.1 | a part of `one` | `schema/tests/test_x.py::test_b` |

## Second part

| id | statement | tests |
|---|---|---|
| SC2 | two | `schema/tests/test_x.py::test_a`, `tests/python/test_y.py::test_c` |
| SC1.2 | another part | `schema/tests/test_x.py::TestParts::test_part` |
"""
FILE = "schema/tests/test_x.py"


class Tree:
    """A tree with statements and tests, and what the command said about it."""

    def __init__(self, root, capsys):
        self.root = root
        self.capsys = capsys
        self.write(conformance.STATEMENTS, STATEMENTS)
        self.write(FILE, TESTS)
        self.write("tests/python/test_y.py", OTHER_TESTS)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def page(self):
        return self.root / conformance.PAGE

    def run(self, *arguments):
        status = conformance.main(list(arguments), self.root)
        out, err = self.capsys.readouterr()
        assert out == ""
        return status, err.splitlines()


@pytest.fixture
def tree(tmp_path, capsys):
    return Tree(tmp_path, capsys)


def test_the_table_names_the_tests_of_each_statement(tree):
    assert tree.run() == (0, [])
    assert tree.page().read_text(encoding="utf-8") == PAGE
    assert tree.run("--check") == (0, [])


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("| two |", "| 2 |", 20),
        ("another part |", "another part | |", 21),
        ("`schema/tests/test_x.py::TestParts::test_part` |\n", "", 21),
    ],
)
def test_a_page_that_is_out_of_date_is_an_error(tree, old, new, line):
    tree.run()
    text = PAGE.replace(old, new)
    tree.page().write_text(text, encoding="utf-8")
    expected = f"{conformance.PAGE}:{line}: error: out of date; run `{conformance.COMMAND}`"
    assert tree.run("--check") == (1, [expected])
    assert tree.page().read_text(encoding="utf-8") == text


def test_a_page_that_is_missing_or_longer_is_out_of_date(tree):
    assert tree.run("--check")[0] == 1
    assert not tree.page().exists()
    tree.page().write_text(PAGE + "\n", encoding="utf-8")
    assert tree.run("--check")[0] == 1


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            "- SC2: two",
            "- SC2: two\n- SC3: three",
            "13: error: no test has the marker `spec('SC3')`",
        ),
        ("- SC2: two", "- SC3: two", "12: error: expected SC2, found SC3"),
        ("- SC2: two", "- SC1: two", "12: error: expected SC2, found SC1"),
        ("- SC1.2:", "- SC1.3:", "13: error: expected SC1.2, found SC1.3"),
        ("- SC1.2:", "- SC4.1:", "13: error: SC4.1 is before SC4"),
        (
            "- SC2: two",
            "- SC2 two",
            "12: error: expected `## heading` or `- SC1: text`, without `|`; found '- SC2 two'",
        ),
        (
            "- SC2: two",
            "- SC2: a | b",
            "12: error: expected `## heading` or `- SC1: text`, without `|`; found '- SC2: a | b'",
        ),
    ],
)
def test_an_error_in_the_statements_is_told_at_its_line(tree, old, new, error):
    assert STATEMENTS.count(old) == 1
    tree.write(conformance.STATEMENTS, STATEMENTS.replace(old, new))
    refused(tree, f"{conformance.STATEMENTS}:{error}")


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            '"SC1", "SC1.1"',
            '"SC1.1",\n    "SC9",\n',
            "4: error: test_b: tests/schema_statements.md has no statement 'SC9'",
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
def test_an_error_in_a_marker_is_told_at_its_line(tree, old, new, error):
    assert TESTS.count(old) == 1
    tree.write(FILE, TESTS.replace(old, new))
    refused(tree, f"{FILE}:{error}")


def refused(tree, error):
    """Hold that the error is told, with and without `--check`, and that no page is written."""
    for arguments in ([], ["--check"]):
        status, lines = tree.run(*arguments)
        assert status == 1
        assert any(line.startswith(error) for line in lines), lines
        assert not tree.page().exists()


def test_all_errors_are_told_at_once(tree):
    tree.write(FILE, TESTS.replace("SC1.1", "SC8").replace("SC1.2", "SC9"))
    assert len(tree.run()[1]) == 4  # two unknown ids, and two statements without a test

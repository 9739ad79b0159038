# SPDX-License-Identifier: Apache-2.0
"""The tables of ``tests/``: every statement has a row, and every test that a row names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
TABLE = TESTS / "CONFORMANCE.md"
PYTHON_TABLE = TESTS / "PYTHON_CONFORMANCE.md"
TOOLING_TABLE = TESTS / "TOOLING_CONFORMANCE.md"

# The numbers of each list that must all have a row; those of Python count on from list to list.
LISTS = {
    name: int(count)
    for name, count in re.findall(
        r"([A-Z]+)(\d+)",
        "A10 B21 C24 D18 E17 F15 G14 H7 I14 J12 K13 L24 M14 N8 O9 P16 Q6 R10 S6 Y23 Z7 SY7",
    )
}
PYTHON_ENDS = {
    name: int(last)
    for name, last in re.findall(
        r"([A-Z])(\d+)", "A12 B59 C76 D120 E127 F159 G177 H211 I249 J275 K282"
    )
}
TOOLING_ENDS = {
    name: int(count)
    for name, count in re.findall(r"([A-Z]+)(\d+)", "S10 T7 U17 V6 W11 X17 SR10 TO20")
}
ROW = re.compile(r"^\| (S[RY]\d+|TO\d+|[A-Z]\d+) \| [^|]+ \| (.+) \|$", re.MULTILINE)
CPP_TEST = re.compile(r"TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)|TYPED_TEST\(\s*(\w+),\s*(\w+)\)")


def rows(table: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs (path below tests/, name) of each statement."""
    found: dict[str, list[tuple[str, str]]] = {}
    for number, cell in ROW.findall(table.read_text()):
        assert number not in found, f"{number} has two rows"
        path, pairs = "", []
        for reference in re.findall(r"`([^`]+)`", cell):
            before, separator, name = reference.partition("::")
            assert separator, reference
            path = before or path
            full = path if "/" in path else f"cpp/{path}.cc"
            pairs.append((full, name))
        found[number] = pairs
    return found


def holds(path: Path, name: str) -> bool:
    """Tell whether the file has a test of that name, or these words."""
    text = path.read_text()
    if path.suffix == ".py":
        return f"def {name}(" in text
    if re.fullmatch(r"[A-Z]\w*\.\w+", name):
        suite, case = name.split(".")
        return any({suite, case} <= set(match) - {""} for match in CPP_TEST.findall(text))
    return name in text


ROWS = rows(TABLE)
PYTHON_ROWS = rows(PYTHON_TABLE)
TOOLING_ROWS = rows(TOOLING_TABLE)


def test_every_statement_has_a_row():
    expected = set()
    for letters, count in LISTS.items():
        width = 2 if len(letters) == 1 and letters not in "YZ" else 1
        expected |= {f"{letters}{number:0{width}}" for number in range(1, count + 1)}
    assert expected <= set(ROWS), sorted(expected - set(ROWS))


def test_every_statement_on_python_has_a_row():
    expected, first = [], 1
    for letter, last in PYTHON_ENDS.items():
        expected += [f"{letter}{number}" for number in range(first, last + 1)]
        first = last + 1
    assert list(PYTHON_ROWS) == expected


def test_every_statement_on_tools_has_a_row():
    expected = [f"{name}{i}" for name, last in TOOLING_ENDS.items() for i in range(1, last + 1)]
    assert list(TOOLING_ROWS) == expected


ALL_ROWS = [*ROWS.items(), *PYTHON_ROWS.items(), *TOOLING_ROWS.items()]


@pytest.mark.parametrize("pairs", ALL_ROWS, ids=lambda item: item[0])
def test_the_named_tests_exist(pairs):
    _, tests = pairs
    assert tests, "no test is named"
    for path, name in tests:
        file = TESTS.parent / path if path.startswith("schema/") else TESTS / path
        assert file.exists(), path
        assert holds(file, name), f"{path} has no {name}"


def test_a_name_that_does_not_exist_is_noticed():
    file = TESTS / "cpp" / "test_array.cc"
    assert holds(file, "Array.MapSharesWhenNothingChanges")
    assert not holds(file, "Array.MapSharesWhenNothing")
    assert not holds(file, "ArrayObj.MapSharesWhenNothingChanges")
    assert not holds(Path(__file__), "test_a_name")

# SPDX-License-Identifier: Apache-2.0
"""Test ``tools/check_language.py``: each kind of pattern is found."""

import subprocess
from pathlib import Path

import pytest

import check_language as language
from repository import files

ROOT = Path(__file__).resolve().parents[2]


def findings(text):
    return [finding.text for finding in language.findings_in(Path("a.py"), text)]


def test_the_files_of_the_checked_folders_are_found():
    assert sum(map(language.is_checked, files(ROOT, *language.CHECKED))) > 100


def test_each_checked_entry_exists():
    for name in language.CHECKED:
        assert (ROOT / name).exists(), name


def test_the_list_is_short():
    assert len(language.PATTERNS) <= 25


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Each kind has a room.", "room"),
        ("str_room = 1", "room"),
        ("class Rooms:", "Rooms"),
        ("# the short road", "road"),
        ("# the front door", "front door"),
        ("# lent to the caller", "lent"),
        ("# an exception is carried over", "carried"),
        ("# Somebody else's", "Somebody else"),
        ("# nobody refers to it", "nobody"),
        ("# whoever loads it", "whoever"),
        ("# it is dear to import", "is dear"),
        ("# a name of one's own", "one's own"),
        ('raise TypeError("the value is no function")', "is no f"),
        ("# they are no names", "are no n"),
        ("# a float is none", "is none"),
        ('"""Tell whether it fits."""', "Tell whether"),
        ("# called at once", "at once"),
    ],
)
def test_a_pattern_is_found(text, expected):
    assert findings(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "# there is no such type",
        "# There are no names; there is none.",
        "# the type is no longer registered",
        "# the argument is none of these",
        "std::memory_order_relaxed",
        "the check was carried out",
        "equivalent, excellent, broadcast, classroom, dearth",
        "everything and anything and something",
    ],
)
def test_ordinary_text_is_accepted(text):
    assert findings(text) == []


def test_a_finding_names_place_and_advice(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "README.md").write_text("fine\nWhat everybody knows.\n")
    (finding,) = language.problems(tmp_path)
    assert str(finding).startswith("README.md:2: 'everybody': write ")


@pytest.mark.parametrize(
    ("name", "expected"), [("src/a.cc", True), ("a.png", False), ("tools/check_language.py", False)]
)
def test_files_with_text_are_checked(name, expected):
    assert language.is_checked(Path(name)) is expected

# SPDX-License-Identifier: Apache-2.0
"""Test that the recipes of docs/maintaining.md name the files that their examples need."""

import re
from pathlib import Path

import pytest
from running import execute

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "maintaining.md").read_text(encoding="utf-8")
PLACES = ("include", "src", "python", "cmake", "rust", "docs", "tests/golden")
# The page itself, a page that only uses the function, lists of all names, and tests.
LEFT_OUT = re.compile(r"docs/(maintaining|embedding)\.md|tests/golden/python_.*|rust/.*/tests/.*")


def recipes():
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        example = re.search(r"Example: ([^.]*(?:\.\w[^.]*)*)", text)[1].split("\n\n")[0]
        files = set(re.findall(r"`((?:[\w-]+/)+[\w.-]+\.\w+)`", text))
        yield pytest.param(re.findall(r"`([\w.:]+)`", example), files, id=title)


def files_with(names):
    """Return the product's files that contain a word that begins with one of the names."""
    words = [argument for name in names for argument in ("-e", rf"\b{re.escape(name)}")]
    command = ["git", "-C", str(ROOT), "grep", "-lP", *words, "--", *PLACES]
    done = execute(*command)
    return set(done.stdout.splitlines())


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the list of files comes from git")
@pytest.mark.parametrize(("names", "files"), list(recipes()))
def test_a_recipe_names_the_files_of_its_example(names, files):
    found = files_with(names)
    missing = {name for name in found - files if not LEFT_OUT.fullmatch(name)}
    assert missing == set(), "these files are missing in the recipe"
    tests = {name for name in files if name.startswith("tests/")}
    assert files - found - tests == set(), "these files do not contain the example"
    assert all((ROOT / name).exists() for name in files)

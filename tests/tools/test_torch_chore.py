# SPDX-License-Identifier: Apache-2.0
"""Test that continuous integration runs the tests for PyTorch, but `make test` does not."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SELF = Path(__file__).resolve()


def recipe(rule):
    """Return the prerequisites and the recipe of a rule of the Makefile."""
    text = (ROOT / "Makefile").read_text()
    found = re.search(rf"^{re.escape(rule)}: ?(.*\n(?:\t.*\n)*)", text, re.MULTILINE)
    assert found, rule
    return found.group(1)


def test_continuous_integration_runs_the_tests_with_pytorch():
    commands = (ROOT / ".ci" / "run").read_text().split("\n")
    assert "make lint test" in commands
    assert "exec make test-torch" in commands


def test_make_test_alone_downloads_no_pytorch():
    for rule in ("test", "test-cpp", "test-python", "build", "lint"):
        assert "torch" not in recipe(rule).lower()
    assert "torch" not in (ROOT / "tools" / "requirements-dev.txt").read_text()


def test_the_release_of_pytorch_is_pinned():
    assert "torch==2.13.0" in (ROOT / "tools" / "requirements-torch.txt").read_text().split("\n")
    assert "-m torch" in recipe("test-torch")


def test_every_test_that_needs_pytorch_is_marked_and_says_how_to_run_it():
    needs = re.compile(r"""importorskip\(\s*["']torch["'](.*)""")
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text()
        for rest in [] if path == SELF else needs.findall(text):
            # An environment with PyTorch for a GPU has no command, since it cannot be pinned.
            how = "an NVIDIA GPU" if path.parent.name == "gpu" else "make test-torch"
            assert how in rest, path
            assert "mark.torch" in text or path.name == "conftest.py", path


def test_files_that_use_the_fixture_mark_their_tests():
    uses = re.compile(r"^def test_\w+\([^)]*\btorch\b[^)]*\)|usefixtures\(.torch.\)", re.MULTILINE)
    stands_in = re.compile(r"^def (fake_)?torch\(", re.MULTILINE)
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text()
        if path == SELF or stands_in.search(text):
            continue
        count = len(uses.findall(text))
        assert count <= text.count("mark.torch"), path

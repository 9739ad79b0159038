# SPDX-License-Identifier: Apache-2.0
"""The tests that need PyTorch run in continuous integration, and only there is it downloaded."""

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
        if path == SELF:
            continue
        for rest in needs.findall(path.read_text()):
            assert "make test-torch" in rest, path
            assert "mark.torch" in path.read_text() or path.name == "conftest.py", path


def test_every_test_with_the_fixture_is_marked():
    uses = re.compile(r"((?:^@.*\n)*)^def test_\w+\([^)]*\btorch\b[^)]*\)", re.MULTILINE)
    own_fixture = re.compile(r"^def torch\(", re.MULTILINE)
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text()
        if own_fixture.search(text):
            continue
        for decorators in uses.findall(text):
            named = "mark.torch" in decorators or "parametrize" in decorators
            assert named or "pytestmark = pytest.mark.torch" in text, path

# SPDX-License-Identifier: Apache-2.0
"""Test that all files state the same Python versions, and the search for interpreters."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import pythons

ROOT = Path(__file__).resolve().parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text()


def test_classifiers_name_every_version():
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', PROJECT)
    assert tuple(named) == pythons.VERSIONS


def test_cibuildwheel_builds_every_version():
    (build,) = re.findall(r'^build = "(.*)"$', PROJECT, re.MULTILINE)
    versions = (*pythons.VERSIONS, "3.14t", "3.15t")
    assert build.split() == [f"cp{v.replace('.', '')}-*" for v in versions]


def test_the_chore_offers_every_version():
    (line,) = re.findall(r"^PYTHONS \?= (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert tuple(line.split()) == pythons.VERSIONS


def test_workflow_and_tools_use_one_release_of_cibuildwheel():
    pin = re.compile(r"cibuildwheel==([\d.]+)")
    (workflow,) = pin.findall((ROOT / ".github" / "workflows" / "wheels.yml").read_text())
    (tools,) = pin.findall((ROOT / "tools" / "requirements-wheels.txt").read_text())
    assert workflow == tools


@pytest.mark.parametrize("name", ["test.yml", "wheels.yml"])
def test_workflows_pin_actions_by_digest(name):
    text = (ROOT / ".github" / "workflows" / name).read_text()
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [u for u in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", u)] == []


def test_the_short_suite_exists():
    assert [one for one in pythons.SHORT if not (ROOT / one).exists()] == []


@pytest.mark.parametrize("version", pythons.VERSIONS)
def test_pins_exist_once_for_each_version(version):
    """Check that exactly one pin of each package applies to each version of Python."""
    minor = int(version.partition(".")[2])
    names = []
    for line in pythons.REQUIREMENTS.read_text().splitlines():
        found = re.match(r"([\w-]+)==[\w.]+(?:; ([^#]*))?", line)
        if found is None:
            assert line.startswith("#"), line
            continue
        name, marker = found.groups()
        bounds = re.findall(r'python_version (<|>=) "3\.(\d+)"', marker or "")
        assert len(bounds) == len(re.findall("python_version", line)), line
        if all((minor < int(bound)) == (order == "<") for order, bound in bounds):
            names.append(name)
    assert len(names) == len(set(names))
    assert {"numpy", "hypothesis", "pytest", "ml_dtypes"} <= set(names)


def test_this_interpreter_is_found(monkeypatch):
    monkeypatch.setattr(pythons, "candidates", lambda version: [Path(sys.executable)])
    found = pythons.find(pythons.THIS)
    if isinstance(found, str):
        pytest.skip(f"cannot compile extensions or make environments: {found}")
    assert found.full == sys.version.split()[0]
    assert found.suffix.endswith((".so", ".pyd"))


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (None, "not found"),
        ("#!/bin/sh\necho 'no such version' >&2\nexit 1\n", "does not work: no such version"),
        (f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', f"is Python {pythons.THIS}"),
    ],
    ids=["missing", "broken", "another version"],
)
def test_an_interpreter_that_cannot_be_used_is_named(script, reason, tmp_path, monkeypatch):
    path = tmp_path / "python3.9"
    if script is not None:
        path.write_text(script)
        path.chmod(0o755)
    monkeypatch.setattr(pythons, "candidates", lambda version: [path])
    assert reason in pythons.find("3.9")


def test_missing_interpreters_are_named_as_skipped(monkeypatch, capsys):
    monkeypatch.setattr(pythons, "candidates", lambda version: [])
    monkeypatch.setattr(pythons, "stage_package", lambda site: None)
    assert pythons.main(["--versions", "3.10 3.14"]) == 0
    said = capsys.readouterr().out
    assert "3.10     skipped: not found" in said
    assert "3.14     skipped: not found" in said

# SPDX-License-Identifier: Apache-2.0
"""Test that each claim of ``docs/switching.md`` about a difference from the peer is true."""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path

import pytest
from outside import ROOT, run

import tvm_ffi

SCRIPT = Path(__file__).with_name("differences.py")
TABLES = runpy.run_path(str(SCRIPT))
PROGRAMS, WITHOUT_PROGRAM = TABLES["PROGRAMS"], TABLES["WITHOUT_PROGRAM"]


@pytest.fixture(scope="module")
def outputs(peer, tmp_path_factory):
    """Return the outputs of the programs here, and in the peer's environment."""
    site = Path(tvm_ffi.__file__).parents[1]
    directory = tmp_path_factory.mktemp("differences")
    # A library that is compiled with a sanitizer needs the sanitizer's own library before it.
    ours = {"PYTHONPATH": str(site), "LD_PRELOAD": os.environ.get("LD_PRELOAD", "")}
    settings = [f"{name}={value}" for name, value in ours.items()]
    here = run("env", *settings, sys.executable, SCRIPT, directory / "ours")
    there = run(peer.python, SCRIPT, directory / "peer")
    return json.loads(here), json.loads(there)


def rows() -> list[str]:
    """Return the first cells of the table of differences."""
    text = (ROOT / "docs" / "switching.md").read_text()
    table = text.partition("|---|---|\n")[2].partition("\n\n")[0]
    return [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()]


def test_each_row_has_one_program_or_a_reason():
    named = [*PROGRAMS, *WITHOUT_PROGRAM]
    for row in rows():
        assert sum(row.startswith(name) for name in named) == 1, row
    assert len(rows()) == len(named)


@pytest.mark.parametrize("row", PROGRAMS)
def test_the_packages_differ_as_documented(outputs, row):
    ours, theirs = (output[row] for output in outputs)
    assert "ended with status" not in ours
    assert ours != theirs


@pytest.mark.parametrize("name", TABLES["EQUAL_PROGRAMS"])
def test_the_packages_agree(outputs, name):
    ours, theirs = (output[name] for output in outputs)
    assert "ended with status" not in ours
    assert ours == theirs

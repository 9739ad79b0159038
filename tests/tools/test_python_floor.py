# SPDX-License-Identifier: Apache-2.0
"""Test that all files state the same oldest supported version of Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLOOR = (3, 10)

STATEMENTS = [
    ("pyproject.toml", r'^requires-python = ">=(\d+)\.(\d+)"'),
    ("pyproject.toml", r'^target-version = "py(\d)(\d+)"'),
    ("pyproject.toml", r'^python_version = "(\d+)\.(\d+)"'),
    ("schema/pyproject.toml", r'^requires-python = ">=(\d+)\.(\d+)"'),
    ("examples/03_packaged_extension/pyproject.toml", r'^requires-python = ">=(\d+)\.(\d+)"'),
    ("examples/07_rust_extension/pyproject.toml", r'^requires-python = ">=(\d+)\.(\d+)"'),
    ("cmake/Build/Python.cmake", r"find_package\(Python (\d+)\.(\d+) "),
    ("tools/set_up.sh", r"Python (\d+)\.(\d+) or newer"),
    ("tools/set_up.sh", r"version_info < \((\d+), (\d+)\)"),
    ("tools/set_up.sh", r"older than Python (\d+)\.(\d+)"),
    ("README.md", r"Python (\d+)\.(\d+) or newer"),
    ("python/binding/compat.h", r"between CPython (\d+)\.(\d+) and"),
]


@pytest.mark.parametrize(("file", "pattern"), STATEMENTS)
def test_every_statement_names_the_same_version(file, pattern):
    found = re.findall(pattern, (ROOT / file).read_text(), re.MULTILINE)
    assert found
    assert {(int(major), int(minor)) for major, minor in found} == {FLOOR}

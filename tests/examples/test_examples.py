# SPDX-License-Identifier: Apache-2.0
"""Test that the examples run, and that the results that they show are correct."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.skipif(shutil.which(os.environ.get("CXX", "g++")) is None, reason="no C++ compiler")
def test_demo_shows_right_results():
    pytest.importorskip("numpy")
    environment = dict(os.environ, PYTHONPATH=str(Path(tvm_ffi.__file__).parents[1]))
    done = execute(sys.executable, EXAMPLES / "run_demo.py", env=environment)
    assert done.stdout.splitlines()[-1] == "every result is right"
    assert "add_one(41)" in done.stdout
    assert "WRONG" not in done.stdout

# SPDX-License-Identifier: Apache-2.0
"""Test the examples that have a directory each; run them as a user would."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PRINTED = {
    "02_inline": [
        "12586269025",
        "hello!!!",
        "Return the n-th number of Fibonacci.",
        "ValueError: cannot shout -1 times",
    ],
    "04_c_extension": [
        "42",
        "25",
        "TypeError: add_two takes one int",
        "ZeroDivisionError: division by zero",
    ],
    "05_kernels": [
        "[[0.269, 0.731], [0.5, 0.5]]",
        "ValueError: expected shape (m, n) with m = 2 (dimension 0 of argument #0), "
        "n = 2 (dimension 1 of argument #0); got (1, 2)",
        "PyTorch is not installed",
    ],
}


@pytest.fixture
def run_example(tmp_path):
    """Run an example with its own cache; return the lines that it printed."""
    if shutil.which("ninja") is None or shutil.which(os.environ.get("CXX", "c++")) is None:
        pytest.skip("no compiler, or no ninja")
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1]),
        "TVM_FFI_CACHE_DIR": str(tmp_path / "cache"),
    }

    def run(name):
        done = execute(sys.executable, EXAMPLES / name / "run.py", env=environment, cwd=tmp_path)
        return done.stdout.splitlines()

    return run


@pytest.mark.parametrize("name", PRINTED)
def test_example_prints_what_it_should(run_example, name):
    if name == "05_kernels":
        pytest.importorskip("numpy")
    lines = run_example(name)
    expected = PRINTED[name]
    if name == "05_kernels" and lines[-1] != expected[-1]:
        assert lines[-1] == "True"
        lines, expected = lines[:-1], expected[:-1]
    assert lines == expected


def test_every_example_is_run():
    packaged = {"01_first_steps", "03_packaged_extension"}
    in_rust = {"07_rust_extension"}  # run by tests/rust/test_example.py
    in_c = {"06_c_host", "abi_overview"}  # run by test_c_examples.py
    # run by tests/python/distributed/test_engines.py
    on_clusters = {"08_ray_sweep", "09_dask_sweep"}
    found = {path.name for path in EXAMPLES.iterdir() if path.is_dir()} - {"__pycache__"}
    assert found == {*PRINTED, *packaged, *in_rust, *in_c, *on_clusters}

# SPDX-License-Identifier: Apache-2.0
"""Test values in Ray and Dask: local clusters of two nodes, and a worker that is killed."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

pytestmark = pytest.mark.distributed
HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples"


def need(engine):
    """Skip the test if the engine is not installed."""
    try:
        importlib.import_module(engine)
    except ImportError:
        pytest.skip(f"needs {engine}, which has no wheel here: run make test-distributed")
    except Warning:
        pass  # The engine is installed, and has only warned at its first import.


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a program and returns the lines that it printed."""

    def run(*arguments):
        done = execute(
            sys.executable,
            *arguments,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1]),
                "TVM_FFI_CACHE_DIR": str(tmp_path / "cache"),
                "RAY_USAGE_STATS_ENABLED": "0",
            },
            cwd=tmp_path,
            timeout=500,
        )
        lines = [line for line in done.stdout.splitlines() if ": " in line]
        assert lines, done.stdout + done.stderr
        return lines, done.stderr

    return run


def all_ok(found):
    lines, errors = found
    assert [line for line in lines if not line.endswith(": ok")] == [], errors
    return len(lines)


@pytest.mark.spec("DIST-D01", "DIST-D04", "DIST-D05", "DIST-D06", "DIST-D08")
def test_the_cases_of_ray(run):
    need("ray")
    assert all_ok(run(HERE / "cases.py", "ray")) == 13


@pytest.mark.spec("DIST-D01", "DIST-D05", "DIST-D06", "DIST-D08")
def test_the_cases_of_dask(run):
    need("distributed")
    assert all_ok(run(HERE / "cases.py", "dask")) == 11


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_a_worker_that_is_killed_is_replaced(run, engine):
    need("ray" if engine == "ray" else "distributed")
    lines, _ = run(HERE / "killed.py", engine)
    # Ray reports the death of the worker on the same stream.
    assert [line for line in lines if line.startswith("sum ")] == ["sum after a killed worker: ok"]


@pytest.mark.parametrize("example", ["08_ray_sweep", "09_dask_sweep"])
def test_the_examples_run(run, example):
    need("ray" if "ray" in example else "distributed")
    lines, _ = run(EXAMPLES / example / "run.py")
    assert lines == [
        "best step: 1.5",
        "points: 64",
        "error: ValueError: step must be positive, got -1",
    ]

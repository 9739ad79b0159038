# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share: functions of the fixtures, and a process of one's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

import tvm_ffi


@pytest.fixture(scope="session")
def echo() -> tvm_ffi.Function:
    """Return its argument."""
    return tvm_ffi.get_global_func("testing.echo")


@pytest.fixture(scope="session")
def apply() -> tvm_ffi.Function:
    """Call the function in the first argument with the others."""
    return tvm_ffi.get_global_func("testing.apply")


@pytest.fixture(scope="session")
def use_count() -> tvm_ffi.Function:
    """Tell how many references an object has."""
    return tvm_ffi.get_global_func("testing.object_use_count")


@pytest.fixture(scope="session")
def run_python() -> Callable[..., str]:
    """Run a program in a fresh interpreter, and return what it printed."""

    def run(program: str, **environment: str) -> str:
        package_parent = str(Path(tvm_ffi.__file__).parents[1])
        variables = {"PYTHONPATH": package_parent, **_inherited(), **environment}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"exit status {done.returncode}\n{done.stderr}"
        return done.stdout.strip()

    return run


def _inherited() -> dict[str, str]:
    """Variables without which a program under a sanitizer does not start."""
    names = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONMALLOC", "PATH", "HOME")
    return {name: os.environ[name] for name in names if name in os.environ}


@pytest.fixture
def package_environment() -> dict[str, str]:
    """Give the environment in which a fresh interpreter finds the package."""
    return {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}

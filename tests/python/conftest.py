# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share: functions of the fixtures, and an environment for processes."""

from __future__ import annotations

import os
from pathlib import Path

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


@pytest.fixture
def package_environment() -> dict[str, str]:
    """Give the environment in which a fresh interpreter finds the package."""
    return {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}

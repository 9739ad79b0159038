# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the Python tests: native test functions, environment variables for processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tvm_ffi


@pytest.fixture(scope="session")
def echo() -> tvm_ffi.Function:
    """Return a function that returns its argument."""
    return tvm_ffi.get_global_func("testing.echo")


@pytest.fixture(scope="session")
def apply() -> tvm_ffi.Function:
    """Return a function that calls its first argument with the other arguments."""
    return tvm_ffi.get_global_func("testing.apply")


@pytest.fixture(scope="session")
def use_count() -> tvm_ffi.Function:
    """Return a function that returns the number of references to an object."""
    return tvm_ffi.get_global_func("testing.object_use_count")


@pytest.fixture
def package_environment() -> dict[str, str]:
    """Return environment variables with which a new interpreter finds the package."""
    return {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}

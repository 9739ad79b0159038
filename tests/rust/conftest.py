# SPDX-License-Identifier: Apache-2.0
"""Cargo without a registry, and the libraries that the tests of this folder load.

`make test-rust` runs these tests: they need the compiler of Rust and the packages of Debian.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("--manifest-path", "rust/Cargo.toml", "--config", "rust/offline.toml", "--offline")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder outside of `make test-rust`."""
    if os.environ.get("TVM_FFI_TEST_RUST"):
        return
    here = Path(__file__).resolve().parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="`make test-rust` runs the tests of Rust"))


def run_cargo(command, *arguments, **environment):
    """Run cargo; return the finished process."""
    return subprocess.run(
        ["cargo", command, *FLAGS, *arguments],
        cwd=ROOT,
        env={name: value for name, value in {**os.environ, **environment}.items() if value},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def cargo():
    """Run cargo in the workspace; a variable with an empty value is removed."""
    return run_cargo


@pytest.fixture(scope="session")
def rust_library():
    """Build the example library, with metadata and without; return its path."""

    def build(*, metadata):
        target = Path(os.environ["CARGO_TARGET_DIR"]) / ("metadata" if metadata else "plain")
        features = ("--features", "export-metadata") if metadata else ()
        result = run_cargo(
            "build", "-p", "tvm-ffi", "--examples", *features, CARGO_TARGET_DIR=str(target)
        )
        assert result.returncode == 0, result.stderr
        return str(target / "debug" / "examples" / "librust_exports.so")

    return build

# SPDX-License-Identifier: Apache-2.0
"""Fixtures that run cargo without a registry, and that build the libraries for these tests.

`make test-rust` runs these tests: they need the Rust compiler and Debian packages.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from running import execute

ROOT = Path(__file__).resolve().parents[2]
OFFLINE = ("--config", str(ROOT / "rust" / "offline.toml"), "--offline")
# The packages with the checksums of Cargo.lock; see tools/set_up.sh.
PACKAGES = f'source.debian.directory="{ROOT / "build" / "rust-packages"}"'
FLAGS = ("--manifest-path", "rust/Cargo.toml", *OFFLINE, "--config", PACKAGES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder unless `make test-rust` runs them."""
    if os.environ.get("TVM_FFI_TEST_RUST"):
        return
    here = Path(__file__).resolve().parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="`make test-rust` runs the tests of Rust"))


def run_cargo(command, *arguments, cwd=ROOT, flags=FLAGS, **environment):
    """Run cargo; return the finished process."""
    return execute(
        "cargo",
        command,
        *flags,
        *arguments,
        status=None,
        cwd=cwd,
        env={name: value for name, value in {**os.environ, **environment}.items() if value},
    )


class Crate:
    """A crate outside the workspace that uses the built dependencies of the workspace."""

    def __init__(self, folder):
        self.folder = folder
        self.target = Path(os.environ["CARGO_TARGET_DIR"])

    def write(self, **files):
        """Write `src/NAME.rs` for each name; return the crate."""
        (self.folder / "src").mkdir(exist_ok=True)
        for name, text in files.items():
            (self.folder / "src" / f"{name}.rs").write_text(text)
        return self

    def cargo(self, command, *arguments, **environment):
        """Run cargo in the crate; return the finished process."""
        return run_cargo(command, *arguments, cwd=self.folder, flags=OFFLINE, **environment)

    def run(self, *arguments):
        """Build the program of the crate and run it; return the finished process."""
        built = self.cargo("build")
        assert built.returncode == 0, built.stderr
        program = self.target / "debug" / self.folder.name
        libraries = os.environ["TVM_FFI_LIBDIR"]
        return execute(
            program,
            *arguments,
            status=None,
            cwd=self.folder,
            env={**os.environ, "LD_LIBRARY_PATH": libraries},
        )


MANIFEST = """\
[package]
name = "{name}"
version = "0.0.0"
edition = "2021"

[dependencies]
tvm-ffi = {{ path = "{crate}" }}
{more}
[workspace]
"""


@pytest.fixture
def make_crate():
    """Return a function that makes an empty crate with a dependency on `tvm-ffi`."""

    def make(name, more=""):
        # Use the same directory each time, so that cargo replaces its earlier output.
        folder = Path(os.environ["CARGO_TARGET_DIR"]) / "crates" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        manifest = MANIFEST.format(name=name, crate=ROOT / "rust" / "tvm-ffi", more=more)
        (folder / "Cargo.toml").write_text(manifest)
        return Crate(folder)

    return make


@pytest.fixture
def cargo():
    """Return a function that runs cargo in the workspace; variables set to "" are removed."""
    return run_cargo


@pytest.fixture(scope="session")
def rust_library():
    """Return a function that builds the example library and returns its path."""

    def build(*, metadata):
        target = Path(os.environ["CARGO_TARGET_DIR"]) / ("metadata" if metadata else "plain")
        features = ("--features", "export-metadata") if metadata else ()
        result = run_cargo(
            "build", "-p", "tvm-ffi", "--examples", *features, CARGO_TARGET_DIR=str(target)
        )
        assert result.returncode == 0, result.stderr
        return str(target / "debug" / "examples" / "librust_exports.so")

    return build

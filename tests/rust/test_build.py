# SPDX-License-Identifier: Apache-2.0
"""Test that the build scripts find the native library, or tell the user what to do."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

LIBRARY = Path(os.environ.get("TVM_FFI_LIBDIR", ""))
CHECK = ("check", "-p", "tvm-ffi-sys")


def test_a_package_in_cargo_lock_had_no_checksum_of_the_registry():
    """A build against crates.io stopped at a text in place of the checksum of `syn`."""
    lock = (Path(__file__).resolve().parents[2] / "rust" / "Cargo.lock").read_text()
    of_registry = [package for package in lock.split("[[package]]") if "\nsource = " in package]
    assert of_registry
    for package in of_registry:
        assert re.search(r'^checksum = "[0-9a-f]{64}"$', package, re.MULTILINE), package


@pytest.fixture
def without_library(tmp_path):
    """Return an environment without paths to the library."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("cargo", "rustc", "rustdoc", "cc", "ld"):
        found = shutil.which(tool)
        assert found, tool
        # Use a script instead of a link, since programs of rustup depend on their name and folder.
        script = tools / tool
        script.write_text(f'#!/bin/sh\nexec "{found}" "$@"\n')
        script.chmod(0o755)
    return {
        "PATH": str(tools),
        "TVM_FFI_LIBDIR": "",
        "CARGO_TARGET_DIR": str(tmp_path / "target"),
        "PYTHON": "no-python-here",
    }


def tool(environment, name, text):
    path = Path(environment["PATH"]) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.mark.spec("RUST-R01")
def test_a_missing_library_is_one_sentence_that_says_what_to_install(cargo, without_library):
    result = cargo(*CHECK, **without_library)
    assert result.returncode != 0
    message = (
        "the library tvm_ffi was not found: install the Python package of TVM-FFI, or set "
        "TVM_FFI_LIBDIR to the folder of the library."
    )
    assert message in result.stderr
    assert "`tvm-ffi-config --libdir` cannot run" in result.stderr
    assert "`no-python-here -m tvm_ffi.config --libdir` cannot run" in result.stderr


@pytest.mark.spec("RUST-R01")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exit 0", "`tvm-ffi-config --libdir` prints nothing"),
        ("echo broken >&2; exit 3", "`tvm-ffi-config --libdir` failed (broken)"),
        ("echo /no/such/folder", "`tvm-ffi-config` prints /no/such/folder, which is not a folder"),
    ],
)
def test_a_tool_that_does_not_help_is_named(cargo, without_library, text, reason):
    tool(without_library, "tvm-ffi-config", text)
    result = cargo(*CHECK, **without_library)
    assert result.returncode != 0
    assert reason in result.stderr


@pytest.mark.spec("RUST-R01")
@pytest.mark.parametrize("name", ["tvm-ffi-config", "no-python-here", "pkg-config"])
def test_each_tool_can_name_the_folder(cargo, without_library, name):
    tool(without_library, name, f"echo {LIBRARY}")
    result = cargo(*CHECK, **without_library)
    assert result.returncode == 0, result.stderr


@pytest.mark.spec("RUST-R01")
def test_a_wrong_variable_is_named(cargo, without_library):
    result = cargo(*CHECK, **{**without_library, "TVM_FFI_LIBDIR": "/no/such/folder"})
    assert result.returncode != 0
    assert "TVM_FFI_LIBDIR is /no/such/folder, which is not a folder" in result.stderr


@pytest.mark.spec("RUST-R01")
def test_the_documentation_builds_without_the_library(cargo, without_library):
    result = cargo("doc", "--no-deps", "-p", "tvm-ffi-sys", **without_library, DOCS_RS="1")
    assert result.returncode == 0, result.stderr
    assert "DOCS_RS is set: the library tvm_ffi is not linked" in result.stderr


@pytest.mark.spec("RUST-R02")
def test_a_default_build_does_not_need_the_testing_library(cargo, tmp_path):
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "libtvm_ffi.so").symlink_to(LIBRARY / "libtvm_ffi.so")
    result = cargo(
        *("build", "-p", "tvm-ffi-sys", "--lib"),
        TVM_FFI_LIBDIR=str(folder),
        CARGO_TARGET_DIR=str(tmp_path / "target"),
    )
    assert result.returncode == 0, result.stderr

# SPDX-License-Identifier: Apache-2.0
"""Test programs linked with a runtime: every pair of headers and runtime library."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from running import execute

import tvm_ffi.libinfo

pytestmark = pytest.mark.skipif(
    "TVM_FFI_INTEROP_CLIENTS" in os.environ, reason="this is the peer's interpreter"
)
OFFICIAL = ("auto_init", "function_table", "json_write", "serialization")


def run_on(library_folder, *command):
    """Run a program with the runtime library in a directory."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library_folder)}
    done = execute(*command, env=environment)
    return done.stdout


@pytest.mark.spec("S05", "SY7")
@pytest.mark.parametrize("runtime", ["ours", "peer"])
def test_a_program_of_either_headers_runs_on_either_library(peer, clients, side, runtime):
    ours = Path(tvm_ffi.libinfo.find_libtvm_ffi()).parent
    folder = ours if runtime == "ours" else peer.ask("--libdir")
    out = run_on(folder, clients / f"host_{side}", clients)
    assert " 0 failures" in out


@pytest.mark.spec("S05")
@pytest.mark.parametrize("name", OFFICIAL)
def test_tests_compiled_against_the_official_headers_pass_on_our_library(clients, name):
    program = clients / f"official_{name}"
    if not program.exists():
        pytest.skip("GoogleTest is not installed")
    out = run_on(Path(tvm_ffi.libinfo.find_libtvm_ffi()).parent, program)
    assert "[  PASSED  ]" in out
    assert "FAILED" not in out

# SPDX-License-Identifier: Apache-2.0
"""Test that ``libtvm_ffi.so`` exports every C function of the ABI, and only the listed names."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import check_exports
import export_list
import tvm_ffi.libinfo

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "check_exports.py"


def check(library, *flags):
    command = [sys.executable, TOOL, library, *flags]
    return execute(*command, status=None)


@pytest.mark.spec("Y1", "SY1")
def test_runtime_exports_nothing_beyond_the_promised_list():
    result = check(tvm_ffi.libinfo.find_libtvm_ffi())
    assert result.returncode == 0, result.stderr


@pytest.mark.spec("GEN-G07")
def test_runtime_exports_every_promised_name():
    exported = check_exports.exported(tvm_ffi.libinfo.find_libtvm_ffi())
    c_names, cxx_names = export_list.promised()
    assert {*c_names, *cxx_names} == exported


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_name_beyond_the_list_and_a_missing_one_are_found(tmp_path):
    source = tmp_path / "a.c"
    source.write_text("int Stray(void) { return 0; }\nint TVMFFIFunctionCall(void) { return 0; }\n")
    library = tmp_path / "liba.so"
    subprocess.run(
        ["g++", "-x", "c", "-shared", "-fPIC", "-Wl,-soname,libtvm_ffi.so", source, "-o", library],
        check=True,
    )
    result = check(library)
    assert result.returncode == 1
    assert "beyond the promised list: Stray" in result.stderr
    assert "promised and not exported: TVMFFIBacktrace" in result.stderr
    assert "SONAME" not in result.stderr

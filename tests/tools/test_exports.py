# SPDX-License-Identifier: Apache-2.0
"""Test that ``libtvm_ffi.so`` exports every C function of the ABI, and only the listed names."""

import shutil
import subprocess

import pytest

import export_list
import tvm_ffi.libinfo


@pytest.mark.spec("Y1", "SY1", "GEN-G07")
def test_the_runtime_exports_exactly_the_promised_list():
    library = tvm_ffi.libinfo.find_libtvm_ffi()
    assert export_list.compare(library) == []
    c_names, cxx_names = export_list.promised()
    assert {*c_names, *cxx_names} == export_list.exported(library)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_name_beyond_the_list_and_a_missing_one_are_found(tmp_path):
    source = tmp_path / "a.c"
    source.write_text("int Stray(void) { return 0; }\nint TVMFFIFunctionCall(void) { return 0; }\n")
    library = tmp_path / "liba.so"
    subprocess.run(
        ["g++", "-x", "c", "-shared", "-fPIC", "-Wl,-soname,libtvm_ffi.so", source, "-o", library],
        check=True,
    )
    found = export_list.compare(library)
    assert found[0] == "exported beyond the promised list: Stray"
    assert "promised and not exported: TVMFFIBacktrace" in found
    assert not any("SONAME" in text for text in found)

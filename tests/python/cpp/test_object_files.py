# SPDX-License-Identifier: Apache-2.0
"""Test object files that are loaded without a system linker, as ``apache-tvm-ffi-orcjit`` does."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys

import pytest
from running import execute

from tvm_ffi import libinfo

pytestmark = pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64"), reason="names of ELF, x86-64"
)

SOURCE = """
#include <tvm/ffi/tvm_ffi.h>
#include <tvm/ffi/extra/structural_visit.h>

int64_t add(int64_t a, int64_t b) { return a + b; }
tvm::ffi::String shout(tvm::ffi::String text) { return text + "!"; }
void fails() { TVM_FFI_THROW(ValueError) << "from memory"; }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add, add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(shout, shout);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fails, fails);
"""


def compiled(compiler, folder, *flags):
    """Compile a source to an object file; return its path; skip the test without the compiler."""
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
    source, made = folder / "part.cc", folder / "part.o"
    source.write_text(SOURCE)
    include = [f"-I{libinfo.find_include_path()}", f"-I{libinfo.find_dlpack_include_path()}"]
    command = [compiler, "-std=c++17", "-fPIC", *flags, *include, "-c", source, "-o", made]
    subprocess.run(command, check=True)
    return made


@pytest.mark.parametrize("flags", [["-O0"], ["-O2"], ["-O2", "-fvisibility=hidden"]], ids=str)
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_thread_locals_are_found_in_the_general_way(compiler, flags, tmp_path):
    if shutil.which("readelf") is None:
        pytest.skip("needs readelf")
    made = compiled(compiler, tmp_path, *flags)
    out = execute("readelf", "-rW", made)
    kinds = {word for word in out.stdout.split() if word.startswith("R_X86_64_")}
    assert "R_X86_64_PC32" in kinds or "R_X86_64_PLT32" in kinds
    assert {kind for kind in kinds if "TLS" in kind or "TPOFF" in kind} <= {"R_X86_64_TLSGD"}


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_functions_of_an_object_file(compiler, tmp_path):
    orcjit = pytest.importorskip("tvm_ffi_orcjit")
    loaded = orcjit.ExecutionSession().load_module(str(compiled(compiler, tmp_path, "-O1")))
    assert loaded.add(1, 2) == 3
    assert loaded.shout("a long text, on the heap") == "a long text, on the heap!"
    with pytest.raises(ValueError, match="from memory"):
        loaded.fails()

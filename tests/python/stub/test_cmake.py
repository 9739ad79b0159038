# SPDX-License-Identifier: Apache-2.0
"""Test stubs that a CMake build writes: ``tvm_ffi_configure_target`` with ``STUB_DIR``."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo

SOURCE = Path(__file__).resolve().parents[3] / "examples/03_packaged_extension/src/string_tools.cc"
LISTS = f"""\
cmake_minimum_required(VERSION 3.18)
project(client CXX)
find_package(tvm_ffi CONFIG REQUIRED)
add_library(code OBJECT "{SOURCE}")
set_target_properties(code PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(code PRIVATE tvm_ffi::header)
add_library(first SHARED $<TARGET_OBJECTS:code>)
set_target_properties(first PROPERTIES LINKER_LANGUAGE CXX)
tvm_ffi_configure_target(
  first STUB_INIT ON STUB_DIR "written here" STUB_PKG tools STUB_PREFIX string_tools.
)
add_library(second SHARED $<TARGET_OBJECTS:code>)
set_target_properties(second PROPERTIES LINKER_LANGUAGE CXX)
tvm_ffi_configure_target(second STUB_DIR crate/src STUB_TARGET rust)
"""
MARK = "// tvm-ffi-stubgen"


@pytest.mark.spec("TOOL-TO11")
@pytest.mark.skipif(not shutil.which("cmake") or not shutil.which("ninja"), reason="no CMake")
@pytest.mark.skipif(shutil.which(os.environ.get("CXX", "c++")) is None, reason="no C++ compiler")
def test_build_writes_stubs(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(LISTS)
    (tmp_path / "crate" / "src").mkdir(parents=True)
    (tmp_path / "crate" / "Cargo.toml").write_text("")
    rust = tmp_path / "crate" / "src" / "lib.rs"
    rust.write_text(f"{MARK}(begin): object/string_tools.Counter\n{MARK}(end)\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}

    def run(*command):
        execute(*command, cwd=tmp_path, env=environment)

    options = [
        f"-Dtvm_ffi_DIR={libinfo.find_cmake_path()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", *options)
    run("cmake", "--build", "build")
    package = tmp_path / "written here" / "string_tools"
    assert {path.name for path in package.iterdir()} == {
        "__init__.py",
        "_ffi_api.py",
        "py.typed",
    }
    text = (package / "_ffi_api.py").read_text()
    assert 'LIB = _FFI_LOAD_LIB("tools", "first")' in text
    assert "def split(_0: str, _1: str, /) -> Sequence[str]: ..." in text
    assert "pub struct CounterObj {\n    base: tvm_ffi::Object,\n" in rust.read_text()

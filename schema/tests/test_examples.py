# SPDX-License-Identifier: Apache-2.0
"""The examples of the object schema tool, run in a copy of their directories."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi_schema.build import toolchain

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
pytestmark = pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")


def run(folder: Path, *command: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    done = execute(*command, cwd=folder, env=env)
    return done.stdout


def tool(folder: Path, *arguments: str) -> str:
    return run(folder, sys.executable, "-m", "tvm_ffi_schema", *arguments)


@pytest.fixture
def copy(tmp_path):
    def make(name: str) -> Path:
        return Path(shutil.copytree(EXAMPLES / name, tmp_path / name))

    return make


@pytest.mark.spec("SC98")
@pytest.mark.skipif(not shutil.which("cmake") or not shutil.which("ninja"), reason="no CMake")
def test_new_project(copy):
    folder = copy("new_project")
    arguments = [
        f"-Dtvm_ffi_DIR={libinfo.find_cmake_path()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    run(folder, "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *arguments)
    run(folder, "cmake", "--build", "build")
    program = (
        "import tvm_ffi; tvm_ffi.load_module('build/libshapes.so');"
        "f = tvm_ffi.get_global_func; print(f('example.length')(f('example.line')(3.0, 4.0)))"
    )
    assert run(folder, sys.executable, "-c", program) == "5.0\n"


@pytest.mark.spec("SC98")
def test_in_place(copy):
    folder = copy("in_place")
    tool(folder, "check")
    tool(folder, "validate", "--strict")
    tool(folder, "build", "schema", "-o", "unused.so")
    command = [*(toolchain.find() or []), "-std=c++17", "-Wall", "-Wextra", "-Werror"]
    command += ["-fsyntax-only", "-Iinclude", f"-I{libinfo.find_include_path()}"]
    run(folder, *command, "src/account.cc")


def test_library(copy):
    folder = copy("library")
    tool(folder, "build", "nodes.py", "-o", "libnodes.so")
    tool(folder, "validate", "nodes.py", "--lib", "libnodes.so")


@pytest.mark.spec("SC98")
def test_library_without_a_compiler(copy):
    folder = copy("library")
    tool(folder, "build", "nodes.py", "-o", "nodes.tfs")
    shown = run(folder, sys.executable, "use.py", "nodes.tfs").splitlines()
    assert shown[0].startswith("example.nodes.Fork(left=example.nodes.Leaf(value=1)")
    assert shown[1] == "True 32"


@pytest.mark.spec("SC98")
def test_promotion(copy):
    folder = copy("promotion")
    before = (folder / "geometry.py").read_text()
    outputs = [run(folder, sys.executable, "use.py")]
    report = tool(folder, "promote", "geometry.py", "--cpp", "native")
    assert "example.geometry.Path.length stays in Python" in report
    for library in ("libgeometry.so", "geometry.tfs"):
        tool(folder, "build", "geometry.py", "-o", library)
        outputs.append(run(folder, sys.executable, "use.py", f"./{library}"))
    assert len(set(outputs)) == 1 and outputs[0].endswith("\n9.0\n")
    assert (folder / "geometry.py").read_text() == before


def test_demo():
    assert run(EXAMPLES, sys.executable, "run_demo.py").endswith("every result is right\n")

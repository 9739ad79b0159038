# SPDX-License-Identifier: Apache-2.0
"""The CMake function: a target from a schema alone, kept fresh by the build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tvm_ffi import libinfo
from tvm_ffi.schema import toolchain

pytestmark = pytest.mark.skipif(
    toolchain.find() is None or not shutil.which("cmake") or not shutil.which("ninja"),
    reason="no C++ compiler, CMake or Ninja",
)
LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(shapes LANGUAGES CXX)
find_package(tvm_ffi CONFIG REQUIRED)
add_library(shapes SHARED)
tvm_ffi_schema_generate(TARGET shapes SCHEMAS schema/ir.py %s)
target_link_libraries(shapes PRIVATE tvm_ffi::header tvm_ffi::shared)
"""
SCHEMA = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "cm.P"\n    x: int\n'


def run(project, *command: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, cwd=project.root, capture_output=True, text=True, check=False, env=dict(os.environ)
    )


def configure(project, extra: str = "") -> subprocess.CompletedProcess:
    project.write("CMakeLists.txt", LISTS % extra)
    arguments = [
        f"-Dtvm_ffi_DIR={libinfo.find_cmake_path()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    return run(project, "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *arguments)


def test_build_follows_the_schema(project):
    project.schema(SCHEMA)
    done = configure(project)
    assert done.returncode == 0, done.stderr
    done = run(project, "cmake", "--build", "build")
    assert done.returncode == 0, done.stdout
    assert not (project.root / "include").exists()
    assert "no work to do" in run(project, "cmake", "--build", "build").stdout
    project.schema(SCHEMA + "    y: int\n")
    done = run(project, "cmake", "--build", "build")
    assert "Building CXX object" in done.stdout, done.stdout
    header = next((project.root / "build").rglob("ir.h"))
    assert "int64_t y" in header.read_text()


def test_a_broken_schema_fails_the_configuration_with_its_place(project):
    project.schema("x = y\n")
    done = configure(project)
    assert done.returncode != 0
    assert "ir.py:2:5:error[TS020]" in "".join(done.stderr.split())


def test_check_only_fails_on_stale_files(project):
    project.schema(SCHEMA)
    assert project.run("generate", "-q", "schema/ir.py") == 0
    done = configure(project, "CHECK_ONLY)\ntarget_sources(shapes PRIVATE src/ir.cc")
    assert done.returncode == 0, done.stderr
    project.write("src/ir.cc", project.read("src/ir.cc"))
    text = LISTS % "CHECK_ONLY)\ntarget_sources(shapes PRIVATE src/ir.cc"
    project.write("CMakeLists.txt", text + "target_include_directories(shapes PRIVATE include)\n")
    done = run(project, "cmake", "--build", "build")
    assert done.returncode == 0, done.stdout
    before = project.read("include/ir.h")
    project.schema(SCHEMA + "    y: int\n")
    done = run(project, "cmake", "--build", "build")
    assert done.returncode != 0
    assert project.read("include/ir.h") == before


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("MODE HALF", "MODE is FULL or INPLACE"),
        ("EXTRA", "there is no"),
        ("TARGET nobody", "not a target"),
    ],
)
def test_arguments_are_checked(project, extra, words):
    project.schema(SCHEMA)
    done = configure(project, extra)
    assert done.returncode != 0
    assert words in " ".join(done.stderr.split())

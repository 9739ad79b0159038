# SPDX-License-Identifier: Apache-2.0
"""Test the command ``tvm-ffi-config``."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo

INCLUDES = f"-I{libinfo.find_include_path()} -I{libinfo.find_dlpack_include_path()}"
LIBRARY = libinfo.find_libtvm_ffi()


ENTRY = "from tvm_ffi_commands.config import __main__; __main__()"


def run_config(*arguments, python=(), module=("-m", "tvm_ffi.config")):
    environment = dict(os.environ, PYTHONPATH=str(Path(tvm_ffi.__file__).parents[1]))
    return execute(sys.executable, *python, *module, *arguments, status=None, env=environment)


@pytest.mark.spec("PY-J267", "TOOL-TO8")
@pytest.mark.parametrize(
    ("flag", "line"),
    [
        ("--includedir", libinfo.find_include_path()),
        ("--dlpack-includedir", libinfo.find_dlpack_include_path()),
        ("--cmakedir", libinfo.find_cmake_path()),
        ("--pkgconfigdir", libinfo.find_pkgconfig_path()),
        ("--libdir", os.path.dirname(LIBRARY)),
        ("--libfiles", LIBRARY),
        ("--sourcedir", libinfo.find_source_path()),
        ("--cython-lib-path", libinfo.find_cython_lib()),
        ("--cxxflags", f"{INCLUDES} -std=c++17"),
        ("--cflags", INCLUDES),
        ("--libs", "-ltvm_ffi"),
        ("--ldflags", f"-L{os.path.dirname(LIBRARY)}"),
    ],
)
def test_flag_prints_one_line_and_nothing_else(flag, line):
    done = run_config(flag)
    assert (done.returncode, done.stdout, done.stderr) == (0, line + "\n", "")


@pytest.mark.spec("PY-J268", "TOOL-TO8")
def test_lines_come_in_a_fixed_order():
    done = run_config("--ldflags", "--libs", "--cflags", "--libdir", "--includedir")
    assert done.stdout.splitlines() == [
        libinfo.find_include_path(),
        os.path.dirname(LIBRARY),
        INCLUDES,
        "-ltvm_ffi",
        f"-L{os.path.dirname(LIBRARY)}",
    ]


@pytest.mark.spec("PY-J268")
def test_without_arguments_it_explains_itself():
    done = run_config()
    assert done.returncode == 0
    assert done.stdout.startswith("usage:")
    assert "--cxxflags" in done.stdout
    assert run_config("--help").stdout == done.stdout


@pytest.mark.spec("PY-J268")
def test_unknown_argument_is_refused():
    done = run_config("--no-such-flag")
    assert done.returncode == 2
    assert "--no-such-flag" in done.stderr


@pytest.mark.spec("TOOL-TO8")
def test_no_native_code_and_no_third_party_is_loaded():
    flags = ("--cxxflags", "--libs", "--cython-lib-path")
    done = run_config(*flags, python=("-v",), module=("-c", ENTRY))
    assert (done.returncode, done.stdout) == (0, run_config(*flags).stdout)
    imported = set(re.findall(r"^import '([^']+)'", done.stderr, re.MULTILINE))
    assert "tvm_ffi.libinfo" in imported
    assert not {"tvm_ffi.core", "numpy", "torch"} & imported


@pytest.mark.parametrize("name", ["my-tvm-ffi-config", "tvm-ffi-cache", "tvm-ffi-schema.exe"])
def test_script_called_like_a_command_has_the_native_part(tmp_path, name, package_environment):
    script = tmp_path / name
    script.write_text("import tvm_ffi; print(tuple(tvm_ffi.Shape((1, 2))))")
    done = execute(sys.executable, script, status=None, env=package_environment)
    assert (done.stdout, done.stderr) == ("(1, 2)\n", "")

# SPDX-License-Identifier: Apache-2.0
"""Test what docs/decisions/free-threading.md promises for free-threaded interpreters."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

import pytest
from running import FREE_THREADED, execute

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="Python without the GIL begins with 3.13")
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_binding_compiles_without_the_gil(tmp_path):
    sources = sorted((ROOT / "python" / "binding").rglob("*.cc"))
    unit = tmp_path / "unit.cc"
    unit.write_text("".join(f'#include "{path}"\n' for path in sources))
    folders = [ROOT / "include", ROOT / "python" / "binding", ROOT / "src"]
    execute(
        *("g++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"),
        *("-fvisibility=hidden", "-DPy_GIL_DISABLED=1", "-UNDEBUG"),
        *(f"-I{folder}" for folder in folders),
        *("-isystem", sysconfig.get_paths()["include"], str(unit)),
    )


@pytest.mark.skipif(not FREE_THREADED, reason="needs a free-threaded interpreter")
def test_the_gil_stays_disabled_after_the_import(run_python):
    program = (
        "import sys, tvm_ffi, numpy; echo = tvm_ffi.get_global_func('testing.echo'); "
        "assert echo(tvm_ffi.from_dlpack(numpy.arange(3))).shape == (3,); "
        "assert echo(numpy.arange(3)).shape == (3,); print(sys._is_gil_enabled())"
    )
    assert run_python(program) == "False"

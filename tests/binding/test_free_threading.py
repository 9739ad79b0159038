# SPDX-License-Identifier: Apache-2.0
"""Test what docs/decisions/free-threading.md promises for free-threaded interpreters."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

import pytest
from running import execute

ROOT = Path(__file__).resolve().parents[2]
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.mark.skipif(sys.version_info < (3, 13), reason="Python without the GIL begins with 3.13")
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_binding_compiles_without_the_gil(tmp_path):
    sources = sorted((ROOT / "python" / "binding").rglob("*.cc"))
    unit = tmp_path / "unit.cc"
    unit.write_text("".join(f'#include "{path}"\n' for path in sources))
    folders = [ROOT / "include", ROOT / "python" / "binding"]
    execute(
        *("g++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"),
        *("-fvisibility=hidden", "-DPy_GIL_DISABLED=1", "-UNDEBUG"),
        *(f"-I{folder}" for folder in folders),
        *("-isystem", sysconfig.get_paths()["include"], str(unit)),
    )


@pytest.mark.skipif(not FREE_THREADED, reason="needs a free-threaded interpreter")
def test_the_import_enables_the_gil(run_python):
    assert run_python("import sys, tvm_ffi; print(sys._is_gil_enabled())") == "True"


@pytest.mark.skipif(not FREE_THREADED, reason="needs a free-threaded interpreter")
def test_the_import_is_refused_where_the_gil_stays_disabled(run_python):
    program = "try: import tvm_ffi\nexcept ImportError as error: print(error)"
    assert "needs the GIL" in run_python(program, PYTHON_GIL="0")

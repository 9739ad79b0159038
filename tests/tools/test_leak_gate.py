# SPDX-License-Identifier: Apache-2.0
"""Test that the leak gate finds leaks, and does not find any in a few test modules."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from running import classes_die, execute

import leak_gate

LEAKS = {
    "python": "kept.append([object() for _ in range(50)])",
    "wrapper": "kept.append(tvm_ffi.List([1]))",
    "file": "kept.append(open('/dev/null'))",
    "native": """
    x = tvm_ffi.List([b'a long piece of native memory' * 200])
    ctypes.CDLL(None).malloc(20_000)
""",
}
MODULE = """
import ctypes
import tvm_ffi

kept = []

def test_innocent():
    assert len(tvm_ffi.List([1, [2], {"a": 3}])) == 3

def test_leaks():
    LEAK
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the gate in a separate process."""
    return execute(sys.executable, leak_gate.__file__, *arguments, status=None)


@pytest.mark.unsanitized("freed memory stays allocated under a sanitizer")
@pytest.mark.parametrize("kind", LEAKS)
def test_a_leak_is_reported_with_its_test(kind: str, tmp_path: Path) -> None:
    module = tmp_path / "test_leaking.py"
    module.write_text(MODULE.replace("LEAK", LEAKS[kind].strip()))
    done = run("--here", str(module))
    assert done.returncode == 1
    assert "::test_leaks: " in done.stderr
    assert "::test_innocent: " not in done.stderr


def test_what_is_left_at_exit_is_reported(tmp_path: Path) -> None:
    module = tmp_path / "test_leaving.py"
    keep = "ctypes.pythonapi.Py_IncRef(ctypes.py_object(tvm_ffi.List([1])))"
    module.write_text(MODULE.replace("LEAK", keep))
    done = run(str(module))
    assert done.returncode == 1
    assert re.search(r": [1-9]\d* wrappers of native objects are left at exit", done.stderr)


@classes_die
def test_nothing_grows_in_modules_that_stand_for_the_others() -> None:
    done = run("--quick")
    assert done.returncode == 0, done.stdout + done.stderr

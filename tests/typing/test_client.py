# SPDX-License-Identifier: Apache-2.0
"""The program that uses the whole public surface passes the type checkers, and runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi

PROGRAM = Path(__file__).with_name("client.py")
PACKAGE = Path(tvm_ffi.__file__).parents[1]


def command(name):
    """Return the path of a checker that stands beside the interpreter."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=beside)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*arguments, **environment):
    done = subprocess.run(
        [*map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_runs():
    assert run(sys.executable, PROGRAM, PYTHONPATH=str(PACKAGE)).startswith("(3, (11,")


def test_mypy_understands_it(tmp_path):
    # Silent about the package itself, as about one that is installed.
    options = ("--strict", "--follow-imports=silent", "--python-version", "3.10")
    cache = ("--cache-dir", tmp_path, "--config-file", os.devnull)
    run(command("mypy"), *options, *cache, PROGRAM, MYPYPATH=str(PACKAGE))


def test_pyright_understands_it(tmp_path):
    settings = {
        "include": [str(PROGRAM)],
        "extraPaths": [str(PACKAGE)],
        "pythonVersion": "3.10",
        "typeCheckingMode": "standard",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    out = run(command("basedpyright"), "-p", tmp_path / "pyrightconfig.json")
    assert "0 errors" in out

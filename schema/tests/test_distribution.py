# SPDX-License-Identifier: Apache-2.0
"""The distribution of the tool is built twice, installed without the runtime, and used."""

from __future__ import annotations

import os
import shutil
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from running import execute

from tvm_ffi_schema._version import __version__

ROOT = Path(__file__).resolve().parents[1]
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
SCHEMA = """
from tvm_ffi_schema import Object, declare, ty


@declare
class Point(Object):
    type_key = "made.Point"
    x: ty.int64_t
"""
pytestmark = pytest.mark.packaging


def run(*command: object, cwd: Path, status: int = 0) -> str:
    """Run a command that cannot import the packages under test."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["SOURCE_DATE_EPOCH"] = "1700000000"
    done = execute(*map(str, command), status=status, cwd=cwd, env=env)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    copy = tmp_path_factory.mktemp("source") / "schema"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    made = []
    for name in ("one", "two"):
        out = tmp_path_factory.mktemp(name)
        run(sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", out, copy, cwd=out)
        made.extend(out.glob("*.whl"))
    first, second = made
    assert first.read_bytes() == second.read_bytes()
    return first


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True, symlinks=True)
    run(folder / "bin/python", *PIP, "install", wheel, cwd=folder)
    return folder / "bin"


def test_wheel_holds_the_package(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    stem = f"tvm_ffi_schema-{__version__}"
    assert tops == {"tvm_ffi_schema", f"{stem}.dist-info"}
    assert "tvm_ffi_schema/py.typed" in names
    assert wheel.name == f"tvm_ffi_schema-{__version__}-py3-none-any.whl"


def test_tool_without_the_runtime(installed, tmp_path):
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema/made.py").write_text(SCHEMA)
    command = installed / "tvm-ffi-schema"
    assert __version__ in run(command, "--version", cwd=tmp_path)
    run(command, "generate", cwd=tmp_path)
    assert "made.Point" in (tmp_path / "include/made.h").read_text()
    run(command, "check", cwd=tmp_path)
    run(command, "validate", cwd=tmp_path)
    run(command, "build", "schema", "-o", "points.tfs", cwd=tmp_path)
    said = run(command, "build", "schema", "-o", "libpoints.so", cwd=tmp_path, status=2)
    assert "compiling needs the package fast-tvm-ffi" in said
    assert not (tmp_path / "libpoints.so").exists()


def test_words_without_the_runtime(installed, tmp_path):
    program = "import tvm_ffi_schema as s; print(s.declare.__module__, s.ty.int64_t)"
    assert run(installed / "python", "-c", program, cwd=tmp_path).startswith("tvm_ffi_schema.")

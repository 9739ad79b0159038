# SPDX-License-Identifier: Apache-2.0
"""Fixtures for the tests of the stub generator: files with blocks, and the command."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.stub import cli

BEGIN = "# tvm-ffi-stubgen(begin): "
END = "# tvm-ffi-stubgen(end)"


@pytest.fixture
def stubgen(capsys):
    """Return a function that runs the command in this process; it returns status and output."""

    def run(*arguments):
        capsys.readouterr()
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as error:
            status = error.code
        out, err = capsys.readouterr()
        return status, out + err

    return run


@pytest.fixture
def stub_file(tmp_path):
    """Return a function that writes a file of empty blocks, given the text of each begin marker."""

    def write(*blocks, name="module.py", indent=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = []
        for block in blocks:
            if block.startswith(("#", "//", "class", "x =")):
                lines.append(block)
            else:
                lines += [indent + BEGIN + block, indent + END]
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


@pytest.fixture
def fill(stub_file, stubgen):
    """Return a function: it generates the blocks of a file, and returns the lines of each block."""

    def run(*blocks, options=(), **more):
        path = stub_file(*blocks, **more)
        status, out = stubgen(*options, path)
        assert status == 0, out
        found = contents(path)
        # If the file needs an import section, the command adds one in front of the given blocks.
        added = BEGIN + "import-section" in path.read_text() and "import-section" not in blocks
        return found[1:] if added else found

    return run


def contents(path):
    """Return the lines between the markers of each block."""
    found, current = [], None
    for line in path.read_text().splitlines():
        if line.strip().startswith(BEGIN.strip()):
            current = []
        elif line.strip() == END:
            found.append(current)
            current = None
        elif current is not None:
            current.append(line)
    return found


@pytest.fixture
def run_tool():
    """Return a function that runs a program in a folder, with the package on its paths."""

    def run(folder, *command):
        package = str(Path(tvm_ffi.__file__).parents[1])
        environment = {**os.environ, "MYPYPATH": package, "PYTHONPATH": package}
        return execute(*command, status=None, cwd=folder, env=environment)

    return run


@pytest.fixture(params=["mypy", "pyright"])
def check_types(request, run_tool):
    """Return a function that checks the types of files in one folder with a type checker."""
    if request.param == "mypy":
        pytest.importorskip("mypy")
        flags = ["--strict", "--follow-imports=silent", "--no-incremental", "--no-error-summary"]
        command = [sys.executable, "-m", "mypy", *flags]
    else:
        program = shutil.which("basedpyright", path=str(Path(sys.executable).parent))
        if program is None:
            pytest.skip("basedpyright is not installed")
        command = [program, "--level", "error", "--pythonpath", sys.executable]

    def check(*files, mode="standard"):
        folder = files[0].parent
        paths = f'"extraPaths": ["{Path(tvm_ffi.__file__).parents[1].as_posix()}"]'
        settings = f'{{"typeCheckingMode": "{mode}", {paths}}}'
        (folder / "pyrightconfig.json").write_text(settings)
        done = run_tool(folder, *command, *(path.name for path in files))
        assert done.returncode == 0, done.stdout

    return check


@pytest.fixture
def run_command():
    """Return a function that runs the command in a separate process."""

    def run(*arguments, **environment):
        variables = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
        return execute(
            sys.executable,
            "-m",
            "tvm_ffi.stub.cli",
            *arguments,
            status=None,
            env={**variables, **environment},
        )

    return run

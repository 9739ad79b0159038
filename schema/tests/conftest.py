# SPDX-License-Identifier: Apache-2.0
"""The fixture `project`: a project in a temporary directory, and functions that run the command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi_schema.build import toolchain
from tvm_ffi_schema.commands import cli

PRELUDE = (
    "from tvm_ffi.schema import (Enum, IntEnum, KW_ONLY, Object, StrEnum, Trait, auto, auto_slots,"
    " cpp, declare, entry, extend, extern, field, method, mixin, module, ty)\n"
)


class Project:
    """A project: the files below one directory."""

    def __init__(self, root: Path, capfd) -> None:
        self.root = root
        self.capfd = capfd
        self.out = self.err = ""

    def write(self, name: str, text: str, newline: str | None = None) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.replace("\n", newline or "\n").encode())
        return path

    def schema(self, text: str, name: str = "schema/ir.py") -> Path:
        return self.write(name, PRELUDE + text)

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    def run(self, *arguments: str) -> int:
        """Run `tvm-ffi-schema` in this directory; store its output in `out` and `err`."""
        self.capfd.readouterr()
        before = os.getcwd()
        os.chdir(self.root)
        try:
            status = cli.main(list(arguments))
        finally:
            os.chdir(before)
        self.out, self.err = self.capfd.readouterr()
        assert "Traceback" not in self.err
        return status

    def files(self) -> dict[str, bytes]:
        """Return path -> content of all files except the files in `.tschema`."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".tschema" not in path.parts
        }

    def ids(self) -> list[str]:
        """Return the ids of the findings that were printed."""
        import re

        return re.findall(r"(?:error|warning|note)\[(TS\d+)\]", self.err)

    def compile(self, *sources: str, output: str | None = None) -> None:
        """Compile C++ with warnings as errors; link a library if `output` is a file name."""
        command = [*(toolchain.find() or []), "-std=c++17", "-Wall", "-Wextra", "-Werror"]
        command += ["-I", "include", "-I", libinfo.find_include_path()]
        command += ["-I", libinfo.find_dlpack_include_path()]
        if output:
            command += ["-O0", "-shared", "-fPIC", "-fvisibility=hidden", "-o", output]
        else:
            command.append("-fsyntax-only")
        execute(*command, *sources, cwd=self.root)

    def use(self, program: str, library: str) -> None:
        """Run a Python program in another process, with a library and this directory as arguments.

        Warnings are errors.
        """
        environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
        command = [sys.executable, "-W", "error", "-c", program, f"./{library}", str(self.root)]
        execute(*command, cwd=self.root, env=environment)


@pytest.fixture
def project(tmp_path, capfd) -> Project:
    return Project(tmp_path, capfd)


needs_compiler = pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")

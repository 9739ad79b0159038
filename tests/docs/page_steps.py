# SPDX-License-Identifier: Apache-2.0
"""Run the pages that tell the reader to write files and run commands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import tvm_ffi

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = {
    "tvm-ffi-cache": "tvm_ffi.cpp.cache_command",
    "tvm-ffi-config": "tvm_ffi.config",
    "tvm-ffi-inspect": "tvm_ffi.stub.inspect_command",
    "tvm-ffi-stubgen": "tvm_ffi.stub.cli",
}


def steps(text):
    """Yield the steps of a page: ("file", name, text) or ("command", text, output)."""
    for kind, body in BLOCK.findall(text):
        if kind in ("c", "cmake", "cpp", "python", "rust", "toml"):
            yield "file", re.match(r"(?://|#) (\S+)\n", body)[1], body
        elif kind == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                yield "command", command, printed


def fits(expected, printed):
    """Return whether a text is as expected; ``...`` in `expected` matches any part of a line."""
    lines = expected.rstrip("\n").split("\n")
    parts = (r"[^\n]*".join(map(re.escape, line.split("..."))) for line in lines)
    return re.fullmatch("\n".join(parts), printed.rstrip("\n")) is not None


def perform(text, folder):
    """Run a page in a directory; yield each command with its expected and its actual result."""
    package = Path(tvm_ffi.__file__).parents[1]
    tools = folder / "bin"
    tools.mkdir()
    for name, module in COMMANDS.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (tools / name).chmod(0o755)
    path = os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])
    library = str(package / "tvm_ffi" / "lib")
    # The command `pip install` of a page must not change the environment of the tests.
    installed = folder / "installed"
    modules = os.pathsep.join([str(package), str(installed)])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": modules, "PIP_TARGET": str(installed)}
    environment["PIP_NO_DEPS"] = "1"
    environment.update(LD_LIBRARY_PATH=library, LC_ALL="C.UTF-8")
    for kind, name, body in steps(text):
        if kind == "file":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(body)
            continue
        export = re.fullmatch(r"export (\w+)=\$PWD/(\w+)", name)
        if export:
            environment[export[1]] = str(folder / export[2])
            continue
        done = subprocess.run(
            name,
            shell=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        yield name, body, re.sub(r"\x1b\[\d*m", "", done.stdout)

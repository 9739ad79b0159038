# SPDX-License-Identifier: Apache-2.0
"""The commands of ``docs/tools.md`` print what the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tools.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = {
    "tvm-ffi-cache": "tvm_ffi.cpp.cache_command",
    "tvm-ffi-config": "tvm_ffi.config",
    "tvm-ffi-inspect": "tvm_ffi.stub.inspect_command",
    "tvm-ffi-stubgen": "tvm_ffi.stub.cli",
}


def steps(text):
    """Yield each command of the page, after its files are written, with what it is to print."""
    for kind, body in BLOCK.findall(text):
        if kind in ("cpp", "python"):
            yield "file", re.match(r"(?://|#) (\S+)\n", body)[1], body
        elif kind == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                yield "command", command, printed


def fits(expected, printed):
    """Return whether a text is the expected one; ``...`` in that stands for anything on a line."""
    lines = expected.rstrip("\n").split("\n")
    parts = (r"[^\n]*".join(map(re.escape, line.split("..."))) for line in lines)
    return re.fullmatch("\n".join(parts), printed.rstrip("\n")) is not None


def perform(text, folder):
    """Run the page in a directory; yield each command with what it is to print and what it did."""
    package = Path(tvm_ffi.__file__).parents[1]
    tools = folder / "bin"
    tools.mkdir()
    for name, module in COMMANDS.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (tools / name).chmod(0o755)
    path = os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])
    library = str(package / "tvm_ffi" / "lib")
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(package)}
    environment.update(LD_LIBRARY_PATH=library, LC_ALL="C.UTF-8")
    for kind, name, body in steps(text):
        if kind == "file":
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


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.skipif(shutil.which("ninja") is None, reason="needs ninja")
def test_commands_print_what_the_page_says(tmp_path):
    ran = 0
    for command, expected, printed in perform(PAGE.read_text(), tmp_path):
        assert fits(expected, printed), f"$ {command}\n{printed}\n--- the page has\n{expected}"
        ran += 1
    assert ran >= 20


def test_page_names_every_command():
    text = PAGE.read_text()
    for command in (*COMMANDS, "tvm-ffi-schema", "gen_abi_cpp", "embed_cubin"):
        assert re.search(rf"^## .*{command}", text, re.MULTILINE), command


def test_dots_stand_for_what_differs():
    assert fits("a ... c\nd", "a b, b c\nd\n")
    assert not fits("a ... c", "a b\nc")
    assert not fits("a", "a\nb")

# SPDX-License-Identifier: Apache-2.0
"""Run all listings of the page ``object_schema.md``, in order, in one directory."""

import os
import re
import shutil
import stat
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

PAGE = Path(__file__).resolve().parents[1] / "docs/object_schema.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:#|//) file: (\S+)\n")


@pytest.mark.spec("SC100", "SC103")
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_every_block_runs(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "tvm-ffi-schema"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tvm_ffi_schema "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    (tools / "python").symlink_to(sys.executable)
    folder = tmp_path / "work"
    folder.mkdir()
    env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    env["PYTHONPATH"] = str(Path(tvm_ffi.__file__).parents[1])
    ran = 0
    for language, text in BLOCK.findall(PAGE.read_text()):
        if language in ("text", "yaml"):
            continue
        name = FILE.match(text)
        if name:
            path = folder / name[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text[name.end() :])
            continue
        program = ["sh", "-e", "-c", text] if language == "sh" else [sys.executable, "-c", text]
        execute(*program, cwd=folder, env=env)
        ran += 1
    assert ran >= 15

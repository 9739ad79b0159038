# SPDX-License-Identifier: Apache-2.0
"""Processes that are killed, and processes that run at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.commands.cli import COMMANDS

PARENT = str(Path(tvm_ffi.__file__).parents[1])
SCHEMA = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n    x: int\n'
KILL = """
import os, signal, sys
from tvm_ffi_schema.commands import cli
real, left = os.{call}, [int(sys.argv.pop(1))]
def dying(*args):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*args)
os.{call} = dying
sys.exit(cli.main(sys.argv[1:]))
"""
posix = pytest.mark.skipif(os.name != "posix", reason="signals")


def start(project, *command: str) -> subprocess.Popen:
    environment = {"PYTHONPATH": PARENT, "PATH": os.environ.get("PATH", "")}
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=project.root,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def generated(project) -> dict[str, bytes]:
    return {n: d for n, d in project.files().items() if n.startswith(("include", "src"))}


@pytest.mark.spec("SC83")
@posix
@pytest.mark.parametrize("call", ["replace", "fsync"])
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_a_killed_run_leaves_old_or_new_after_the_next_one(project, call, at):
    project.schema(SCHEMA)
    assert project.run("generate", "-q") == 0
    old = generated(project)
    project.schema(SCHEMA.replace("x: int", "x: int\n    y: int"))
    process = start(project, "-c", KILL.replace("{call}", call), str(at), "generate")
    process.communicate()
    between = generated(project)
    project.schema(SCHEMA)  # so that the next run has to restore the old text
    assert project.run("generate") == 0, project.err
    assert generated(project) == old
    assert not list(project.root.rglob(".tschema-*"))
    project.schema(SCHEMA.replace("x: int", "x: int\n    y: int"))
    assert project.run("generate") == 0
    new = generated(project)
    for name in new:
        assert between[name] in (old[name], new[name])


@posix
@pytest.mark.parametrize("at", [1, 2])
def test_a_killed_fix_loses_nothing(project, at):
    here = Path(__file__).parent / "handwritten"
    project.schema((here / "ir.py.txt").read_text())
    header, source = ((here / f"ir.{end}.txt").read_text() for end in ("h", "cc"))
    project.write("include/ir.h", header.replace('"demo.Call"', '"x"'))
    project.write("src/ir.cc", source.replace('def_ro("op"', 'def_rw("op"'))
    process = start(project, "-c", KILL.replace("{call}", "replace"), str(at), "validate", "--fix")
    process.communicate()
    assert process.returncode == -9
    assert project.run("validate", "--fix") in (0, 1)
    assert project.run("validate") == 0, project.err
    assert project.read("include/ir.h") == header
    assert project.read("src/ir.cc") == source


HOLD = """
import sys
from tvm_ffi_schema.files import fsio
with fsio.lock("."):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.spec("SC83")
@posix
@pytest.mark.parametrize("end", ["close", "kill"])
def test_a_second_run_waits_for_the_first(project, end):
    """A second run waits until the first run ends or is killed; an earlier version refused it."""
    project.schema(SCHEMA)
    first = start(project, "-c", HOLD)
    assert first.stdout.readline() == "held\n"
    second = start(project, "-m", "tvm_ffi_schema", "generate")
    assert second.stderr.readline() == "waiting for another run in this project\n"
    assert second.poll() is None and "include/ir.h" not in project.files()
    if end == "kill":
        first.kill()
    first.communicate()
    err = second.communicate()[1]
    assert second.returncode == 0 and err.endswith("2 of 2 files written\n"), err
    assert project.run("check") == 0


def test_runs_at_the_same_time_agree(project):
    project.schema(SCHEMA)
    running = [start(project, "-m", "tvm_ffi_schema", "generate") for _ in range(4)]
    results = [(process.communicate()[1], process.returncode) for process in running]
    for err, status in results:
        assert status == 0, err
    assert sum("2 of 2 files written" in err for err, _ in results) == 1
    assert project.run("check") == 0
    assert not list(project.root.rglob(".tschema-*"))


INTERRUPT = """
import runpy, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == word:
            raise KeyboardInterrupt
word = sys.argv.pop(1)
sys.modules.pop(word, None)
sys.meta_path.insert(0, Finder())
runpy.run_module("tvm_ffi_schema", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("verb", COMMANDS)
def test_an_interrupted_import_printed_a_traceback(tmp_path, verb):
    own = f"tvm_ffi_schema.commands.{COMMANDS[verb][2]}"
    for word in ("argparse", "tvm_ffi_schema.commands.arguments", own):
        done = execute(
            *(sys.executable, "-c", INTERRUPT, word, verb, *["x"] * (verb in ("promote", "adopt"))),
            status=None,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": PARENT},
        )
        if "usage:" in done.stderr:  # the verb needs other arguments
            continue
        assert (done.returncode, done.stderr) == (130, "tvm-ffi-schema: interrupted\n"), word

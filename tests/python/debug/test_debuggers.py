# SPDX-License-Identifier: Apache-2.0
"""Test the printers in real debuggers, with a small program and a library without symbols."""

from __future__ import annotations

import glob
import os
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo

HERE = Path(__file__).parent
PRINTERS = Path(tvm_ffi.__file__).parent / "debug"
GDB, LLDB = shutil.which("gdb"), shutil.which("lldb")
CONTAINERS = {
    "held": ('Array of 2 = {1, "two"}', '[1, "two"]'),
    "array": ("Array of 3 = {1, 2, 3}", "[1, 2, 3]"),
    "list": ('List of 2 = {"a", None}', '["a", None]'),
    "map": ('Map of 1 = {["one"] = 1}', '{"one": 1}'),
    "nested": ('Array of 3 = {[1, 2, 3], {"one": 1}, []}', '[[1, 2, 3], {"one": 1}, []]'),
    "tuple": ('Array of 2 = {7, "seven"}', '[7, "seven"]'),
    "an_array": ("Array of 3 = {1, 2, 3}", "[1, 2, 3]"),
    "knot": ("List of 1 = {[[[[List(...)]]]]}", "[[[[[List(...)]]]]]"),
}
POINT = '{x = 3, y = 0.5, on = True, name = "origin", path = [1, 2], anything = None}'
VALUES = {
    "none": "None",
    "number": "42",
    "truth": "True",
    "real": "2.5",
    "text": '"short"',
    "bytes": r"b'\x01\xff'",
    "type": "float16x4",
    "device": "cuda:1",
    "pointer": "void* 0x0",
    "view": '"raw text"',
    "small": '"tiny"',
    "large": r'"a \"quoted\" text of more than seven bytes"',
    "raw": "b'0123456789'",
    "shape": "Shape(2, 3, 4)",
    "tensor": "Tensor(2, 3, 4) float32 cpu:0",
    "error": "ValueError: no such thing",
    "absent": "None",
    "present": "5",
    "no_array": "None",
    "either": '"this"',
    "nothing": "None",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Compile the program with debug information; return its path."""
    if "asan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("a debugger does not start under a sanitizer")
    library = tmp_path_factory.mktemp("debug")
    target = library / "program"
    shutil.copy(libinfo.find_libtvm_ffi(), library)
    subprocess.run(["strip", str(library / "libtvm_ffi.so")], check=True)
    includes = [f"-I{libinfo.find_include_path()}", f"-I{libinfo.find_dlpack_include_path()}"]
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-g", "-O0", *includes]
    link = [f"-L{library}", "-ltvm_ffi", f"-Wl,-rpath,{library}"]
    subprocess.run([*command, str(HERE / "program.cc"), "-o", str(target), *link], check=True)
    return target


def variables(text):
    """Return the text that a debugger printed for each variable."""
    return dict(re.findall(r"^(?:\([^=]*\) )?(\w+) = (.*)$", text, re.MULTILINE))


def skip_without_tracing(output):
    """Skip the test if a debugger could not trace the program; the reason is its own message."""
    refused = "Operation not permitted|Could not trace|personality set failed|not permitted"
    line = re.search(rf"^.*({refused}).*$", output, re.MULTILINE)
    if line is not None:
        pytest.skip(f"the debugger could not trace the program: {line[0]}")


@pytest.fixture(scope="module")
def in_gdb(program):
    if GDB is None:
        pytest.skip("no gdb on this machine")

    def run(*commands, arguments=()):
        # gdb cannot call functions in a core file, nor on processors that are newer than gdb.
        no_calls = "set may-call-functions off"
        lines = [no_calls, f"source {PRINTERS / 'gdb_printers.py'}", *commands]
        options = [part for line in lines for part in ("-ex", line)]
        done = execute(GDB, "-batch", "-nx", *options, *arguments, program, status=None)
        text = done.stdout + done.stderr
        skip_without_tracing(text)
        return text

    return run


@pytest.mark.spec("TOOL-TO4")
def test_gdb_prints_values(in_gdb):
    text = in_gdb("break stop_here", "run", "up", "set print elements 12", "info locals")
    found = variables(text)
    expected = {**VALUES, **{name: texts[0] for name, texts in CONTAINERS.items()}}
    expected["large"] = VALUES["large"]
    assert {name: found.get(name) for name in expected} == expected
    assert found["dict"].startswith("Dict of 40 = {[0] = 0, [1] = 1, [2] = 4")
    assert found["dict"].endswith("...}")
    for name in ("point", "owner"):
        assert re.fullmatch(rf"debug.Point at 0x\w+ = {re.escape(POINT)}", found[name])
    assert re.fullmatch(r"Function at 0x\w+", found["function"])
    assert found["wild"] == "<cannot be read: Cannot access memory at address 0x1230>"
    assert "Error while" not in text
    assert "Traceback" not in text


def test_gdb_expands_and_calls_without_printers_too(in_gdb):
    text = in_gdb(
        "break stop_here", "run", "up", "print point", "print/r small", "disable pretty-printer",
        "print number",
    )  # fmt: skip
    assert "$1 = debug.Point at" in text
    assert "$3 = {data_ = {type_index = 1," in text


@pytest.mark.spec("TOOL-TO4")
def test_gdb_reads_a_core_file(program, in_gdb, tmp_path):
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    subprocess.run(
        [str(program), "abort"],
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit,) * 2),
        check=False,
    )
    core = next(tmp_path.glob("core*"), tmp_path / "generated")
    if core.name == "generated":  # The system does not write core files, or to another place.
        in_gdb("break stop_here", "run", f"generate-core-file {core}")
    text = in_gdb("frame function main", "info locals", arguments=["-c", str(core)])
    found = variables(text)
    assert found["nested"] == CONTAINERS["nested"][0]
    assert found["error"] == VALUES["error"]
    assert found["point"].endswith(f" = {POINT}")


def lldb_environment():
    """Return environment variables with which lldb finds its Python modules, or None."""
    places = sorted(glob.glob("/usr/lib/llvm-*/lib/python3.*/dist-packages"))
    more = [*places, "/usr/lib/python3/dist-packages"]
    for extra in ([], more):
        environment = {**os.environ, "PYTHONPATH": ":".join(extra)}
        script = ["-o", "script import lldb, sys; print('has', 'python')"]
        done = execute(LLDB, "--batch", "--no-lldbinit", *script, status=None, env=environment)
        if re.search("^has python", done.stdout, re.MULTILINE):
            return environment
    return None


@pytest.mark.spec("TOOL-TO4")
def test_lldb_prints_values(program):
    if LLDB is None:
        pytest.skip("no lldb on this machine")
    environment = lldb_environment()
    if environment is None:
        pytest.skip("the lldb of this machine has no Python")
    lines = [
        f'command script import "{PRINTERS / "lldb_printers.py"}"',
        "breakpoint set -n stop_here",
        *("run", "up", "frame variable"),
    ]
    options = [part for line in lines for part in ("-o", line)]
    done = execute(
        LLDB, "--batch", "--no-lldbinit", *options, program, status=None, env=environment
    )
    found = variables(done.stdout)
    skip_without_tracing(done.stderr)
    expected = {**VALUES, **{name: texts[1] for name, texts in CONTAINERS.items()}}
    assert {name: found.get(name) for name in expected} == expected
    fields = 'x=3, y=0.5, on=True, name="origin", path=[1, 2], anything=None'
    assert found["owner"] == f"debug.Point({fields})"
    assert found["wild"].startswith("<cannot be read: ")

# SPDX-License-Identifier: Apache-2.0
"""`adopt`: hand-written C++ becomes a schema and marked files, and means the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi

from .conftest import needs_compiler

HERE = Path(__file__).parent / "adopt"
#: Name -> the files of a hand-written library, and the program that uses it.
LIBRARIES = {
    "modern": ({"include/demo/ir.h": "ir.h", "src/ir.cc": "ir.cc"}, "demo"),
    "classic": ({"include/old/expr.h": "expr.h", "src/expr.cc": "expr.cc"}, "old"),
}
FACTS = "from tvm_ffi_schema.front.registry_facts import main; main()"
USE = {
    "modern": """
import sys, tvm_ffi
tvm_ffi.load_module(sys.argv[1])
from tvm_ffi import get_global_func as f
leaf = f("demo.call")("leaf", [])
call = f("demo.call")("add", [leaf, leaf])
print(call.op, len(call.args), call.outer, call.level, call.weight, call.span)
print(call.arity(3), f("demo.count")(call))
call.level = 5
print(call.level, call.args[0].same_as(leaf))
for name in ("op", "weight"):
    try:
        setattr(call, name, 1)
    except Exception as error:
        print(name, type(error).__name__)
again = f("demo.call")("leaf", [])
print(tvm_ffi.structural_equal(leaf, again), tvm_ffi.structural_equal(leaf, call))
print(tvm_ffi.structural_hash(leaf) == tvm_ffi.structural_hash(again))
table = f("demo.table")()
print(dict(table.entries), table.first, table.width, table.open, table.doubled(), table.standard())
table.first = leaf
print(table.first.op, repr(table))
""",
    "classic": """
import sys, tvm_ffi
tvm_ffi.load_module(sys.argv[1])
from tvm_ffi import get_global_func as f
leaf, add = f("old.leaf"), f("old.add")
one = add(leaf(), leaf())
print(one.a, one.span, f("old.depth")(one))
print(tvm_ffi.structural_equal(one, add(leaf(), leaf())), tvm_ffi.structural_equal(one, leaf()))
print(tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(add(leaf(), leaf())))
""",
}


def place(project, name: str) -> None:
    for target, source in LIBRARIES[name][0].items():
        project.write(target, (HERE / f"{source}.txt").read_text())


def facts(folder: Path, library: str) -> list[dict]:
    """Return what a library registers, as another process sees it."""
    out = _run(folder, ["-c", FACTS, "lib", f"./{library}"])
    found = json.loads(out.strip().splitlines()[-1])
    return sorted(found, key=lambda one: one["key"])  # type indices depend on the linker


def _run(folder: Path, arguments: list[str]) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def without_additions(found: list[dict], original: list[dict]) -> list[dict]:
    """Return facts without what adoption adds: documentation, and the names of parameters."""
    for one, old in zip(found, original):
        for field, was in zip(one["fields"], old["fields"]):
            field["doc"] = field["doc"] if was["doc"] else was["doc"]
        for method in one["methods"]:
            method["metadata"].pop("arg_names", None)
    return found


@needs_compiler
@pytest.mark.parametrize("name", LIBRARIES)
def test_an_adopted_library_has_the_same_layout_registrations_and_behaviour(project, name):
    place(project, name)
    sources = [path for path in LIBRARIES[name][0] if path.endswith(".cc")]
    project.compile(*sources, output="before.so")
    assert project.run("adopt", "include", "src") == 0, project.err
    project.compile(*sources, output="after.so")
    before, after = (facts(project.root, f"{one}.so") for one in ("before", "after"))
    assert len(before) >= 2 and without_additions(after, before) == before
    used = [_run(project.root, ["-c", USE[name], f"./{lib}.so"]) for lib in ("before", "after")]
    assert used[0] == used[1] and used[0]
    assert project.run("validate", "--lib", "after.so") == 0, project.err

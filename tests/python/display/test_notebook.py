# SPDX-License-Identifier: Apache-2.0
"""Test the package in IPython: display of values, repeated cells, help and completion.

Each test runs its cells in a new process, in the shell that notebooks and terminals use.
"""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest
from running import execute

pytest.importorskip("IPython", reason="in tools/requirements-dev.txt")

#: A program that runs the cells on standard input, and writes the output that a notebook gets.
RUNNER = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.completer import provisionalcompleter

shell = InteractiveShell.instance()
results = []
for cell in json.load(sys.stdin):
    written = io.StringIO()
    if cell.startswith("?"):
        results.append(shell.object_inspect_mime(cell[1:])["text/plain"])
        continue
    if cell.startswith("TAB "):
        text = cell[4:]
        with provisionalcompleter():
            found = shell.Completer.completions(text, len(text))
            results.append([completion.text for completion in found])
        continue
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
        result = shell.run_cell(cell)
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        results.append({"error": f"{type(error).__name__}: {error}"})
    elif result.result is None:
        results.append({"written": written.getvalue()})
    else:
        results.append(shell.display_formatter.format(result.result)[0])
json.dump(results, sys.stdout)
"""

DEFINE = """
from typing import Any
import tvm_ffi
from tvm_ffi.dataclasses import py_class

@py_class("test.notebook.Point")
class Point(tvm_ffi.Object):
    "A point."
    x: int
    y: Any = None
"""


@pytest.fixture
def run(package_environment, tmp_path):
    environment = {
        **package_environment,
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "TVM_FFI_CACHE_DIR": str(tmp_path / "cache"),
        "NO_COLOR": "1",
    }

    def run_cells(*cells):
        done = execute(sys.executable, "-c", RUNNER, input=json.dumps(cells), env=environment)
        return json.loads(done.stdout)

    return run_cells


def test_values_are_displayed_bounded(run):
    (_, array, mapping, shape, string, function) = run(
        "import tvm_ffi",
        "tvm_ffi.Array(range(20000))",
        "tvm_ffi.Map({i: i for i in range(20000)})",
        "tvm_ffi.Shape((1, 2))",
        "tvm_ffi.convert('x' * 10)",
        "tvm_ffi.convert(len)",
    )
    assert array == {"text/plain": "(0, 1, 2, ..., 19997, 19998, 19999; length 20000)"}
    assert mapping["text/plain"].endswith("19999: 19999; length 20000}")
    assert shape == {"text/plain": "(1, 2)"}
    assert string == {"text/plain": repr("x" * 10)}
    assert "Function" in function["text/plain"] and list(function) == ["text/plain"]


def test_objects_are_displayed_as_trees(run):
    (_, point, _, cyclic) = run(
        DEFINE, "Point(1, [2, '<b>'])", "p = Point(1, tvm_ffi.List([])); p.y.append(p)", "p"
    )
    assert point["text/plain"] == 'test.notebook.Point(x=1, y=(2, "<b>"))'
    assert "<details open>" in point["text/html"]
    assert "&lt;b&gt;" in point["text/html"] and "'<b>'" not in point["text/html"]
    assert cyclic["text/plain"] == "test.notebook.Point(x=1, y=[...])"
    assert "&hellip;" in cyclic["text/html"]


def test_tensors_are_displayed_as_tables(run):
    pytest.importorskip("numpy")
    (_, tensor) = run("import numpy, tvm_ffi", "tvm_ffi.from_dlpack(numpy.eye(2))")
    assert tensor["text/plain"] == "float64[2, 2]@cpu:0\n[[1.0, 0.0],\n [0.0, 1.0]]"
    assert tensor["text/html"].count("<td>") == 4


def test_a_cell_that_defines_a_class_can_run_twice(run):
    changed = DEFINE.replace("y: Any = None", "z: str = 'new'")
    results = run(DEFINE, "old = Point(1)", DEFINE, "Point(1)", changed, "Point(2)", "old")
    assert not [result for result in results if "error" in result]
    assert results[3]["text/plain"] == "test.notebook.Point(x=1, y=None)"
    assert results[5]["text/plain"] == 'test.notebook.Point(x=2, z="new")'
    assert results[6]["text/plain"] == "test.notebook.Point(x=1, y=None)"


def test_an_error_leaves_the_session_usable(run):
    (_, failed, after) = run(DEFINE, "Point(1).absent", "Point(1)")
    assert failed["error"].startswith("AttributeError: 'Point' object has no attribute 'absent'")
    assert after["text/plain"] == "test.notebook.Point(x=1, y=None)"


def test_a_value_whose_text_fails_is_displayed(run):
    (_, _, shown) = run(
        "import tvm_ffi\nfrom tvm_ffi.dataclasses import py_class",
        '@py_class("test.notebook.Bad")\nclass Bad(tvm_ffi.Object):\n    x: int\n'
        "    def __ffi_repr__(self, fn_repr):\n        raise ValueError('no text')",
        "tvm_ffi.Array([Bad(1), 2])",
    )
    assert shown == {"text/plain": "(<test.notebook.Bad: ValueError: no text>, 2)"}


def test_help(run):
    (_, point, inline) = run(DEFINE + "import tvm_ffi.cpp", "?Point", "?tvm_ffi.cpp.load_inline")
    # IPython 8 writes colours between the words.
    assert "Point(x" in re.sub(r"\x1b\[[0-9;]*m", "", point) and "A point." in point
    assert "verbose" in inline and "Build sources that are given as text" in inline


def test_completion(run):
    (_, fields, names, members) = run(
        DEFINE + "p = Point(1)", "TAB p.", "TAB tvm_ffi.format_", "TAB tvm_ffi.Array([1])."
    )
    assert {"x", "y", "same_as"} <= {name.lstrip(".") for name in fields}
    assert [name.lstrip(".") for name in names] == ["format_full"]
    assert isinstance(members, list)


@pytest.mark.skipif(
    None in map(shutil.which, ("c++", "ninja")), reason="needs a compiler and ninja"
)
def test_inline_modules(run):
    cell = """
import tvm_ffi.cpp
m = tvm_ffi.cpp.load_inline("notebook", cpp_sources="int f(int x) { return x + OFFSET; }",
                            functions=["f"], extra_cflags=["-DOFFSET=%d"])
"""
    results = run(
        *(cell % 1, "m.f(1)", cell % 1, "m.f(1)", cell % 2, "m.f(1)", "m", "TAB m.f", "?m.f")
    )
    built, first, again, second, changed, third, module, names, text = results
    assert "building notebook (main.cpp; c++) ..." in built["written"]
    assert "built notebook (main.cpp; c++) in" in built["written"]
    assert again["written"] == ""
    assert "built notebook" in changed["written"]
    assert [r["text/plain"] for r in (first, second, third)] == ["2", "2", "3"]
    assert module["text/plain"].startswith("ffi.Module(kind='library', path='")
    assert module["text/plain"].endswith("notebook.so', functions=[f])")
    assert "<code>f" in module["text/html"]
    assert [name.lstrip(".") for name in names] == ["f"]
    assert "Function" in text

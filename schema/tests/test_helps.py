# SPDX-License-Identifier: Apache-2.0
"""The help of a finding fits its cause, or is absent."""

from __future__ import annotations

import re

import pytest

from .conftest import PRELUDE

HEAD = "from tvm_ffi.schema import Object, declare, method, ty\n\n\n"
A = '@declare\nclass ANode(Object):\n    type_key = "a.A"\n'
toml = pytest.mark.skipif("sys.version_info < (3, 11)", reason="reading TOML needs Python 3.11")


def helps(project) -> list[str]:
    """Return the help texts that were printed, without indentation."""
    return re.findall(r"^   = help: (.*)$", project.err, re.MULTILINE)


@pytest.mark.parametrize(
    ("rule", "arguments"),
    [
        ("TS005", ("generate", "nowhere.py")),
        ("TS012", ("generate", "--config", "nowhere.toml")),
        ("TS120", ("generate", "--inplace", "nowhere.h")),
        ("TS120", ("resolve", "nowhere.h")),
        ("TS502", ("breaking", "--against", "git:nowhere")),
        ("TS611", ("build", "-o", "x.so", "--sources", "nowhere.cc")),
    ],
)
def test_nothing_is_advised_about_a_file_that_is_not_there(project, rule, arguments):
    """Earlier versions gave unsuitable advice: save as UTF-8, correct the TOML, use --sources."""
    project.schema(A)
    assert project.run(*arguments) != 0
    assert project.ids() == [rule], project.err
    assert helps(project) == []


def test_utf_8_is_advised_where_it_is_missing(project):
    (project.root / "latin.py").write_bytes(b"# caf\xe9\n")
    assert project.run("generate", "latin.py") == 3
    assert helps(project) == ["save the file as UTF-8"]


def test_nothing_is_advised_about_a_file_that_cannot_be_written(project):
    """For an output that is a directory, an earlier version advised to check the free space."""
    project.schema(A)
    (project.root / "x.so").mkdir()
    assert project.run("build", "-o", "x.so") == 4
    assert project.ids() == ["TS118"] and helps(project) == []


@pytest.mark.parametrize("frontend", ["static", "import"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("declare", A),
        ("mixin", "@mixin\nclass M:\n    x: int\n"),
        ("method", A + "\n    @method\n    def f(self) -> int: ...\n"),
        ("Object", A),
        ("ty", A + "    x: ty.int64_t\n"),
        ("field", A + "    x: int = field(default=1)\n"),
        ("module", "__tschema__ = module(namespace='a')\n" + A),
        ("extern", "X = extern('o.X', obj='o::X', ref='o::R')\n" + A),
    ],
)
def test_a_missing_import_is_named(project, name, text, frontend):
    """If the import was missing, an earlier version advised to write `@declare` for `@declare`."""
    words = [w for w in re.findall(r"\w+", PRELUDE.partition("(")[2]) if w != name]
    project.write("schema/ir.py", f"from tvm_ffi.schema import {', '.join(words)}\n\n\n{text}")
    assert project.run("generate", "--frontend", frontend) == 3
    assert helps(project) == [f"add  from tvm_ffi.schema import {name}"], project.err


DECLAR = A.replace("@declare", "@declar")
SELF = "add self, or write @staticmethod"
RESULT = "write  -> None  if it has no result"
VALUE = "correct the value or the type, or use cpp(...)"


@pytest.mark.parametrize(
    ("text", "rule", "help_"),
    [
        (DECLAR, "TS037", "did you mean 'declare'?"),
        ("from tvm_ffi.schema import feild\n", "TS020", "did you mean 'field'?"),
        (A + "    x: ty.int63_t\n", "TS030", "did you mean 'int64_t'?"),
        (A + "\n    @method\n    def f() -> int: ...\n", "TS040", SELF),
        (A + "\n    @method\n    def f(self): ...\n", "TS040", RESULT),
        (A + "\n    @method\n    def f(self, *a) -> int: ...\n", "TS040", None),
        (A + "    x: ty.Array[int, int]\n", "TS030", None),
        (A + "    x: int = field(default='a')\n", "TS035", VALUE),
        (A + "    x: int = field(default_factory=lambda: 1 // 0)\n", "TS020", None),
        ("class (:\n", "TS002", None),
    ],
)  # fmt: skip
def test_help_of_a_cause(project, text, rule, help_):
    project.write(
        "schema/ir.py", "from tvm_ffi.schema import Object, declare, field, method, ty\n" + text
    )
    assert project.run("generate") == 3
    assert project.ids() == [rule], project.err
    assert helps(project) == ([help_] if help_ else [])


TYPES = """
import dataclasses
import numpy as np
from pathlib import Path
"""


@pytest.mark.parametrize("frontend", ["static", "import"])
@pytest.mark.parametrize(
    ("annotation", "rule", "help_"),
    [
        ("set[int]", "TS030", "use ty.Array, ty.List or ty.Map: there is no set"),
        ("frozenset", "TS030", "use ty.Array, ty.List or ty.Map: there is no set"),
        ("np.ndarray", "TS0(27|30)", "write ty.Tensor"),
        ("Path", "TS0(27|30)", "write str"),
        ("'Path'", "TS0(27|30)", "write str"),
        ("complex", "TS030", "write a class with two fields"),
        ("Callable[[int], str]", "TS0(30|04)", "add  from typing import Callable"),
    ],
)
def test_help_for_a_type_of_python(project, annotation, rule, help_, frontend):
    """Earlier versions said only that there is no such class, or that it takes no arguments."""
    pytest.importorskip("numpy")
    project.write("schema/ir.py", TYPES + HEAD + A + f"    x: {annotation}\n")
    assert project.run("generate", "--frontend", frontend) == 3
    (found,) = project.ids()
    assert re.fullmatch(rule, found) and helps(project) == [help_], project.err


@pytest.mark.parametrize("word", ["dataclasses.field", "field"])
def test_the_field_of_dataclasses_is_not_that_of_a_schema(project, word):
    head = "from dataclasses import field\n" if word == "field" else "import dataclasses\n"
    text = A + f"    x: list[int] = {word}(default_factory=list)\n"
    project.write("schema/ir.py", head + HEAD + text)
    assert project.run("generate") == 3
    assert set(helps(project)) == {"add  from tvm_ffi.schema import field"}, project.err


@pytest.mark.parametrize("frontend", ["static", "import"])
@pytest.mark.parametrize("statement", ["", "settings = ", "__tschema = "])
def test_options_of_a_file_without_their_name_were_ignored(project, statement, frontend):
    text = f'from tvm_ffi.schema import module\n{statement}module(namespace="demo")\n'
    project.write("schema/ir.py", text + HEAD + A + "    x: int\n")
    assert project.run("generate", "--frontend", frontend) == 3
    assert project.ids() == ["TS023"], project.err
    assert helps(project) == ["write  __tschema__ = module(...)"]


def test_directories_are_asked_for_where_the_usual_ones_are_absent(project):
    project.write("schema/ir.py", HEAD + A + "    x: int\n")
    assert project.run("validate") == 4
    assert set(helps(project)) == {"name the directories of the C++ files with --cpp"}

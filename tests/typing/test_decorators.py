# SPDX-License-Identifier: Apache-2.0
"""Test that a correct program and a program with mistakes use every public decorator."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import dataclasses

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CORRECT = ("client.py", "classes.py", "enums.py")
MISTAKEN = ("mistakes.py",)

# The public names of the functions that are decorators.
DECORATORS = frozenset(
    {
        *("auto_class", "c_class", "c_enum", "init_property", "method", "py_class", "py_enum"),
        *("register", "register_error", "register_global_func", "register_object"),
    }
)
_IN_TEXT = re.compile(r"^\s*(?:>>> |\.\.\. +)?@([a-zA-Z_][\w.]*)", re.MULTILINE)


def documented():
    """Return the public names that a document or docstring uses as decorators."""
    paths = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", *ROOT.glob("python/tvm_ffi/**/*.py")]
    names = {
        name.rpartition(".")[2] for path in paths for name in _IN_TEXT.findall(path.read_text())
    }
    public = {*tvm_ffi.__all__, "py_class", *dataclasses.__all__, "register"}
    return names & public


def used_as_decorators(names):
    """Return the last parts of the decorator names in the programs."""
    found = set()
    for name in names:
        for node in ast.walk(ast.parse((HERE / name).read_text())):
            for decorator in getattr(node, "decorator_list", []):
                function = decorator.func if isinstance(decorator, ast.Call) else decorator
                found.add(ast.unparse(function).rpartition(".")[2])
    return found


def test_the_list_is_complete():
    assert documented() <= DECORATORS, "add the decorator to DECORATORS and to the programs"


def test_documents_use_most_decorators():
    # Check that `documented` finds decorators, since the test above passes if it finds none.
    assert len(documented()) >= len(DECORATORS) - 1


@pytest.mark.parametrize("name", sorted(DECORATORS))
def test_decorator_is_in_the_programs(name):
    assert name in used_as_decorators(CORRECT)


@pytest.mark.parametrize("name", sorted(DECORATORS))
def test_mistakes_with_the_decorator_are_in_the_programs(name):
    assert name in used_as_decorators(MISTAKEN)

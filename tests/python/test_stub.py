# SPDX-License-Identifier: Apache-2.0
"""The stub of the extension tells the truth: every name that it promises is there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import core

STUB = Path(tvm_ffi.__file__).with_name("core.pyi")


def names_in(body):
    """The names that statements of a module or class define, each with its statement."""
    for statement in body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            yield statement.name, statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, statement
        elif isinstance(statement, ast.Assign):
            yield statement.targets[0].id, statement


DEFINED = dict(names_in(ast.parse(STUB.read_text()).body))
# Type variables are for type checkers.
PROMISED = {name: node for name, node in DEFINED.items() if not isinstance(node, ast.Assign)}
CLASSES = [name for name, node in PROMISED.items() if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("name", PROMISED)
def test_name_exists(name):
    assert hasattr(core, name)


@pytest.mark.parametrize("name", CLASSES)
def test_class_has_its_members_and_bases(name):
    cls, node = getattr(core, name), PROMISED[name]
    assert cls.__module__ == "tvm_ffi.core"
    assert cls.__name__ == name
    for member, statement in names_in(node.body):
        # Plain annotations may stand for attributes of instances.
        if not isinstance(statement, ast.AnnAssign):
            assert hasattr(cls, member), member
    for base in node.bases:
        if isinstance(base, ast.Name):
            expected = getattr(core, base.id, None) or getattr(__builtins__, base.id, None)
            assert expected is None or issubclass(cls, expected)

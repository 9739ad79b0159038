# SPDX-License-Identifier: Apache-2.0
"""The stub of the extension and the extension: each has what the other has."""

from __future__ import annotations

import ast
import inspect
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
        elif isinstance(statement, ast.ImportFrom):
            for name in statement.names:
                if name.asname == name.name:  # Exported again.
                    yield name.name, statement


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


# Made in C or Python for the inside alone, and never named in a program.
INTERNAL = {"_Method"}


def is_ours(name):
    """Whether a name is not one that every module or class has."""
    return not (name.startswith("__") and name.endswith("__"))


def test_every_name_of_the_module_is_in_the_stub():
    assert sorted(filter(is_ours, set(dir(core)) - set(DEFINED) - INTERNAL)) == []


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_of_a_class_is_in_the_stub(name):
    # What begins with an underscore and is written in Python is for its own file.
    cls, described = getattr(core, name), dict(names_in(PROMISED[name].body))
    own = {
        member: value
        for member, value in vars(cls).items()
        if is_ours(member) and not (member.startswith("_") and not inspect.isroutine(value))
    }
    made_in_python = any(inspect.isfunction(value) for value in own.values())
    if made_in_python:
        own = {member: value for member, value in own.items() if not member.startswith("_")}
    assert sorted(set(own) - set(described)) == []


def parameters_in(node):
    """Name and kind of each parameter that the stub describes."""
    kinds = inspect.Parameter
    arguments = node.args
    found = [(a.arg, kinds.POSITIONAL_ONLY) for a in arguments.posonlyargs]
    found += [(a.arg, kinds.POSITIONAL_OR_KEYWORD) for a in arguments.args]
    if arguments.vararg:
        found.append((arguments.vararg.arg, kinds.VAR_POSITIONAL))
    found += [(a.arg, kinds.KEYWORD_ONLY) for a in arguments.kwonlyargs]
    if arguments.kwarg:
        found.append((arguments.kwarg.arg, kinds.VAR_KEYWORD))
    return found


def described_functions():
    for name, node in PROMISED.items():
        if isinstance(node, ast.FunctionDef):
            yield name, node
        elif isinstance(node, ast.ClassDef):
            for member, statement in names_in(node.body):
                if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
                    yield f"{name}.{member}", statement


FUNCTIONS = dict(described_functions())


@pytest.mark.parametrize("path", FUNCTIONS)
def test_parameters_are_those_of_the_stub(path):
    value = core
    for name in path.split("."):
        value = getattr(value, name)
    try:
        signature = inspect.signature(value)
    except ValueError:
        return  # Made in C without a description of its parameters.
    real = [(p.name, p.kind) for p in signature.parameters.values()]
    if [name for name, _ in real] in (["self", "args", "kwargs"], ["args", "kwargs"]):
        return
    described = parameters_in(FUNCTIONS[path])
    if "." in path and real and real[0][0] == "self":  # Positional wherever it is made in C.
        real, described = real[1:], described[1:]
    special = path.rpartition(".")[2].startswith("__")
    if special and all(kind == inspect.Parameter.POSITIONAL_ONLY for _, kind in real):
        assert len(real) == len(described)  # A slot; its parameter has no name.
    else:
        assert real == described

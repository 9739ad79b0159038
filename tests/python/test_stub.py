# SPDX-License-Identifier: Apache-2.0
"""Test that the extension and its stub have the same names."""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import core

STUB = Path(tvm_ffi.__file__).with_name("core.pyi")


def names_in(body):
    """Yield each name that the statements of a module or class define, with its statement."""
    for statement in body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            yield statement.name, statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, statement
        elif isinstance(statement, ast.Assign):
            yield statement.targets[0].id, statement
        elif isinstance(statement, ast.ImportFrom):
            for name in statement.names:
                if name.asname == name.name:  # a re-exported name
                    yield name.name, statement


DEFINED = dict(names_in(ast.parse(STUB.read_text()).body))
# Leave out assignments: they define type variables, which only type checkers need.
PROMISED = {name: node for name, node in DEFINED.items() if not isinstance(node, ast.Assign)}
CLASSES = [name for name, node in PROMISED.items() if isinstance(node, ast.ClassDef)]


# Members that only type checkers need: they describe which values a field accepts. The method
# `__buffer__` exists only since Python 3.12.
FOR_CHECKERS = {
    f"{name}.{member}" for name in ("Device", "Tensor") for member in ("__get__", "__set__")
}
if sys.version_info < (3, 12):
    FOR_CHECKERS.add("Tensor.__buffer__")


@pytest.mark.parametrize("name", PROMISED)
def test_name_exists(name):
    assert hasattr(core, name)


@pytest.mark.parametrize("name", CLASSES)
def test_class_has_its_members_and_bases(name):
    cls, node = getattr(core, name), PROMISED[name]
    assert cls.__module__ == "tvm_ffi.core"
    assert cls.__name__ == name
    for member, statement in names_in(node.body):
        # An annotation may describe an attribute that only instances have.
        if not isinstance(statement, ast.AnnAssign) and f"{name}.{member}" not in FOR_CHECKERS:
            assert hasattr(cls, member), member
    for base in node.bases:
        if isinstance(base, ast.Name):
            expected = getattr(core, base.id, None) or getattr(__builtins__, base.id, None)
            assert expected is None or issubclass(cls, expected)


def words(text):
    return set(text.split())


# Private names that clients use; other private names are for the files of this project.
USED_BY_CLIENTS = words("""
_OPAQUE_PTR_HANDLERS _CLASS_OBJECT _CLASS_DEVICE _CLASS_DTYPE _CLASS_TENSOR _WITH_APPEND_BACKTRACE
_TRACEBACK_TO_BACKTRACE_STR _ObjectSlotsMeta _ConvertError _TypeConverter _set_class_object
_set_class_device _set_class_dtype _set_class_tensor _object_type_key_to_index
_type_cls_to_type_info _type_index_to_type_info _lookup_or_register_type_info_from_type_key
_lookup_type_attr _register_type_attr _type_register_attr _type_get_attr _register_object_by_index
_set_type_cls _register_py_class _rollback_py_class _register_fields _register_global_func
_get_global_func _convert_to_ffi_func _convert_to_ffi_error _convert_to_opaque_object
_convert_torch_dtype_to_ffi_dtype _convert_numpy_dtype_to_ffi_dtype _create_cdtype_from_tuple
_create_device_from_tuple _new_object _shape_obj_get_py_tuple _make_strides_from_shape
_env_set_current_stream _env_get_current_stream _to_py_class_value _print_debug_info
_testing_drop_last_ref_without_thread_state
""")


def test_every_name_of_the_module_is_in_the_stub():
    public = {name for name in dir(core) if not name.startswith("_")}
    assert sorted((public | USED_BY_CLIENTS) - set(DEFINED)) == []


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_of_a_class_is_in_the_stub(name):
    cls, described = getattr(core, name), dict(names_in(PROMISED[name].body))
    inherited = set(dir(property)) if issubclass(cls, property) else set()
    own = {member for member in vars(cls) if not member.startswith("_")}
    assert sorted(own - set(described) - inherited) == []


def parameters_in(node):
    """Return the name and kind of each parameter in the stub."""
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


FUNCTIONS = {path: node for path, node in described_functions() if path not in FOR_CHECKERS}


@pytest.mark.parametrize("path", FUNCTIONS)
def test_parameters_are_those_of_the_stub(path):
    value = core
    for name in path.split("."):
        value = getattr(value, name)
    try:
        signature = inspect.signature(value)
    except ValueError:
        return  # a C function without a signature
    real = [(p.name, p.kind) for p in signature.parameters.values()]
    if [name for name, _ in real] in (["self", "args", "kwargs"], ["args", "kwargs"]):
        return
    described = parameters_in(FUNCTIONS[path])
    if "." in path and real and real[0][0] == "self":  # in C, self is positional-only
        real, described = real[1:], described[1:]
    special = path.rpartition(".")[2].startswith("__")
    if special and all(kind == inspect.Parameter.POSITIONAL_ONLY for _, kind in real):
        assert len(real) == len(described)  # the method of a slot: its parameters have no names
    else:
        assert real == described

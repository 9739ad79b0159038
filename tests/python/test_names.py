# SPDX-License-Identifier: Apache-2.0
"""Test that every Python name in ``tests/golden/python_names.json`` exists."""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path

import pytest

import tvm_ffi
import tvm_ffi.testing

NAMES = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "python_names.json").read_text()
)
#: Class -> a function that makes an instance, since some names exist only on instances.
INSTANCES = {
    "tvm_ffi.core.TypeInfo": lambda tmp_path: tvm_ffi.testing.TestIntPair.__tvm_ffi_type_info__,
    "tvm_ffi.core.TypeField": lambda tmp_path: (
        tvm_ffi.testing.TestIntPair.__tvm_ffi_type_info__.fields[0]
    ),
    "tvm_ffi.utils.lockfile.FileLock": lambda tmp_path: importlib.import_module(
        "tvm_ffi.utils.lockfile"
    ).FileLock(str(tmp_path / "lock")),
}
#: Attributes that only the TypeInfo of a class defined in Python has.
PY_CLASS_ONLY = {"tvm_ffi.core.TypeInfo._decorator_args"}


def resolve(name, tmp_path):
    """Import the longest module prefix of a dotted name, then follow attributes."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:end]))
            break
        except ModuleNotFoundError:
            continue
    for position in range(end, len(parts)):
        owner = ".".join(parts[:position])
        if not hasattr(value, parts[position]) and owner in INSTANCES:
            value = INSTANCES[owner](tmp_path)
        value = getattr(value, parts[position])
    return value


@pytest.mark.spec("PY-A7")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in PY_CLASS_ONLY])
def test_a_listed_name_exists(name, tmp_path):
    resolve(name, tmp_path)


def test_a_class_defined_in_python_keeps_its_options():
    @tvm_ffi.py_class("test_names.Point")
    class Point(tvm_ffi.Object):
        x: int

    assert Point.__tvm_ffi_type_info__._decorator_args["frozen"] is False


@pytest.mark.parametrize("name", [name for name, parameters in NAMES.items() if parameters])
def test_parameters_have_the_listed_names(name, tmp_path):
    parameters = inspect.signature(resolve(name, tmp_path)).parameters
    found = [p for p in parameters if p not in ("self", "cls")]
    positional = [p for p in found if parameters[p].kind is inspect.Parameter.POSITIONAL_ONLY]
    if NAMES[name] == ["args"] and found == positional:
        return  # Instead of `*args`, our signature has names that are positional-only.
    assert found[: len(NAMES[name])] == NAMES[name]
    # Additional parameters must not be required.
    for added in found[len(NAMES[name]) :]:
        assert parameters[added].default is not inspect.Parameter.empty


def test_a_name_that_does_not_exist_is_noticed(tmp_path):
    for name in ("tvm_ffi.Array.no_such_member", "tvm_ffi.no_such_module.x"):
        with pytest.raises(AttributeError):
            resolve(name, tmp_path)

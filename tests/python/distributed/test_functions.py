# SPDX-License-Identifier: Apache-2.0
"""Test pickles of functions: by name, by Python callable, by module and name; copies; errors."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import tvm_ffi
from tvm_ffi import Array, Map
from tvm_ffi.dataclasses import py_class


def double(x: int) -> int:
    return 2 * x


@py_class("test.distributed.Holder")
class Holder(tvm_ffi.Object):
    layers: list[Any]


def closure():
    """Return a native function without a name."""
    return tvm_ffi.get_global_func("ffi.FunctionListGlobalNamesFunctor")()


@pytest.mark.spec("DIST-D01", "DIST-D07")
def test_a_global_function_comes_back_by_its_name():
    echo = tvm_ffi.get_global_func("testing.echo")
    stream = pickle.dumps(echo)
    assert b"testing.echo" in stream
    assert pickle.loads(stream).same_as(echo)
    held = pickle.loads(pickle.dumps(Array([echo, Map({"f": echo})])))
    assert held[0].same_as(echo)
    assert held[1]["f"].same_as(echo)


@pytest.mark.spec("DIST-D07")
def test_a_function_of_a_callable_comes_back_by_the_callable():
    function = tvm_ffi.convert(double)
    assert pickle.loads(pickle.dumps(function))(21) == 42
    assert pickle.loads(pickle.dumps(Array([function])))[0](4) == 8
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(tvm_ffi.convert(lambda: 1))


@pytest.mark.spec("DIST-D07")
def test_a_method_of_a_type_comes_back():
    from tvm_ffi.testing import TestObjectBase

    method = next(
        method.func
        for method in TestObjectBase.__tvm_ffi_type_info__.methods
        if method.name == "add_i64"
    )
    assert pickle.loads(pickle.dumps(method)).same_as(method)


@pytest.mark.spec("DIST-D07")
def test_a_missing_global_function_says_what_to_do(run_python):
    out = run_python(
        """
import tvm_ffi
from tvm_ffi import serialization
for module in (None, "no_such_module", "json"):
    try:
        serialization.restore_global_function("my.missing", module)
    except ValueError as error:
        print(error)
"""
    )
    text = (
        "function my.missing is not registered in this process; import the module that registers "
        "it, or load the library"
    )
    assert out.splitlines() == [text] * 3


@pytest.mark.spec("DIST-D07")
def test_the_module_that_registers_a_function_is_imported(tmp_path, run_python):
    (tmp_path / "registers.py").write_text(
        "import tvm_ffi\n@tvm_ffi.register_global_func('registers.f')\ndef f(x): return x + 1\n"
    )
    where = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    dump = where + "import pickle, registers, tvm_ffi\n"
    hexed = run_python(dump + "print(pickle.dumps(tvm_ffi.get_global_func('registers.f')).hex())")
    load = where + f"import pickle; print(pickle.loads(bytes.fromhex({hexed!r}))(1))"
    assert run_python(load) == "2"


@pytest.mark.spec("DIST-D13")
@pytest.mark.parametrize(
    ("value", "place"),
    [
        (Array([1, closure()]), r"`\[1\]` of Array"),
        (Map({"a": {"b": [closure()]}}), r"`\[\"a\"\]\[\"b\"\]\[0\]` of Map"),
        (Holder([1, {"fn": closure()}]), r"`\.layers\[1\]\[\"fn\"\]` of Holder"),
    ],
    ids=["Array", "Map", "object"],
)
def test_the_first_line_names_the_place_and_the_type(value, place):
    with pytest.raises(TypeError, match=rf"\Acannot pickle {place}: ffi\.Function: a closure of"):
        pickle.dumps(value)


@pytest.mark.spec("DIST-D13")
def test_a_nameless_function_names_the_remedy():
    with pytest.raises(TypeError, match="register it as a global function in each process"):
        pickle.dumps(closure())


@pytest.mark.spec("DIST-D13")
def test_an_object_that_only_native_code_makes_is_named_with_its_place():
    with pytest.raises(TypeError, match=r"cannot pickle value\[0\]: objects of type `ffi\."):
        pickle.dumps(Array([tvm_ffi.core.MISSING]))


@pytest.mark.spec("DIST-D15")
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_functions_and_modules_are_the_same(copied):
    echo, module = tvm_ffi.get_global_func("testing.echo"), tvm_ffi.system_lib("testing.")
    assert copied(echo) is echo
    assert copied(closure())
    assert copied(module) is module


@pytest.mark.spec("DIST-D16")
def test_importing_the_package_loads_no_engine(run_python):
    out = run_python(
        "import sys, tvm_ffi, tvm_ffi.dataclasses, tvm_ffi.distributed\n"
        "engines = {'ray', 'dask', 'distributed', 'cloudpickle'}\n"
        "print(sorted(engines & sys.modules.keys()))"
    )
    assert out == "[]"

# SPDX-License-Identifier: Apache-2.0
"""Test ``CAny``, which stores one FFI value without conversion."""

from __future__ import annotations

import pickle

import pytest

import tvm_ffi
from tvm_ffi import Array, core
from tvm_ffi.testing import TestIntPair

to_py = core._to_py_class_value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "CAny(None)"),
        (5, "CAny(int=5)"),
        (1.5, "CAny(float=1.5)"),
        (True, "CAny(bool=True)"),
        ("a", "CAny(type_index=11)"),
        ("a" * 9, "CAny(object, type_index=65)"),
    ],
)
def test_text_and_way_back(value, text):
    assert repr(tvm_ffi.CAny(value)) == text
    assert to_py(tvm_ffi.CAny(value)) == value


def test_defaults_to_none():
    assert core.CAny().type_index == 0


def test_short_text_comes_back_in_the_class_of_long_text():
    assert type(to_py(core.CAny("a"))) is core.String
    assert type(to_py(core.CAny(b"a"))) is core.Bytes


def test_it_owns_its_value(use_count):
    pair = TestIntPair(1, 2)
    any_ = core.CAny(pair)
    assert use_count(pair) == 2
    assert to_py(any_) is pair
    any_.__init__(3)
    assert use_count(pair) == 1


def test_as_an_argument_it_is_opaque():
    any_ = core.CAny(1)
    assert tvm_ffi.get_global_func("testing.echo")(any_) is any_
    assert Array([any_])[0] is any_


def test_refuses():
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(core.CAny(1))
    with pytest.raises(TypeError, match="expected a CAny"):
        to_py(1)
    with pytest.raises(UnicodeEncodeError):
        core.CAny("\ud800")


def test_a_native_thread_drops_a_python_object():
    for _ in range(10):
        core._testing_drop_last_ref_without_thread_state()

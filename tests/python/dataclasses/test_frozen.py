# SPDX-License-Identifier: Apache-2.0
"""Test classes with frozen fields, and their subclasses; see also ``test_class_fields.py``."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi.dataclasses import c_class, py_class


@pytest.fixture
def frozen(key):
    @py_class(key(), frozen=True)
    class Frozen(tvm_ffi.Object):
        a: int

    return Frozen


def test_g4_frozen_parent_mutable_child(frozen, key):
    @py_class(key())
    class Child(frozen):
        b: int

    obj = Child(1, 2)
    obj.b = 3
    with pytest.raises(AttributeError):
        obj.a = 2
    assert (obj.a, obj.b) == (1, 3)


def test_g5_frozen_native_fields():
    @c_class("testing.TestCxxClassBase", frozen=True)
    class Base(tvm_ffi.Object):
        v_i64: int
        v_i32: int

    obj = Base(1, 2)
    with pytest.raises(AttributeError):
        obj.v_i64 = 5
    Base.v_i64.set(obj, 5)
    assert obj.v_i64 == 5

    @c_class("testing.TestCxxClassBase", frozen=True)
    class Shadowing(tvm_ffi.Object):
        v_i64: int
        v_i32 = "mine"

        __annotations__ = {"v_i64": int, "v_i32": str}

    assert Shadowing(1, 2).v_i32 == "mine"

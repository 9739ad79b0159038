# SPDX-License-Identifier: Apache-2.0
"""Test frozen fields: which operations are rejected, and which may still write to the fields."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi.dataclasses import c_class, field, py_class


@pytest.fixture
def frozen(key):
    @py_class(key(), frozen=True)
    class Frozen(tvm_ffi.Object):
        a: int

    return Frozen


def test_g1_assignment_and_deletion(frozen):
    obj = frozen(1)
    with pytest.raises(AttributeError):
        obj.a = 2
    with pytest.raises(AttributeError):
        del obj.a
    assert obj.a == 1


def test_g1_deletion_of_a_mutable_field(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int

    with pytest.raises(AttributeError):
        del A(1).a


def test_g2_set_writes_with_conversion(frozen):
    obj = frozen(1)
    frozen.a.set(obj, True)
    assert obj.a == 1
    frozen.a.set(obj, 7)
    assert obj.a == 7
    with pytest.raises(TypeError) as raised:
        frozen.a.set(obj, "x")
    assert str(raised.value).startswith("expected int, got str for field `a` of `tests.")
    with pytest.raises(AttributeError):
        obj.a = 1


def test_g3_setter_of_the_descriptor(frozen, key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        b: int = field(default=0, frozen=True)

    assert frozen.a.fset is None and A.b.fset is None
    assert A.a.fset is not None and A.a.fget(A(3)) == 3


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

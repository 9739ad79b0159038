# SPDX-License-Identifier: Apache-2.0
"""Test comparison, ordering and hashing of data class objects."""

from __future__ import annotations

import ctypes
import math
import struct
from typing import Any, Optional

import pytest
from running import FREE_THREADED

import tvm_ffi
from tvm_ffi.dataclasses import field, py_class


@pytest.fixture
def ordered(key):
    @py_class(key("Ordered"), eq=True, order=True, unsafe_hash=True)
    class Ordered(tvm_ffi.Object):
        a: Any
        b: Any = 0

    return Ordered


def test_e1_identity_by_default(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int

    one, other = A(1), A(1)
    assert one == one and one != other
    assert hash(one) == hash(one) and hash(one) != hash(other)


def test_e2_equality_by_content(ordered):
    assert ordered(1, "x") == ordered(1, "x")
    assert ordered(1, "x").__ne__(ordered(1, "x")) is False
    assert ordered(1) != ordered(2)
    assert ordered(1) != 3 and ordered(1) != "x"
    assert ordered(1).__eq__(3) is NotImplemented


def test_e3_and_e4_fields_left_out(key):
    @py_class(key(), eq=True, unsafe_hash=True)
    class A(tvm_ffi.Object):
        a: int
        b: int = field(default=0, compare=False)
        c: int = field(default=0, hash=False)

    assert A(1, 2) == A(1, 3) and hash(A(1, 2)) == hash(A(1, 3))
    assert A(1, c=2) != A(1, c=3) and hash(A(1, c=2)) == hash(A(1, c=3))


def test_e5_subclass_never_equals_parent(key):
    @py_class(key(), eq=True)
    class P(tvm_ffi.Object):
        a: int

    @py_class(key(), eq=True)
    class C(P):
        pass

    assert P(1) != C(1) and C(1) != P(1) and C(1) == C(1)


def test_e6_and_e7_and_e8_numbers(ordered):
    assert ordered(1) != ordered(1.0) and ordered(True) != ordered(1)
    assert ordered(math.nan) == ordered(math.nan)
    with pytest.raises(TypeError, match="Cannot order NaN values"):
        _ = ordered(math.nan) < ordered(1.0)
    assert ordered(0.0) == ordered(-0.0) and hash(ordered(0.0)) == hash(ordered(-0.0))


def test_e9_ordering_is_lexicographic(ordered):
    assert ordered(1, 5) < ordered(2, 0) and ordered(1, 1) < ordered(1, 2)
    assert ordered(None) < ordered(-5)
    assert ordered(1) <= ordered(1) and ordered(2) > ordered(1) and ordered(2) >= ordered(2)


def test_e10_and_e11_refused_orderings(ordered, key):
    with pytest.raises(TypeError, match="Cannot order Map/Dict values"):
        _ = ordered({"a": 1}) < ordered({"a": 2})

    name = key("Child")

    @py_class(name, eq=True, order=True)
    class Child(ordered):
        pass

    with pytest.raises(TypeError) as raised:
        _ = ordered(1) < Child(1)
    assert name in str(raised.value)
    assert ordered.__tvm_ffi_type_info__.type_key in str(raised.value)


def test_e12_unrelated_type(ordered):
    with pytest.raises(TypeError, match="'<' not supported between instances of 'Ordered' and"):
        _ = ordered(1) < 3


def test_e13_cycles(key):
    @py_class(key(), eq=True, order=True, unsafe_hash=True)
    class Node(tvm_ffi.Object):
        a: int
        next: Optional[Node] = None

    one, other = Node(1), Node(1)
    one.next, other.next = one, other
    assert one == other and hash(one) == hash(other)
    with pytest.raises(ValueError, match="cyclic reference detected in ordering"):
        _ = one < other


def test_e14_body_suppresses_the_family(key):
    @py_class(key(), eq=True, order=True)
    class A(tvm_ffi.Object):
        a: int

        def __eq__(self, other):
            return "mine"

        def __lt__(self, other):
            return "less"

        __hash__ = None

    assert (A(1) == 3, A(1) < 3) == ("mine", "less")
    assert "__ne__" not in vars(A) and "__le__" not in vars(A)
    with pytest.raises(TypeError):
        hash(A(1))


def test_e15_hooks_are_used_recursively(key, ordered):
    @py_class(key())
    class Rough(tvm_ffi.Object):
        a: int
        b: int

        def __ffi_eq__(self, other, fn_eq):
            return fn_eq(self.a, other.a)

        def __ffi_hash__(self, fn_hash):
            return fn_hash(self.a)

        def __ffi_compare__(self, other, fn_cmp):
            return fn_cmp(self.a, other.a)

    assert ordered(Rough(1, 2)) == ordered(Rough(1, 3)) != ordered(Rough(2, 2))
    assert hash(ordered(Rough(1, 2))) == hash(ordered(Rough(1, 3)))
    assert ordered([Rough(1, 9)]) < ordered([Rough(2, 0)])


def test_e16_comparison_without_hash(key, ordered):
    @py_class(key())
    class Half(tvm_ffi.Object):
        a: int

        def __ffi_compare__(self, other, fn_cmp):
            return 0

    with pytest.raises(ValueError, match=r"defines __ffi_eq__ or __ffi_compare__ but not"):
        hash(ordered(Half(1)))


def test_e17_keys_of_maps(key):
    @py_class(key())
    class Key(tvm_ffi.Object):
        a: int
        note: str = ""

        def __any_hash__(self):
            return self.a

        def __any_equal__(self, other):
            return self.a == other.a

    table = tvm_ffi.Map({Key(1): "one"})
    assert table[Key(1, "other")] == "one"
    assert Key(2) not in table


def test_generated_hash_is_an_int_that_python_accepts(ordered):
    assert {ordered(1): 1, ordered(1): 2} == {ordered(1): 2}


def test_unrelated_classes_compare_unequal(ordered, key):
    @py_class(key(), eq=True)
    class Other(tvm_ffi.Object):
        a: Any

    assert ordered(1) != Other(1)
    assert ordered(1).__eq__(Other(1)) is NotImplemented


def test_unregistered_subclass_compares_as_its_parent(ordered):
    class Sub(ordered):
        pass

    assert Sub(1) == ordered(1) == Sub(1)
    assert hash(Sub(1)) == hash(ordered(1))
    assert Sub(1) < ordered(2)


def test_subclass_may_define_its_own_operators(ordered):
    class Sub(ordered):
        def __eq__(self, other):
            return "sub"

        def __hash__(self):
            return 5

        def __lt__(self, other):
            return "less"

    assert (Sub(1) == 1, hash(Sub(1)), Sub(1) < 1) == ("sub", 5, "less")
    ordered.__hash__ = lambda self: 77
    assert hash(ordered(1)) == 77


def test_empty_instances(key):
    @py_class(key(), eq=True, unsafe_hash=True)
    class A(tvm_ffi.Object):
        a: int

    empty, other = A.__new__(A), A.__new__(A)
    assert empty == other
    assert empty != A(1)
    assert isinstance(hash(empty), int)


def _slot(cls, offset):
    """Return the address in a slot of a class; all supported 64-bit Pythons have these offsets."""
    return ctypes.c_void_p.from_address(id(cls) + offset).value


@pytest.mark.skipif(
    struct.calcsize("P") != 8 or FREE_THREADED,
    reason="reads the members of PyTypeObject",
)
@pytest.mark.parametrize("offset", [120, 200], ids=["tp_hash", "tp_richcompare"])
def test_operators_are_slots_and_not_methods_that_the_interpreter_looks_up(key, offset):
    """Methods of a type derived from ``method_descriptor`` were not recognized as operators."""

    @py_class(key("Native"), eq=True, unsafe_hash=True)
    class Native(tvm_ffi.Object):
        x: int

    @py_class(key("Written"))
    class Written(tvm_ffi.Object):
        x: int

        def __eq__(self, other):
            return self is other

        def __hash__(self):
            return 1

    assert _slot(Native, offset) != _slot(Written, offset)

# SPDX-License-Identifier: Apache-2.0
"""Test instances with attributes besides fields, as in Python classes of 0.1.9 and earlier."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Object, register_object


class Stores(Object):
    """A class like the results of TVM's ``derived_object``: ``_inst`` has all other attributes."""

    def __setattr__(self, name, value):
        if name == "_inst":
            object.__setattr__(self, name, value)
        else:
            setattr(self._inst, name, value)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inst, name)


class Inner:
    pass


KEY = "testing.TestCxxAutoInitSimple"
BEFORE = tvm_ffi.testing._TestCxxAutoInitSimple


class Pair(Object):
    """A class with fields whose instances may also have other attributes."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


@pytest.fixture(autouse=True, scope="module")
def the_class_of_before():
    """Register Pair for KEY during these tests; then register the class BEFORE again."""
    register_object(KEY)(Pair)
    yield
    register_object(KEY)(BEFORE)


@pytest.mark.spec("GEN-G15")
def test_a_body_with_setattr_stores_attributes_and_takes_weak_references():
    value = Stores.__new__(Stores)
    value._inst = Inner()
    value.level = 3
    assert value.level == 3
    assert value._inst.level == 3
    assert vars(value) == {"_inst": value._inst}
    reference = weakref.ref(value)
    value._inst.outer = reference
    assert value._inst.outer() is value
    del value
    assert reference() is None


@pytest.mark.spec("GEN-G15")
def test_a_plain_subclass_still_refuses():
    class Plain(Object):
        pass

    value = Plain.__new__(Plain)
    with pytest.raises(AttributeError):
        value.other = 1
    with pytest.raises(TypeError):
        weakref.ref(value)
    assert Plain.__dictoffset__ == 0
    assert Plain.__weakrefoffset__ == 0


@pytest.mark.spec("GEN-G15")
def test_slots_of_the_body_count():
    class WithSlots(Object):
        __slots__ = ("a",)

        def __setattr__(self, name, value):
            object.__setattr__(self, name, value)

    value = WithSlots.__new__(WithSlots)
    value.a = 1
    with pytest.raises(AttributeError):
        value.b = 1


def test_a_subclass_of_such_a_class_stores_too():
    class Below(Stores):
        pass

    class Again(Below):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)

    for cls in (Below, Again):
        value = cls.__new__(cls)
        value._inst = Inner()
        assert vars(value) == {"_inst": value._inst}
        weakref.ref(value)


def test_attributes_stay_while_the_wrapper_lives():
    pair = Pair(1, 2)
    pair.note = "kept"
    pair.x = 5
    values = tvm_ffi.Array([pair])
    assert values[0] is pair
    assert values[0].note == "kept"
    del pair
    gc.collect()
    # The array keeps the object alive. It does not keep the wrapper or its attribute `note`.
    assert (values[0].x, values[0].y) == (5, 2)
    assert not hasattr(values[0], "note")


def test_fields_stay_fields():
    pair = Pair(1, 2)
    pair.x = 7
    assert pair.x == 7
    assert vars(pair) == {}
    with pytest.raises(TypeError):
        pair.x = "text"


@pytest.mark.parametrize("through", ["itself", "a list", "a native list", "a callback"])
def test_cycles_through_attributes_are_collected(through):
    pair = Pair(1, 2)
    reference = weakref.ref(pair)
    if through == "itself":
        pair.me = pair
    elif through == "a list":
        pair.me = [pair]
    elif through == "a native list":
        pair.me = tvm_ffi.List([pair])
    else:
        pair.me = tvm_ffi.convert(lambda me=pair: me)
    del pair
    gc.collect()
    gc.collect()
    assert reference() is None


def test_a_pickle_has_the_object_without_the_attributes():
    pair = Pair(1, 2)
    pair.note = "of the Python object"
    again = pickle.loads(pickle.dumps(pair))
    assert type(again) is Pair
    assert (again.x, again.y) == (1, 2)
    assert vars(again) == {}


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy])
def test_copies_have_the_fields(how):
    pair = Pair(1, 2)
    pair.note = ["kept"]
    other = how(pair)
    assert type(other) is Pair
    assert not other.same_as(pair)
    assert (other.x, other.y) == (1, 2)
    assert vars(other) == {}
    other.note = "its own"
    assert pair.note == ["kept"]


def test_a_finalizer_sees_the_attributes():
    seen = []

    class Finalized(Stores):
        def __del__(self):
            seen.append(self._inst)

    value = Finalized.__new__(Finalized)
    value._inst = "inner"
    del value
    gc.collect()
    assert seen == ["inner"]

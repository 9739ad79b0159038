# SPDX-License-Identifier: Apache-2.0
"""Test that a class of an object type has one parent type, in every form that defines a class."""

from __future__ import annotations

import sys

import pytest

import tvm_ffi
from tvm_ffi import testing
from tvm_ffi.dataclasses import (
    Enum,
    EnumObject,
    IntEnum,
    auto_class,
    c_enum,
    entry,
    py_class,
    py_enum,
)


@pytest.fixture
def bases(key):
    @py_class(key("A"))
    class A(tvm_ffi.Object):
        a: int = 1

    @py_class(key("B"))
    class B(tvm_ffi.Object):
        b: str = "b"

    @py_class(key("Empty"))
    class Empty(tvm_ffi.Object):
        pass

    return A, B, Empty


ONE_PARENT = "an object type has one parent"


@pytest.mark.parametrize("decorator", [py_class, auto_class])
@pytest.mark.parametrize("second", [1, 2])
def test_two_registered_bases_are_refused(bases, key, decorator, second):
    name = key("AB")

    class AB(bases[0], bases[second]):
        c: int = 1

    with pytest.raises(TypeError, match=ONE_PARENT):
        decorator(name)(AB)
    # The refusal leaves nothing behind: the key is free.
    py_class(name)(type("AB", (bases[0],), {"__module__": __name__}))


def test_registered_base_behind_an_unregistered_one_is_refused(bases, key):
    A, B, _ = bases

    class Mixin(B):
        pass

    with pytest.raises(TypeError, match=ONE_PARENT):
        py_class(key())(type("X", (A, Mixin), {}))
    with pytest.raises(TypeError, match=ONE_PARENT):
        py_class(key())(type("X", (Mixin, A), {}))


def test_enums_with_two_registered_bases_are_refused(bases, key):
    A, B, _ = bases
    with pytest.raises(TypeError, match=ONE_PARENT):

        class Level(IntEnum, A, type_key=key()):
            low = 1

    with pytest.raises(TypeError, match=ONE_PARENT):

        @py_enum(key())
        class E(EnumObject, A, B):
            X = entry()

    @py_enum(key())
    class F(EnumObject, A):
        X = entry(a=3)

    assert (F.X.a, isinstance(F.X, A)) == (3, True)


def test_redefinition_with_two_registered_bases_is_refused(bases, key):
    A, B, _ = bases
    name = key()

    def define(*parents):
        return py_class(name)(type("Again", parents, {"__module__": __name__}))

    first = define(A)
    with pytest.raises(TypeError, match=ONE_PARENT):
        define(A, B)
    assert type(tvm_ffi.Array([first()])[0]) is first


def test_ancestors_and_mixins_are_accepted(bases, key):
    A = bases[0]

    class Mixin:
        m: int = 2

    @py_class(key())
    class Child(A):
        pass

    @py_class(key())
    class Grandchild(Mixin, Child, A):
        pass

    assert (Grandchild().a, Grandchild().m) == (1, 2)


def test_bases_cannot_be_exchanged_for_those_of_another_type(bases, key):
    A, B, Empty = bases

    class Plain(A):
        pass

    @py_class(key())
    class Child(Plain):
        pass

    class Mixin:
        pass

    for cls, new in ((Child, (B,)), (Child, (Plain, Empty)), (Plain, (B,)), (A, (B,))):
        before = cls.__bases__
        # Python itself refuses the assignment for some classes, by their layout.
        with pytest.raises(TypeError, match=f"{ONE_PARENT}|(deallocator|object layout) differs"):
            cls.__bases__ = new
        assert cls.__bases__ == before
        assert Child().a == 1
    if sys.version_info < (3, 15):  # which compares the flag for the GC header; `Child` lacks it
        Child.__bases__ = (Mixin, Plain)
        assert isinstance(Child(), Mixin)


def test_a_base_that_is_still_being_made_is_refused(bases, key):
    """It has no method resolution order yet, which the check of new bases read: NULL."""
    A, _, _ = bases
    refused = []

    @py_class(key())
    class Child(A):
        pass

    class Meta(type(A)):
        def mro(cls):
            with pytest.raises(TypeError) as caught:
                Child.__bases__ = (cls,)
            refused.append(str(caught.value))
            return super().mro()

    class Unfinished(A, metaclass=Meta):
        pass

    assert len(refused) == 1
    assert Child.__bases__ == (A,)
    assert Child().a == 1


FINAL = "the class of that type is declared final"


@pytest.mark.parametrize("decorator", [py_class, auto_class])
def test_child_of_a_final_native_type_is_refused(key, decorator):
    name = key()

    class Child(testing.TestIntPair):
        c: int = 0

    with pytest.raises(
        TypeError, match=f"`{name}` cannot derive from `testing.TestIntPair`: {FINAL}"
    ):
        decorator(name)(Child)
    # A class that is not registered makes objects of the final type itself.
    assert Child(1, 2).__tvm_ffi_type_info__.type_key == "testing.TestIntPair"


def test_child_of_a_final_native_enum_is_refused(key):
    @c_enum("testing.TestEnumVariant")
    class Variant(EnumObject):
        pass

    with pytest.raises(TypeError, match=FINAL):

        @py_enum(key())
        class Child(Variant):
            X = entry()

    class Family(Enum, type_key="testing.TestEnumVariant"):
        pass

    with pytest.raises(TypeError, match=FINAL):

        class Second(Family, type_key=key()):
            X = entry()


def test_redefinition_as_child_of_a_final_type_is_refused(key):
    name = key()

    def define(parent):
        return py_class(name)(type("Again", (parent,), {"__module__": __name__}))

    define(tvm_ffi.Object)
    with pytest.raises(TypeError, match=FINAL):
        define(testing.TestIntPair)

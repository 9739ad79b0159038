# SPDX-License-Identifier: Apache-2.0
"""Test ``get_type_attr``, ``set_type_attr`` and the class attributes that agree with them."""

from __future__ import annotations

from typing import ClassVar

import pytest

import tvm_ffi
from tvm_ffi import get_type_attr, set_type_attr
from tvm_ffi.dataclasses import EnumObject, c_class, entry, py_class, py_enum


class Trait:
    pass


@pytest.fixture(params=["py_class", "py_enum"])
def node(request, key):
    if request.param == "py_class":

        @py_class(key("N"))
        class N(tvm_ffi.Object):
            a: int = 0
            flag = True
            trait = Trait

        return N

    @py_enum(key("E"))
    class E(EnumObject):
        a: int = 0
        flag = True
        trait = Trait
        X: ClassVar[E] = entry()

    return E


def key_of(cls):
    return cls.__tvm_ffi_type_info__.type_key


def type_attr_of(cls, name):
    return (get_type_attr(cls, name), get_type_attr(key_of(cls), name))


def test_attributes_are_read_and_written_by_class_and_by_key(node):
    assert get_type_attr(node, "new") is None
    assert get_type_attr(node, "new", 4) == 4
    for value in (True, 2, 2.5, "text", b"bytes", Trait, len, lambda: 0, Trait()):
        set_type_attr(node, "new", value)
        assert all(found is value or found == value for found in type_attr_of(node, "new"))
        set_type_attr(key_of(node), "new", value)
        assert node.new is value or node.new == value
    set_type_attr(node, "new", [1, 2])
    assert list(get_type_attr(node, "new")) == [1, 2]
    set_type_attr(node, "new", None)
    assert get_type_attr(node, "new", "gone") == "gone"
    assert not hasattr(node, "new")


@pytest.mark.parametrize("value", [len, Trait, lambda: 0, Trait().__init__])
def test_functions_and_classes_come_back_as_themselves(node, value):
    for _ in range(2):
        set_type_attr(node, "f", value)
        assert get_type_attr(node, "f") is node.f is value


def test_ancestors_are_asked_on_demand(key):
    @py_class(key("Base"))
    class Base(tvm_ffi.Object):
        flag = 1

    @py_class(key("Derived"))
    class Derived(Base):
        pass

    assert get_type_attr(key_of(Derived), "flag") is None
    assert get_type_attr(key_of(Derived), "flag", ancestor=True) == 1
    Base.flag = 2
    assert Derived.flag == get_type_attr(Derived, "flag", ancestor=True) == 2
    # An assignment to the derived class gives this class its own trait.
    Derived.flag = 3
    assert (Base.flag, Derived.flag, get_type_attr(Derived, "flag")) == (2, 3, 3)


def test_class_attribute_agrees_when_a_base_has_the_attribute(key):
    @py_class(key("Base"))
    class Base(tvm_ffi.Object):
        t = 5
        u = 6

    @py_class(key("Middle"))
    class Middle(Base):
        u = 7

    @py_class(key("Derived"))
    class Derived(Middle):
        v: ClassVar[int] = 1

    def values(name):
        shown = [getattr(cls, name, None) for cls in (Base, Middle, Derived)]
        assert [get_type_attr(cls, name) for cls in (Base, Middle, Derived)] == shown
        return shown

    assert (values("t"), values("u"), Derived().t) == ([5, 5, 5], [6, 7, 7], 5)
    set_type_attr(key_of(Derived), "t", 9)
    assert (values("t"), Derived().t) == ([5, 5, 9], 9)
    set_type_attr(Middle, "t", 8)
    assert values("t") == [5, 8, 9]
    set_type_attr(Derived, "t", None)
    assert values("t") == [5, 8, 8]
    Derived.t = Middle.t = 3
    Base.t = 4
    assert values("t") == [4, 3, 3]
    # A class attribute that is not a type attribute hides that of the base.
    Base.v = 2
    set_type_attr(Base, "v", 2)
    assert (Derived.v, get_type_attr(Derived, "v")) == (1, None)


def test_what_is_refused(node):
    for bad in (int, 3, None, object()):
        with pytest.raises(TypeError, match="expected a registered class or a type key"):
            get_type_attr(bad, "x")
        with pytest.raises(TypeError, match="expected a registered class or a type key"):
            set_type_attr(bad, "x", 1)
    with pytest.raises(ValueError, match=r"Cannot find type key: test.none.such"):
        get_type_attr("test.none.such", "x")
    for bad in (3, None, b"x"):
        with pytest.raises(TypeError):
            set_type_attr(node, bad, 1)
    with pytest.raises(RuntimeError, match="already registered"):
        set_type_attr(node, "__ffi_shallow_copy__", 1)


def test_assigning_a_class_attribute_changes_the_type_attribute(node):
    for value in (False, True, 3, "x", Trait, (1, 2)):
        node.flag = value
        assert node.flag is value
        assert all(found == value for found in type_attr_of(node, "flag"))
    assert get_type_attr(node, "trait") is node.trait is Trait


def test_setting_a_type_attribute_changes_the_class_attribute(node):
    for value in (False, 3, "x", len):
        set_type_attr(node, "flag", value)
        assert node.flag == value
        set_type_attr(key_of(node), "flag", value)
        assert node.flag == value


def test_an_instance_shows_the_trait_of_its_class(node):
    one = node.X if issubclass(node, EnumObject) else node(1)
    assert one.flag is True
    node.flag = False
    assert one.flag is False
    with pytest.raises(AttributeError):
        one.flag = True


def test_deleting_either_deletes_both(node):
    del node.flag
    assert get_type_attr(node, "flag") is None
    assert not hasattr(node, "flag")
    node.trait = None
    assert (node.trait, get_type_attr(node, "trait")) == (None, None)
    with pytest.raises(AttributeError):
        del node.flag


def test_a_function_that_replaces_a_trait_is_a_method(node):
    node.flag = lambda self: 7
    assert get_type_attr(node, "flag") is None
    one = node.X if issubclass(node, EnumObject) else node(1)
    assert one.flag() == 7


def test_an_attribute_that_only_the_type_has_cannot_be_hidden(node):
    set_type_attr(node, "late", 1)
    node.late = 2
    assert (node.late, get_type_attr(node, "late")) == (2, 2)


def test_a_plain_class_attribute_follows_a_type_attribute_of_its_name(key):
    @py_class(key("N"))
    class N(tvm_ffi.Object):
        limit: ClassVar[int] = 1

    assert get_type_attr(N, "limit") is None
    set_type_attr(N, "limit", 2)
    assert N.limit == 2
    N.limit = 3
    assert get_type_attr(N, "limit") == 3


def test_native_writers_and_class_attributes_agree(run_enum_program):
    out = run_enum_program(
        """
load()
from tvm_ffi import get_type_attr, set_type_attr
from tvm_ffi.dataclasses import *
@py_class("p.N")
class N(tvm_ffi.Object):
    flag = True
lib.set_trait("p.N", "flag", False)
print(N.flag, get_type_attr(N, "flag"))
N.flag = "x"
print(lib.trait_of("flag", "p.N"))
lib.set_trait("p.N", "flag", None)
print(hasattr(N, "flag"))
@c_class("ir.AddOp")
class AddOp(tvm_ffi.Object):
    fusible = "with nothing"
print(AddOp.fusible, lib.trait_of("fusible", "ir.AddOp"))
AddOp.fusible = 3
print(lib.trait_of("fusible", "ir.AddOp"), AddOp.__ffi_new__().fusible
      if hasattr(AddOp, "__ffi_new__") else 3)
"""
    )
    assert out.splitlines() == ["False False", "x", "False", *["with nothing with nothing"], "3 3"]


def test_traits_of_wrapped_native_classes_are_type_attributes():
    @c_class("testing.TestIntPair")
    class Pair(tvm_ffi.Object):
        a: int
        b: int
        trait_of_pair = 5

    assert get_type_attr(Pair, "trait_of_pair") == 5
    Pair.trait_of_pair = 6
    assert get_type_attr("testing.TestIntPair", "trait_of_pair") == 6
    set_type_attr(Pair, "trait_of_pair", None)


def test_a_value_is_released_with_its_attribute(node):
    import gc
    import weakref

    value = Trait()
    node.flag = value
    gone = weakref.ref(value)
    del value
    assert get_type_attr(node, "flag") is gone()
    node.flag = True
    gc.collect()
    assert gone() is None

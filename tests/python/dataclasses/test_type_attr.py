# SPDX-License-Identifier: Apache-2.0
"""Test type attributes, and traits in class bodies."""

from __future__ import annotations

import math
from typing import ClassVar

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.dataclasses import EnumObject, entry, field, py_class, py_enum


def index_of(cls):
    return cls.__tvm_ffi_type_info__.type_index


@pytest.fixture
def node(key):
    @py_class(key("Node"))
    class Node(tvm_ffi.Object):
        x: int = 0

    return Node


def trait(cls, name, **options):
    return core._lookup_type_attr(index_of(cls), name, **options)


def test_r1_any_name_can_be_set_and_read(node):
    index = index_of(node)
    for value in (True, 3, 2.5, "text", b"bytes", "text that is not an inline value at all"):
        core._type_register_attr(index, "ir_trait.r1", value)
        assert core._type_get_attr(index, "ir_trait.r1") == value
    core._type_register_attr(index, "ir_trait.list", [1, 2])
    assert list(core._type_get_attr(index, "ir_trait.list")) == [1, 2]
    core._type_register_attr(index, "ir_trait.dict", {"k": 1})
    table = core._type_get_attr(index, "ir_trait.dict")
    assert (table["k"], "k" in table, table.get("z", 3), dict(table)) == (1, True, 3, {"k": 1})
    core._type_register_attr(index, "ir_trait.fn", lambda x: x + 1)
    assert core._type_get_attr(index, "ir_trait.fn")(1) == 2
    assert core._type_get_attr(index, "ir_trait.never") is None
    assert core._lookup_type_attr(index, "ir_trait.never") is None
    assert core._lookup_type_attr(index, "ir_trait.never", ancestor=True) is None


def test_r1_what_is_refused():
    for call in (
        lambda: core._type_register_attr(10**6, "x", 1),
        lambda: core._register_type_attr(10**6, "x", 1),
    ):
        with pytest.raises(Exception, match="1000000"):
            call()
    for bad in (b"x", 3, None):
        with pytest.raises(TypeError):
            core._type_register_attr(64, bad, 1)
        with pytest.raises(TypeError):
            core._lookup_type_attr(64, bad)
    assert core._type_get_attr(10**6, "x") is None


def test_r2_two_ways_of_registering(node):
    index = index_of(node)
    core._register_type_attr(index, "r2", 1)
    with pytest.raises(
        RuntimeError,
        match=f"TypeAttr `r2` is already registered for type index {index}. To update the stored "
        r"value, register a mutable container \(e.g., Dict/List\) once and mutate it in place on "
        "subsequent calls.",
    ):
        core._register_type_attr(index, "r2", 2)
    assert trait(node, "r2") == 1
    core._type_register_attr(index, "r2", 2)
    core._type_register_attr(index, "r2", 3)
    assert trait(node, "r2") == 3
    core._type_register_attr(index, "r2", None)
    assert trait(node, "r2") is None
    core._register_type_attr(index, "r2", 4)
    assert trait(node, "r2") == 4


def test_r3_hooks_cannot_be_replaced(node):
    index = index_of(node)
    for name in ("__ffi_new__", "__ffi_shallow_copy__", "__ffi_init__"):
        before = trait(node, name)
        assert before is not None
        for register in (core._register_type_attr, core._type_register_attr):
            with pytest.raises(RuntimeError, match="already registered"):
                register(index, name, 1)
        assert trait(node, name) == before

    @py_enum(node.__tvm_ffi_type_info__.type_key + "Enum")
    class E(EnumObject):
        a: ClassVar[E] = entry()

    with pytest.raises(RuntimeError, match="already registered"):
        core._type_register_attr(index_of(E), "__ffi_enum__", 1)


def test_r4_ancestors(node, key):
    @py_class(key("Child"))
    class Child(node):
        pass

    @py_class(key("Grandchild"))
    class Grandchild(Child):
        pass

    core._type_register_attr(index_of(node), "r4", "root")
    assert trait(Grandchild, "r4") is None
    assert core._type_get_attr(index_of(Grandchild), "r4") is None
    assert trait(Grandchild, "r4", ancestor=True) == "root"
    core._type_register_attr(index_of(Child), "r4", "child")
    assert trait(Grandchild, "r4", ancestor=True) == "child"
    assert core._lookup_type_attr(index_of(node), "r4", True) == "root"


def test_r5_a_column_sees_later_registrations(run_enum_program):
    out = run_enum_program(
        """
from tvm_ffi import core
load()
from tvm_ffi.dataclasses import py_class
@py_class("r5.Node")
class Node(tvm_ffi.Object):
    pass
index = Node.__tvm_ffi_type_info__.type_index
core._type_register_attr(index, "r5", 1)
print(lib.column_of("r5.Node", "r5"))
core._type_register_attr(index, "r5", 2)
print(lib.column_of("r5.Node", "r5"), lib.trait_of("r5", "r5.Node"))
lib.set_trait("r5.Node", "r5", 3)
print(core._type_get_attr(index, "r5"), lib.column_of("r5.Node", "r5"))
"""
    )
    assert out.splitlines() == ["1", "2 2", "3 3"]


def test_r6_ensuring_a_column_creates_no_values(node):
    core._register_type_attr(0, "r6.column", None)
    core._type_register_attr(0, "r6.column", None)
    assert trait(node, "r6.column") is None


class SideEffectFree:
    """A class as the value of a trait."""


class Cost:
    """A class whose instance is the value of a trait."""


COST = Cost()


def test_r7_traits_of_a_body(key):
    @py_class(key("MyIRNode"))
    class MyIRNode(tvm_ffi.Object):
        ir_trait = SideEffectFree
        cost = COST
        commutative = True
        arity = 2
        weight = 0.5
        label = "add"
        raw = b"raw"
        huge = 2**80
        dtype = tvm_ffi.dtype("int32")
        device = tvm_ffi.device("cpu")
        items = [1, "two"]  # noqa: RUF012 - a trait
        table = {"a": 1}  # noqa: RUF012 - a trait
        native = tvm_ffi.convert([7])

    assert trait(MyIRNode, "ir_trait") is SideEffectFree
    assert trait(MyIRNode, "cost") is COST
    assert trait(MyIRNode, "commutative") is True
    assert (trait(MyIRNode, "arity"), trait(MyIRNode, "weight")) == (2, 0.5)
    assert (trait(MyIRNode, "label"), trait(MyIRNode, "raw")) == ("add", b"raw")
    assert trait(MyIRNode, "huge") == 2**80
    assert trait(MyIRNode, "dtype") == "int32"
    assert trait(MyIRNode, "device") == tvm_ffi.device("cpu")
    assert list(trait(MyIRNode, "items")) == [1, "two"]
    assert dict(trait(MyIRNode, "table")) == {"a": 1}
    assert trait(MyIRNode, "native") is MyIRNode.native


def test_r7_the_decorator_of_the_top_level_module_does_it_too(key):
    @tvm_ffi.py_class(key("Front"))
    class Front(tvm_ffi.Object):
        ir_trait = SideEffectFree

        def simplify(self):
            return 1

    assert trait(Front, "ir_trait") is SideEffectFree


def test_r8_the_python_attribute_stays(key):
    @py_class(key())
    class Node(tvm_ffi.Object):
        ir_trait = SideEffectFree
        items = [1]  # noqa: RUF012 - a trait

    assert Node.ir_trait is SideEffectFree
    assert Node().ir_trait is SideEffectFree
    assert Node.items == [1]
    assert type(Node.items) is list


def test_r9_values_that_are_not_traits(key):
    @py_class(key())
    class Node(tvm_ffi.Object):
        a: int = 3
        b: ClassVar[int] = 4
        with_field: int = field(default=1)
        _private = 5
        nothing = None
        func = math.sqrt

        def method(self):
            return 1

        @staticmethod
        def static():
            return 1

        @classmethod
        def of_class(cls):
            return 1

        @property
        def prop(self):
            return 1

        class Nested:
            pass

    for name in (
        *("a", "b", "with_field", "_private", "nothing", "method", "static", "of_class"),
        *("prop", "Nested"),
    ):
        assert trait(Node, name) is None, name
    assert (Node.b, Node._private, Node().a) == (4, 5, 3)


def test_r9_traits_are_not_inherited(key):
    @py_class(key())
    class Base(tvm_ffi.Object):
        ir_trait = True

    @py_class(key())
    class Child(Base):
        pass

    assert trait(Child, "ir_trait") is None
    assert trait(Child, "ir_trait", ancestor=True) is True
    assert Child.ir_trait is True


def test_r10_publication_can_be_suppressed(key):
    @py_class(key())
    class Silent(tvm_ffi.Object):
        __ffi_no_traits__ = True
        one = 1

    @py_class(key())
    class Partly(tvm_ffi.Object):
        __ffi_no_traits__ = ("one",)
        one = 1
        two = 2

    assert trait(Silent, "one") is None
    assert trait(Partly, "one") is None
    assert trait(Partly, "two") == 2
    assert Silent.one == Partly.one == 1


def test_r11_deferred_classes_publish_later(key):
    @py_class(key())
    class Early(tvm_ffi.Object):
        ir_trait = SideEffectFree
        other: DefinedLater | None = None

    assert trait(Early, "ir_trait") is None

    @py_class(key())
    class DefinedLater(tvm_ffi.Object):
        pass

    Early()
    assert trait(Early, "ir_trait") is SideEffectFree


def test_r12_getattr_finds_native_attributes(run_enum_program):
    out = run_enum_program(
        """
load()
from tvm_ffi.dataclasses import *
@c_class("ir.AddOp")
class AddOp(tvm_ffi.Object):
    pass
print(getattr(AddOp, "ir_trait.commutative"), AddOp.fusible, AddOp.__ffi_new__().fusible
      if hasattr(AddOp.__ffi_new__(), "fusible") else "no")
class Derived(AddOp):
    pass
print(hasattr(Derived, "ir_trait.commutative"), hasattr(AddOp, "unheard_of"))
lib.set_trait("ir.AddOp", "fresh", 5)
print(AddOp.fresh, lib.trait_of("fresh", "ir.AddOp"), lib.trait_of("none", "ir.AddOp"))
AddOp.fresh = 6
print(AddOp.fresh, lib.trait_of("fresh", "ir.AddOp"))
"""
    )
    assert out.splitlines() == ["True with everything no", "False False", "5 5 None", "6 6"]


def test_r12_names_that_others_probe_are_left_alone(node):
    index = index_of(node)
    for name in ("__wrapped__", "__array_interface__", "__fspath__", "_repr_png_"):
        core._type_register_attr(index, name, 1)
    assert not hasattr(node, "__wrapped__")
    assert not hasattr(node, "__array_interface__")
    assert not hasattr(node, "__fspath__")
    assert node._repr_png_ == 1
    with pytest.raises(AttributeError, match="has no attribute 'absent'"):
        node.absent  # noqa: B018 - reading is the test
    with pytest.raises(AttributeError):
        node().fusible  # noqa: B018 - reading is the test
    with pytest.raises(AttributeError):
        getattr(node, "\ud800")


@pytest.mark.unsanitized("memory is larger under a sanitizer")
def test_r13_sparse_names_make_no_columns(run_python):
    out = run_python(
        """
import resource, tvm_ffi
from tvm_ffi import core
from tvm_ffi.dataclasses import py_class
def make(i):
    @py_class(f"r13.T{i}")
    class T(tvm_ffi.Object):
        pass
    return T.__tvm_ffi_type_info__.type_index
indices = [make(i) for i in range(500)]
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
for name in range(10):
    core._type_register_attr(indices[-1], f"warm.{name}", True)
before = resident()
for name in range(1000):
    core._type_register_attr(indices[-1], f"sparse.{name}", True)
    assert core._type_get_attr(indices[-1], f"sparse.{name}") is True
    assert core._lookup_type_attr(indices[0], f"sparse.{name}", ancestor=True) is None
print((resident() - before) // 1000)
"""
    )
    # For each name, a dense column up to the last of the 500 types would take more than 8000 bytes.
    assert int(out) < 4000

# SPDX-License-Identifier: Apache-2.0
"""Test type attributes, and traits in class bodies."""

from __future__ import annotations

import math
from typing import ClassVar

import pytest

import tvm_ffi
from tvm_ffi import core, get_type_attr, set_type_attr
from tvm_ffi.dataclasses import EnumObject, c_class, entry, field, py_class, py_enum


def index_of(cls):
    return cls.__tvm_ffi_type_info__.type_index


@pytest.fixture
def plain(key):
    @py_class(key("Node"))
    class Node(tvm_ffi.Object):
        x: int = 0

    return Node


def trait(cls, name, **options):
    return core._lookup_type_attr(index_of(cls), name, **options)


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


def test_r2_two_ways_of_registering(plain):
    index = index_of(plain)
    core._register_type_attr(index, "r2", 1)
    with pytest.raises(
        RuntimeError,
        match=f"TypeAttr `r2` is already registered for type index {index}. To update the stored "
        r"value, register a mutable container \(e.g., Dict/List\) once and mutate it in place on "
        "subsequent calls.",
    ):
        core._register_type_attr(index, "r2", 2)
    assert trait(plain, "r2") == 1
    core._type_register_attr(index, "r2", 2)
    core._type_register_attr(index, "r2", 3)
    assert trait(plain, "r2") == 3
    core._type_register_attr(index, "r2", None)
    assert trait(plain, "r2") is None
    core._register_type_attr(index, "r2", 4)
    assert trait(plain, "r2") == 4


def test_r3_hooks_cannot_be_replaced(plain):
    index = index_of(plain)
    for name in ("__ffi_new__", "__ffi_shallow_copy__", "__ffi_init__"):
        before = trait(plain, name)
        assert before is not None
        for register in (core._register_type_attr, core._type_register_attr):
            with pytest.raises(RuntimeError, match="already registered"):
                register(index, name, 1)
        assert trait(plain, name) == before

    @py_enum(plain.__tvm_ffi_type_info__.type_key + "Enum")
    class E(EnumObject):
        a: ClassVar[E] = entry()

    with pytest.raises(RuntimeError, match="already registered"):
        core._type_register_attr(index_of(E), "__ffi_enum__", 1)


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


def test_r6_ensuring_a_column_creates_no_values(plain):
    core._register_type_attr(0, "r6.column", None)
    core._type_register_attr(0, "r6.column", None)
    assert trait(plain, "r6.column") is None


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


def test_r12_names_that_others_probe_are_left_alone(plain):
    index = index_of(plain)
    for name in ("__wrapped__", "__array_interface__", "__fspath__", "_repr_png_"):
        core._type_register_attr(index, name, 1)
    assert not hasattr(plain, "__wrapped__")
    assert not hasattr(plain, "__array_interface__")
    assert not hasattr(plain, "__fspath__")
    assert plain._repr_png_ == 1
    with pytest.raises(AttributeError, match="has no attribute 'absent'"):
        plain.absent  # noqa: B018 - reading is the test
    with pytest.raises(AttributeError):
        plain().fusible  # noqa: B018 - reading is the test
    with pytest.raises(AttributeError):
        getattr(plain, "\ud800")


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


# ---- get_type_attr, set_type_attr and the class attributes that agree with them


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
    long_text = "a text that is not an inline value"
    for value in (True, 2, 2.5, "text", long_text, b"bytes", Trait, len, lambda: 0, Trait()):
        set_type_attr(node, "new", value)
        assert all(found is value or found == value for found in type_attr_of(node, "new"))
        set_type_attr(key_of(node), "new", value)
        assert node.new is value or node.new == value
    set_type_attr(node, "new", [1, 2])
    assert list(get_type_attr(node, "new")) == [1, 2]
    set_type_attr(node, "new", {"k": 1})
    assert dict(get_type_attr(node, "new")) == {"k": 1}
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
    assert get_type_attr(Derived, "never", ancestor=True) is None
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

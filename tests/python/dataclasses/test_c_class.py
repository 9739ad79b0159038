# SPDX-License-Identifier: Apache-2.0
"""Test ``c_class``: data classes for types that the library defines."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.dataclasses import asdict, c_class, field, fields, is_dataclass, py_class, replace
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str


def test_i1_unknown_key():
    with pytest.raises(ValueError, match=r"Cannot find object type index for no\.such"):

        @c_class("no.such")
        class A(tvm_ffi.Object):
            pass


def test_i2_missing_annotations_warn_once():
    with pytest.warns(UserWarning, match="does not annotate") as caught:

        @c_class("testing.TestIntPair")
        class Q(tvm_ffi.Object):
            pass

    assert len(caught) == 1 and caught[0].filename == __file__
    assert str(caught[0].message) == (
        "@c_class('testing.TestIntPair'): class `test_i2_missing_annotations_warn_once.<locals>.Q` "
        "does not annotate the following reflected field(s): a, b. Add type annotations (e.g. "
        "`field_name: type`) to the class body for IDE support and documentation."
    )


def test_fields_named_like_keywords_do_not_warn():
    """A test for a fixed bug: a warning asked for the annotation ``class: int``, a syntax error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = type("Made", (tvm_ffi.Object,), {"__annotations__": {"class": int}})
        py_class("test_c_class.KeywordField")(made)
        bound = c_class("test_c_class.KeywordField")(type("Bound", (tvm_ffi.Object,), {}))
    assert getattr(bound(**{"class": 3}), "class") == 3


def test_i2_inherited_fields_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @c_class("testing.TestObjectDerived")
        class D(tvm_ffi.testing.TestObjectBase):
            v_map: object
            v_array: object


def test_i3_generated_initializer():
    @c_class("testing.TestCxxAutoInit")
    class A(tvm_ffi.Object):
        a: int
        b: int
        c: int
        d: int

    assert str(inspect.signature(A)) == "(a: int, d: int = 99, *, c: int)"
    obj = A(1, c=3)
    assert (obj.a, obj.b, obj.c, obj.d) == (1, 42, 3, 99)
    with pytest.raises(TypeError):
        A(1, 2, 3)
    with pytest.raises(TypeError):
        A(1, c=3, b=2)


def test_i4_super_init_from_a_registered_subclass():
    @c_class("testing.TestCxxClassBase")
    class Base(tvm_ffi.Object):
        v_i64: int
        v_i32: int

    @c_class("testing.TestCxxClassDerived")
    class Derived(Base):
        v_f64: float
        v_f32: float

        def __init__(self):
            super().__init__(1, 2)

    with pytest.raises(TypeError) as raised:
        Derived()
    assert str(raised.value) == (
        "Calling `super().__init__()` is not supported for @c_class `Base`. Use @py_class for "
        "inheritance with manual __init__, or define `Derived` with init=True."
    )


def test_i5_read_only_native_fields():
    @c_class("testing.TestIntPair")
    class Pair(tvm_ffi.Object):
        a: int
        b: int

    obj = Pair(1, 2)
    with pytest.raises(AttributeError):
        obj.a = 5
    assert fields(Pair)[0].frozen


def test_i6_native_hooks_are_class_attributes():
    @c_class("testing.TestCustomHash")
    class A(tvm_ffi.Object):
        key: int
        label: str

    assert callable(A.__ffi_hash__)

    @c_class("testing.TestCustomHash")
    class Own(tvm_ffi.Object):
        key: int
        label: str
        __ffi_hash__ = "mine"

    assert Own.__ffi_hash__ == "mine"


def test_i7_another_class_for_the_same_type():
    def define():
        @c_class("testing.TestIntPair", eq=True)
        class Pair(tvm_ffi.Object):
            a: int
            b: int

        return Pair

    first, second = define(), define()
    assert first is not second
    assert second(1, 2) == second(1, 2) and second(1, 2).sum() == 3


def test_i8_python_class_derived_from_a_native_one(key):
    @c_class("testing.TestObjectBase")
    class Base(tvm_ffi.Object):
        v_i64: int
        v_f64: float
        v_str: str

    @py_class(key())
    class Child(Base):
        more: int
        text: str = "t"

    obj = Child(v_i64=5, more=7)
    assert (obj.v_i64, obj.more, obj.text) == (5, 7, "t")
    assert obj.add_i64(10) == 15
    obj.v_i64, obj.more = 6, 8
    assert (obj.v_i64, obj.more, obj.v_str) == (6, 8, Base().v_str)
    own = Child.__tvm_ffi_type_info__.fields
    base_end = max(f.offset + f.size for f in Base.__tvm_ffi_type_info__.fields)
    assert own[0].offset >= base_end


def test_i9_example_of_the_object_guide():
    obj = tvm_ffi.testing.TestObjectBase(10)
    assert (obj.v_i64, obj.add_i64(5)) == (10, 15)
    obj.v_i64 = 12
    for made in (pickle.loads(pickle.dumps(obj)), from_json_graph_str(to_json_graph_str(obj))):
        assert type(made) is tvm_ffi.testing.TestObjectBase
        assert (made.v_i64, made.v_f64, made.v_str) == (12, obj.v_f64, obj.v_str)


def test_i10_explicit_constructor():
    @c_class("testing.TestIntPair")
    class Pair(tvm_ffi.Object):
        a: int
        b: int

    assert Pair(1, 2).b == 2
    with pytest.raises(TypeError):
        Pair(a=1, zz=2)
    with pytest.raises(TypeError, match="keyword"):
        Pair(a=1, b=2)


def test_ffi_init_in_a_body():
    base = tvm_ffi.testing._TestCxxClassBase
    assert (base(1, 2).v_i64, base(1, v_i32=2).v_i32) == (2, 4)
    derived = tvm_ffi.testing._TestCxxClassDerived
    assert derived(1, 2, v_f64=3.0) < derived(1, 2, 4.0)
    with pytest.raises(TypeError) as raised:
        base.__ffi_init__(derived(1, 2, 3.0), 1, 2)
    assert str(raised.value) == (
        "Calling `_TestCxxClassBase.__ffi_init__()` on a `_TestCxxClassDerived` instance is not "
        "supported. Define `_TestCxxClassDerived` with init=True."
    )


def test_operators_and_copies():
    @c_class("testing.TestIntPair", eq=True, order=True, unsafe_hash=True)
    class Pair(tvm_ffi.Object):
        a: int
        b: int

    assert Pair(1, 2) == Pair(1, 2) and Pair(1, 2) < Pair(2, 0)
    assert hash(Pair(1, 2)) == hash(Pair(1, 2))
    assert copy.copy(Pair(1, 2)) == Pair(1, 2) == copy.deepcopy(Pair(1, 2))
    assert replace(Pair(1, 2), a=3) == Pair(3, 2)
    assert asdict(Pair(1, 2)) == {"a": 1, "b": 2}
    assert is_dataclass(Pair) and Pair.__match_args__ == ("a", "b")


def test_type_without_a_copy():
    @c_class("testing.TestNonCopyable")
    class A(tvm_ffi.Object):
        value: int

    with pytest.raises(TypeError, match=r"Type `A` does not support copy\."):
        copy.copy(A(1))


def test_field_objects_in_the_body_are_removed():
    @c_class("testing.TestIntPair")
    class Pair(tvm_ffi.Object):
        a: int = field(default=3)
        b: int

    assert isinstance(Pair.a, tvm_ffi.core.FFIProperty)
    assert Pair(1, 2).a == 1


def test_order_requires_eq():
    with pytest.raises(ValueError, match="order=True requires eq=True"):
        c_class("testing.TestIntPair", order=True)


@pytest.mark.parametrize("given", [3, None, b"testing.TestIntPair"])
def test_type_key_that_is_not_text_is_named(given):
    """Before the fix, the message had the name of an internal function."""
    text = f"^c_class expects a type key, got {type(given).__name__}: "
    with pytest.raises(TypeError, match=text):
        c_class(given)

# SPDX-License-Identifier: Apache-2.0
"""Test classes defined in Python as the type table and native code see them."""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable
from typing import Any, Optional, Union

import pytest
from layouts import AnyValue, ByteArray

import tvm_ffi
from tvm_ffi import core, libinfo
from tvm_ffi.dataclasses import KW_ONLY, field, py_class, replace
from tvm_ffi.testing import TestObjectBase, TestObjectDerived

# ---- the C structures of the type table ----


class FieldInfo(ctypes.Structure):
    _fields_ = [
        ("name", ByteArray),
        ("doc", ByteArray),
        ("metadata", ByteArray),
        ("flags", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("alignment", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("getter", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(AnyValue))),
        ("setter", ctypes.c_void_p),
        ("default", AnyValue),
        ("static_type_index", ctypes.c_int32),
    ]


class Metadata(ctypes.Structure):
    _fields_ = [
        ("doc", ByteArray),
        ("creator", ctypes.c_void_p),
        ("total_size", ctypes.c_int32),
        ("structural_kind", ctypes.c_int32),
    ]


class NativeInfo(ctypes.Structure):
    _fields_ = [
        ("type_index", ctypes.c_int32),
        ("type_depth", ctypes.c_int32),
        ("type_key", ByteArray),
        ("ancestors", ctypes.c_void_p),
        ("hash", ctypes.c_uint64),
        ("num_fields", ctypes.c_int32),
        ("num_methods", ctypes.c_int32),
        ("fields", ctypes.POINTER(FieldInfo)),
        ("methods", ctypes.c_void_p),
        ("metadata", ctypes.POINTER(Metadata)),
    ]


@pytest.fixture(scope="module")
def runtime() -> Any:
    lib = ctypes.PyDLL(libinfo.find_libtvm_ffi())
    lib.TVMFFIGetTypeInfo.restype = ctypes.POINTER(NativeInfo)
    lib.TVMFFIFunctionCall.argtypes = [
        ctypes.c_void_p,
        ctypes.POINTER(AnyValue),
        ctypes.c_int32,
        ctypes.POINTER(AnyValue),
    ]
    return lib


@pytest.fixture
def native(runtime: Any) -> Callable[[type], NativeInfo]:
    def info_of(cls: Any) -> NativeInfo:
        return runtime.TVMFFIGetTypeInfo(cls.__tvm_ffi_type_info__.type_index).contents

    return info_of


def places(cls: Any) -> dict[str, tuple[int, int, int, int]]:
    return {
        f.name: (f.offset, f.size, f.alignment, f.field_static_type_index)
        for f in cls.__tvm_ffi_type_info__.fields
    }


# ---- memory model ----


def test_n1_sizes_alignments_and_static_indices(native):
    class Node(tvm_ffi.Object):
        a_int: int
        a_float: float
        a_bool: bool
        a_pointer: ctypes.c_void_p
        a_dtype: tvm_ffi.dtype
        a_device: tvm_ffi.Device
        an_any: Any
        a_str: str
        a_bytes: bytes
        an_optional: Optional[int]
        a_union: Union[int, str]
        a_list: list
        a_dict: dict
        a_tuple: tuple
        a_callable: Callable
        a_tensor: tvm_ffi.Tensor
        an_object: tvm_ffi.Object

    Node = py_class("layout.N1")(Node)
    shapes = {name: place[1:] for name, place in places(Node).items()}
    assert shapes == {
        "a_int": (8, 8, 1),
        "a_float": (8, 8, 3),
        "a_bool": (1, 1, 2),
        "a_pointer": (8, 8, 4),
        "a_dtype": (4, 2, 5),
        "a_device": (8, 4, 6),
        **dict.fromkeys(("an_any", "a_str", "a_bytes", "an_optional", "a_union"), (16, 8, -1)),
        **dict.fromkeys(
            ("a_list", "a_dict", "a_tuple", "a_callable", "a_tensor", "an_object"), (8, 8, 64)
        ),
    }
    info = native(Node)
    for at, (name, place) in enumerate(places(Node).items()):
        f = info.fields[at]
        assert f.name.text() == name
        assert (f.offset, f.size, f.alignment, f.static_type_index) == place


def test_n2_padding_between_fields():
    @py_class("layout.N2")
    class Node(tvm_ffi.Object):
        a: bool
        b: int
        c: bool

    assert [place[0] for place in places(Node).values()] == [24, 32, 40]
    assert Node.__tvm_ffi_type_info__.total_size == 48


def test_n3_child_reuses_tail_padding():
    @py_class("layout.N3")
    class Node(tvm_ffi.Object):
        a: bool

    @py_class("layout.N3.Child")
    class Child(Node):
        b: bool
        c: int

    assert [place[0] for place in places(Child).values()] == [25, 32]
    assert Node.__tvm_ffi_type_info__.total_size == 32
    assert Child.__tvm_ffi_type_info__.total_size == 40
    child = Child(True, False, 3)
    assert (child.a, child.b, child.c) == (True, False, 3)
    child.b = True
    child.a = False
    assert (child.a, child.b, child.c) == (False, True, 3)


def test_class_without_fields_is_a_header():
    @py_class("layout.Empty")
    class Node(tvm_ffi.Object):
        pass

    assert Node.__tvm_ffi_type_info__.fields == []
    assert Node.__tvm_ffi_type_info__.total_size == 24
    assert not Node().same_as(Node())


def test_n4_flags(native):
    @py_class("layout.N4")
    class Node(tvm_ffi.Object):
        plain: int
        frozen: int = field(frozen=True)
        default: int = 1
        factory: list = field(default_factory=list)
        ignore: int = field(default=1, structural_eq="ignore")
        pattern: int = field(default=1, structural_eq="def")
        simple: int = field(default=1, structural_eq="def-simple")
        no_repr: int = field(default=1, repr=False)
        no_compare: int = field(default=1, compare=False)
        no_hash: int = field(default=1, hash=False)
        no_init: int = field(default=1, init=False)
        _: KW_ONLY
        keyword: int

    info = native(Node)
    always, has = 1 | 1 << 11, 1 << 1
    flags = {info.fields[i].name.text(): info.fields[i].flags for i in range(info.num_fields)}
    assert flags == {
        "plain": always,
        "frozen": always,
        "default": always | has,
        "factory": always | has | 1 << 5,
        "ignore": always | has | 1 << 3,
        "pattern": always | has | 1 << 4,
        "simple": always | has | 1 << 12,
        "no_repr": always | has | 1 << 6,
        "no_compare": always | has | 1 << 7 | 1 << 8,
        "no_hash": always | has | 1 << 8,
        "no_init": always | has | 1 << 9,
        "keyword": always | 1 << 10,
    }


def store_natively(runtime: Any, obj: Any, f: FieldInfo, type_index: int, payload: int) -> int:
    args = (AnyValue * 2)(
        AnyValue(4, 0, obj.__chandle__() + f.offset), AnyValue(type_index, 0, payload)
    )
    return runtime.TVMFFIFunctionCall(f.setter, args, 2, ctypes.byref(AnyValue()))


def test_n5_native_code_reads_and_writes(runtime, native, use_count):
    @py_class("layout.N5")
    class Node(tvm_ffi.Object):
        number: int
        real: float
        anything: Any
        items: list[int]

    node = Node(1, 2.0, None, [1])
    fields = {native(Node).fields[i].name.text(): native(Node).fields[i] for i in range(4)}
    value = AnyValue()
    number = fields["number"]
    assert number.getter(node.__chandle__() + number.offset, ctypes.byref(value)) == 0
    assert (value.type_index, value.payload) == (1, 1)
    assert store_natively(runtime, node, number, 1, 41) == 0
    assert node.number == 41
    # An int for a float field is converted by the setter of the field.
    assert store_natively(runtime, node, fields["real"], 1, 7) == 0
    assert node.real == 7.0
    other = tvm_ffi.List([1, 2])
    assert store_natively(runtime, node, fields["items"], 75, other.__chandle__()) == 0
    assert node.items is other
    assert store_natively(runtime, node, fields["anything"], 75, other.__chandle__()) == 0
    assert node.anything is other
    assert use_count(other) == 3
    # The setter rejects these values, and the old values stay.
    assert store_natively(runtime, node, number, 3, 0) != 0
    wrong = tvm_ffi.List(["x"])
    assert store_natively(runtime, node, fields["items"], 75, wrong.__chandle__()) != 0
    assert node.number == 41 and node.items is other
    node.items = []
    node.anything = None
    assert use_count(other) == 1


def test_n6_total_size_in_metadata(native):
    @py_class("layout.N6")
    class Node(tvm_ffi.Object):
        a: int

    @py_class("layout.N6.Plain", structural_eq=None)
    class Plain(tvm_ffi.Object):
        a: int

    metadata = native(Node).metadata.contents
    assert metadata.total_size == Node.__tvm_ffi_type_info__.total_size == 32
    assert (metadata.structural_kind, metadata.creator) == (1, None)
    assert not native(Plain).metadata
    assert Plain.__tvm_ffi_type_info__.total_size == 32
    assert Node.__tvm_ffi_type_info__._has_type_metadata
    assert not Plain.__tvm_ffi_type_info__._has_type_metadata


def test_n7_native_creation():
    @py_class("layout.N7", eq=True)
    class Node(tvm_ffi.Object):
        a: int
        b: list[str]
        c: Any = None

    make = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")
    node = make(Node.__tvm_ffi_type_info__.type_index, "a", 1, "b", ["x"], "c", 2.5)
    assert type(node) is Node
    assert (node.a, list(node.b), node.c) == (1, ["x"], 2.5)
    assert type(node.b) is tvm_ffi.List
    with pytest.raises(TypeError, match="expected int, got str"):
        make(Node.__tvm_ffi_type_info__.type_index, "a", "x", "b", [], "c", None)
    text = tvm_ffi.get_global_func("ffi.ToJSONGraphString")(node, None)
    again = tvm_ffi.get_global_func("ffi.FromJSONGraphString")(text)
    assert again == node and again is not node and type(again) is Node


def test_n8_fields_are_released_once(use_count):
    @py_class("layout.N8")
    class Node(tvm_ffi.Object):
        held: tvm_ffi.Object
        value: Any
        items: list[Any]

    probe = tvm_ffi.Array([1])
    for _ in range(3):
        node = Node(probe, probe, [probe])
        assert use_count(probe) == 4
        twin = copy.copy(node)
        assert use_count(probe) == 6
        deep = copy.deepcopy(node)
        assert not deep.held.same_as(probe)
        node.held = tvm_ffi.Array([2])
        node.value = None
        assert use_count(probe) == 4
        with pytest.raises(TypeError):
            Node(probe, probe, 3)
        del node, twin, deep
        assert use_count(probe) == 1


def class_of(key: str) -> Any:
    """Return the class of a native type; register a class if there is none."""
    info = core._lookup_or_register_type_info_from_type_key(key)
    if info.type_cls is None:
        body = {"__slots__": (), "__module__": __name__}
        return tvm_ffi.register_object(key)(type(tvm_ffi.Object)("Native", (tvm_ffi.Object,), body))
    return info.type_cls


def test_n9_native_parent_with_object_pointers(use_count):
    Holder = class_of("testing.TestObjectPtrHolder")

    @py_class("layout.N9")
    class Node(Holder):
        own: Any

    probe = tvm_ffi.Array([1])
    node = Node.__new__(Node)
    core._allocate(node)
    assert node.value is None and node.optional_value is None
    pair = TestObjectBase()
    node.value = pair
    node.optional_value = pair
    node.own = probe
    twin = copy.copy(node)
    assert use_count(pair) == 5 and use_count(probe) == 3
    assert twin.value.same_as(pair) and twin.optional_value.same_as(pair)
    del node, twin
    assert use_count(pair) == 1 and use_count(probe) == 1


def test_an_object_pointer_field_of_a_parent_gives_the_same_object_back():
    @py_class("layout.SamePointer")
    class Node(class_of("testing.TestObjectPtrHolder")):
        own: int = 0

    base, derived = TestObjectBase(), TestObjectDerived(v_map={}, v_array=[])
    node = Node(base, derived)
    assert node.value is base and node.optional_value is derived
    node.value, node.optional_value = derived, None
    assert node.value is derived and node.optional_value is None
    assert copy.copy(node).value is derived and replace(node, value=base).value is base
    with pytest.raises(TypeError, match=r"`int` to `testing.TestObjectBase`"):
        node.value = 3
    assert node.value is derived


def test_native_parent_is_laid_out_first():
    @py_class("layout.Native")
    class Node(TestObjectBase):
        own: int
        more: str = "x"

    parent = TestObjectBase.__tvm_ffi_type_info__.total_size
    assert places(Node)["own"][0] >= parent - 7
    node = Node(own=4)
    assert (node.v_i64, node.v_f64, node.v_str, node.own, node.more) == (10, 10.0, "hello", 4, "x")
    node.v_i64 = 5
    assert node.add_i64(1) == 6
    assert Node(4, 1, 2.0, "s").v_str == "s"
    with pytest.raises(TypeError, match=r"__ffi_init__\(\) field 'v_i64':\n  "):
        Node(4, "x")


@pytest.mark.parametrize(
    "key", ["testing.TestCxxClassHiddenField", "testing.TestCxxClassPolymorphic"]
)
def test_hidden_members_of_a_native_parent_are_refused(key):
    Parent = class_of(key)

    def define():
        @py_class(f"layout.{key}.Child")
        class Child(Parent):
            a: int

        return Child

    with pytest.raises(TypeError, match="not reflected"):
        define()
    with pytest.raises(TypeError, match="not reflected"):
        define()  # The first attempt did not register anything.


def test_container_types_cannot_be_extended():
    with pytest.raises(TypeError, match="not reflected"):

        @py_class("layout.OfArray")
        class Child(tvm_ffi.Array):
            a: int

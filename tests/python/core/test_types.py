# SPDX-License-Identifier: Apache-2.0
"""Test the Python classes of object types, and ``TypeInfo``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Object, core, register_object, registry
from tvm_ffi.testing import TestIntPair, TestObjectBase


def words(text):
    return text.split()


VALUE_KEYS = words("""
None int bool float void* DataType Device DLTensor* TVMFFIByteArray* ObjectRValueRef
""")


@pytest.fixture
def restored():
    """Register the class of TestIntPair again after the test."""
    yield
    register_object("testing.TestIntPair")(TestIntPair)


@pytest.mark.spec("PY-C60")
def test_c60_an_unknown_key():
    with pytest.raises(ValueError, match=r"^Cannot find object type index for nope; "):
        register_object("nope")(type("X", (Object,), {}))


@pytest.mark.spec("PY-C61")
def test_c61_unknown_keys_may_be_skipped(monkeypatch):
    monkeypatch.setattr(registry, "_SKIP_UNKNOWN_OBJECTS", True)
    cls = type("X", (Object,), {})
    assert register_object("nope")(cls) is cls
    assert "__tvm_ffi_type_info__" not in vars(cls)


@pytest.mark.spec("PY-C62")
def test_c62_another_kind_of_key():
    with pytest.raises(TypeError, match=r"^type_key must be a string, type, or None$"):
        register_object(3)


@pytest.mark.spec("PY-C63")
def test_c63_the_bare_decorator_uses_the_name():
    with pytest.raises(ValueError, match="Cannot find object type index for NoSuchType"):
        register_object(type("NoSuchType", (Object,), {}))
    with pytest.raises(ValueError, match="Cannot find object type index for NoSuchType"):
        register_object()(type("NoSuchType", (Object,), {}))


@pytest.mark.spec("PY-C64")
def test_c64_a_later_class_is_that_of_later_returns(restored, echo):
    old = TestIntPair(1, 2)
    kept = tvm_ffi.Array([TestIntPair(3, 4)])

    @register_object("testing.TestIntPair")
    class Wider(Object):
        __slots__ = ("__dict__",)

    assert type(echo(old)) is TestIntPair
    assert type(kept[0]) is Wider
    assert kept[0].b == 4


@pytest.mark.spec("PY-C65")
def test_c65_names_of_the_body_win(restored):
    @register_object("testing.TestIntPair")
    class Own(Object):
        a = "mine"

        def sum(self):
            return "mine"

    value = Own(1, 2)
    assert (value.a, value.b, value.sum()) == ("mine", 2, "mine")


@pytest.mark.spec("PY-C66")
def test_c66_a_property_called_dict_stays(restored):
    @register_object("testing.TestIntPair")
    class WithDict(Object):
        @property
        def __dict__(self):
            return {"b": self.b}

    assert WithDict(1, 2).__dict__ == {"b": 2}


PARENTS = [
    ("Object", core.Object, "ffi.Object", None),
    ("Tensor", core.Tensor, "ffi.Tensor", core.Object),
    ("Function", core.Function, "ffi.Function", core.Object),
    ("Error", core.Error, "ffi.Error", core.Object),
    ("String", core.String, "ffi.String", core.Object),
    ("Bytes", core.Bytes, "ffi.Bytes", core.Object),
    ("DataType", core.DataType, "DataType", None),
    ("Device", core.Device, "Device", None),
    ("Shape", tvm_ffi.Shape, "ffi.Shape", core.Object),
    ("Module", tvm_ffi.Module, "ffi.Module", core.Object),
    ("Array", tvm_ffi.Array, "ffi.Array", core.Object),
    ("List", tvm_ffi.List, "ffi.List", core.Object),
    ("Map", tvm_ffi.Map, "ffi.Map", core.Object),
    ("Dict", tvm_ffi.Dict, "ffi.Dict", core.Object),
    *(
        (name, getattr(tvm_ffi.access_path, name), f"ffi.reflection.{name}", core.Object)
        for name in ("AccessStep", "AccessPath")
    ),
    *(
        (name, getattr(tvm_ffi.testing, name), f"testing.{name}", parent)
        for name, parent in [
            ("TestObjectBase", core.Object),
            ("TestObjectDerived", TestObjectBase),
            ("TestIntPair", core.Object),
            ("TestObjectPtrHolder", core.Object),
            ("TestNonCopyable", core.Object),
            ("TestCompare", core.Object),
            ("TestHash", core.Object),
            ("TestCustomHash", core.Object),
        ]
    ),
]


@pytest.mark.spec("PY-C67")
@pytest.mark.parametrize(("name", "cls", "key", "parent"), PARENTS, ids=[p[0] for p in PARENTS])
def test_c67_the_info_of_a_class(name, cls, key, parent):
    assert len(PARENTS) == 24
    info = core._type_cls_to_type_info(cls)
    assert info.type_cls is cls
    assert info.type_key == key
    if parent is None:
        assert info.parent_type_info is None
    else:
        assert info.parent_type_info.type_cls is parent


@pytest.mark.spec("PY-C68")
def test_c68_the_parts_of_an_info():
    info = core._type_cls_to_type_info(TestIntPair)
    assert dataclasses.is_dataclass(info)
    assert [field.name for field in dataclasses.fields(info)] == [
        *("type_cls", "type_index", "type_key", "type_ancestors"),
        *("fields", "methods", "parent_type_info"),
    ]
    assert info.total_size == 24 + 16
    assert info.type_ancestors == [64]


@pytest.mark.spec("PY-C69")
def test_c69_accessors_of_a_field():
    field = core._type_cls_to_type_info(TestObjectBase).fields[0]
    value = TestObjectBase()
    assert field.getter(value) == 10
    field.setter(value, 11)
    assert value.v_i64 == 11
    for wrong in (3, None, "x", object()):
        with pytest.raises(TypeError):
            field.getter(wrong)
        with pytest.raises(TypeError):
            field.setter(wrong, 1)


@pytest.mark.spec("PY-C70", "PY-C71")
def test_c70_and_c71_look_ups_of_the_unknown():
    assert core._object_type_key_to_index("ffi.Object") == 64
    assert core._object_type_key_to_index("no.such.type") is None
    assert core._type_index_to_type_info(-1) is None
    assert core._type_index_to_type_info(2**31 - 1) is None
    assert core._type_index_to_type_info(64).type_cls is Object


@pytest.mark.spec("PY-C72")
def test_c72_an_unknown_type_attribute():
    assert core._lookup_type_attr(64, "__nope__") is None
    assert core._lookup_type_attr(64, "__nope__", ancestor=True) is None


@pytest.mark.spec("PY-C73")
def test_c73_registered_keys(run_python):
    keys = registry.get_registered_type_keys()
    assert isinstance(keys, Sequence)
    assert all(isinstance(key, str) for key in keys)
    out = run_python(
        "import tvm_ffi; print(*tvm_ffi.registry.get_registered_type_keys(), sep='\\n')"
    ).splitlines()
    assert {*VALUE_KEYS, "const char*"} <= set(out)
    for key in set(out) - {*VALUE_KEYS, "const char*"}:
        assert key.startswith(("ffi.", "testing.")), key


@pytest.mark.spec("PY-C74")
def test_c74_a_type_without_class(run_python):
    out = run_python(
        """
import tvm_ffi
make = tvm_ffi.get_global_func("testing.make_unregistered_object")
x = make()
cls = type(x)
print(cls.__name__, cls.__qualname__, cls.__module__)
print("Auto-generated fallback class for testing.TestUnregisteredObject." in cls.__doc__)
print("__slots__" in vars(cls), cls.__dict__["__slots__"])
print(x.v1, x.v2, x.get_v1_plus_one(), x.get_v2_plus_two())
print("Get (v1 + 1) from TestUnregisteredBaseObject" in cls.get_v1_plus_one.__doc__)
print(type(make()) is cls, cls.__mro__[1].__name__, isinstance(x, tvm_ffi.Object))
"""
    )
    assert out.splitlines() == [
        "TestUnregisteredObject testing.TestUnregisteredObject testing",
        "True",
        "True ()",
        "41 42 42 44",
        "True",
        "True TestUnregisteredBaseObject True",
    ]


@pytest.mark.spec("PY-C75")
def test_c75_where_the_info_hangs():
    made = tvm_ffi.testing.make_unregistered_object()
    assert type(made).__tvm_ffi_type_info__.type_cls is type(made)
    assert TestIntPair.__tvm_ffi_type_info__.type_key == "testing.TestIntPair"
    assert not hasattr(core.Object, "__tvm_ffi_type_info__")


@pytest.mark.spec("PY-C76")
def test_c76_static_methods(run_python):
    out = run_python(
        """
import tvm_ffi
from tvm_ffi import core
info = core._lookup_or_register_type_info_from_type_key("testing.SchemaAllTypes")
(method,) = [m for m in info.methods if m.name == "make_with"]
print(method.is_static, [m.name for m in info.methods if not m.is_static])
@tvm_ffi.register_object("testing.SchemaAllTypes")
class All(tvm_ffi.Object): pass
made = All.make_with(1, 2.5, "text")
print(type(made) is All, made.v_int, made.v_float, made.v_string, made.add_int(4))
"""
    ).splitlines()
    assert out[0].startswith("True ['add_int', 'append_int', 'maybe_concat', 'merge_map']")
    assert out[1] == "True 1 2.5 text 5"

# SPDX-License-Identifier: Apache-2.0
"""Test the information about types: ``TypeInfo``, ``TypeField`` and ``TypeMethod``."""

from __future__ import annotations

import dataclasses
import inspect
import json
import sys

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.dataclasses import py_class
from tvm_ffi.testing import TestIntPair, TestObjectBase, TestObjectDerived
from tvm_ffi.testing import testing as fixtures

BASE = core._type_cls_to_type_info(TestObjectBase)
DERIVED = core._type_cls_to_type_info(TestObjectDerived)


def info_of(key):
    return core._lookup_or_register_type_info_from_type_key(key)


# ---- types ----


@pytest.mark.spec("PY-C67")
@pytest.mark.parametrize(
    ("key", "parent"),
    [
        ("ffi.Object", None),
        ("DataType", None),
        ("Device", None),
        *((f"ffi.{name}", "ffi.Object") for name in ("Tensor", "Function", "Error", "String")),
        *(
            (f"ffi.{name}", "ffi.Object")
            for name in ("Bytes", "Shape", "Module", "Array", "Map", "List", "Dict")
        ),
        ("testing.TestObjectDerived", "testing.TestObjectBase"),
    ],
)
def test_parent(key, parent):
    info = info_of(key)
    assert info.type_key == key
    assert info.type_index == core._object_type_key_to_index(key)
    if parent is None:
        assert info.parent_type_info is None
        assert info.type_ancestors == []
    else:
        assert info.parent_type_info is info_of(parent)
        assert info.type_ancestors[-1] == info.parent_type_info.type_index


@pytest.mark.spec("PY-C67", "PY-C75")
def test_classes_made_in_c_have_an_info_and_no_attribute():
    for name in ("Object", "Function", "Tensor", "Error", "String", "Bytes", "DataType", "Device"):
        cls = getattr(core, name)
        info = core._type_cls_to_type_info(cls)
        assert info.type_cls is cls
        assert core._type_index_to_type_info(info.type_index) is info
        assert not hasattr(cls, "__tvm_ffi_type_info__")
    assert core._type_cls_to_type_info(core.OpaquePyObject) is None
    assert core._type_cls_to_type_info(core.CObject) is None
    assert core._type_cls_to_type_info(int) is None


@pytest.mark.spec("PY-C71")
def test_types_without_a_class():
    int_index = core._object_type_key_to_index("int")
    assert core._type_index_to_type_info(int_index) is None
    assert info_of("int").type_cls is None
    assert info_of("int").fields == []
    with pytest.raises(ValueError, match=r"Cannot find type key: no\.such"):
        info_of("no.such")
    for index in (-1, 2**30, 2**40):
        assert core._type_index_to_type_info(index) is None


def test_subclass_shares_the_info_and_is_not_the_class_of_the_type():
    class Sub(TestObjectBase):
        pass

    assert Sub.__tvm_ffi_type_info__ is BASE
    assert core._type_cls_to_type_info(Sub) is None


def test_registering_gives_the_info():
    @tvm_ffi.register_object("testing.TestIntPair")
    class Replacement(tvm_ffi.Object):
        pass

    try:
        info = Replacement.__tvm_ffi_type_info__
        assert info.type_cls is Replacement
        assert info is core._type_cls_to_type_info(Replacement)
        assert info is core._type_index_to_type_info(info.type_index)
        # The replaced class keeps its information.
        assert core._type_cls_to_type_info(TestIntPair).type_cls is TestIntPair
    finally:
        index = core._object_type_key_to_index("testing.TestIntPair")
        assert core._register_object_by_index(index, TestIntPair).type_cls is TestIntPair


@pytest.mark.spec("PY-C75")
def test_fallback_class_has_its_info():
    cls = type(tvm_ffi.testing.make_unregistered_object())
    info = cls.__tvm_ffi_type_info__
    assert info.type_cls is cls
    assert info.parent_type_info.type_cls is cls.__base__
    assert [field.name for field in info.fields] == ["v2"]


def test_type_gets_its_class_after_its_info(run_python):
    printed = run_python(
        "import tvm_ffi, tvm_ffi.testing; from tvm_ffi import core;"
        "info = core._lookup_or_register_type_info_from_type_key('testing.TestUnregisteredObject');"
        "parent = info.parent_type_info; print(info.type_cls, parent.type_cls);"
        "cls = type(tvm_ffi.testing.make_unregistered_object());"
        "print(info.type_cls is cls, parent.type_cls is cls.__base__,"
        " cls.__tvm_ffi_type_info__ is info)"
    )
    assert printed.splitlines() == ["None None", "True True True"]


def test_class_module_is_imported_for_its_info(run_python):
    printed = run_python(
        "import sys; from tvm_ffi import core;"
        "print('tvm_ffi.container' in sys.modules);"
        "print(core._type_index_to_type_info(71).type_cls.__name__)"
    )
    assert printed.splitlines() == ["False", "Array"]


def test_infos_need_no_heavy_module_until_they_are_read(run_python):
    printed = run_python(
        "import sys, tvm_ffi; info = tvm_ffi.core._type_index_to_type_info(64);"
        "print([m for m in ('dataclasses', 'inspect', 'json') if m in sys.modules])"
    )
    assert printed == "[]"


@pytest.mark.spec("PY-C68")
def test_total_size():
    assert info_of("ffi.Object").total_size == 24
    assert BASE.total_size == 24 + 8 + 8 + 16
    assert DERIVED.total_size == BASE.total_size + 16
    made = core.TypeInfo(None, 2**30, "k", [64], [field_at(24, 1), field_at(28, 4)], [], None)
    assert made.total_size == 32
    made = core.TypeInfo(None, 2**30, "k", [64, BASE.type_index], [], [], BASE)
    assert made.total_size == BASE.total_size
    with pytest.raises(ValueError, match="DataType"):
        _ = info_of("DataType").total_size


# ---- fields and methods ----


def field_at(offset, size, name=None):
    accessors = (BASE.fields[0].getter, BASE.fields[0].setter)
    name = name or f"f{offset}"
    return core.TypeField(name, None, size, size, offset, -1, False, {}, *accessors)


def test_fields():
    v_i64, v_f64, v_str = BASE.fields
    assert (v_i64.name, v_i64.doc, v_i64.size, v_i64.alignment, v_i64.offset) == (
        *("v_i64", "i64 field"),
        *(8, 8, 24),
    )
    assert (v_f64.doc, v_f64.offset, v_str.size) == (None, 32, 16)
    assert [field.frozen for field in BASE.fields] == [False, True, False]
    assert json.loads(v_str.metadata["type_schema"]) == {"type": "ffi.String"}
    assert [field.c_default for field in BASE.fields] == [10, 10.0, "hello"]
    assert v_i64.field_static_type_index == core._object_type_key_to_index("int")
    assert all(field.c_has_default for field in BASE.fields)
    assert all(field.c_default_factory is core.MISSING for field in BASE.fields)
    assert all(field.c_default is core.MISSING for field in DERIVED.fields)


def test_metadata_of_a_field_of_a_python_class_is_there_when_it_is_read_first():
    @py_class("test_type_info.Metadata")
    class Metadata(tvm_ffi.Object):
        first: int
        second: tvm_ffi.Array[str]

    fields = Metadata.__tvm_ffi_type_info__.fields
    assert fields[0].metadata == {"type_schema": {"type": "int"}}
    assert fields[1].metadata == {"type_schema": {"type": "Array", "args": [{"type": "str"}]}}


def test_schema_of_a_field():
    types = {field.name: field.ty for field in info_of("testing.SchemaAllTypes").fields}
    assert types["v_int"] == core.TypeSchema("int")
    assert {name: repr(ty) for name, ty in types.items()}["v_map_str_int"] == "Map[str, int]"
    assert core._type_cls_to_type_info(TestObjectBase).fields[0].ty.origin == "int"


@pytest.mark.parametrize("given", [{"type": "int"}, '{"type": "int"}'])
def test_schema_of_a_field_as_object_and_as_text(given):
    field = field_at(24, 8)
    vars(field).pop("ty")
    field.metadata = {"type_schema": given}
    assert field.ty == core.TypeSchema("int")
    assert field.normalize_value("x") == "x"


def test_field_without_a_schema_has_none():
    field = field_at(24, 8)
    assert field.ty is None
    assert field.normalize_value(3) == 3


def test_flags_of_fields():
    def flags(cls, attribute):
        fields = core._type_cls_to_type_info(cls).fields
        return {field.name: getattr(field, attribute) for field in fields}

    assert flags(fixtures._TestCxxAutoInit, "c_init") == {
        "a": True,
        "b": False,
        "c": True,
        "d": True,
    }
    assert flags(fixtures._TestCxxAutoInit, "c_kw_only") == {
        "a": False,
        "b": False,
        "c": True,
        "d": False,
    }
    assert flags(tvm_ffi.testing.TestCompare, "c_compare") == {
        "key": True,
        "name": True,
        "ignored_field": False,
    }
    assert flags(tvm_ffi.testing.TestHash, "c_hash") == {
        "key": True,
        "name": True,
        "hash_ignored": False,
    }
    assert set(flags(TestObjectBase, "c_structural_eq").values()) == {None}


@pytest.mark.spec("PY-C69")
def test_accessors():
    base = TestObjectBase()
    v_f64 = BASE.fields[1]
    v_f64.setter(base, 2.5)
    assert v_f64.getter(base) == base.v_f64 == 2.5
    v_f64.getter.note = "kept"
    assert v_f64.getter.note == "kept"
    with pytest.raises(TypeError):
        v_f64.setter(base, "x")
    for wrong in (5, None, TestIntPair(1, 2)):
        with pytest.raises(TypeError):
            v_f64.getter(wrong)
        with pytest.raises(TypeError):
            v_f64.setter(wrong, 1.0)


def test_methods():
    (add,) = [method for method in BASE.methods if method.name == "add_i64"]
    assert (add.doc, add.is_static) == ("add_i64 method", False)
    assert isinstance(add.func, tvm_ffi.Function)
    assert add.func(TestObjectBase(5), 3) == 8
    assert json.loads(add.metadata["type_schema"])["type"] == "ffi.Function"
    (init,) = [
        method for method in info_of("testing.TestIntPair").methods if method.name == "__ffi_init__"
    ]
    assert init.is_static


@pytest.mark.spec("PY-C76")
def test_static_methods(run_python):
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


# ---- type information as records ----


@pytest.mark.spec("PY-C68")
def test_like_data_classes():
    names = [field.name for field in dataclasses.fields(core.TypeInfo)]
    assert names == [
        *("type_cls", "type_index", "type_key", "type_ancestors"),
        *("fields", "methods", "parent_type_info"),
    ]
    assert dataclasses.is_dataclass(BASE)
    names = [field.name for field in dataclasses.fields(core.TypeMethod)]
    assert names == ["name", "doc", "func", "metadata", "is_static"]
    moved = dataclasses.replace(BASE.fields[0], offset=100)
    assert (moved.offset, moved.name, moved.metadata) == (100, "v_i64", BASE.fields[0].metadata)
    assert moved != BASE.fields[0]
    assert hash(BASE) != hash(DERIVED)
    assert repr(BASE).startswith(f"TypeInfo(type_cls={TestObjectBase!r}, type_index=")


def test_arguments_of_records():
    with pytest.raises(TypeError, match="missing required arguments: func, metadata, is_static"):
        core.TypeMethod("name", None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nope'"):
        core.TypeMethod("name", None, None, {}, False, nope=1)
    with pytest.raises(TypeError, match="multiple values for argument 'name'"):
        core.TypeMethod("name", None, None, {}, False, name="other")
    with pytest.raises(TypeError, match="takes at most 5 arguments, got 6"):
        core.TypeMethod("name", None, None, {}, False, 6)
    with pytest.raises(AttributeError, match="'TypeInfo' object has no attribute 'nope'"):
        _ = BASE.nope


def test_class_records_refuse_null_and_wide_indices():
    check = tvm_ffi.get_global_func("ffi.CheckClass")
    with pytest.raises(ValueError, match="The address of the record is NULL"):
        check(64, None)
    for index in (1 << 40, -(1 << 63)):
        with pytest.raises(OverflowError, match=f"integer {index} out of int32 range"):
            check(index, None)


def test_names_of_fields_differ():
    twice = [field_at(24, 8, "x"), field_at(32, 8, "x")]
    with pytest.raises(AssertionError, match="duplicate field name 'x' in TypeInfo for 'k'"):
        core.TypeInfo(None, 2**30, "k", [64], twice, [], None)
    inherited = [field_at(80, 8, "v_str")]
    with pytest.warns(UserWarning, match="Field 'v_str' in 'k' duplicates an ancestor field"):
        core.TypeInfo(None, 2**30, "k", [64, 65], inherited, [], DERIVED)


# ---- signatures ----


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (
            TestObjectDerived,
            "(v_map: collections.abc.Mapping[typing.Any, typing.Any], "
            "v_array: collections.abc.Sequence[typing.Any], "
            "v_i64: int = 10, v_f64: float = 10.0, v_str: str = 'hello')",
        ),
        (TestObjectBase.add_i64, "(self, arg0: int, /) -> int"),
        (TestObjectBase().add_i64, "(arg0: int, /) -> int"),
        pytest.param(
            fixtures._TestCxxNoAutoInit,
            "(*args, **kwargs)",
            marks=pytest.mark.xfail(
                sys.version_info >= (3, 13),
                reason="inspect of 3.13 binds __init__ to the class, which C methods refuse",
                raises=TypeError,
            ),
        ),
    ],
)
def test_signature(function, expected):
    assert str(inspect.signature(function)) == expected


def test_signature_avoids_the_names_of_fields():
    from tvm_ffi._signatures import initializer as _signature

    names = ["self", "_self"]
    assert str(_signature._receiver(set(names))) == "__self"
    assert _signature._receiver(set(names)).kind is inspect.Parameter.POSITIONAL_ONLY
    assert str(_signature._receiver({"x"})) == "self"

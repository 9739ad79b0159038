# SPDX-License-Identifier: Apache-2.0
"""Test ``tvm_ffi.testing``, and Python initializers that call native ones."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

import tvm_ffi
import tvm_ffi.testing as fixtures
from tvm_ffi import core

NAMES = """
TestObjectBase TestObjectDerived TestIntPair TestFrozenCxx TestObjectPtrHolder TestNonCopyable
TestCompare TestHash TestCustomHash TestCustomCompare TestEqWithoutHash _TestCxxClassBase
_TestCxxClassDerived _TestCxxClassDerivedDerived _TestCxxIntEnum _TestCxxStrEnum
_TestCxxEnumHolder _TestCxxInitSubset _TestCxxKwOnly _TestCxxAutoInit _TestCxxAutoInitSimple
_TestCxxAutoInitAllInitOff _TestCxxAutoInitKwOnlyDefaults _TestCxxNoAutoInit
_TestCxxAutoInitParent _TestCxxAutoInitChild _SchemaAllTypes
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_classes_are_offered_by_both_modules(name):
    cls = getattr(fixtures, name)
    assert getattr(fixtures.testing, name) is cls
    assert cls.__tvm_ffi_type_info__.type_key.startswith("testing.")


def test_functions_are_offered():
    for name in ("echo", "nop", "apply", "test_raise_error", "object_use_count", "schema_id_int"):
        assert isinstance(getattr(fixtures, name), tvm_ffi.Function)
    assert fixtures.add_one(1) == 2
    assert fixtures.create_object("testing.TestIntPair", a=1, b=2).b == 2
    with pytest.raises(AttributeError):
        fixtures.testing.no_such_name  # noqa: B018


def test_marks_for_later_interpreters():
    for name in ("requires_py310", "requires_py312", "requires_py313"):
        assert getattr(fixtures.testing, name).name == "skipif"


def test_importing_needs_no_pytest(run_python):
    out = run_python("import sys, tvm_ffi.testing.testing; print('pytest' in sys.modules)")
    assert out == "False"


def test_one_at_a_time_with_the_gpu(tmp_path, monkeypatch):
    monkeypatch.setenv("TVM_FFI_TEST_LOCK_DIR", str(tmp_path / "locks"))

    def held(value, *, more):
        other = tvm_ffi.utils.FileLock(os.path.join(tmp_path, "locks", "gpu.lock"))
        return value + more, other.acquire()

    assert fixtures.run_with_gpu_lock(held, 1, more=2) == (3, False)
    with pytest.raises(KeyError):
        fixtures.run_with_gpu_lock({}.__getitem__, "missing")
    assert fixtures.run_with_gpu_lock(held, 1, more=1) == (2, False)


# ---- `__ffi_init__`, the native initializer that a user's `__init__` calls ----


def test_initializer_of_a_body_calls_the_native_one():
    base = fixtures._TestCxxClassBase(1, 2)
    assert (base.v_i64, base.v_i32) == (2, 4)
    assert (base.not_field_1, base.not_field_2) == (1, 2)
    derived = fixtures._TestCxxClassDerived(1, 2, 3.0)
    assert derived == fixtures._TestCxxClassDerived(1, 2, 3.0)
    assert derived < fixtures._TestCxxClassDerived(1, 2, 4.0)
    assert repr(derived) == "testing.TestCxxClassDerived(v_f64=3, v_f32=8)"


def test_a_frozen_class_refuses_assignment():
    frozen = fixtures.TestFrozenCxx(1, "a")
    with pytest.raises(AttributeError):
        frozen.value = 3
    assert (frozen.value, frozen.tag) == (1, "a")


def test_ffi_init_exists_for_each_kind_of_initializer():
    for cls, args in ((fixtures.TestIntPair, (1, 2)), (fixtures._TestCxxAutoInitSimple, (1, 2))):
        made = cls.__new__(cls)
        assert made.__ffi_init__(*args) is None
        assert made.__chandle__() != 0
        assert "__ffi_init__" in vars(cls)
    assert not hasattr(fixtures._TestCxxNoAutoInit, "__ffi_init__")
    assert not hasattr(core.Object, "__ffi_init__")


def test_ffi_init_in_a_python_subclass():
    class Doubled(fixtures.TestObjectBase):
        def __init__(self, value):
            self.__ffi_init__(v_i64=2 * value, v_str=core.MISSING)

    assert Doubled(4).v_i64 == 8
    assert Doubled(4).v_str == "hello"
    with pytest.raises(TypeError, match="unexpected keyword argument 'nope'"):
        Doubled(4).__ffi_init__(nope=1)


def test_ffi_init_of_another_class_is_refused():
    derived = fixtures.TestObjectDerived.__new__(fixtures.TestObjectDerived)
    with pytest.raises(
        TypeError,
        match=r"^Calling `TestObjectBase\.__ffi_init__\(\)` on a `TestObjectDerived` instance is "
        r"not supported\. Define `TestObjectDerived` with init=True\.$",
    ):
        fixtures.TestObjectBase.__ffi_init__(derived, 1)
    for wrong in ((), (3,), (object(), 1)):
        with pytest.raises(TypeError, match="needs an instance"):
            fixtures.TestObjectBase.__ffi_init__(*wrong)


def test_visit_hook_of_the_fixture_is_a_function_and_visits_its_parts():
    index = core._object_type_key_to_index("testing.TestVisitHook")
    assert type(core._lookup_type_attr(index, "__s_visit__")) is tvm_ffi.Function
    graph = tvm_ffi.get_global_func("testing.make_visit_region_graph")(True)
    seen = []
    tvm_ffi.structural_walk(graph, [(int, seen.append)])
    assert seen == [1, 2, 3, 4]


def test_native_pointers_and_functions_are_both_called_as_hooks():
    # `__s_visit__` of containers is a native pointer; `__s_visit__` of the graph is a function.
    array = core._lookup_type_attr(71, "__s_visit__")
    assert isinstance(array, ctypes.c_void_p)
    graph = tvm_ffi.get_global_func("testing.make_visit_region_graph")(True)
    seen = []
    tvm_ffi.structural_walk(tvm_ffi.Array([graph, 5]), [(int, seen.append)])
    assert seen == [1, 2, 3, 4, 5]


def test_dummy_target_of_the_library_of_fixtures():
    from tvm_ffi import libinfo

    path = Path(libinfo.find_libtvm_ffi()).with_name("libtvm_ffi_testing.so")
    assert ctypes.CDLL(str(path)).TVMFFITestingDummyTarget() == 0

# SPDX-License-Identifier: Apache-2.0
"""Test initializers that are generated from the fields of a type."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.cpp import load_inline
from tvm_ffi.dataclasses import c_class
from tvm_ffi.testing import testing as fixtures


def fields_of(obj):
    cls = type(obj)
    names = [
        name for base in reversed(cls.__mro__) for name in vars(base).get("__annotations__", ())
    ]
    return [getattr(obj, name) for name in names]


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("KwOnly", "(self, *, x: int, y: int, z: int, w: int = 100)"),
        ("AutoInit", "(self, a: int, d: int = 99, *, c: int)"),
        ("AutoInitSimple", "(self, x: int, y: int)"),
        ("AutoInitAllInitOff", "(self)"),
        (
            "AutoInitKwOnlyDefaults",
            "(self, p_required: int, p_default: int = 11, *, k_required: int, k_default: int = 22)",
        ),
        (
            "AutoInitChild",
            "(self, parent_required: int, child_required: int, parent_default: int = 5, *, "
            "child_kw_only: int)",
        ),
        ("InitSubset", "(self, required_field: int)"),
    ],
)
def test_signature(name, signature):
    cls = getattr(fixtures, f"_TestCxx{name}")
    assert str(inspect.signature(cls.__init__)) == signature
    assert str(inspect.signature(cls)) == signature.replace("self, ", "").replace("self", "")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "fields"),
    [
        ("KwOnly", (), {"x": 1, "y": 2, "z": 3}, [1, 2, 3, 100]),
        ("KwOnly", (), {"w": 4, "z": 3, "y": 2, "x": 1}, [1, 2, 3, 4]),
        ("AutoInit", (1,), {"c": 2}, [1, 42, 2, 99]),
        ("AutoInit", (1, 5), {"c": 2}, [1, 42, 2, 5]),
        ("AutoInit", (), {"c": 2, "d": 7, "a": 1}, [1, 42, 2, 7]),
        ("AutoInitSimple", (1,), {"y": 2}, [1, 2]),
        ("AutoInitAllInitOff", (), {}, [7, 9, 1234]),
        ("AutoInitKwOnlyDefaults", (1,), {"k_required": 2}, [1, 11, 2, 22, 33]),
        ("AutoInitKwOnlyDefaults", (1, 2), {"k_required": 3, "k_default": 4}, [1, 2, 3, 4, 33]),
        ("AutoInitChild", (1, 2), {"child_kw_only": 3}, [1, 5, 2, 3]),
        ("AutoInitChild", (1, 2, 3), {"child_kw_only": 4}, [1, 3, 2, 4]),
        ("InitSubset", (5,), {}, [5, -1, "default"]),
    ],
)
def test_values(name, args, kwargs, fields):
    cls = getattr(fixtures, f"_TestCxx{name}")
    assert fields_of(cls(*args, **kwargs)) == fields
    made = cls.__new__(cls)
    made.__init__(*args, **kwargs)
    assert fields_of(made) == fields


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "message"),
    [
        ("KwOnly", (1,), {}, "takes at most 0 positional argument(s), but 1 were given"),
        ("KwOnly", (), {"x": 1, "y": 2}, "missing required keyword-only argument: 'z'"),
        ("AutoInit", (), {"c": 1}, "missing required argument: 'a'"),
        ("AutoInit", (1,), {"b": 3, "c": 2}, "got an unexpected keyword argument 'b'"),
        ("AutoInit", (1,), {"a": 3, "c": 2}, "got multiple values for argument 'a'"),
        ("AutoInitAllInitOff", (1,), {}, "takes at most 0 positional argument(s), but 1"),
        ("InitSubset", (1,), {"note": "n"}, "got an unexpected keyword argument 'note'"),
    ],
)
def test_errors(name, args, kwargs, message):
    cls = getattr(fixtures, f"_TestCxx{name}")
    with pytest.raises(TypeError) as caught:
        cls(*args, **kwargs)
    assert str(caught.value).startswith(f"testing.TestCxx{name}.__ffi_init__() ")
    assert message in str(caught.value)


def test_error_of_a_field_names_it():
    with pytest.raises(TypeError) as caught:
        fixtures._TestCxxAutoInitSimple(1, "x")
    assert str(caught.value) == (
        "testing.TestCxxAutoInitSimple.__ffi_init__() field 'y':\n"
        "  Cannot convert from type `str` to `int`"
    )


OWN_TEXT = r"""
#include <tvm/ffi/reflection/registry.h>

struct Own {
  int64_t value = 0;
};
class OwnObj : public tvm::ffi::Object {
 public:
  Own own;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("tests.initializer.Own", OwnObj, tvm::ffi::Object);
};

template <>
struct tvm::ffi::TypeTraits<Own> : public TypeTraitsBase {
  static void CopyToAnyView(const Own& source, TVMFFIAny* out) {
    TypeTraits<int64_t>::CopyToAnyView(source.value, out);
  }
  static void MoveToAny(Own source, TVMFFIAny* out) { CopyToAnyView(source, out); }
  static bool CheckAnyStrict(const TVMFFIAny*) { return false; }
  static Own CopyFromAnyViewAfterCheck(const TVMFFIAny*) { return {}; }
  static Own MoveFromAnyAfterCheck(TVMFFIAny*) { return {}; }
  static std::optional<Own> TryCastFromAnyView(const TVMFFIAny*) {
    TVM_FFI_THROW(TypeError) << "Cannot convert from type `ffi.SmallStr` to `ffi.String`";
    return std::nullopt;
  }
  static std::string TypeStr() { return "Own"; }
};
TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::ObjectDef<OwnObj>().def_rw("own", &OwnObj::own);
}
int64_t One() { return 1; }
"""


def test_a_text_of_a_user_about_a_field_is_not_translated():
    load_inline("initializer_own", cpp_sources=OWN_TEXT, functions=["One"])

    @c_class("tests.initializer.Own")
    class Own(tvm_ffi.Object):
        own: Any

    with pytest.raises(TypeError) as caught:
        Own("x")
    assert str(caught.value) == (
        "tests.initializer.Own.__ffi_init__() field 'own':\n"
        "  Cannot convert from type `ffi.SmallStr` to `ffi.String`"
    )


def test_missing_stands_for_nothing_given():
    made = fixtures._TestCxxAutoInitKwOnlyDefaults(1, p_default=core.MISSING, k_required=2)
    assert fields_of(made) == [1, 11, 2, 22, 33]
    made = fixtures._TestCxxAutoInit(1, c=2, d=core.MISSING)
    assert made.d == 99
    with pytest.raises(TypeError, match="missing required keyword-only argument: 'k_required'"):
        fixtures._TestCxxAutoInitKwOnlyDefaults(1, k_required=core.MISSING)


@pytest.mark.spec("PY-B54")
def test_required_fields_of_the_derived_type():
    with pytest.raises(TypeError, match="missing required argument: 'v_map'"):
        tvm_ffi.testing.TestObjectDerived()


@pytest.mark.spec("PY-B59")
@pytest.mark.parametrize("args", [(), (1,), (1, 2)])
def test_type_without_initializer(args):
    with pytest.raises(TypeError, match="`_TestCxxNoAutoInit` cannot be constructed directly"):
        fixtures._TestCxxNoAutoInit(*args)


def test_made_by_reflection():
    pair = tvm_ffi.testing.create_object("testing.TestCxxAutoInitSimple", x=1, y=2)
    assert (type(pair), pair.x, pair.y) == (fixtures._TestCxxAutoInitSimple, 1, 2)
    with pytest.raises(TypeError, match="Required field `y` not set"):
        tvm_ffi.testing.create_object("testing.TestCxxAutoInitSimple", x=1)
    with pytest.raises(TypeError, match="does not have field `z`"):
        tvm_ffi.testing.create_object("testing.TestCxxAutoInitSimple", x=1, y=2, z=3)
    with pytest.raises(RuntimeError, match=r"Cannot find type `no\.such`"):
        tvm_ffi.testing.create_object("no.such")


def test_failing_initializer_leaves_nothing_behind(use_count):
    value = tvm_ffi.testing.TestObjectBase()
    with pytest.raises(TypeError):
        tvm_ffi.testing.TestObjectPtrHolder(value, "not an object")
    assert use_count(value) == 1
    holder = tvm_ffi.testing.TestObjectPtrHolder(value)
    assert holder.value is value
    assert holder.optional_value is None
    with pytest.raises(TypeError):
        holder.value = None
    assert holder.value is value

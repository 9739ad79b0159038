# SPDX-License-Identifier: Apache-2.0
"""Test data types."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi._dtype import DataTypeCode

dtype = tvm_ffi.dtype

SMALL_FLOATS = {
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
    "float6_e2m3fn": 15,
    "float6_e3m2fn": 16,
    "float4_e2m1fn": 17,
}


# Text -> type code, bits, lanes, canonical text.
TEXTS = [
    ("int8", 0, 8, 1, "int8"),
    ("int", 0, 32, 1, "int32"),
    ("uint", 1, 32, 1, "uint32"),
    ("uint16x4", 1, 16, 4, "uint16x4"),
    ("float", 2, 32, 1, "float32"),
    ("float64", 2, 64, 1, "float64"),
    ("float32x4", 2, 32, 4, "float32x4"),
    ("bool", 6, 8, 1, "bool"),
    ("boolx4", 6, 8, 4, "boolx4"),
    ("bool1", 6, 1, 1, "bool1"),
    ("handle", 3, 64, 1, "handle"),
    ("bfloat", 4, 16, 1, "bfloat16"),
    ("bfloat16x2", 4, 16, 2, "bfloat16x2"),
    ("i8", 0, 8, 1, "int8"),
    ("u64", 1, 64, 1, "uint64"),
    ("f16x8", 2, 16, 8, "float16x8"),
    ("bf16", 4, 16, 1, "bfloat16"),
    ("u1", 1, 1, 1, "uint1"),
    ("complex64", 5, 64, 1, "complex64"),
    ("fp8_e5m2fnuz", 13, 8, 1, "float8_e5m2fnuz"),
    ("f6_e3m2fnx4", 16, 6, 4, "float6_e3m2fnx4"),
    ("", 3, 0, 0, ""),
    ("void", 3, 0, 0, ""),
    ("int32xvscalex4", 0, 32, -4, "int32xvscalex4"),
    ("float4_e2m1fnx2", 17, 4, 2, "float4_e2m1fnx2"),
    ("float4_e2m1fn_x2", 17, 4, 2, "float4_e2m1fnx2"),
    ("f4_e2m1fn", 17, 4, 1, "float4_e2m1fn"),
    ("fp8_e4m3fnx4", 10, 8, 4, "float8_e4m3fnx4"),
    *((name, code, int(name[5]), 1, name) for name, code in SMALL_FLOATS.items()),
]


@pytest.mark.spec("PY-D89", "PY-D90", "PY-I231", "PY-I234")
@pytest.mark.parametrize(("text", "code", "bits", "lanes", "canonical"), TEXTS)
def test_text(echo, text, code, bits, lanes, canonical):
    made = dtype(text)
    assert (made.type_code, made.bits, made.lanes) == (code, bits, lanes)
    assert str(made) == text
    assert repr(made) == f"dtype('{text}')"
    returned = echo(made)
    assert type(returned) is dtype
    assert str(returned) == canonical
    assert (returned.type_code, returned.bits, returned.lanes) == (code, bits, lanes)
    assert str(core.DataType(text)) == canonical


@pytest.mark.spec("PY-I235")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x4", "unknown dtype `x4`"),
        ("float32z", "unknown dtype `float32z`"),
        ("Int8", "unknown dtype `Int8`"),
        ("int 8", "unknown dtype `int 8`"),
        ("i", "unknown dtype `i`"),
        ("float8_bad", "unknown float8 type `float8_bad`"),
        ("float6_bad", "unknown float6 type `float6_bad`"),
        ("float4_bad", "unknown float4 type `float4_bad`"),
        (
            "int32x0",
            "Invalid lanes specification in dtype 'int32x0'. Lanes must be a positive integer.",
        ),
        ("int8x65536", "Lanes value 65536 is out of range for uint16_t in dtype 'int8x65536'"),
        ("int256", "Bits value 256 is out of range for uint8_t in dtype 'int256'"),
        ("custom[mine]8", "Function dtype.get_custom_type_code not found"),
    ],
)
def test_bad_text(text, message):
    for make in (dtype, core.DataType):
        with pytest.raises(ValueError, match=re.escape(message)):
            make(text)
    assert not dtype.is_dtype(text)


@pytest.mark.parametrize("text", ["x" * 10_000, "int8\0", "int8x" + "9" * 500, "ünt8", "custom["])
def test_hostile_text(text):
    with pytest.raises(ValueError, match=r"dtype|custom"):
        dtype(text)


def test_it_is_a_string():
    made = dtype("f32")
    assert isinstance(made, str)
    assert made == "f32"
    assert made != dtype("float32")
    assert hash(made) == hash("f32")
    assert {dtype("int8"): 1}["int8"] == 1
    assert made.startswith("f")
    with pytest.raises(AttributeError):
        made.attribute = 1
    with pytest.raises(ValueError, match="unknown dtype `5`"):
        dtype(5)


@pytest.mark.spec("PY-I232")
@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("float32x4", 16), ("float4_e2m1fnx4", 2), ("float4_e2m1fn", 1), ("bool", 1)),
        *(("float6_e2m3fnx4", 3), ("void", 0)),
    ],
)
def test_itemsize(text, size):
    assert dtype(text).itemsize == size


@pytest.mark.spec("PY-I232")
def test_itemsize_of_scalable_vectors():
    with pytest.raises(ValueError, match="Cannot determine itemsize for scalable vector types"):
        _ = dtype("int32xvscalex4").itemsize


@pytest.mark.spec("PY-I233")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("bool", "bool"), ("int8", "integer"), ("uint8", "integer"), ("handle", "handle")),
        *(("float16", "float"), ("bfloat16", "float")),
        *((name, "float") for name in SMALL_FLOATS),
    ],
)
def test_kind(text, kind):
    made = dtype(text)
    kinds = ("bool", "integer", "float", "handle")
    assert [name for name in kinds if getattr(made, f"is_{name}")] == [kind]


@pytest.mark.spec("PY-I233")
def test_with_lanes():
    made = dtype("f32x8")
    assert made.with_lanes(4) == "float32x4"
    assert made.with_lanes(-4) == "float32xvscalex4"
    assert made.with_lanes(1) == made.with_lanes(0) == "float32"
    assert made.with_lanes(0).lanes == 0
    for bad in (2**15, -(2**15) - 1, 2**40):
        with pytest.raises(OverflowError):
            made.with_lanes(bad)
    with pytest.raises((TypeError, AttributeError)):
        made.with_lanes("4")


@pytest.mark.spec("PY-I233")
def test_from_dlpack_data_type():
    assert dtype.from_dlpack_data_type((2, 32, 4)) == "float32x4"
    assert type(dtype.from_dlpack_data_type((0, 8, 1))) is dtype
    with pytest.raises(ValueError, match="unknown type_code=99"):
        dtype.from_dlpack_data_type((99, 8, 1))


@pytest.mark.spec("PY-I233")
def test_is_dtype():
    assert dtype.is_dtype("int8")
    assert dtype.is_dtype(dtype("int8"))
    assert dtype.is_dtype(core.DataType("int8"))
    for other in (None, 5, b"int8", "no such type", ["int8"]):
        assert not dtype.is_dtype(other)


@pytest.mark.spec("PY-A9")
def test_type_codes():
    assert tvm_ffi._dtype.dtype is dtype
    assert tvm_ffi._dtype.float4_e2m1fn_x2 is tvm_ffi.float4_e2m1fnx2
    assert (DataTypeCode.INT, DataTypeCode.BOOL, DataTypeCode.Float4E2M1FN) == (0, 6, 17)
    assert 5 not in [int(code) for code in DataTypeCode]


@pytest.mark.spec("PY-I238")
def test_native_data_type():
    assert core.DataType("int8") == core.DataType("i8")
    assert core.DataType("int8") != core.DataType("uint8")
    assert hash(core.DataType("int8")) == hash(core.DataType("i8"))
    with pytest.raises(TypeError):
        core.DataType(5)


@pytest.mark.spec("PY-I237")
@pytest.mark.parametrize("text", ["f32", "int8x4", "float4_e2m1fn_x2", ""])
def test_copies(text):
    made = dtype(text)
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert type(other) is dtype
        assert (str(other), other.bits, other.lanes) == (text, made.bits, made.lanes)
    native = core.DataType(text)
    assert pickle.loads(pickle.dumps(native)) == native


@pytest.mark.spec("PY-D116")
def test_typed_function():
    identity = tvm_ffi.get_global_func("testing.schema_id_dtype")
    assert identity("f32") == "float32"
    assert identity(dtype("int8x4")) == "int8x4"
    with pytest.raises(ValueError, match="unknown dtype `float32z`"):
        identity("float32z")
    with pytest.raises(TypeError):
        identity(5)


@pytest.mark.parametrize("lanes", [None, 1.5, "2", float("nan")])
def test_lanes_that_are_not_an_integer(lanes):
    with pytest.raises(TypeError, match="integer"):
        tvm_ffi.dtype("int8").with_lanes(lanes)


@pytest.mark.spec("PY-D92", "PY-E123", "PY-I236", "PY-I237")
def test_numpy(echo):
    np = pytest.importorskip("numpy")
    names = dtype._NUMPY_DTYPE_TO_STR
    assert names[np.dtype("float32")] == "float32"
    for numpy_dtype, name in names.items():
        assert echo(numpy_dtype) == name
        assert tvm_ffi.convert(numpy_dtype) == name
        assert np.dtype(dtype(name)) == numpy_dtype
    with pytest.raises(ValueError, match="Unsupported numpy"):
        echo(np.dtype("U3"))


@pytest.mark.spec("PY-I236")
@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float4_e2m1fn", "int4", "uint2"])
def test_ml_dtypes(echo, name):
    np = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kind = np.dtype(getattr(ml_dtypes, name))
    assert echo(kind) == tvm_ffi.convert(kind) == name


def test_numpy_types_without_counterpart(echo):
    np = pytest.importorskip("numpy")
    for text in ("longdouble", ">i4", "S3", "M8[s]", "i4,i4", "O"):
        numpy_dtype = np.dtype(text)
        with pytest.raises(ValueError, match="Unsupported numpy or ml_dtypes dtype: ") as caught:
            echo(numpy_dtype)
        assert caught.value.args[1] is numpy_dtype
        with pytest.raises(KeyError):
            tvm_ffi.convert(numpy_dtype)
    # NumPy data types with another name or with metadata are also converted.
    assert echo(np.dtype("q")) == "int64"
    assert echo(np.dtype("int8", metadata={"note": 1})) == "int8"


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_torch_types(run_python):
    printed = run_python(
        "import torch, tvm_ffi; echo = tvm_ffi.get_global_func('testing.echo');"
        "print(*map(echo, (torch.float32, torch.bool, torch.bfloat16, torch.float8_e5m2)))"
    )
    assert printed == "float32 bool bfloat16 float8_e5m2"


def test_types_of_a_package_called_torch(run_python):
    """Use a fake package torch, since only the name of a data type is read from the package."""
    program = """
import sys, types
def __init__(self, name): self.name = name
def __repr__(self): return self.name
namespace = {"__module__": "torch", "__init__": __init__, "__repr__": __repr__}
dtype = type("torch.dtype", (), namespace)
import tvm_ffi
echo = tvm_ffi.get_global_func("testing.echo")
early = dtype("torch.float32")
assert echo(early) is early
sys.modules["torch"] = types.SimpleNamespace(dtype=dtype)
names = "float32 bool bfloat16 uint8 float8_e8m0fnu float4_e2m1fn_x2 complex64"
print(*(echo(dtype(f"torch.{name}")) for name in names.split()))
print(repr(tvm_ffi.convert(dtype("torch.int8"))))
for refuse in (echo, tvm_ffi.convert):
    try:
        refuse(dtype("torch.qint8"))
    except (ValueError, KeyError) as error:
        print(repr(error))
"""
    assert run_python(program).splitlines() == [
        "float32 bool bfloat16 uint8 float8_e8m0fnu float4_e2m1fnx2 complex64",
        "dtype('int8')",
        "ValueError('Unsupported torch dtype: ', torch.qint8)",
        "KeyError(torch.qint8)",
    ]


def test_data_types_of_a_replaced_class(run_python):
    pytest.importorskip("numpy")
    printed = run_python(
        "import numpy, tvm_ffi; from tvm_ffi import core;"
        "mine = type('mine', (str,), {}); core._set_class_dtype(mine);"
        "echo = tvm_ffi.get_global_func('testing.echo');"
        "print(*(type(f(numpy.dtype('int8'))).__name__ for f in (echo, tvm_ffi.convert)))"
    )
    assert printed == "mine mine"

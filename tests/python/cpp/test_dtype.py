# SPDX-License-Identifier: Apache-2.0
"""Test the C++ types of data types."""

from __future__ import annotations

import sys
import types

import pytest

import tvm_ffi
from tvm_ffi.cpp import dtype, to_cpp_dtype


@pytest.fixture(autouse=True)
def forget():
    dtype._determine_backend_once.cache_clear()
    yield
    dtype._determine_backend_once.cache_clear()


def pretend(monkeypatch, available, hip):
    fake = types.SimpleNamespace(
        cuda=types.SimpleNamespace(is_available=lambda: available),
        version=types.SimpleNamespace(hip=hip),
    )
    monkeypatch.setitem(sys.modules, "torch", fake)


@pytest.mark.spec("TOOL-X14")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("int8", "int8_t"),
        ("int16", "int16_t"),
        ("int32", "int32_t"),
        ("int64", "int64_t"),
        ("uint8", "uint8_t"),
        ("uint16", "uint16_t"),
        ("uint32", "uint32_t"),
        ("uint64", "uint64_t"),
        ("float32", "float"),
        ("float64", "double"),
        ("bool", "bool"),
        ("torch.int32", "int32_t"),
        (tvm_ffi.dtype("int32"), "int32_t"),
    ],
)
def test_types_of_the_processor(name, expected):
    assert to_cpp_dtype(name) == expected


@pytest.mark.spec("TOOL-X14")
def test_objects_with_a_name():
    class TorchType:
        def __str__(self):
            return "torch.float64"

    assert to_cpp_dtype(TorchType()) == "double"


def test_without_a_gpu(monkeypatch):
    pretend(monkeypatch, False, None)
    for name in ("float16", "zz", 5):
        message = rf"^Unsupported dtype string: {name} for backend = 'cpu'$"
        with pytest.raises(ValueError, match=message):
            to_cpp_dtype(name)


@pytest.mark.parametrize(
    ("hip", "expected"),
    [
        (None, {"float16": "__half", "bfloat16": "__nv_bfloat16", "float8_e5m2": "__nv_fp8_e5m2"}),
        (
            "6",
            {
                "float16": "__half",
                "bfloat16": "__hip_bfloat16",
                "float8_e4m3fnuz": "__hip_fp8_e4m3_fnuz",
            },
        ),
    ],
)
def test_with_a_gpu(monkeypatch, hip, expected):
    pretend(monkeypatch, True, hip)
    assert {name: to_cpp_dtype(f"torch.{name}") for name in expected} == expected
    with pytest.raises(ValueError, match="backend = "):
        to_cpp_dtype("zz")
    pretend(monkeypatch, False, None)
    assert to_cpp_dtype("float16") == "__half"  # the cached result of the lookup with a GPU


@pytest.mark.spec("TOOL-X14")
def test_complete_maps():
    assert dtype.CUDA_DTYPE_MAP == {
        "float16": "__half",
        "bfloat16": "__nv_bfloat16",
        "float8_e4m3fn": "__nv_fp8_e4m3",
        "float8_e5m2": "__nv_fp8_e5m2",
        "float8_e8m0fnu": "__nv_fp8_e8m0",
        "float4_e2m1": "__nv_fp4_e2m1",
        "float4_e2m1fn_x2": "__nv_fp4x2_e2m1",
    }
    assert set(dtype.ROCM_DTYPE_MAP) == {
        *("float16", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz"),
        *("float8_e5m2", "float8_e5m2fnuz", "float4_e2m1", "float4_e2m1fn_x2"),
    }

# SPDX-License-Identifier: Apache-2.0
"""The tool accepts and writes the same texts for devices and data types as the runtime."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi_schema.ir import native_text

DTYPES = [
    *("void", "bool", "bool8", "boolx4", "bool1", "float", "int", "uint", "bfloat", "handle"),
    *("handle64", "i32", "u8x1", "f16", "bf16", "int0", "int08", "float32x4", "float32x1"),
    *("float8_e4m3", "float8_e4m3x4", "fp8_e5m2", "fp4_e2m1fnx2", "float32xvscalex4", "int32x0"),
    *("int300", "int32x70000", "str", "flaot32", "float8_e4m38", "void8", "i", "32", "int32x"),
]
DEVICES = ("cpu:1", "cuda:", "gpu", "CPU", "cuda: 1", "cpu:99999999999", "ext_dev:2", "cuda:01")


@pytest.mark.parametrize("text", ["", *DTYPES])
def test_data_types_are_read_and_written_as_the_runtime_does(text):
    try:
        name = str(tvm_ffi.Array([tvm_ffi.dtype(text)])[0])
    except ValueError:
        assert not native_text.is_dtype(text)
        return
    assert native_text.is_dtype(text)
    assert native_text.dtype_name(text) == name


@pytest.mark.parametrize("text", [*native_text.DEVICES, *DEVICES])
def test_devices_are_read_and_written_as_the_runtime_does(text):
    try:
        name = str(tvm_ffi.device(text))
    except (ValueError, OverflowError):
        assert native_text.cpp_device(text) is None
        return
    assert native_text.device_name(text) == name
    number = name.partition(":")[2]
    assert str(native_text.cpp_device(text)).endswith(f", {number}}}")

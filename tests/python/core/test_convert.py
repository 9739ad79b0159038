# SPDX-License-Identifier: Apache-2.0
"""Test ``tvm_ffi.convert``, which turns values into values of the library."""

from __future__ import annotations

import ctypes

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import convert, core


@pytest.mark.spec("PY-E121")
@pytest.mark.parametrize(
    ("value", "cls"),
    [
        ([1], tvm_ffi.Array),
        ((), tvm_ffi.Array),
        ({}, tvm_ffi.Map),
        ("a", core.String),
        (b"a", core.Bytes),
        (bytearray(b"a"), core.Bytes),
        (lambda: 1, tvm_ffi.Function),
        (None, type(None)),
    ],
)
def test_e121_the_ffi_type_of_a_value(value, cls):
    assert type(convert(value)) is cls


@pytest.mark.spec("PY-E122")
@pytest.mark.parametrize(
    "value", [5, 10**30, 1.5, True, 1j, ctypes.c_void_p(3), tvm_ffi.dtype("int8")]
)
def test_e122_values_that_stay(value):
    assert convert(value) is value


@pytest.mark.spec("PY-E123")
def test_e123_tensors_and_data_types():
    np = pytest.importorskip("numpy")
    assert isinstance(convert(np.arange(3)), tvm_ffi.Tensor)
    assert isinstance(convert(np.dtype("int8")), tvm_ffi.dtype)
    assert convert(np.dtype("int8")) == "int8"


@pytest.mark.spec("PY-E124")
def test_e124_an_exception():
    assert convert(ValueError("q")).message == "q"


@pytest.mark.spec("PY-E125")
@pytest.mark.parametrize("name", ["__tvm_ffi_int__", "__tvm_ffi_float__", "__tvm_ffi_opaque_ptr__"])
def test_e125_values_with_a_number_stay(name):
    value = type("Given", (), {name: lambda self: 1})()
    assert convert(value) is value


@pytest.mark.spec("PY-E126")
def test_e126_a_shape_keeps_its_native_form():
    shape = tvm_ffi.Shape((1, 2))
    again = convert(shape)
    assert again._tvm_ffi_cached_object.same_as(shape._tvm_ffi_cached_object)


@pytest.mark.spec("PY-E127")
def test_e127_ffi_values_are_returned_as_they_are(echo):
    np = pytest.importorskip("numpy")
    tensor = tvm_ffi.from_dlpack(np.zeros(2))
    device, error = tvm_ffi.device("cpu"), core.Error("a", "b", "")
    for value in (echo, tensor, device, error, core.DataType("int8"), convert(object())):
        assert convert(value) is value

# SPDX-License-Identifier: Apache-2.0
"""Test that typed tensors of Rust accept and refuse the same arrays as those of C++."""

from __future__ import annotations

import ctypes
import json

import numpy as np
import pytest
from layouts import DLDataType, DLDevice, DLTensor, capsule

import tvm_ffi
from tvm_ffi.cpp import load_inline

SOURCE = r"""
namespace ffi = tvm::ffi;
using ffi::TypedTensor;
using ffi::TypedTensorView;

int64_t row_major(TypedTensorView<const float, 1> x) { return x.numel(); }
int64_t column_major(TypedTensorView<const int, 2, ffi::ColumnMajor> x) { return x.numel(); }
int64_t inner_contiguous(TypedTensorView<const uint8_t, ffi::AnyRank, ffi::InnerContiguous> x) {
  return x.numel();
}
int64_t strided(TypedTensorView<double, 2, ffi::Strided> x) { return x.numel(); }
int64_t on_cuda(TypedTensorView<const int64_t, 1, ffi::Cuda> x) { return x.numel(); }
int64_t on_rocm(TypedTensorView<const int8_t, 0, ffi::Rocm> x) { return x.numel(); }
int64_t anywhere(TypedTensorView<const uint16_t, 3, ffi::AnyDevice> x) { return x.numel(); }
TypedTensor<float, 2> twice(TypedTensor<float, 2> x) { return x; }
void add_to(TypedTensorView<const float, 1> x, TypedTensorView<float, 1> y) {}
"""
NAMES = ["row_major", "column_major", "inner_contiguous", "strided"]
NAMES += ["on_cuda", "on_rocm", "anywhere", "twice", "add_to"]


def read_only(array):
    array.flags.writeable = False
    return array


class Foreign:
    """An array on a device that this machine need not have, over DLPack."""

    def __init__(self, shape, dtype, device, data=4096):
        self.device = device
        self.arrays = [(ctypes.c_int64 * len(shape))(*shape)]
        strides = [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
        self.arrays.append((ctypes.c_int64 * len(shape))(*strides))
        dtype = np.dtype(dtype)
        code = {"i": 0, "u": 1, "f": 2}[dtype.kind]
        bits = dtype.itemsize * 8
        self.managed = (ctypes.c_uint8 * 80)()
        kind = DLDataType(code, bits, 1)
        tensor = DLTensor(data, DLDevice(*device), len(shape), kind, *self.arrays, 0)
        ctypes.memmove(self.managed, ctypes.byref(tensor), ctypes.sizeof(tensor))

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        return capsule(ctypes.addressof(self.managed), b"dltensor")


ARRAYS = {
    **{
        f"{dtype} of rank {rank}": np.zeros((2, 3, 1, 2)[:rank], dtype)
        for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?", "c8")
        for rank in range(5)
    },
    **{
        f"{name} {dtype}": array.astype(dtype, order="K")[index]
        for dtype in ("i4", "u1", "u2", "f4", "f8")
        for name, array, index in [
            ("fortran", np.zeros((2, 3), order="F"), ...),
            ("sliced", np.zeros((4, 6)), np.s_[::2, ::2]),
            ("rows", np.zeros((4, 6)), np.s_[::2, :]),
            ("vector with steps", np.zeros(8), np.s_[::2]),
            ("reversed", np.zeros(8), np.s_[::-1]),
            ("reversed matrix", np.zeros((2, 3)), np.s_[::-1, :]),
            ("one element", np.zeros(8), np.s_[::9]),
            ("empty", np.zeros((8, 0)), np.s_[::2]),
            ("empty vector", np.zeros(0), ...),
            ("empty cube", np.zeros((0, 2, 2)), ...),
        ]
    },
    "repeated f8": np.broadcast_to(np.zeros(3), (2, 3)),
    "repeated f4": np.broadcast_to(np.float32(0), (3,)),
    "misaligned f4": np.frombuffer(bytearray(17), "u1")[1:].view("f4"),
    "misaligned u2": np.frombuffer(bytearray(17), "u1")[1:].view("u2").reshape(2, 2, 2),
    "misaligned f8": np.frombuffer(bytearray(17), "u1")[1:].view("f8").reshape(1, 2),
    "read-only f4": read_only(np.zeros(3, "f4")),
    "read-only f8": read_only(np.zeros((3, 1))),
    "None": None,
    "an int": 3,
    "a str": "text",
    "a long str": "a text of many characters",
    "a list": [1.0],
    "a function": len,
    **{
        f"{dtype} on {device}": Foreign(shape, dtype, device)
        for device in [(1, 0), (2, 0), (2, 1), (3, 0), (7, 0), (10, 2), (11, 0), (13, 0)]
        for dtype, shape in [("f4", (2,)), ("i8", (2,)), ("i1", ()), ("u2", (1, 2, 1))]
    },
    "misaligned on cuda": Foreign((2,), "i8", (2, 0), 4097),
    "misaligned handle": Foreign((1, 2, 1), "u2", (7, 0), 4097),
}


@pytest.fixture(scope="module")
def cpp():
    return load_inline("rust_typed_tensors", cpp_sources=SOURCE, functions=NAMES)


@pytest.fixture(scope="module")
def rust(rust_library):
    return tvm_ffi.load_module(rust_library(metadata=True))


def outcome(function, *arguments):
    """Return the result of a call, or the kind and message of its error."""
    try:
        result = function(*arguments)
    except (TypeError, ValueError, BufferError) as error:
        return type(error), str(error).replace("rust_typed_tensors.", "rust_exports.")
    return result if isinstance(result, int) else None


@pytest.mark.parametrize("name", NAMES[:-1])
def test_the_same_arrays_are_refused_in_the_same_words(cpp, rust, name):
    outcomes = {}
    for key, array in ARRAYS.items():
        outcomes[key] = outcome(getattr(cpp, name), array)
        assert outcome(getattr(rust, name), array) == outcomes[key], key
    errors = [error for error in outcomes.values() if isinstance(error, tuple)]
    assert len(errors) < len(outcomes)
    assert {kind for kind, _ in errors} >= {TypeError, ValueError}
    assert len(set(errors)) > 10


def test_the_second_argument_is_named(cpp, rust):
    x, wrong = np.zeros(2, "f4"), np.zeros(2)
    error = outcome(rust.add_to, x, wrong)
    kind, text = outcome(cpp.add_to, x, wrong)
    assert error == (kind, text.replace("-> void", "-> None"))
    assert error[1].startswith("Mismatched type on argument #1 when calling: `add_to(0: Tensor[")


@pytest.mark.parametrize("name", NAMES)
def test_metadata_is_the_same(cpp, rust, name):
    schemas = [json.loads(m.get_function_metadata(name)["type_schema"]) for m in (rust, cpp)]
    assert schemas[0] == schemas[1]
    assert "tensor" in schemas[0]["named_args"]["params"][0]


def test_elements_of_arrays_are_shared(rust):
    x, y = np.arange(3, dtype="f4"), np.ones(3, "f4")
    rust.add_to(x, y)
    assert y.tolist() == [1, 2, 3]
    rust.add_to(y, y)
    assert y.tolist() == [2, 4, 6]
    assert np.asarray(rust.twice(x.reshape(1, 3))).tolist() == [[0, 2, 4]]

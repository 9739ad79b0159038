# SPDX-License-Identifier: Apache-2.0
"""Test that reading a NumPy array directly gives the same tensor as DLPack does."""

from __future__ import annotations

import gc
import sys
import weakref

import numpy
import pytest

import tvm_ffi
from tvm_ffi._values.numpy import samples_of_layout

echo = tvm_ffi.get_global_func("testing.echo")
PLAIN = [
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("longlong", "ulonglong", "intc", "uintc", "intp", "uintp"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]


def by_capsule(array: numpy.ndarray) -> tvm_ffi.Tensor:
    """Return the tensor that the DLPack protocol makes."""
    return tvm_ffi.from_dlpack(array.__dlpack__(max_version=(1, 3)))


@pytest.mark.parametrize("dtype", PLAIN)
@pytest.mark.parametrize("take", [echo, tvm_ffi.from_dlpack], ids=["call", "from_dlpack"])
def test_every_plain_type_equals_the_protocol(take, dtype):
    whole = numpy.arange(24).reshape(2, 3, 4).astype(dtype)
    for array in (whole, whole[:, ::-1, ::2], whole.T, whole[0, 0, 0:0], whole[1, 2, 3, None]):
        tensor, expected = take(array), by_capsule(array)
        assert tensor.dtype == expected.dtype
        assert tensor.shape == expected.shape
        # An extent of 1 has no stride that matters, and versions of NumPy export different ones.
        assert [s for n, s in zip(tensor.shape, tensor.strides) if n != 1] == [
            s for n, s in zip(expected.shape, expected.strides) if n != 1
        ]
        assert tensor.data_ptr() == expected.data_ptr()
        assert tensor.device == expected.device


def test_an_array_lives_as_long_as_the_tensor():
    array = numpy.arange(5)
    gone = weakref.ref(array)
    tensor = echo(array)
    del array
    gc.collect()
    assert gone() is not None
    assert tensor.numpy().tolist() == [0, 1, 2, 3, 4]
    del tensor
    gc.collect()
    assert gone() is None


def test_the_memory_is_shared():
    array = numpy.zeros(3)
    tensor = echo(array)
    array[1] = 7
    assert tensor.numpy().tolist() == [0, 7, 0]


def test_a_subclass_decides_how_it_is_exported():
    class Mine(numpy.ndarray):
        def __dlpack__(self, **_):
            raise RuntimeError("asked")

    with pytest.raises(RuntimeError, match="asked"):
        echo(numpy.zeros(3).view(Mine))


def test_a_read_only_array_is_refused_and_named():
    array = numpy.zeros(3)
    array.flags.writeable = False
    with pytest.raises(BufferError, match=r"read-only|readonly"):
        echo(array)


def test_types_that_are_no_plain_numbers_are_refused():
    for array in (numpy.zeros(2, "longdouble"), numpy.zeros(2, "U3"), numpy.array([None])):
        with pytest.raises((BufferError, TypeError, ValueError)):
            echo(array)


def test_the_samples_of_the_layout_are_for_numpy_alone():
    assert len(samples_of_layout(numpy.ndarray)) == 6
    assert samples_of_layout(dict) == []


def test_counts_return_to_what_they_were():
    array = numpy.zeros(3)
    dtype_count, count = sys.getrefcount(array.dtype), sys.getrefcount(array)
    for _ in range(100):
        echo(array)
    assert sys.getrefcount(array) == count
    assert abs(sys.getrefcount(array.dtype) - dtype_count) <= 1

# SPDX-License-Identifier: Apache-2.0
"""Test that reading a NumPy array directly gives the same tensor as DLPack does."""

from __future__ import annotations

import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

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


# ---- arrays that a call borrows ----

apply = tvm_ffi.get_global_func("testing.apply")
make_array = tvm_ffi.get_global_func("ffi.Array")


def test_a_call_keeps_nothing():
    array = numpy.arange(1000)
    before = sys.getrefcount(array)

    class Refused:
        def __tvm_ffi_value__(self):
            raise LookupError("no value")

    for _ in range(3):
        apply(lambda _: None, array)
        with pytest.raises(LookupError, match="no value"):
            echo(array, Refused())
    assert sys.getrefcount(array) == before


def test_what_the_callee_keeps_owns_the_array():
    arrays = [numpy.full(100, n) for n in range(50)]
    gone = [weakref.ref(array) for array in arrays]
    kept = make_array(*arrays)
    again = [echo(array) for array in arrays]
    del arrays
    gc.collect()
    others = [numpy.zeros(100) for _ in range(50)]
    for n, tensor in enumerate(kept):
        assert tensor.numpy().tolist() == [n] * 100, others
        assert again[n].numpy().tolist() == [n] * 100
    del kept, again, tensor
    gc.collect()
    assert all(ref() is None for ref in gone)


def test_a_callback_keeps_the_tensor():
    kept = []
    for n in range(3):
        apply(kept.append, numpy.full(4, n))
    gc.collect()
    assert [tensor.numpy().tolist() for tensor in kept] == [[n] * 4 for n in range(3)]


def test_each_call_sees_the_present_memory():
    array = numpy.arange(6)
    assert echo(array).shape == (6,)
    array.shape = (2, 3)
    assert echo(array).strides == (3, 1)
    array = array.T
    assert (echo(array).shape, echo(array).strides) == ((3, 2), (1, 3))


def test_calls_inside_calls():
    outer = numpy.arange(8)

    def inner(given):
        assert given.data_ptr() == outer.ctypes.data
        for n in range(40):
            assert echo(numpy.full(3, n)).numpy().tolist() == [n] * 3
        return given

    for _ in range(3):
        assert apply(inner, outer).numpy().tolist() == list(range(8))


def test_many_arrays_and_dimensions():
    for count in (1, 7, 8, 9, 40):
        arrays = [numpy.full((1,) * (n % 12), n) for n in range(count)]
        back = make_array(*arrays)
        assert [x.shape for x in back] == [x.shape for x in arrays]
        assert [int(x.numpy().sum()) for x in back] == list(range(count))


def test_strides_that_are_not_whole_elements_are_refused_after_a_borrow():
    records = numpy.zeros(4, dtype=[("a", "i4"), ("b", "i1")])
    for _ in range(40):
        assert echo(numpy.zeros(2)).shape == (2,)
        with pytest.raises(BufferError, match="ascontiguousarray"):
            echo(records["a"])


def test_threads_pass_their_own_arrays():
    def work(value):
        array = numpy.full(10, value)
        for _ in range(300):
            assert apply(lambda x: x, array).numpy()[0] == value
            assert echo(array).data_ptr() == array.ctypes.data

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(6))) == [None] * 6


@pytest.mark.parametrize("prepared", [False, True])
@pytest.mark.parametrize("when", ["in a callback", "while a later argument is converted"])
def test_an_array_of_a_call_cannot_be_resized(prepared, when):
    """The memory of an array was freed during a call, because the call held no reference to it."""
    kept, refused = [], []

    class Later:
        def __tvm_ffi_value__(self):
            resize()
            return 1

    def resize():
        try:
            calls[0][1].resize(1_000_000)  # the tuple has the only reference
        except ValueError as error:
            refused.append(str(error))

    def callback(tensor, _):
        kept.append(tensor)
        resize()

    last = Later() if when.startswith("while") else 1
    calls = [(callback, numpy.ones(1000), last)]
    function = tvm_ffi.get_global_func("testing.apply")
    if prepared:
        function = function.prepare(callback, numpy.ones(1), last)
    function(*calls[0])
    assert refused
    assert all("cannot resize" in text for text in refused)
    calls.clear()
    others = [numpy.full(1000, 7.0) for _ in range(50)]
    assert kept[0].numpy().tolist() == [1.0] * 1000, others


def test_an_array_after_the_call_can_be_resized():
    array = numpy.ones(3)
    tvm_ffi.get_global_func("testing.nop")(array)
    array.resize(5)
    assert array.tolist() == [1, 1, 1, 0, 0]

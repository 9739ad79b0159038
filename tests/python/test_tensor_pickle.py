# SPDX-License-Identifier: Apache-2.0
"""Test pickling and copying of tensors; from protocol 5 on, the memory is a separate buffer."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest

import tvm_ffi
from tvm_ffi import core

np = pytest.importorskip("numpy")

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def samples():
    base = np.arange(24, dtype="float32").reshape(2, 3, 4)
    return {
        "contiguous": base,
        "sliced": base[:, 1:, ::2],
        "transposed": base.T,
        "negative stride": base[::-1, ::-1],
        "broadcast": np.lib.stride_tricks.as_strided(np.arange(4.0), (3, 4), (0, 8)),
        "scalar": np.array(5, dtype="int64"),
        "empty": np.zeros((0, 3), dtype="int8"),
        "bool": np.array([True, False]),
        "complex": np.array([1 + 2j, 3j]),
        "uint64": np.array([2**64 - 1], dtype="uint64"),
        "offset": base[1, 1:],
    }


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", samples())
def test_a_loaded_tensor_is_equal_compact_and_owns_its_memory(name, protocol):
    array = samples()[name]
    tensor = tvm_ffi.from_dlpack(array)
    loaded = pickle.loads(pickle.dumps(tensor, protocol))
    assert type(loaded) is tvm_ffi.Tensor
    assert (loaded.shape, loaded.dtype) == (tensor.shape, tensor.dtype)
    assert loaded.is_contiguous()
    # From protocol 5 on, the tensor uses the memory into which pickle reads the elements.
    assert loaded.data_ptr() % (64 if protocol < 5 else array.itemsize) == 0
    assert (loaded.numpy() == array).all()
    if array.size:
        assert loaded.data_ptr() != tensor.data_ptr()
        loaded.numpy().flat[0] = 0
        assert pickle.loads(pickle.dumps(tensor, protocol)).numpy().flat[0] == array.flat[0]


def test_protocol_5_offers_the_memory_itself():
    array = np.arange(1000, dtype="int32")
    tensor = tvm_ffi.from_dlpack(array)
    buffers = []
    text = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert len(text) < 500
    assert len(buffers) == 1
    raw = buffers[0].raw()
    assert raw.nbytes == 4000
    assert not raw.readonly
    assert np.frombuffer(raw, "int32").ctypes.data == array.ctypes.data
    array[0] = 77
    loaded = pickle.loads(text, buffers=buffers)
    assert loaded.numpy()[0] == 77
    loaded.numpy()[1] = 5
    assert array[1] == 5


def test_a_strided_tensor_is_offered_compact():
    buffers = []
    tensor = tvm_ffi.from_dlpack(np.arange(10, dtype="int64")[::2])
    text = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert buffers[0].raw().nbytes == 40
    assert pickle.loads(text, buffers=buffers).numpy().tolist() == [0, 2, 4, 6, 8]


def test_the_memory_lives_as_long_as_the_offer(use_count):
    tensor = tvm_ffi.from_dlpack(np.arange(10))
    buffers = []
    pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert use_count(tensor) == 2
    raw = buffers.pop().raw()
    assert use_count(tensor) == 2
    del raw
    gc.collect()
    assert use_count(tensor) == 1


def test_copies_have_memory_of_their_own():
    array = np.arange(3)
    tensor = tvm_ffi.from_dlpack(array)
    for made in (copy.copy(tensor), copy.deepcopy(tensor), copy.deepcopy([tensor])[0]):
        assert made.data_ptr() != tensor.data_ptr()
        assert made.numpy().tolist() == [0, 1, 2]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_elements_that_are_not_whole_bytes(protocol):
    packed = core._tensor_from_buffer(core.Tensor, (17, 4, 1), (5,), b"\x12\x34\x05")
    assert packed.dtype == "float4_e2m1fn"
    loaded = pickle.loads(pickle.dumps(packed, protocol))
    assert (loaded.shape, loaded.dtype) == ((5,), "float4_e2m1fn")
    assert loaded.__reduce__()[1][3] == b"\x12\x34\x05"


def test_elements_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = np.arange(4).astype(ml_dtypes.bfloat16)
    loaded = pickle.loads(pickle.dumps(tvm_ffi.from_dlpack(array)))
    assert loaded.dtype == "bfloat16"
    assert (loaded.numpy() == array).all()


class Mine(core.Tensor):
    """A tensor class of a client."""


def test_the_class_comes_back():
    tensor = core._tensor_from_buffer(Mine, (0, 8, 1), (3,), b"abc")
    assert type(tensor) is Mine
    loaded = pickle.loads(pickle.dumps(tensor))
    assert type(loaded) is Mine
    assert loaded.numpy().tobytes() == b"abc"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((core.Tensor, (0, 8, 1), (4,), b"abc"), ValueError),
        ((core.Tensor, (0, 8, 1), (2,), b"abc"), ValueError),
        ((core.Tensor, (0, 8, 1), (-3,), b"abc"), ValueError),
        ((core.Tensor, (0, 8, 1), (2**62, 2**62), b""), ValueError),
        ((core.Tensor, (0, 255, 2**14), (2**60,), b""), ValueError),
        ((core.Tensor, (0, 8, 1), (2**64,), b""), OverflowError),
        ((core.Tensor, (0, 8, 1), ("3",), b"abc"), TypeError),
        ((core.Tensor, (0, 8, 1), [3], b"abc"), TypeError),
        ((core.Tensor, (0, 0, 1), (3,), b""), ValueError),
        ((core.Tensor, (256, 8, 1), (3,), b"abc"), ValueError),
        ((core.Tensor, (0, 8, 0), (3,), b"abc"), ValueError),
        ((core.Tensor, (0, 8, 1), (3,), "abc"), TypeError),
        ((core.Tensor, (0, 8, 1), (3,), None), TypeError),
        ((int, (0, 8, 1), (3,), b"abc"), TypeError),
        ((5, (0, 8, 1), (3,), b"abc"), TypeError),
        ((), TypeError),
    ],
)
def test_a_pickle_that_was_tampered_with_is_refused(arguments, error):
    with pytest.raises(error):
        core._tensor_from_buffer(*arguments)


def test_any_buffer_with_the_elements_does():
    for elements in (
        b"abcd",
        bytearray(b"abcd"),
        memoryview(b"abcd"),
        np.frombuffer(b"abcd", "u1"),
    ):
        tensor = core._tensor_from_buffer(core.Tensor, (1, 8, 1), (2, 2), elements)
        assert tensor.numpy().tobytes() == b"abcd"
    assert core._tensor_from_buffer(core.Tensor, (2, 64, 1), (2**62, 0), b"").shape == (2**62, 0)
    assert core._tensor_from_buffer(core.Tensor, (1, 8, 1), (), b"x").ndim == 0


def test_a_view_borrowed_by_a_callback_is_not_pickled():
    view_input = tvm_ffi.get_global_func("testing.schema_tensor_view_input")
    assert view_input(np.arange(3)) is None
    with pytest.raises(ValueError, match="is empty"):
        pickle.dumps(core.Tensor.__new__(core.Tensor))


def test_graphs_still_refuse_tensors():
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    for value in (tensor, tvm_ffi.Array([tensor])):
        with pytest.raises(TypeError, match="does not support ToJSONGraph"):
            tvm_ffi.serialization.to_json_graph_str(value)

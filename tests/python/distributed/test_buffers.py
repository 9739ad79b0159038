# SPDX-License-Identifier: Apache-2.0
"""Test pickles of tensors inside containers and objects, with buffers outside of the stream."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map
from tvm_ffi.dataclasses import py_class


@py_class("test.distributed.Layer")
class Layer(tvm_ffi.Object):
    name: str
    weight: tvm_ffi.Tensor
    extra: Any = None


def tensor(values=(1, 2, 3), dtype="float32"):
    return tvm_ffi.from_dlpack(np.array(values, dtype))


HOLDERS = [
    Array([tensor(), tensor()]),
    List([tensor()]),
    Map({"a": tensor()}),
    Dict({1: tensor()}),
    Array([List([Map({"a": [tensor()]})])]),
    Layer("x", tensor(), Array([tensor()])),
]


@pytest.mark.spec("DIST-D01", "DIST-D02")
@pytest.mark.parametrize("value", HOLDERS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_holders_of_tensors_come_back(value, protocol):
    loaded = pickle.loads(pickle.dumps(value, protocol))
    assert type(loaded) is type(value)
    assert tvm_ffi.structural_equal(loaded, value)


@pytest.mark.spec("DIST-D02")
def test_each_tensor_is_one_buffer_and_stays_one_tensor(dump):
    shared, own = tensor(), tensor((9,))
    dumped = dump([Array([shared, List([shared])]), Layer("x", shared, own), shared])
    assert len(dumped.buffers) == 2
    assert len(dumped.stream) < 1000
    array, layer, alone = dumped.load()
    assert array[0] is array[1][0] is layer.weight is alone
    assert layer.extra.numpy().tolist() == [9]


@pytest.mark.spec("DIST-D03")
def test_a_loaded_tensor_is_over_the_buffer(dump):
    source = tensor()
    loaded = dump(Array([source])).load()[0]
    assert np.shares_memory(loaded.numpy(), source.numpy())
    loaded.numpy()[0] = 7
    assert source.numpy()[0] == 7


@pytest.mark.spec("DIST-D03")
def test_a_read_only_buffer_gives_a_read_only_tensor(dump):
    dumped = dump(tensor())
    read_only = bytes(dumped.buffers[0].raw())
    loaded = pickle.loads(dumped.stream, buffers=[read_only])
    view = loaded.numpy()
    assert not view.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    assert np.shares_memory(view, np.frombuffer(read_only, "float32"))
    assert memoryview(loaded).readonly
    assert not np.asarray(loaded).flags.writeable
    assert not np.from_dlpack(loaded).flags.writeable


@pytest.mark.spec("DIST-D03")
def test_a_consumer_that_wants_to_write_is_refused(dump):
    loaded = dump(tensor()).load(lambda buffer: bytes(buffer.raw()))
    with pytest.raises(BufferError, match="read-only tensor without a DLPack version"):
        loaded.__dlpack__()
    import ctypes

    with pytest.raises((BufferError, TypeError), match=r"read-only|not writable"):
        (ctypes.c_char * 12).from_buffer(loaded)


@pytest.mark.spec("DIST-D03")
def test_native_functions_refuse_a_read_only_tensor_and_python_functions_get_it(dump):
    loaded = dump(tensor()).load(lambda buffer: bytes(buffer.raw()))
    echo = tvm_ffi.get_global_func("testing.echo")
    for arguments in [(loaded,), ([loaded],), ({"a": loaded},)]:
        with pytest.raises(
            BufferError, match=r"read-only (Tensor|tensor) to .*`testing\.echo`, which"
        ):
            echo(*arguments)
    assert echo(copy.copy(loaded)).numpy().tolist() == [1, 2, 3]
    assert tvm_ffi.convert(lambda x: x.numpy().flags.writeable)(loaded) is False
    assert tvm_ffi.structural_equal(loaded, tensor())
    assert tvm_ffi.structural_hash(loaded) == tvm_ffi.structural_hash(tensor())


@pytest.mark.spec("DIST-D03")
def test_read_only_survives_containers_pickles_and_dlpack(dump):
    loaded = dump(Array([tensor()])).load(lambda buffer: bytes(buffer.raw()))[0]
    assert not Array([loaded])[0].numpy().flags.writeable
    assert not pickle.loads(pickle.dumps(loaded, 5)).numpy().flags.writeable
    capsule = loaded.__dlpack__(max_version=(1, 1))
    assert not tvm_ffi.from_dlpack(capsule).numpy().flags.writeable
    assert copy.copy(loaded).numpy().flags.writeable
    assert pickle.loads(pickle.dumps(loaded, 4)).numpy().flags.writeable


@pytest.mark.spec("DIST-D03")
def test_a_pickle_without_buffers_gives_a_writable_tensor():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(tensor(), protocol)).numpy().flags.writeable


class Bytes(bytearray):
    """A buffer that supports weak references."""


@pytest.mark.spec("DIST-D03")
def test_the_buffer_lives_as_long_as_the_tensor_or_a_view(dump):
    dumped = dump(tensor())
    buffer = Bytes(dumped.buffers[0].raw())
    alive = weakref.ref(buffer)
    loaded = pickle.loads(dumped.stream, buffers=[buffer])
    del buffer
    view = loaded.numpy()[1:]
    del loaded
    gc.collect()
    assert alive() is not None
    assert view.tolist() == [2, 3]
    del view
    gc.collect()
    assert alive() is None


@pytest.mark.spec("DIST-D03")
def test_elements_at_an_odd_address_are_copied(dump):
    dumped = dump(tensor())
    memory = bytearray(b"x") + bytes(dumped.buffers[0].raw())
    loaded = pickle.loads(dumped.stream, buffers=[memoryview(memory)[1:]])
    assert loaded.numpy().tolist() == [1, 2, 3]
    assert loaded.data_ptr() % 4 == 0


@pytest.mark.parametrize("size", [0, 8, 11, 13])
def test_a_buffer_of_the_wrong_size_is_refused(dump, size):
    dumped = dump(tensor())
    with pytest.raises(ValueError, match=f"{size} bytes do not fill a tensor of shape"):
        pickle.loads(dumped.stream, buffers=[bytearray(size)])


SHAPES = {
    "strided": lambda: tvm_ffi.from_dlpack(np.arange(12, dtype="int32").reshape(3, 4)[:, ::2]),
    "transposed": lambda: tvm_ffi.from_dlpack(np.arange(6, dtype="int8").reshape(2, 3).T),
    "no elements": lambda: tvm_ffi.from_dlpack(np.zeros((0, 3), "float64")),
    "no dimensions": lambda: tvm_ffi.from_dlpack(np.array(5, "uint16")),
    "bool": lambda: tvm_ffi.from_dlpack(np.array([True, False])),
    "complex": lambda: tvm_ffi.from_dlpack(np.array([1 + 2j])),
}


@pytest.mark.spec("DIST-D10")
@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("convert", [lambda b: b, lambda b: bytes(b.raw())], ids=["same", "bytes"])
def test_shapes_and_types_round_trip(dump, make, convert):
    source = make()
    loaded = dump(Array([source])).load(convert)[0]
    assert (loaded.shape, loaded.dtype) == (source.shape, source.dtype)
    assert loaded.is_contiguous()
    assert np.array_equal(loaded.numpy(), source.numpy())


@pytest.mark.spec("DIST-D10")
@pytest.mark.parametrize("kind", ["bfloat16", "float8_e4m3fn", "float4_e2m1fnx2"])
def test_small_floats_round_trip_bit_for_bit(dump, kind):
    from tvm_ffi import core

    dtype = tvm_ffi.dtype(kind)
    bits = np.arange(4, dtype=f"uint{dtype.bits * dtype.lanes}")
    source = core._tensor_with_dtype(
        tvm_ffi.from_dlpack(bits), (dtype.type_code, dtype.bits, dtype.lanes)
    )
    loaded = dump(source).load(lambda buffer: bytes(buffer.raw()))
    assert loaded.dtype == source.dtype
    plain = core._tensor_with_dtype(loaded, (1, dtype.bits * dtype.lanes, 1))
    assert plain.numpy().tolist() == bits.tolist()
    assert not plain.numpy().flags.writeable

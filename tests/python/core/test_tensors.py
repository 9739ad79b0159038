# SPDX-License-Identifier: Apache-2.0
"""Checklist I: tensors, data types, devices and streams, where no other file has the line."""

from __future__ import annotations

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core

np = pytest.importorskip("numpy")


def function(name):
    return tvm_ffi.get_global_func(f"testing.{name}")


def test_i212_memory_is_shared_and_writable():
    array = np.zeros(4, dtype="int16")
    tensor = tvm_ffi.from_dlpack(array)
    back = np.from_dlpack(tensor)
    assert back.flags.writeable
    back[1] = 7
    assert array[1] == 7
    assert tensor.data_ptr() == array.ctypes.data


def test_i213_strides_of_the_producer():
    array = np.arange(24, dtype="int32").reshape(2, 3, 4)
    for one in (array, array[:, 1], array.T, array[::-1], array[0, 0, 0:0], np.float32(3) + array):
        tensor = tvm_ffi.from_dlpack(one)
        assert tensor.shape == one.shape
        assert tensor.is_contiguous() == one.flags.c_contiguous
        assert tensor.numel() == one.size
        if one.size:
            assert tensor.strides == tuple(s // one.itemsize for s in one.strides)
    scalar = tvm_ffi.from_dlpack(np.array(5.0))
    assert (scalar.shape, scalar.strides, scalar.numel(), scalar.ndim) == ((), (), 1, 0)


def test_i222_an_old_version_gets_a_legacy_capsule():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    for version in ((0, 8), (0, 0), None):
        assert '"dltensor"' in repr(tensor.__dlpack__(max_version=version))


def test_i225_the_wrapper_for_tests_round_trips(echo):
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    wrapper = core.DLTensorTestWrapper(tensor)
    back = echo(wrapper)
    assert type(back) is tvm_ffi.Tensor
    assert back.data_ptr() == tensor.data_ptr()
    assert tvm_ffi.from_dlpack(wrapper).shape == (3,)


TENSOR_MAKERS = {
    "make_array_with_tensor": (1, lambda made: [made[0]]),
    "make_array_with_mixed": (-1, lambda made: [made[0]]),
    "make_nested_array_with_tensor": (1, lambda made: [made[0][0], made[1]]),
    "make_list_with_tensor": (-1, lambda made: [made[0]]),
    "make_map_with_tensor": (1, lambda made: [made["tensor"]]),
    "make_dict_with_tensor": (1, lambda made: [made["tensor"]]),
    "make_empty_array_with_tensor_input": (1, list),
    "make_nested_map_with_tensor": (2, lambda made: [*made["array"], made["map"]["t"]]),
}


def made_with(name, tensor):
    count, tensors_of = TENSOR_MAKERS[name]
    return tensors_of(function(name)(*([tensor, 5] if count < 0 else [tensor] * count)))


@pytest.mark.parametrize("name", TENSOR_MAKERS)
def test_i228_containers_made_of_our_tensors(name):
    for tensor in made_with(name, np.zeros(2)):
        assert type(tensor) is tvm_ffi.Tensor


@pytest.mark.parametrize("name", TENSOR_MAKERS)
def test_i228_containers_made_of_torch_tensors(name):
    torch = pytest.importorskip("torch")
    for tensor in made_with(name, torch.zeros(2)):
        assert type(tensor) is torch.Tensor


def test_i229_a_container_keeps_converting(echo):
    torch = pytest.importorskip("torch")
    first = echo([torch.zeros(2)])
    assert type(echo(first)[0]) is torch.Tensor
    assert type(echo({"a": first})["a"][0]) is torch.Tensor


def test_i230_an_exception_leaves_no_stream_behind(apply):
    torch = pytest.importorskip("torch")

    def fail(_):
        raise LookupError("no")

    for _ in range(3):
        with pytest.raises(LookupError):
            apply(fail, torch.zeros(2))
    assert tvm_ffi.get_raw_stream(tvm_ffi.device("cuda", 0)) == 0
    assert type(apply(lambda x: x, np.zeros(2))) is tvm_ffi.Tensor


ALIASES = {
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
}
SMALL = {
    8: "e3m4 e4m3 e4m3b11fnuz e4m3fn e4m3fnuz e5m2 e5m2fnuz e8m0fnu",
    6: "e2m3fn e3m2fn",
    4: "e2m1fn",
}
for _bits, _kinds in SMALL.items():
    for _kind in _kinds.split():
        ALIASES[f"float{_bits}_{_kind}"] = f"f{_bits}_{_kind} fp{_bits}_{_kind}"
PAIRS = [
    (name + lanes, alias + lanes)
    for name, aliases in ALIASES.items()
    for alias in aliases.split()
    for lanes in ("", "x4")
]


@pytest.mark.parametrize(("name", "alias"), PAIRS)
def test_i234_aliases(echo, name, alias):
    one, other = tvm_ffi.dtype(name), tvm_ffi.dtype(alias)
    assert (one.type_code, one.bits, one.lanes) == (other.type_code, other.bits, other.lanes)
    assert str(other) == alias
    assert echo(other) == name


def test_i237_data_types_in_numpy():
    array = np.array([1], dtype=tvm_ffi.dtype("float32"))
    assert array.dtype == np.float32
    assert np.dtype(tvm_ffi.dtype("int16")) == np.int16


def test_i238_native_data_types_are_compared():
    assert core.DataType("int8") == core.DataType("i8")
    assert core.DataType("int8") != core.DataType("uint8")
    assert hash(core.DataType("int8")) == hash(core.DataType("i8"))


def test_i242_names_of_a_device_class():
    class Mine(core.Device):
        def __device_type_name__(self):
            return "mine"

    device = Mine("cpu", 2)
    assert (device.type, str(device)) == ("mine", "mine:2")
    assert repr(device) == "device(type='mine', index=2)"


@pytest.mark.parametrize("number", [128, 129, 255, 1024])
def test_i243_device_types_of_others(echo, number):
    device = tvm_ffi.device(number, 1)
    assert echo(device) == device
    assert echo(device).dlpack_device_type() == number


def test_i248_a_shape_of_a_generator():
    assert tvm_ffi.Shape(i for i in (1, 2, 3)) == (1, 2, 3)

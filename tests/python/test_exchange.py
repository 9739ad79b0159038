# SPDX-License-Identifier: Apache-2.0
"""Test results that are tensors of a framework, made by the exchange API of its tensor class."""

from __future__ import annotations

import ctypes
import gc
import sys

import pytest
from layouts import DLManagedTensorVersioned, capsule

import tvm_ffi
from tvm_ffi import core

np = pytest.importorskip("numpy")

API = ctypes.pythonapi
API.Py_IncRef.argtypes = [ctypes.py_object]

FROM_PY = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
TO_PY = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))


class Table(ctypes.Structure):
    """The layout of ``DLPackExchangeAPI``: a header and five functions."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocator", ctypes.c_void_p),
        ("from_py", FROM_PY),
        ("to_py", TO_PY),
        ("dltensor_from_py", ctypes.c_void_p),
        ("current_work_stream", ctypes.c_void_p),
    ]


class Framework:
    """A tensor class of a test framework; an instance refers to the tensor it was made from."""

    def __init__(self, tensor: tvm_ffi.Tensor) -> None:
        self.tensor = tensor


@TO_PY
def make(managed, out):
    made = Framework(tvm_ffi.from_dlpack(capsule(managed, b"dltensor_versioned")))
    API.Py_IncRef(made)
    out[0] = id(made)
    return 0


@FROM_PY
def no_way_in(_obj, _out):
    return -1


def capsule_of(table: Table) -> object:
    return capsule(ctypes.addressof(table), b"dlpack_exchange_api")


TABLE = Table(1, 3, None, None, no_way_in, make, None, None)
ONE_WAY = Table(1, 3, None, None, no_way_in, TO_PY(), None, None)
OLD = Table(0, 8, ctypes.addressof(TABLE), None, FROM_PY(), TO_PY(), None, None)
Framework.__dlpack_c_exchange_api__ = capsule_of(TABLE)


def arange(n=3):
    return tvm_ffi.from_dlpack(np.arange(n))


def test_arguments_are_tensors_of_the_framework():
    seen = []
    function = tvm_ffi.convert_func(lambda *args: seen.extend(args), tensor_cls=Framework)
    tensor = arange()
    function(tensor, 1, "text", tensor)
    assert [type(x) for x in seen] == [Framework, int, str, Framework]
    assert seen[0].tensor.data_ptr() == tensor.data_ptr()
    assert seen[0].tensor.shape == (3,)


def test_without_a_class_they_are_ours():
    tensor = arange()
    assert tvm_ffi.convert_func(lambda x: x is tensor)(tensor)
    assert tvm_ffi.convert_func(lambda x: x is tensor, tensor_cls=None)(tensor)


def test_elements_of_containers_are_tensors_of_the_framework():
    array = tvm_ffi.Array([arange(), [arange(4)], 5])
    types = []

    def callback(x):
        types.append((type(x[0]), type(x[1]), type(x[1][0]), type(x[2])))
        types.append([type(element) for element in x])
        types.append([type(element) for element in x[:1]])

    tvm_ffi.convert_func(callback, tensor_cls=Framework)(array)
    assert types == [
        (Framework, tvm_ffi.Array, Framework, int),
        [Framework, tvm_ffi.Array, int],
        [Framework],
    ]


def test_framework_of_a_container_ends_with_its_wrapper():
    array = tvm_ffi.Array([arange()])
    tvm_ffi.convert_func(lambda x: None, tensor_cls=Framework)(tvm_ffi.Array([arange()]))
    # New wrappers can have the addresses of wrappers that the callback got. The new wrappers must
    # still not be related to the framework.
    wrappers = [tvm_ffi.Array([arange()]) for _ in range(8)]
    assert {type(x[0]) for x in [*wrappers, tvm_ffi.Array([array])[0]]} == {tvm_ffi.Tensor}


def test_moved_tensor_is_one_of_the_framework(use_count):
    tensor = arange()
    keep = tvm_ffi.Array([tensor])
    counts = []
    function = tvm_ffi.convert_func(
        lambda x: counts.append((type(x), use_count(keep[0]))), tensor_cls=Framework
    )
    function(core.ObjectRValueRef(tensor))
    assert tensor.__chandle__() == 0
    assert counts[0][0] is Framework


def test_memory_lives_as_long_as_the_tensor_of_the_framework():
    memory = np.arange(5)
    references = sys.getrefcount(memory)
    kept = []
    function = tvm_ffi.convert_func(kept.append, tensor_cls=Framework)
    function(tvm_ffi.from_dlpack(memory))
    gc.collect()
    assert sys.getrefcount(memory) > references
    assert kept[0].tensor.numpy()[4] == 4
    kept.clear()
    gc.collect()
    assert sys.getrefcount(memory) == references


def test_failure_of_the_framework_is_raised():
    @TO_PY
    def fail(managed, _out):
        head = ctypes.cast(managed, ctypes.POINTER(DLManagedTensorVersioned)).contents
        head.deleter(managed)
        return -1

    table = Table(1, 3, None, None, no_way_in, fail, None, None)

    class Refusing:
        __dlpack_c_exchange_api__ = capsule_of(table)

    called = []
    function = tvm_ffi.convert_func(called.append, tensor_cls=Refusing)
    memory = np.arange(3)
    references = sys.getrefcount(memory)
    with pytest.raises(RuntimeError, match="the exchange API failed without an exception"):
        function(tvm_ffi.from_dlpack(memory))
    assert called == []
    gc.collect()
    assert sys.getrefcount(memory) == references


@pytest.mark.parametrize("cls", [int, object])
def test_class_without_a_table_is_refused(cls):
    with pytest.raises(TypeError, match="must expose __dlpack_c_exchange_api__") as caught:
        tvm_ffi.convert_func(print, tensor_cls=cls)
    assert str(caught.value) == f"tensor_cls {cls!r} must expose __dlpack_c_exchange_api__"


def test_table_that_makes_no_tensors_is_refused():
    class OneWay:
        __dlpack_c_exchange_api__ = capsule_of(ONE_WAY)

    with pytest.raises(TypeError, match="does not make tensors"):
        tvm_ffi.convert_func(print, tensor_cls=OneWay)


def test_table_is_found_behind_a_newer_or_older_one_and_by_address():
    class Chained:
        __dlpack_c_exchange_api__ = capsule_of(OLD)

    class Address:
        __dlpack_c_exchange_api__ = ctypes.addressof(TABLE)

    for cls in (Chained, Address):
        seen = []
        tvm_ffi.convert_func(seen.append, tensor_cls=cls)(arange())
        assert type(seen[0]) is Framework
    for bad in ("text", None, 0):
        cls = type("Bad", (), {"__dlpack_c_exchange_api__": bad})
        with pytest.raises(ValueError, match="Expect a dlpack_exchange_api field"):
            tvm_ffi.convert_func(print, tensor_cls=cls)


# ---- streams and allocators during a call ----

STREAM = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)
)


class Payload:
    """A DLPack producer whose tensor claims to be on another device."""

    def __init__(self, device, stream=None):
        self.array = np.zeros(3)
        self.device = device
        if stream is not None:
            type(self).__tvm_ffi_env_stream__ = lambda _self: stream

    def __dlpack__(self):
        capsule = self.array.__dlpack__()
        pointer = API.PyCapsule_GetPointer(capsule, b"dltensor")
        ctypes.c_int32.from_address(pointer + 8).value = self.device
        return capsule


API.PyCapsule_GetPointer.restype = ctypes.c_void_p
API.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
CUDA = 2


def stream_in_call(*args):
    seen = []
    apply = tvm_ffi.get_global_func("testing.apply")
    apply(lambda *_: seen.append(core._env_get_current_stream(CUDA, 0)), *args)
    return seen[0]


def test_stream_of_a_producer_is_set_for_the_call():
    class Other(Payload):
        pass

    tensor = Other(CUDA, stream=77)
    assert stream_in_call(tensor) == 77
    assert core._env_get_current_stream(CUDA, 0) == 0
    assert stream_in_call([1, {"a": tensor}]) == 77
    assert stream_in_call(Payload(CUDA)) == 0
    assert stream_in_call(np.zeros(2)) == 0


def test_stream_is_restored_after_an_exception():
    class Other(Payload):
        pass

    def fails(_):
        raise LookupError("no")

    before = core._env_set_current_stream(CUDA, 0, 5)
    try:
        with pytest.raises(LookupError):
            tvm_ffi.get_global_func("testing.apply")(fails, Other(CUDA, stream=77))
        assert core._env_get_current_stream(CUDA, 0) == 5
    finally:
        core._env_set_current_stream(CUDA, 0, before)


def test_first_device_wins():
    class First(Payload):
        pass

    class Second(Payload):
        pass

    assert stream_in_call(np.zeros(1), First(CUDA, stream=1), Second(CUDA, stream=2)) == 1


class Odd(Payload):
    """A producer whose stream is not an integer."""

    __tvm_ffi_env_stream__ = lambda self: "x"  # noqa: E731


def test_a_stream_that_is_not_an_integer():
    with pytest.raises(TypeError):
        stream_in_call(Odd(CUDA))


def test_a_refused_result_is_released_once():
    """A callback's result failed after a tensor was made of it, and the tensor was freed twice."""
    for _ in range(100):
        with pytest.raises(TypeError):
            tvm_ffi.get_global_func("testing.apply")(lambda _: Odd(CUDA), 1)


# ---- the table of DLTensorTestWrapper ----


def test_our_own_table_round_trips():
    tensor = tvm_ffi.from_dlpack(np.arange(3.0))
    wrapper = core.DLTensorTestWrapper(tensor)
    back = tvm_ffi.get_global_func("testing.echo")(wrapper)
    assert type(back) is tvm_ffi.Tensor
    assert back.data_ptr() == tensor.data_ptr()
    assert wrapper.__dlpack_device__() == (1, 0)
    assert wrapper.__tvm_ffi_env_stream__() == 0
    assert tvm_ffi.from_dlpack(wrapper).shape == (3,)
    with pytest.raises(TypeError):
        core.DLTensorTestWrapper(1)
    with pytest.raises(ValueError, match="has no tensor"):
        tvm_ffi.from_dlpack(core.DLTensorTestWrapper.__new__(core.DLTensorTestWrapper))

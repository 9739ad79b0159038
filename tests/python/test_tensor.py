# SPDX-License-Identifier: Apache-2.0
"""Test tensors, and their exchange through DLPack."""

from __future__ import annotations

import copy
import ctypes
import datetime
import functools
import gc
import operator
import pickle
import sys

import pytest
from layouts import AnyValue

import tvm_ffi
from tvm_ffi import core

np = pytest.importorskip("numpy")

# ---- the tensor ----


def sample_arrays():
    base = np.arange(24, dtype="float32").reshape(2, 3, 4)
    return {
        "contiguous": base,
        "sliced": base[:, 1:, ::2],
        "transposed": base.T,
        "scalar": np.array(5, dtype="int64"),
        "empty": np.zeros((0, 3), dtype="int8"),
        "negative stride": base[::-1],
        "extent one": base[:1, :, :1],
        "bool": np.array([True, False]),
        "float16": np.zeros((2, 2), dtype="float16"),
        "uint64": np.ones(3, dtype="uint64"),
    }


@pytest.mark.spec("PY-I213")
@pytest.mark.parametrize("name", sample_arrays())
def test_description(name):
    array = sample_arrays()[name]
    tensor = tvm_ffi.from_dlpack(array)
    assert tensor.shape == array.shape
    assert type(tensor.shape) is tuple
    assert tensor.ndim == array.ndim
    assert tensor.numel() == array.size
    assert [tensor.size(i) for i in range(array.ndim)] == list(array.shape)
    assert [tensor.size(-1 - i) for i in range(array.ndim)] == list(array.shape[::-1])
    assert tensor.dtype == str(array.dtype)
    assert tensor.device == tvm_ffi.device("cpu")
    assert tensor.is_contiguous() == array.flags.c_contiguous
    if array.size:
        assert tensor.data_ptr() == array.__array_interface__["data"][0]
        assert tensor.strides == tuple(stride // array.itemsize for stride in array.strides)


@pytest.mark.spec("PY-I214")
def test_size_out_of_range():
    tensor = tvm_ffi.from_dlpack(np.zeros((2, 3, 4)))
    with pytest.raises(IndexError, match="Dimension 3 out of range for tensor with 3 dimensions"):
        tensor.size(3)
    with pytest.raises(IndexError):
        tensor.size(-4)


def test_repr():
    tensor = tvm_ffi.from_dlpack(np.zeros((2, 3), dtype="float32"))
    assert repr(tensor).splitlines()[0] == "float32[2, 3]@cpu:0"
    assert repr(tvm_ffi.Array([tensor])) == "(float32[2, 3]@cpu:0,)"


def test_empty_tensor_is_refused(echo):
    empty = core.Tensor.__new__(core.Tensor)
    for name in ("shape", "strides", "ndim", "dtype", "device"):
        with pytest.raises(ValueError, match="is empty"):
            getattr(empty, name)
    for name in ("numel", "data_ptr", "is_contiguous", "__dlpack__", "__dlpack_device__"):
        with pytest.raises(ValueError, match="is empty"):
            getattr(empty, name)()
    for use in (echo, memoryview):
        with pytest.raises(ValueError, match="is empty"):
            use(empty)


@pytest.mark.parametrize("args", [(), ([1, 2],), (object(), 7), (np.zeros(2),)])
def test_calling_the_class_of_tensors_makes_no_empty_tensor(args):
    class Derived(tvm_ffi.Tensor):
        pass

    for cls in (tvm_ffi.Tensor, Derived):
        with pytest.raises(TypeError, match=r"cannot be constructed directly: use .*from_dlpack"):
            cls(*args)


def test_an_initializer_of_a_derived_tensor_may_call_its_base():
    class Owned(tvm_ffi.Tensor):
        def __init__(self, array):
            super().__init__()
            self.__move_handle_from__(tvm_ffi.from_dlpack(array))

    assert Owned(np.zeros((2, 3))).shape == (2, 3)


# ---- from and to DLPack ----


@pytest.mark.spec("PY-I212")
def test_memory_is_shared_both_ways():
    array = np.arange(5, dtype="float32")
    tensor = tvm_ffi.from_dlpack(array)
    view = np.from_dlpack(tensor)
    view[0] = 42.0
    assert array[0] == 42.0
    assert view.ctypes.data == array.ctypes.data == tensor.data_ptr()


def test_numpy_view():
    array = np.arange(6, dtype="int16").reshape(2, 3)
    view = tvm_ffi.from_dlpack(array).numpy()
    assert view.ctypes.data == array.ctypes.data
    assert (view == array).all()


@pytest.mark.spec("PY-I219")
def test_producer_lives_as_long_as_the_tensor(echo):
    array = np.arange(5, dtype="float32")
    references = sys.getrefcount(array)
    tensor = tvm_ffi.from_dlpack(array)
    assert sys.getrefcount(array) == references + 1
    view = np.from_dlpack(tensor)
    del tensor
    gc.collect()
    assert sys.getrefcount(array) == references + 1
    del view
    assert sys.getrefcount(array) == references
    for _ in range(100):
        echo(array)
        echo([array, {"a": 1}.get("a")])
    assert sys.getrefcount(array) == references


def test_array_crosses_and_comes_back_as_a_tensor(echo):
    array = np.arange(4, dtype="float64")
    result = echo(array)
    assert type(result) is tvm_ffi.Tensor
    assert result.data_ptr() == array.ctypes.data
    assert echo(result) is result
    inside = echo([array])[0]
    assert inside.data_ptr() == array.ctypes.data
    assert type(tvm_ffi.convert(array)) is tvm_ffi.Tensor


@pytest.mark.spec("PY-I215")
def test_alignment_and_contiguity():
    buffer = np.zeros(256, dtype="uint8")
    offset = -buffer.ctypes.data % 64
    aligned, crooked = buffer[offset : offset + 64], buffer[offset + 1 : offset + 65]
    assert tvm_ffi.from_dlpack(aligned, require_alignment=64).numel() == 64
    with pytest.raises(RuntimeError, match=r"FromDLPack: Data is not aligned to 64 bytes\."):
        tvm_ffi.from_dlpack(crooked, require_alignment=64)
    array = np.zeros((4, 4))
    assert tvm_ffi.from_dlpack(array, require_contiguous=True).is_contiguous()
    with pytest.raises(RuntimeError, match=r"FromDLPack: Tensor is not contiguous\."):
        tvm_ffi.from_dlpack(array.T, require_contiguous=True)


@pytest.mark.spec("PY-I218")
@pytest.mark.parametrize("bad", [5, None, "text", [1, 2], object(), b"bytes"])
def test_values_that_are_not_tensors_are_refused(bad):
    with pytest.raises(
        TypeError, match="Expect from_dlpack to take either a compatible tensor or PyCapsule"
    ):
        tvm_ffi.from_dlpack(bad)


@pytest.mark.spec("PY-I218")
def test_options_are_keywords_only():
    with pytest.raises(TypeError):
        tvm_ffi.from_dlpack(np.zeros(3), 8)


def test_read_only_memory_is_refused_where_native_code_could_write(echo):
    array = np.zeros(3)
    array.flags.writeable = False
    references = sys.getrefcount(array)
    with pytest.raises(BufferError, match="read-only"):
        echo(array)
    assert not tvm_ffi.from_dlpack(array).numpy().flags.writeable
    assert sys.getrefcount(array) == references


# ---- capsules ----


def name_of(capsule):
    function = ctypes.pythonapi.PyCapsule_GetName
    function.restype, function.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return function(capsule).decode()


@pytest.mark.spec("PY-I220", "PY-I222")
def test_capsule_names():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    assert name_of(tensor.__dlpack__()) == "dltensor"
    assert name_of(tensor.__dlpack__(max_version=(1, 0))) == "dltensor_versioned"
    assert name_of(tensor.__dlpack__(max_version=(0, 8))) == "dltensor"
    assert name_of(tensor._to_dlpack()) == "dltensor"
    assert name_of(tensor._to_dlpack_versioned()) == "dltensor_versioned"
    assert tensor.__dlpack_device__() == (1, 0)


@pytest.mark.spec("PY-I221")
@pytest.mark.parametrize("version", [None, (0, 8), (1, 0)])
def test_export_refuses_a_copy_or_another_device_for_every_version(version):
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    for wish in ({"copy": True}, {"dl_device": (2, 0)}, {"copy": False, "dl_device": (1, 1)}):
        with pytest.raises(BufferError, match=r"not (yet )?supported"):
            tensor.__dlpack__(max_version=version, **wish)
    for wish in ({"copy": False}, {"copy": None}, {"dl_device": (1, 0)}, {"stream": None}):
        assert name_of(tensor.__dlpack__(max_version=version, **wish)).startswith("dltensor")


def test_export_refuses_other_types_and_names():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    with pytest.raises(TypeError, match="unexpected keyword argument 'sream'"):
        tensor.__dlpack__(sream=None)
    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 were given"):
        tensor.__dlpack__(None)
    for odd in (1, (1,), ("a", "b"), (2**70, 0)):
        with pytest.raises(TypeError, match="max_version must be a tuple"):
            tensor.__dlpack__(max_version=odd)
        with pytest.raises(TypeError, match="dl_device must be a tuple"):
            tensor.__dlpack__(max_version=(1, 0), dl_device=odd)


def test_parameters_of_from_dlpack_by_name():
    array = np.zeros(3)
    assert tvm_ffi.from_dlpack(ext_tensor=array).shape == (3,)
    names = {"require_contiguous": 1, "require_alignment": 8, "ext_tensor": array}
    assert tvm_ffi.from_dlpack(**names).shape == (3,)
    # This name is not interned, so it is another object than the name of the parameter.
    odd = {"".join(["require", "_alignment"]): 8}
    assert tvm_ffi.from_dlpack(array, **odd).shape == (3,)
    for args, kwargs, text in [
        ((array, 8), {}, "takes 1 positional argument but 2 were given"),
        ((), {"require_alignment": 8}, "missing required argument: 'ext_tensor'"),
        ((array,), {"ext_tensor": array}, "multiple values for argument 'ext_tensor'"),
        ((array,), {"alignment": 8}, "unexpected keyword argument 'alignment'"),
        ((array,), {"require_alignment": "8"}, "integer"),
    ]:
        with pytest.raises(TypeError, match=text):
            tvm_ffi.from_dlpack(*args, **kwargs)
    with pytest.raises(OverflowError):
        tvm_ffi.from_dlpack(array, require_alignment=2**40)


def tensor_on(device_id):
    """Make a tensor in CPU memory with any device number."""
    capsule = tvm_ffi.from_dlpack(np.zeros(3)).__dlpack__()
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    where = ctypes.c_int32.from_address(address(capsule, b"dltensor") + 12)
    where.value = device_id
    return tvm_ffi.from_dlpack(capsule)


def test_device_of_the_protocol_is_that_of_each_tensor():
    tensors = [tensor_on(0), tensor_on(3), tensor_on(0), tensor_on(1)]
    for _ in range(2):
        assert [t.__dlpack_device__() for t in tensors] == [(1, 0), (1, 3), (1, 0), (1, 1)]


@pytest.mark.spec("PY-I217")
@pytest.mark.parametrize("form", ["_to_dlpack", "_to_dlpack_versioned"])
def test_capsule_is_consumed_once(form, use_count):
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    capsule = getattr(tensor, form)()
    original = name_of(capsule)
    imported = tvm_ffi.from_dlpack(capsule)
    assert name_of(capsule) == f"used_{original}"
    assert imported.data_ptr() == tensor.data_ptr()
    with pytest.raises(ValueError, match="PyCapsule can only be consumed once"):
        tvm_ffi.from_dlpack(capsule)
    del capsule
    assert use_count(tensor) == 2
    del imported
    assert use_count(tensor) == 1


@pytest.mark.spec("PY-I223")
def test_unused_capsule_releases_the_tensor(use_count):
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    capsules = [tensor._to_dlpack(), tensor._to_dlpack_versioned()]
    assert use_count(tensor) == 3
    capsules.clear()
    assert use_count(tensor) == 1


@pytest.mark.spec("PY-I216")
def test_capsule_stays_usable_after_a_refusal():
    tensor = tvm_ffi.from_dlpack(np.zeros((4, 4)).T)
    capsule = tensor._to_dlpack()
    with pytest.raises(RuntimeError, match="not contiguous"):
        tvm_ffi.from_dlpack(capsule, require_contiguous=True)
    assert name_of(capsule) == "dltensor"
    assert tvm_ffi.from_dlpack(capsule).shape == (4, 4)


def test_capsule_of_another_name_is_refused():
    with pytest.raises((TypeError, ValueError)):
        tvm_ffi.from_dlpack(datetime.datetime_CAPI)


# ---- protocols ----


class Producer:
    """Exports an array only through ``__dlpack__`` without ``max_version``."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_plain_producer(echo):
    array = np.arange(3)
    assert echo(Producer(array)).data_ptr() == array.ctypes.data
    assert tvm_ffi.from_dlpack(Producer(array)).shape == (3,)


@pytest.mark.spec("PY-D99")
def test_integer_with_dlpack_is_a_tensor(echo):
    class IntWithDlpack(int):
        def __dlpack__(self, **kwargs):
            return np.arange(3).__dlpack__(**kwargs)

    assert echo(IntWithDlpack(5)).shape == (3,)


@pytest.mark.parametrize("result", [None, 5, "capsule"])
def test_producer_that_gives_no_capsule_is_refused(result, echo):
    class Bad:
        def __dlpack__(self, **kwargs):
            return result

    for use in (echo, tvm_ffi.from_dlpack):
        with pytest.raises((TypeError, ValueError)):
            use(Bad())


def test_error_of_the_producer_comes_through(echo):
    class FailingError(Exception):
        pass

    class Failing:
        def __dlpack__(self, **kwargs):
            raise FailingError("export")

    for use in (echo, tvm_ffi.from_dlpack):
        with pytest.raises(FailingError, match="export"):
            use(Failing())


@pytest.mark.parametrize("bad", [None, "text", 1.5])
def test_exchange_api_of_another_type_is_refused(bad, echo):
    class Bad:
        __dlpack_c_exchange_api__ = bad

    with pytest.raises(ValueError, match="Expect a dlpack_exchange_api field"):
        echo(Bad())


# ---- typed functions, callbacks, classes ----


def call_with_view(function, tensor):
    """Call a function with a borrowed DLTensor* as native code may do."""
    address = tensor.__chandle__() + 24
    argument, result = AnyValue(7, 0, address), AnyValue()
    call = tvm_ffi.LIB.TVMFFIFunctionCall
    call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p]
    handle = function.__chandle__()
    assert call(handle, ctypes.addressof(argument), 1, ctypes.addressof(result)) == 0
    assert result.type_index == 0


@pytest.mark.spec("PY-I224")
def test_a_view_in_a_callback():
    seen = []

    def look(view):
        seen.append((view.__chandle__(), view.shape, str(view.dtype), view.is_contiguous()))
        exports = (view.__dlpack__, view._to_dlpack_versioned, view.__array__)
        uses = (pickle.dumps, memoryview, np.asarray, operator.itemgetter(0), list)
        for use in (*exports, *(functools.partial(use, view) for use in uses)):
            with pytest.raises(ValueError, match="valid during its callback only"):
                use()
        assert (len(view), view[1, 2], view.tolist()) == (2, 0, [[0] * 3] * 2)
        seen.append(view)

    call_with_view(tvm_ffi.convert(look), tvm_ffi.from_dlpack(np.zeros((2, 3), "int16")))
    assert seen[0] == (0, (2, 3), "int16", True)
    with pytest.raises(ValueError, match="is empty"):
        _ = seen[1].shape


@pytest.mark.spec("PY-I225")
def test_test_wrapper_comes_back_as_a_tensor(echo):
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    wrapper = core.DLTensorTestWrapper(tensor)
    result = echo(wrapper)
    assert type(result) is tvm_ffi.Tensor
    assert result.data_ptr() == tensor.data_ptr()
    assert tvm_ffi.from_dlpack(wrapper).shape == (3,)
    assert wrapper.__dlpack_device__() == (1, 0)


def containers_with(tensor):
    make = {
        name: tvm_ffi.get_global_func(f"testing.make_{name}")
        for name in (
            *("array_with_tensor", "array_with_mixed", "nested_array_with_tensor"),
            *("list_with_tensor", "map_with_tensor", "dict_with_tensor"),
            *("empty_array_with_tensor_input", "nested_map_with_tensor"),
        )
    }
    assert len(make["empty_array_with_tensor_input"](tensor)) == 0
    nested = make["nested_array_with_tensor"](tensor)
    mapping = make["nested_map_with_tensor"](tensor, tensor)
    assert (nested[0][1], mapping["scalar"]) == (42, 99)
    yield tvm_ffi.Array, make["array_with_tensor"](tensor), 0
    yield tvm_ffi.Array, make["array_with_mixed"](tensor, 5), 0
    yield tvm_ffi.Array, nested, 1
    yield tvm_ffi.Array, nested[0], 0
    yield tvm_ffi.List, make["list_with_tensor"](tensor, 5), 0
    yield tvm_ffi.Map, make["map_with_tensor"](tensor), "tensor"
    yield tvm_ffi.Dict, make["dict_with_tensor"](tensor), "tensor"
    yield tvm_ffi.Array, mapping["array"], 1
    yield tvm_ffi.Map, mapping["map"], "t"


@pytest.mark.spec("PY-I228")
def test_containers_of_native_code_give_our_tensors():
    array = np.arange(3)
    for cls, container, key in containers_with(tvm_ffi.from_dlpack(array)):
        assert type(container) is cls
        assert type(container[key]) is tvm_ffi.Tensor
        assert container[key].data_ptr() == array.ctypes.data


@pytest.mark.spec("PY-I230")
def test_an_exception_in_a_callback_restores_the_stream(apply):
    before = tvm_ffi.get_raw_stream(tvm_ffi.device("cuda:0"))

    def fail(*_):
        raise LookupError

    wrapper = core.DLTensorTestWrapper(tvm_ffi.from_dlpack(np.arange(3)))
    for _ in range(3):
        with pytest.raises(LookupError):
            apply(fail, wrapper)
    assert tvm_ffi.get_raw_stream(tvm_ffi.device("cuda:0")) == before


def test_typed_functions():
    identity = tvm_ffi.get_global_func("testing.schema_id_tensor")
    array = np.arange(3)
    assert identity(array).data_ptr() == array.ctypes.data
    tvm_ffi.get_global_func("testing.schema_tensor_view_input")(array)
    with pytest.raises(TypeError, match="argument #0"):
        identity([1, 2])


@pytest.mark.spec("PY-D118")
def test_view_cannot_be_returned_from_native_code():
    with pytest.raises(RuntimeError, match="does not retain ownership"):
        tvm_ffi.get_global_func("testing.schema_id_dltensor")(np.arange(3))


def test_tensor_argument_of_a_callback(apply):
    array = np.arange(3)
    seen = []
    apply(seen.append, array)
    assert type(seen[0]) is tvm_ffi.Tensor
    assert seen[0].data_ptr() == array.ctypes.data


@pytest.fixture
def tensor_class():
    """Restore the class of returned tensors after the test."""
    original = core._CLASS_TENSOR
    yield
    core._set_class_tensor(original)


@pytest.mark.spec("PY-D120")
@pytest.mark.usefixtures("tensor_class")
def test_class_of_returned_tensors(echo, apply):
    class Mine(core.Tensor):
        __slots__ = ()

    core._set_class_tensor(Mine)
    assert core._CLASS_TENSOR is Mine
    assert type(echo(np.arange(3))) is Mine
    assert type(tvm_ffi.from_dlpack(np.arange(3))) is Mine
    assert type(copy.deepcopy(echo(np.arange(3)))) is Mine
    assert apply(lambda x: type(x) is Mine, np.arange(3)) is True
    with pytest.raises(TypeError):
        core._set_class_tensor(int)


# ---- pickling and copying of tensors

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

# SPDX-License-Identifier: Apache-2.0
"""One test for each statement of ``tests/statements`` on tensors, data types, devices and streams.

Other files test the details: ``test_tensor.py``, ``test_dtype.py`` and so on.
"""

from __future__ import annotations

import copy
import ctypes
import functools
import gc
import operator
import pickle
import sys
import threading

import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, Shape, core, device, dtype

np = pytest.importorskip("numpy")

echo = tvm_ffi.get_global_func("testing.echo")
use_count = tvm_ffi.get_global_func("testing.object_use_count")


def capsule_name(capsule):
    function = ctypes.pythonapi.PyCapsule_GetName
    function.restype, function.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return function(capsule).decode()


@pytest.mark.spec("PY-I212")
def test_212_memory_is_shared_and_writable():
    array = np.arange(4.0)
    tensor = tvm_ffi.from_dlpack(array)
    view = np.from_dlpack(tensor)
    view[1] = 9
    assert array[1] == 9
    assert view.flags.writeable
    assert tensor.data_ptr() == array.ctypes.data


@pytest.mark.spec("PY-I213")
@pytest.mark.parametrize(
    ("make", "shape", "strides", "is_contiguous"),
    [
        (lambda a: a, (2, 3, 4), (12, 4, 1), True),
        (lambda a: a[:, 1:, ::2], (2, 2, 2), (12, 4, 2), False),
        (lambda a: a.T, (4, 3, 2), (1, 4, 12), False),
        (lambda a: a[0, 0, 0:1].reshape(()), (), (), True),
        (lambda a: a[:0], (0, 3, 4), None, True),
        (lambda a: a[::-1], (2, 3, 4), (-12, 4, 1), False),
    ],
    ids=["contiguous", "sliced", "transposed", "scalar", "empty", "negative"],
)
def test_213_description_of_arrays(make, shape, strides, is_contiguous):
    array = make(np.arange(24, dtype="float32").reshape(2, 3, 4))
    tensor = tvm_ffi.from_dlpack(array)
    assert tensor.shape == shape
    assert strides is None or tensor.strides == strides
    assert tensor.ndim == len(shape)
    assert tensor.numel() == array.size
    assert not shape or tensor.size(-1) == shape[-1]
    assert tensor.data_ptr() == array.__array_interface__["data"][0] or array.size == 0
    assert tensor.is_contiguous() is is_contiguous


@pytest.mark.spec("PY-I214")
def test_214_size_beyond_the_dimensions():
    tensor = tvm_ffi.from_dlpack(np.zeros((2, 3, 4)))
    with pytest.raises(IndexError, match="Dimension 3 out of range for tensor with 3 dimensions"):
        tensor.size(3)


@pytest.mark.spec("PY-I215")
def test_215_alignment_that_memory_lacks():
    memory = np.zeros(129, "u1")
    crooked = memory[-memory.ctypes.data % 64 + 1 :][:8]
    with pytest.raises(RuntimeError, match=r"FromDLPack: Data is not aligned to 64 bytes\."):
        tvm_ffi.from_dlpack(crooked, require_alignment=64)


@pytest.mark.spec("PY-I216")
def test_216_contiguity_that_memory_lacks_leaves_the_capsule_usable():
    capsule = tvm_ffi.from_dlpack(np.zeros((4, 4)).T)._to_dlpack()
    with pytest.raises(RuntimeError, match=r"FromDLPack: Tensor is not contiguous\."):
        tvm_ffi.from_dlpack(capsule, require_contiguous=True)
    assert capsule_name(capsule) == "dltensor"
    assert tvm_ffi.from_dlpack(capsule).shape == (4, 4)


@pytest.mark.spec("PY-I217")
def test_217_a_consumed_capsule_is_renamed():
    capsule = tvm_ffi.from_dlpack(np.zeros(3))._to_dlpack()
    tvm_ffi.from_dlpack(capsule)
    assert capsule_name(capsule) == "used_dltensor"
    with pytest.raises(ValueError, match="PyCapsule can only be consumed once"):
        tvm_ffi.from_dlpack(capsule)


@pytest.mark.spec("PY-I218")
def test_218_values_that_are_not_tensors():
    with pytest.raises(TypeError, match="Expect from_dlpack to take"):
        tvm_ffi.from_dlpack(5)
    with pytest.raises(TypeError):
        tvm_ffi.from_dlpack(np.zeros(3), 8)


@pytest.mark.spec("PY-I219")
def test_219_the_producer_is_held_once():
    array = np.zeros(3)
    count = sys.getrefcount(array)
    tensor = tvm_ffi.from_dlpack(array)
    assert sys.getrefcount(array) == count + 1
    del tensor
    assert sys.getrefcount(array) == count


@pytest.mark.spec("PY-I220")
def test_220_names_of_capsules():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    assert capsule_name(tensor.__dlpack__()) == "dltensor"
    assert capsule_name(tensor.__dlpack__(max_version=(1, 0))) == "dltensor_versioned"


@pytest.mark.spec("PY-I221")
def test_221_requests_that_need_a_copy():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    with pytest.raises(BufferError, match="copy not yet supported"):
        tensor.__dlpack__(max_version=(1, 0), copy=True)
    with pytest.raises(BufferError, match="dl_device of different type not supported"):
        tensor.__dlpack__(max_version=(1, 0), dl_device=(2, 0))


@pytest.mark.spec("PY-I222")
def test_222_an_old_version_gets_a_legacy_capsule():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    assert capsule_name(tensor.__dlpack__(max_version=(0, 8))) == "dltensor"


@pytest.mark.spec("PY-I223")
def test_223_unused_capsules_release_the_tensor():
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    capsules = [tensor.__dlpack__(), tensor.__dlpack__(max_version=(1, 0))]
    assert use_count(tensor) == 3
    capsules.clear()
    assert use_count(tensor) == 1


class AnyValue(ctypes.Structure):
    """The layout of TVMFFIAny."""

    _fields_ = (
        ("type_index", ctypes.c_int32),
        ("padding", ctypes.c_uint32),
        ("payload", ctypes.c_uint64),
    )


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
def test_224_a_view_in_a_callback():
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
def test_225_the_test_wrapper_round_trips():
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    wrapper = core.DLTensorTestWrapper(tensor)
    result = echo(wrapper)
    assert type(result) is tvm_ffi.Tensor
    assert result.data_ptr() == tensor.data_ptr()
    assert tvm_ffi.from_dlpack(wrapper).shape == (3,)
    assert wrapper.__dlpack_device__() == (1, 0)


@pytest.mark.spec("PY-I226")
@pytest.mark.torch
def test_226_tensors_of_torch(torch):
    tensor = torch.arange(6.0).reshape(2, 3)
    back = echo(tensor)
    assert type(back) is torch.Tensor
    assert back.data_ptr() == tensor.data_ptr()
    assert (back.dtype, back.shape, back.device) == (tensor.dtype, tensor.shape, tensor.device)


@pytest.mark.spec("PY-I227")
@pytest.mark.torch
def test_227_containers_with_tensors_of_torch(torch):
    tensor = torch.arange(3)
    inside = (echo([tensor])[0], echo({"a": tensor})["a"], echo([[tensor]])[0][0])
    assert [type(x) for x in inside] == [torch.Tensor] * 3
    assert type(tvm_ffi.convert([tensor])[0]) is tvm_ffi.Tensor


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
    yield Array, make["array_with_tensor"](tensor), 0
    yield Array, make["array_with_mixed"](tensor, 5), 0
    yield Array, nested, 1
    yield Array, nested[0], 0
    yield List, make["list_with_tensor"](tensor, 5), 0
    yield Map, make["map_with_tensor"](tensor), "tensor"
    yield Dict, make["dict_with_tensor"](tensor), "tensor"
    yield Array, mapping["array"], 1
    yield Map, mapping["map"], "t"


@pytest.mark.spec("PY-I228")
def test_228_containers_of_native_code_give_our_tensors():
    array = np.arange(3)
    for cls, container, key in containers_with(tvm_ffi.from_dlpack(array)):
        assert type(container) is cls
        assert type(container[key]) is tvm_ffi.Tensor
        assert container[key].data_ptr() == array.ctypes.data


@pytest.mark.spec("PY-I228")
@pytest.mark.torch
def test_228_containers_of_native_code_give_tensors_of_torch(torch):
    for cls, container, key in containers_with(torch.arange(3)):
        assert type(container) is cls
        assert type(container[key]) is torch.Tensor


@pytest.mark.spec("PY-I229")
@pytest.mark.torch
def test_229_a_tagged_container_stays_tagged(torch):
    container = echo(echo([torch.arange(3)]))
    assert type(container[0]) is torch.Tensor


@pytest.mark.spec("PY-I230")
def test_230_an_exception_in_a_callback_restores_the_stream():
    before = tvm_ffi.get_raw_stream(device("cuda:0"))

    def fail(*_):
        raise LookupError

    wrapper = core.DLTensorTestWrapper(tvm_ffi.from_dlpack(np.arange(3)))
    for _ in range(3):
        with pytest.raises(LookupError):
            tvm_ffi.get_global_func("testing.apply")(fail, wrapper)
    assert tvm_ffi.get_raw_stream(device("cuda:0")) == before


@pytest.mark.spec("PY-I231")
@pytest.mark.parametrize(
    ("text", "triple", "canonical"),
    [
        ("int", (0, 32, 1), "int32"),
        ("i8x4", (0, 8, 4), "int8x4"),
        ("u1", (1, 1, 1), "uint1"),
        ("f16", (2, 16, 1), "float16"),
        ("handle", (3, 64, 1), "handle"),
        ("void", (3, 0, 0), ""),
        ("bf16x2", (4, 16, 2), "bfloat16x2"),
        ("complex64", (5, 64, 1), "complex64"),
        ("bool", (6, 8, 1), "bool"),
        ("fp8_e5m2fnuz", (13, 8, 1), "float8_e5m2fnuz"),
        ("f6_e3m2fnx4", (16, 6, 4), "float6_e3m2fnx4"),
        ("float4_e2m1fn_x2", (17, 4, 2), "float4_e2m1fnx2"),
        ("int32xvscalex4", (0, 32, -4), "int32xvscalex4"),
    ],
)
def test_231_texts_of_data_types(text, triple, canonical):
    kind = dtype(text)
    assert (kind.type_code, kind.bits, kind.lanes) == triple
    assert str(kind) == text
    assert str(echo(kind)) == canonical


@pytest.mark.spec("PY-I232")
def test_232_itemsize():
    assert dtype("float32x4").itemsize == 16
    assert dtype("float4_e2m1fnx4").itemsize == 2
    with pytest.raises(ValueError, match="Cannot determine itemsize for scalable vector types"):
        _ = dtype("int32xvscalex4").itemsize


@pytest.mark.spec("PY-I233")
def test_233_helpers_of_data_types():
    assert dtype("f32").with_lanes(4) == "float32x4"
    assert dtype.from_dlpack_data_type((4, 16, 1)) == "bfloat16"
    assert dtype.is_dtype("int8")
    assert dtype.is_dtype(core.DataType("int8"))
    assert not dtype.is_dtype("x4")
    assert not dtype.is_dtype(5)
    assert dtype("bool").is_bool
    assert dtype("uint8").is_integer
    assert dtype("bfloat16").is_float
    assert dtype("handle").is_handle
    with pytest.raises(OverflowError):
        dtype("int8").with_lanes(2**15)


SHORT = {"i": "int", "u": "uint", "f": "float"}
ALIASES = [
    *((f"{s}{bits}", f"{n}{bits}") for s, n in SHORT.items() for bits in (8, 16, 32, 64)),
    *((f"{s}{bits}x4", f"{n}{bits}x4") for s, n in SHORT.items() for bits in (8, 16, 32, 64)),
    *(("bf16", "bfloat16"), ("bf16x4", "bfloat16x4"), ("bfloat", "bfloat16")),
    *(("int", "int32"), ("uint", "uint32"), ("float", "float32")),
    *(
        (prefix + name, "float8_" + name)
        for prefix in ("f8_", "fp8_")
        for name in ("e4m3fn", "e5m2", "e8m0fnu", "e3m4")
    ),
    *(("f6_e2m3fn", "float6_e2m3fn"), ("fp6_e3m2fn", "float6_e3m2fn")),
    *(("f4_e2m1fn", "float4_e2m1fn"), ("fp4_e2m1fn", "float4_e2m1fn")),
    *(("float4_e2m1fn_x2", "float4_e2m1fnx2"), ("f4_e2m1fnx2", "float4_e2m1fnx2")),
]


@pytest.mark.spec("PY-I234")
@pytest.mark.parametrize(("alias", "text"), ALIASES)
def test_234_aliases(alias, text):
    assert len(ALIASES) >= 44
    assert core.DataType(alias) == core.DataType(text)
    assert str(echo(dtype(alias))) == text


@pytest.mark.spec("PY-I235")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x4", "unknown dtype `x4`"),
        ("float8_bad", "unknown float8 type `float8_bad`"),
        ("float6_bad", "unknown float6 type `float6_bad`"),
        ("float4_bad", "unknown float4 type `float4_bad`"),
        (
            "int32x0",
            "Invalid lanes specification in dtype 'int32x0'. Lanes must be a positive integer.",
        ),
        ("int32x65536", "Lanes value 65536 is out of range for uint16_t in dtype 'int32x65536'"),
        ("int256", "Bits value 256 is out of range for uint8_t in dtype 'int256'"),
        ("custom[x]8", "Function dtype.get_custom_type_code not found"),
    ],
)
def test_235_bad_texts(text, message):
    with pytest.raises(ValueError) as caught:
        dtype(text)
    assert str(caught.value) == message


@pytest.mark.spec("PY-I236")
def test_236_data_types_of_numpy():
    for name in ("int8", "int64", "uint16", "float16", "float64"):
        assert echo(np.dtype(name)) == tvm_ffi.convert(np.dtype(name)) == name
    with pytest.raises(ValueError, match="Unsupported numpy or ml_dtypes dtype"):
        echo(np.dtype("U3"))


@pytest.mark.spec("PY-I236")
@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float4_e2m1fn", "int4", "uint2"])
def test_236_data_types_of_ml_dtypes(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kind = np.dtype(getattr(ml_dtypes, name))
    assert echo(kind) == tvm_ffi.convert(kind) == name


@pytest.mark.spec("PY-I237")
def test_237_numpy_takes_our_data_types():
    assert np.array([1], dtype=dtype("float32")).dtype == np.float32
    loaded = pickle.loads(pickle.dumps(dtype("f32")))
    assert type(loaded) is dtype
    assert loaded == "f32"


@pytest.mark.spec("PY-I238")
def test_238_native_data_types_compare_by_what_they_are():
    assert core.DataType("int8") == core.DataType("i8")
    assert core.DataType("int8") != core.DataType("uint8")
    assert hash(core.DataType("int8")) == hash(core.DataType("i8"))


@pytest.mark.spec("PY-I239")
@pytest.mark.parametrize(
    ("text", "code", "index"),
    [
        *(("cpu", 1, 0), ("cuda:1", 2, 1), ("opencl", 4, 0), ("vulkan", 7, 0), ("metal", 8, 0)),
        *(("mps:2", 8, 2), ("vpi", 9, 0), ("rocm", 10, 0), ("ext_dev", 12, 0), ("hexagon", 16, 0)),
        *(("wgpu", 15, 0), ("webgpu", 15, 0), ("maia", 17, 0), ("trn", 18, 0)),
        *(("cuda:3 -arch=sm_90", 2, 3), ("cuda:-1", 2, -1)),
    ],
)
def test_239_texts_of_devices(text, code, index):
    place = device(text, 7 if ":" in text else index)
    assert (place.dlpack_device_type(), place.index) == (code, index)


@pytest.mark.spec("PY-I240")
@pytest.mark.parametrize("text", ["cpu:0:0", "cpu:?", "cpu:", "llvm", "cuda_host", ""])
def test_240_bad_texts_of_devices(text):
    with pytest.raises(ValueError, match="device"):
        device(text)
    with pytest.raises(TypeError, match=r"Invalid device index: \?"):
        device("cpu", "?")


@pytest.mark.spec("PY-I241")
def test_241_devices_are_values():
    place = device("cuda", 1)
    assert repr(place) == "device(type='cuda', index=1)"
    assert str(place) == "cuda:1"
    assert pickle.loads(pickle.dumps(place)) == copy.deepcopy(place) == place
    assert hash(place) == hash(device("cuda:1"))
    assert place != device("cuda:2")
    assert place != "cuda:1"


@pytest.mark.spec("PY-I242")
def test_242_a_subclass_has_its_own_names():
    class Mine(tvm_ffi.Device):
        def __device_type_name__(self):
            return "mine"

    place = Mine("cuda", 1)
    assert (place.type, str(place)) == ("mine", "mine:1")
    assert repr(place) == "device(type='mine', index=1)"


@pytest.mark.spec("PY-I243")
def test_243_large_device_types():
    for code in (128, 200, 2**31 - 1):
        place = device(code, 3)
        assert echo(place) == place
        assert echo(place).dlpack_device_type() == code


@pytest.mark.spec("PY-I244")
def test_244_raw_streams_nest_and_belong_to_threads():
    place = device("cuda:0")
    with tvm_ffi.use_raw_stream(place, 5):
        assert tvm_ffi.get_raw_stream(place) == 5
        with tvm_ffi.use_raw_stream(place, ctypes.c_void_p(7)):
            assert tvm_ffi.get_raw_stream(place) == 7
            others = []
            thread = threading.Thread(target=lambda: others.append(tvm_ffi.get_raw_stream(place)))
            thread.start()
            thread.join()
            assert others == [0]
        assert tvm_ffi.get_raw_stream(place) == 5
    assert tvm_ffi.get_raw_stream(place) == 0


@pytest.mark.spec("PY-I245")
def test_245_text_is_not_a_stream():
    with pytest.raises(ValueError, match="use_raw_stream only accepts int or c_void_p"):
        tvm_ffi.use_raw_stream(device("cuda:0"), "x")


@pytest.mark.spec("PY-I246")
def test_246_streams_of_torch_need_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="Cannot import torch"):
        tvm_ffi.use_torch_stream()


@pytest.mark.spec("PY-I247")
def test_247_shapes_are_tuples():
    with pytest.raises(ValueError):
        Shape((1, "a"))
    shape = Shape((1, 2, 3))
    assert shape == (1, 2, 3)
    assert hash(shape) == hash((1, 2, 3))
    assert type(shape[:2]) is tuple
    assert echo(echo(shape)) == shape


@pytest.mark.spec("PY-I248")
def test_248_a_generator_gives_all_its_elements():
    assert Shape(i for i in range(5)) == (0, 1, 2, 3, 4)


def test_120_the_class_of_tensors_can_be_replaced():
    original = core._CLASS_TENSOR

    class Mine(core.Tensor):
        pass

    try:
        core._set_class_tensor(Mine)
        seen = []
        tvm_ffi.get_global_func("testing.apply")(seen.append, np.arange(3))
        tensors = (*seen, echo(np.arange(3)), tvm_ffi.from_dlpack(np.arange(3)))
        assert [type(x) for x in tensors] == [Mine] * 3
        assert type(copy.deepcopy(tensors[0])) is Mine
    finally:
        core._set_class_tensor(original)
        gc.collect()

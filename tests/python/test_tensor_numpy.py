# SPDX-License-Identifier: Apache-2.0
"""Test tensors as NumPy arrays and back, for every data type that both have."""

from __future__ import annotations

import gc
import hashlib
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi._values.numpy import samples_of_layout

np = pytest.importorskip("numpy")

PLAIN = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
BYTES = [
    *("bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn"),
    *("float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
]
PACKED = [*("int2", "int4", "uint2", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")]


def small_type(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    if not hasattr(ml_dtypes, name):
        pytest.skip(f"ml_dtypes {ml_dtypes.__version__} has no {name}")
    return np.dtype(getattr(ml_dtypes, name))


@pytest.mark.parametrize("name", PLAIN)
def test_plain_types_share_memory_both_ways(name, echo):
    array = np.ones((2, 3), dtype=name)
    tensor = tvm_ffi.from_dlpack(array)
    assert tensor.dtype == name
    view = tensor.numpy()
    assert view.dtype == array.dtype
    assert view.ctypes.data == array.ctypes.data
    view[0, 0] = 0
    assert array[0, 0] == 0
    assert echo(array).data_ptr() == array.ctypes.data


@pytest.mark.parametrize("name", BYTES)
def test_types_of_ml_dtypes_share_memory_both_ways(name, echo):
    kind = small_type(name)
    array = np.arange(6).astype(kind).reshape(2, 3)
    for tensor in (tvm_ffi.from_dlpack(array), echo(array), echo([array])[0]):
        assert tensor.dtype == name
        assert tensor.shape == (2, 3)
        assert tensor.data_ptr() == array.ctypes.data
        view = tensor.numpy()
        assert view.dtype == kind
        assert view.ctypes.data == array.ctypes.data
        assert (view.view("u1") == array.view("u1")).all()


@pytest.mark.parametrize("name", PACKED)
def test_types_that_numpy_pads_and_tensors_pack_do_not_cross(name, echo):
    kind = small_type(name)
    for use in (tvm_ffi.from_dlpack, echo):
        with pytest.raises(BufferError):
            use(np.zeros(4, dtype=kind))
    if name.startswith("float"):
        code, bits = tvm_ffi.dtype(name).type_code, tvm_ffi.dtype(name).bits
        packed = core._tensor_from_buffer(core.Tensor, (code, bits, 1), (8,), bytes(bits))
        with pytest.raises(TypeError, match=f"NumPy has no data type for elements of {name}"):
            packed.numpy()


def test_options_hold_for_types_of_ml_dtypes():
    array = np.zeros((4, 4), dtype=small_type("bfloat16"))
    strided = tvm_ffi.from_dlpack(array.T)
    assert strided.strides == (1, 4)
    assert strided.numpy().strides == array.T.strides
    with pytest.raises(RuntimeError, match=r"FromDLPack: Tensor is not contiguous\."):
        tvm_ffi.from_dlpack(array.T, require_contiguous=True)
    odd = np.zeros(257, dtype="u1")
    start = -odd.ctypes.data % 64 + 2
    crooked = odd[start : start + 64].view(array.dtype)
    with pytest.raises(RuntimeError, match=r"FromDLPack: Data is not aligned to 64 bytes\."):
        tvm_ffi.from_dlpack(crooked, require_alignment=64)


def test_the_array_lives_as_long_as_the_tensor():
    array = np.zeros(3, dtype=small_type("bfloat16"))
    references = sys.getrefcount(array)
    tensor = tvm_ffi.from_dlpack(array)
    view = tensor.numpy()
    assert sys.getrefcount(array) > references
    del tensor
    assert sys.getrefcount(array) > references
    del view
    assert sys.getrefcount(array) == references


def test_read_only_arrays_of_ml_dtypes_give_read_only_tensors(echo):
    array = np.zeros(3, dtype=small_type("bfloat16"))
    array.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        echo(array)
    assert not tvm_ffi.from_dlpack(array).numpy().flags.writeable


@pytest.mark.parametrize("kind", ["M8[s]", "i4,i4", "U3", "O", ">i4"])
def test_other_types_of_numpy_are_refused_as_numpy_says(kind, echo):
    for use in (tvm_ffi.from_dlpack, echo):
        with pytest.raises(BufferError):
            use(np.zeros(3, dtype=kind))


# When ml_dtypes was imported, this ended in endless recursion.
@pytest.mark.parametrize("kind", ["int64", "bfloat16"])
def test_strides_that_are_not_whole_elements_are_refused(kind, echo):
    small = small_type("bfloat16")
    element = small if kind == "bfloat16" else np.dtype(kind)
    array = np.zeros(4, [("a", "int8"), ("b", element)])["b"]
    for use in (tvm_ffi.from_dlpack, echo):
        with pytest.raises(BufferError, match=r"multiple of itemsize\. Copy it, for example with"):
            use(array)
    assert echo(np.ascontiguousarray(array)).shape == (4,)


def test_an_array_of_another_byte_order_is_refused_with_a_remedy(echo):
    small_type("bfloat16")
    array = np.arange(3, dtype=">f8")
    with pytest.raises(BufferError, match=r"byte order\. Convert it.* x\.astype\(x\.dtype\.newb"):
        echo(array)
    assert echo(array.astype(array.dtype.newbyteorder("="))).numpy().tolist() == [0, 1, 2]


def test_shapes_strides_and_offsets():
    base = np.arange(24, dtype="float32").reshape(2, 3, 4)
    for array in (base[:, 1:, ::2], base.T, base[::-1], base[1, 2, 3:], np.zeros((0, 3)), base[:0]):
        view = tvm_ffi.from_dlpack(array).numpy()
        assert view.shape == array.shape
        assert (view == array).all()
        if array.size:
            assert view.strides == array.strides
            assert view.ctypes.data == array.ctypes.data


# ---- numpy.asarray and the buffer protocol ----


@pytest.mark.parametrize("name", [*PLAIN, *BYTES])
def test_asarray_shares_the_memory(name):
    kind = small_type(name) if name in BYTES else np.dtype(name)
    array = np.arange(6).astype(kind).reshape(2, 3)
    tensor = tvm_ffi.from_dlpack(array)
    view = np.asarray(tensor)
    assert view.dtype == kind
    assert view.shape == (2, 3)
    assert view.flags.writeable
    assert view.ctypes.data == array.ctypes.data
    assert (view.view("u1") == array.view("u1")).all()
    del tensor, array
    assert view.shape == (2, 3)


def test_asarray_takes_dtype_and_copy():
    array = np.arange(4, dtype="float32")
    tensor = tvm_ffi.from_dlpack(array)
    assert np.asarray(tensor, dtype="int64").tolist() == [0, 1, 2, 3]
    assert not np.shares_memory(np.array(tensor, copy=True), array)
    assert np.shares_memory(np.array(tensor, copy=False), array)
    with pytest.raises(ValueError, match="copy"):
        np.array(tensor, dtype="int64", copy=False)
    assert float(np.sum(tensor)) == 6.0


def test_the_array_method_by_itself():
    array = np.arange(4, dtype="float32")
    tensor = tvm_ffi.from_dlpack(array)
    assert np.shares_memory(tensor.__array__(), array)
    assert np.shares_memory(tensor.__array__(np.float32, copy=False), array)
    assert not np.shares_memory(tensor.__array__(copy=True), array)
    assert tensor.__array__("int8").dtype == "int8"
    with pytest.raises(ValueError, match=r"float32 to an array of int8 without a copy"):
        tensor.__array__("int8", copy=False)
    with pytest.raises(TypeError, match="unexpected keyword argument 'kind'"):
        tensor.__array__(kind="int8")


def test_asarray_of_packed_types_says_what_is_missing():
    packed = core._tensor_from_buffer(core.Tensor, (17, 4, 1), (8,), bytes(4))
    with pytest.raises(TypeError, match="NumPy has no data type for elements of float4_e2m1fn"):
        np.asarray(packed)
    with pytest.raises(BufferError, match="no format for elements of float4_e2m1fn"):
        memoryview(packed)


def test_a_buffer_has_the_shape_strides_and_format_of_numpy():
    base = np.arange(24, dtype="float32").reshape(2, 3, 4)
    arrays = [
        base,
        base[:, 1:, ::2],
        base.T,
        base[::-1],
        base[1, 2, 3:],
        np.zeros((0, 3)),
        base[:0],
    ]
    arrays += [np.ones((), dtype=name) for name in PLAIN]
    for array in arrays:
        ours, theirs = memoryview(tvm_ffi.from_dlpack(array)), memoryview(array)
        assert (ours.format, ours.itemsize, ours.nbytes) == (
            theirs.format,
            theirs.itemsize,
            theirs.nbytes,
        )
        assert (ours.shape, ours.ndim, ours.readonly) == (theirs.shape, theirs.ndim, False)
        if array.size:
            assert ours.strides == theirs.strides
        assert (ours.c_contiguous, ours.f_contiguous) == (theirs.c_contiguous, theirs.f_contiguous)
        assert ours.tobytes() == theirs.tobytes()


def test_a_consumer_that_needs_contiguous_memory_is_refused():
    tensor = tvm_ffi.from_dlpack(np.zeros((4, 4), dtype="u1")[:, ::2])
    with pytest.raises(BufferError, match="not contiguous"):
        hashlib.sha256(tensor)
    assert bytes(tvm_ffi.from_dlpack(np.arange(3, dtype="u1"))) == b"\0\1\2"


def test_writes_through_a_buffer_are_seen():
    array = np.zeros(3, dtype="int32")
    memoryview(tvm_ffi.from_dlpack(array))[1] = 7
    assert array.tolist() == [0, 7, 0]


def test_a_buffer_keeps_the_memory_when_the_tensor_is_moved_away():
    array = np.arange(3, dtype="int32")
    references = sys.getrefcount(array)
    tensor = tvm_ffi.from_dlpack(array)
    view = memoryview(tensor)
    other = core.Tensor.__new__(core.Tensor)
    other.__move_handle_from__(tensor)
    del other
    assert sys.getrefcount(array) > references
    assert view.tolist() == [0, 1, 2]
    view.release()
    assert sys.getrefcount(array) == references


def test_a_buffer_needs_no_numpy(run_python):
    out = run_python(
        """
import sys, tvm_ffi
from tvm_ffi import core
t = core._tensor_from_buffer(core.Tensor, (0, 8, 1), (3,), bytes([1, 2, 3]))
print(memoryview(t).tolist(), "numpy" in sys.modules)
"""
    )
    assert out == "[1, 2, 3] False"


def test_a_tensor_elsewhere_names_its_device(run_python):
    out = run_python(
        """
import ctypes, tvm_ffi
from tvm_ffi import core
class D(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int32), ("id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
                ("ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
extents = (ctypes.c_int64 * 1)(3)
d = D(data=64, type=2, id=1, ndim=1, code=2, bits=32, lanes=1, shape=extents)
new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
tensor = tvm_ffi.from_dlpack(new(ctypes.addressof(d), b"dltensor", None))
import pickle, copy
import functools, numpy
uses = (numpy.asarray, memoryview, pickle.dumps, copy.deepcopy)
for use in (tensor.numpy, tensor.__array__, *(functools.partial(use, tensor) for use in uses)):
    try:
        use()
    except (TypeError, BufferError) as error:
        print(error)
del tensor, use
"""
    )
    assert out.splitlines() == [
        *["a NumPy array needs a CPU tensor, this one is on cuda:1"] * 3,
        "a buffer needs a CPU tensor, this one is on cuda:1",
        "cannot pickle a tensor on cuda:1; copy it to the CPU first",
        "cannot pickle a tensor on cuda:1; copy it to the CPU first",
    ]


def test_without_numpy(run_python):
    out = run_python(
        """
import sys, tvm_ffi
from tvm_ffi import core
sys.modules["numpy"] = None
tensor = core._tensor_from_buffer(core.Tensor, (0, 8, 1), (3,), b"abc")
try:
    tensor.numpy()
except ImportError:
    print("refused")
"""
    )
    assert out == "refused"


def test_the_same_memory_under_another_type():
    tensor = tvm_ffi.from_dlpack(np.arange(4, dtype="uint16"))
    other = core._tensor_with_dtype(tensor, (4, 16, 1))
    assert other.dtype == "bfloat16"
    assert other.data_ptr() == tensor.data_ptr()
    assert tensor.dtype == "uint16"
    for bad in ((4, 8, 1), (0, 32, 1)):
        with pytest.raises(ValueError, match="elements of 16 bits do not become elements of"):
            core._tensor_with_dtype(tensor, bad)
    for bad in ((-1, 16, 1), (300, 16, 1), (0, 0, 1), (0, 16, 0), (0, 16, 2**16)):
        with pytest.raises(ValueError, match="is not a data type of tensors"):
            core._tensor_with_dtype(tensor, bad)
    with pytest.raises(TypeError):
        core._tensor_with_dtype(5, (0, 16, 1))
    with pytest.raises(ValueError, match="is empty"):
        core._tensor_with_dtype(core.Tensor.__new__(core.Tensor), (0, 16, 1))


@pytest.mark.parametrize(
    "kind", ["int8", "uint8", "int64", "float32", "float64", "bool", "float16"]
)
def test_int_and_float_return_the_only_element(kind):
    """Before the fix, `int` and `float` read the bytes as text: 49 is the code of "1"."""
    for value in (49, 1, 0):
        for shape in ((), (1,), (1, 1)):
            tensor = tvm_ffi.from_dlpack(np.full(shape, value, kind))
            expected = np.full((), value, kind).item()
            assert (int(tensor), type(int(tensor))) == (int(expected), int)
            assert (float(tensor), type(float(tensor))) == (float(expected), float)


@pytest.mark.parametrize("shape", [(0,), (3,), (2, 2)])
def test_int_and_float_need_one_element(shape):
    tensor = tvm_ffi.from_dlpack(np.full(shape, 49, "uint8"))
    for kind in (int, float):
        with pytest.raises(TypeError, match="needs a tensor with one element, this one has the sh"):
            kind(tensor)
    with pytest.raises(TypeError):
        complex(tensor)


# ---- arrays that are read directly, with the results of DLPack

echo = tvm_ffi.get_global_func("testing.echo")
NAMES = [
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("longlong", "ulonglong", "intc", "uintc", "intp", "uintp"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]


def by_capsule(array: numpy.ndarray) -> tvm_ffi.Tensor:
    """Return the tensor that the DLPack protocol makes."""
    return tvm_ffi.from_dlpack(array.__dlpack__(max_version=(1, 3)))


@pytest.mark.parametrize("dtype", NAMES)
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
    array.resize((2, 3), refcheck=False)
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

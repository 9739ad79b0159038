# SPDX-License-Identifier: Apache-2.0
"""Test tensors as arrays: length, items, iteration, lists, numbers, and what is refused."""

from __future__ import annotations

import collections.abc
import ctypes
import operator
import pickle
import sys

import pytest
from layouts import DLDataType, DLDevice, DLManagedTensor, DLTensor, capsule

import tvm_ffi
from tvm_ffi import core

np = pytest.importorskip("numpy")

PLAIN = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
BYTES = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]
CUBE = np.arange(24, dtype="float32").reshape(2, 3, 4)
LAYOUTS = {
    "C": CUBE,
    "Fortran": np.asfortranarray(CUBE),
    "sliced": CUBE[:, 1:, ::2],
    "negative strides": CUBE[::-1, :, ::-1],
    "zero strides": np.broadcast_to(np.arange(4.0), (2, 3, 4)).copy()[:1].repeat(2, 0),
    "broadcast": np.ndarray((2, 3, 4), "float32", CUBE, strides=(0, 16, 4)),
    "offset": CUBE[1, 2, 1:],
    "no dimension": CUBE[1, 2, 3:].reshape(()),
    "one element": CUBE[:1, :1, :1],
    "empty": CUBE[:, :0],
    "empty first": CUBE[:0],
    "many dimensions": CUBE.reshape((2, *[1] * 59, 3, 4)),
}


def retyped(array, name):
    kind = tvm_ffi.dtype(name)
    tensor = tvm_ffi.from_dlpack(array)
    return core._tensor_with_dtype(tensor, (kind.type_code, kind.bits, kind.lanes))


def from_bytes(name, shape, data):
    kind = tvm_ffi.dtype(name)
    return core._tensor_from_buffer(
        core.Tensor, (kind.type_code, kind.bits, kind.lanes), shape, data
    )


_described = []  # The tensors of a test use this memory without owning it.


@pytest.fixture(autouse=True)
def _release_described():
    yield
    _described.clear()


def described(shape, strides=None, device=(1, 0), address=64, offset=0):
    """Return a tensor of float32 with the given members, over memory that cannot be read."""
    extents, steps = ((ctypes.c_int64 * 8)(*values or ()) for values in (shape, strides))
    tensor = DLTensor(address, DLDevice(*device), len(shape), DLDataType(2, 32, 1), extents)
    tensor.strides, tensor.byte_offset = steps if strides else None, offset
    members = DLManagedTensor(tensor)
    _described.append((extents, steps, members))
    return tvm_ffi.from_dlpack(capsule(ctypes.addressof(members), b"dltensor"))


def same(ours, theirs):
    """Compare an item of a tensor with that of an array."""
    if isinstance(ours, tvm_ffi.Tensor):
        assert isinstance(theirs, np.ndarray)
        assert ours.shape == theirs.shape
        assert str(ours.dtype) == str(theirs.dtype)
        if theirs.size:
            assert ours.data_ptr() == theirs.ctypes.data
        np.testing.assert_array_equal(np.asarray(ours), theirs)
    else:
        assert not isinstance(theirs, np.ndarray)
        assert type(ours) is type(theirs.item())
        assert ours == theirs.item()


KEYS = [
    *(0, -1, 1, np.int8(1), slice(None), slice(1, None), slice(None, None, -1), slice(-1, 0, -2)),
    *(slice(5, 9), slice(None, None, 1 << 62), (), ..., None, (0, 0), (1, slice(None)), (..., 0)),
    *((slice(None), 1), (0, ..., -1), (None, 0, None), (1, 2, 3), (-1, -1, -1), (1, 2, 3, ...)),
    *((slice(None, None, 2), slice(None, 1), slice(3, None, -3)), (0, 0, 0, None)),
    *(2, (0, 9), (0, 0, -9), (0, 0, 0, 0), (..., ...)),
]


@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_items_equal_those_of_numpy(layout, key):
    array = LAYOUTS[layout]
    tensor = tvm_ffi.from_dlpack(array)
    try:
        expected = array[key]
    except IndexError:
        with pytest.raises(IndexError):
            tensor[key]
    else:
        same(tensor[key], expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_length_iteration_and_list_equal_those_of_numpy(layout):
    array = LAYOUTS[layout]
    tensor = tvm_ffi.from_dlpack(array)
    assert tensor.tolist() == array.tolist()
    if not array.ndim:
        for use in (len, iter):
            with pytest.raises(TypeError, match="a tensor of 0 dimensions"):
                use(tensor)
        return
    assert len(tensor) == len(array)
    assert len([*tensor]) == len(array)
    for ours, theirs in zip(tensor, array):
        same(ours, theirs)


@pytest.mark.parametrize("name", [*PLAIN, *BYTES])
def test_every_data_type_has_the_values_of_numpy(name):
    if name in BYTES:
        kind = np.dtype(getattr(pytest.importorskip("ml_dtypes"), name))
    else:
        kind = np.dtype(name)
    array = np.array([0, 1, 1, 0.5, 2, 3, 100]).astype(kind)
    if kind.kind in "fc":
        array[-2:] = [np.inf, -2]
    if kind.kind == "c":
        array[1] = 1 - 2j
    if kind.kind == "i":
        array[-1] = np.iinfo(kind).min
    if kind.kind == "u":
        array[-1] = np.iinfo(kind).max
    tensor = tvm_ffi.from_dlpack(array)
    expected = [value.item() for value in array]
    values = tensor.tolist()
    np.testing.assert_array_equal(values, expected)
    assert [type(value) for value in values] == [type(value) for value in expected]
    assert repr([*tensor]) == repr(values)
    for i in (0, 1, -1):
        assert repr(tensor[i]) == repr(values[i])


def test_numbers_without_a_type_in_numpy():
    assert from_bytes("int4", (4,), b"\x10\xf2").tolist() == [0, 1, 2, -1]
    assert from_bytes("int4", (4,), b"\x10\xf2")[3] == -1
    assert from_bytes("int4", (4,), b"\x10\xf2")[2:].tolist() == [2, -1]
    assert from_bytes("float32x2", (1,), np.array([1, 2], "f4").tobytes()).tolist() == [(1.0, 2.0)]
    assert from_bytes("handle", (1,), (5).to_bytes(8, "little"))[0] == 5
    odd = from_bytes("int4", (4,), b"\x10\xf2")
    with pytest.raises(ValueError, match="element 1 of the tensor does not begin at a byte"):
        odd[1:]
    for use in (operator.itemgetter(0), core.Tensor.tolist, float):
        with pytest.raises(TypeError, match="elements of float128 have no value in Python"):
            use(from_bytes("float128", (1,), bytes(16)))


def test_parts_share_and_own_the_memory():
    array = np.zeros((4, 4))
    references = sys.getrefcount(array)
    row = tvm_ffi.from_dlpack(array)[1][2:]
    assert sys.getrefcount(array) > references
    row.numpy()[0] = 7
    assert array[1, 2] == 7
    assert pickle.loads(pickle.dumps(row)).tolist() == [7, 0]
    del row
    assert sys.getrefcount(array) == references


def test_a_part_of_a_part_does_not_keep_the_first_part():
    array = np.zeros(1000)
    tensor = tvm_ffi.from_dlpack(array)
    first = tensor[1:]
    use_count = tvm_ffi.get_global_func("testing.object_use_count")
    before = use_count(first)
    parts = [first[i:] for i in range(5)]
    assert use_count(first) == before
    del tensor, first
    assert parts[4].shape == (995,)
    assert parts[4].tolist() == [0] * 995


def test_parts_of_read_only_memory_are_read_only():
    array = np.arange(4.0)
    array.flags.writeable = False
    part = tvm_ffi.from_dlpack(array)[1:][::-1]
    assert part.tolist() == [3, 2, 1]
    assert memoryview(part).readonly
    assert not part.numpy().flags.writeable


@pytest.mark.parametrize("key", ["a", 1.0, [0], np.array([0, 1]), True, {}, b"a"], ids=repr)
def test_other_keys_are_refused_with_a_remedy(key):
    tensor = tvm_ffi.from_dlpack(CUBE)
    name = type(key).__name__
    with pytest.raises(TypeError, match=rf"not by `{name}`: use numpy\.asarray\(x\)\[key\]"):
        tensor[key]


@pytest.mark.parametrize("name", ["int8", "float32", "bool", "float16"])
def test_truth_of_one_element(name):
    for shape in ((), (1,), (1, 1)):
        for value in (0, 1):
            assert bool(tvm_ffi.from_dlpack(np.full(shape, value, name))) is bool(value)
    for shape in ((0,), (2,), (1, 3)):
        with pytest.raises(ValueError, match=r"ambiguous: test `x is not None`, or use numpy"):
            bool(tvm_ffi.from_dlpack(np.ones(shape, name)))


def test_numbers_need_no_numpy(run_python):
    out = run_python(
        """
import sys, tvm_ffi
from tvm_ffi import core
t = core._tensor_from_buffer(core.Tensor, (0, 8, 1), (3,), bytes([1, 2, 3]))
print(t.tolist(), t[1], [*t], int(t[2:]), bool(t[:1]), len(t), "numpy" in sys.modules)
"""
    )
    assert out == "[1, 2, 3] 2 [1, 2, 3] 3 True 3 False"


# ---- other devices and invalid memory ----


def test_elements_of_another_device_are_not_read():
    tensor = described((2, 1), device=(2, 1))
    part = tensor[1:, 0]
    assert (len(tensor), part.shape, str(part.device)) == (2, (1,), "cuda:1")
    assert part.data_ptr() == tensor.data_ptr() + 4
    uses = (operator.itemgetter((0, 0)), core.Tensor.tolist)
    uses += tuple(lambda x, kind=kind: kind(x[0]) for kind in (list, int, float, bool))
    for use in uses:
        with pytest.raises(TypeError, match=r"on cuda:1 cannot be read.*torch\.from_dlpack\(x\)"):
            use(tensor)


def test_a_part_of_a_handle_has_an_offset():
    tensor = described((4,), device=(7, 0), offset=8)
    assert tensor[1:].data_ptr() == tensor.data_ptr() + 4
    assert tensor[1:][::-1][1:].shape == (2,)


@pytest.mark.parametrize(
    ("address", "strides"), [(0, None), (None, None), (1 << 60, None), (64, (1 << 62, 1))]
)
def test_addresses_that_no_process_has_are_not_read(address, strides):
    tensor = described((2, 2), strides, address=address)
    for use in (operator.itemgetter((1, 1)), core.Tensor.tolist):
        with pytest.raises(ValueError, match="no valid address"):
            use(tensor)


def test_a_tensor_without_memory_and_elements():
    tensor = described((2, 0), address=None)
    assert tensor.tolist() == [[], []]
    assert tensor[1].shape == (0,)


def test_1024_dimensions():
    tensor = from_bytes("int8", (1,) * 1024, b"\x05")
    assert tensor[(0,) * 1024] == int(tensor) == 5
    assert tensor[0, ..., 0].shape == (1,) * 1022
    values = tensor.tolist()
    for _ in range(1024):
        (values,) = values
    assert values == 5
    with pytest.raises(ValueError, match="must not be above 1024"):
        tensor[None]


def test_an_empty_object():
    tensor = core.Tensor.__new__(core.Tensor)
    uses = (len, iter, list, bool, int, float, core.Tensor.tolist, operator.itemgetter(0))
    for use in uses:
        with pytest.raises(ValueError, match="is empty"):
            use(tensor)


def test_an_iterator_whose_tensor_was_moved_away():
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    iterator = iter(tensor)
    assert next(iterator) == 0
    other = core.Tensor.__new__(core.Tensor)
    other.__move_handle_from__(tensor)
    with pytest.raises(ValueError, match="is empty"):
        next(iterator)


# ---- refused operations ----


@pytest.mark.parametrize(
    "name",
    [
        *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift"),
        *("and_", "or_", "xor", "iadd", "imul"),
    ],
)
def test_arithmetic_is_refused_but_left_to_other_arrays(name):
    use = getattr(operator, name)
    array = np.arange(1, 5).reshape(2, 2)
    tensor = tvm_ffi.from_dlpack(array)
    for other in (tensor, 2, 2.0, True, 1j):
        for pair in ((tensor, other), (other, tensor)):
            with pytest.raises(TypeError, match=r"arithmetic: use numpy\.asarray\(x\)"):
                use(*pair)

    class Other:
        """Accepts every operand."""

        def __getattr__(self, name):
            raise AttributeError(name)

    answer = lambda self, other: "other"  # noqa: E731 - one function under many names
    for word in (name, name.strip("_")):
        setattr(Other, f"__{word}__", answer)
        setattr(Other, f"__r{word.removeprefix('i') if name[0] == 'i' else word}__", answer)
    assert use(tensor, Other()) == use(Other(), tensor) == "other"
    with pytest.raises(TypeError, match="unsupported operand"):
        use(tensor, object())
    np.testing.assert_array_equal(use(array.copy(), tensor), use(array.copy(), array))
    np.testing.assert_array_equal(use(tensor, array), use(array.copy(), array))
    if name not in ("matmul", "imatmul"):
        scalar = np.int64(2)
        np.testing.assert_array_equal(use(scalar, tensor), use(scalar, array))
        np.testing.assert_array_equal(use(tensor, scalar), use(array.copy(), scalar))


def test_other_operations_are_refused_with_a_remedy():
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    uses = [operator.neg, operator.pos, operator.abs, operator.invert]
    uses += [lambda x: divmod(x, 1), lambda x: 1.0 in x, lambda x: x.__setitem__(0, 1)]
    uses += [lambda x: operator.delitem(x, 0)]
    for use in uses:
        with pytest.raises(TypeError, match=r"use numpy\.asarray\(x\)"):
            use(tensor)


def test_tensors_are_no_sequences_for_others(echo):
    array = np.arange(6.0).reshape(2, 3)
    tensor = tvm_ffi.from_dlpack(array)
    assert not isinstance(tensor, (collections.abc.Sequence, collections.abc.Mapping))
    assert tensor == tensor
    assert (tensor != tensor) is False
    assert (tensor == array) is False
    assert len({tensor, tensor[0], tensor[0]}) == 3
    assert np.array([tensor, tensor]).shape == (2, 2, 3)
    assert np.shares_memory(np.asarray(tensor[1]), array)
    assert echo([tensor])[0].shape == (2, 3)
    assert isinstance(echo(tensor), tvm_ffi.Tensor)
    assert [t.tolist() for t in tvm_ffi.Array(tensor)] == array.tolist()
    with pytest.raises(TypeError, match="a NumPy array needs a CPU tensor, this one is on cuda:1"):
        np.asarray(described((3,), device=(2, 1)))
    with pytest.raises(AttributeError):
        tensor.__index__()

# SPDX-License-Identifier: Apache-2.0
"""Test the texts of tensors: data type, shape, device and values in CPU memory."""

from __future__ import annotations

import pickle
import sys

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import core

np = pytest.importorskip("numpy")


def shown(array):
    return repr(tvm_ffi.from_dlpack(array))


def retyped(array, name, bits=None):
    """Return a tensor that views the memory of an array as another data type."""
    kind = tvm_ffi.dtype(name)
    tensor = tvm_ffi.from_dlpack(array)
    return core._tensor_with_dtype(tensor, (kind.type_code, bits or kind.bits, kind.lanes))


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.arange(3), "int64[3]@cpu:0 [0, 1, 2]"),
        (np.array(3.5), "float64[]@cpu:0 3.5"),
        (np.array(-7, dtype="int8"), "int8[]@cpu:0 -7"),
        (np.zeros((0,)), "float64[0]@cpu:0 []"),
        (np.zeros((2, 0, 3), dtype="uint8"), "uint8[2, 0, 3]@cpu:0 []"),
        (np.array([True, False]), "bool[2]@cpu:0 [True, False]"),
        (np.array([2**64 - 1], dtype="uint64"), "uint64[1]@cpu:0 [18446744073709551615]"),
        (np.array([-(2**63)]), "int64[1]@cpu:0 [-9223372036854775808]"),
        (np.array([1, 2.5, 1 / 3]), "float64[3]@cpu:0 [1.0, 2.5, 0.33333333]"),
        (np.array([0.1, 1 / 3], dtype="float32"), "float32[2]@cpu:0 [0.1, 0.33333334]"),
        (np.array([1e-4, 1e20], dtype="float32"), "float32[2]@cpu:0 [0.0001, 1e+20]"),
        (np.array([0.1, 65504], dtype="float16"), "float16[2]@cpu:0 [0.1, 65500.0]"),
        (np.array([np.nan, np.inf, -np.inf, -0.0]), "float64[4]@cpu:0 [nan, inf, -inf, -0.0]"),
        (np.array([1e-300, 1e300]), "float64[2]@cpu:0 [1e-300, 1e+300]"),
        (np.array([1 - 2j]), "complex128[1]@cpu:0 [1.0-2.0j]"),
        (np.array([0.5 + 1j], dtype="complex64"), "complex64[1]@cpu:0 [0.5+1.0j]"),
        (np.eye(2), "float64[2, 2]@cpu:0\n[[1.0, 0.0],\n [0.0, 1.0]]"),
        (np.array([[1], [-10]]), "int64[2, 1]@cpu:0\n[[  1],\n [-10]]"),
        (
            np.arange(8).reshape(2, 2, 2),
            "int64[2, 2, 2]@cpu:0\n[[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, 7]]]",
        ),
    ],
    ids=lambda value: str(value).replace("\n", " ")[:40],
)
def test_values(array, text):
    assert shown(array) == str(tvm_ffi.from_dlpack(array)) == text


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12).reshape(3, 4).T,
        np.arange(12)[::-1],
        np.arange(24).reshape(2, 3, 4)[:, ::2, 1::2],
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(20)[5:9],
    ],
    ids=["transposed", "reversed", "sliced", "fortran", "offset"],
)
def test_strides(array):
    assert not array.flags.c_contiguous or array.base is not None
    assert shown(array) == repr(tvm_ffi.from_dlpack(array.copy(order="C")))


def test_memory_of_one_element_in_many_places():
    array = np.ndarray((2, 3), "int64", buffer=np.array([7, 8]), strides=(8, 0))
    assert shown(array) == "int64[2, 3]@cpu:0\n[[7, 7, 7],\n [8, 8, 8]]"


def test_large_tensors_show_the_ends_of_each_dimension():
    assert shown(np.arange(1000)).count(",") == 999
    assert shown(np.arange(1001)) == "int64[1001]@cpu:0 [0, 1, 2, ..., 998, 999, 1000]"
    rows = shown(np.arange(10_000).reshape(100, 100)).splitlines()
    assert rows[1] == "[[   0,    1,    2, ...,   97,   98,   99],"
    assert rows[4] == " ...,"
    assert rows[7] == " [9900, 9901, 9902, ..., 9997, 9998, 9999]]"
    assert len(rows) == 8


def test_long_rows_are_wrapped():
    lines = shown(np.arange(100)).splitlines()
    assert lines[0] == "int64[100]@cpu:0"
    assert all(len(line) <= 79 for line in lines)
    assert lines[-1].endswith("98, 99]")


def test_many_dimensions():
    assert len(shown(np.zeros((3,) * 10))) < 25_000
    assert shown(np.zeros((2,) * 20, dtype="int8")).endswith("@cpu:0 ...")
    assert shown(np.zeros((1,) * 30, dtype="int8")).endswith("[" * 30 + "0" + "]" * 30)


def test_ten_million_elements():
    assert shown(np.zeros(10_000_000)).endswith("[0.0, 0.0, 0.0, ..., 0.0, 0.0, 0.0]")


def test_inside_of_others_only_the_header_is_shown():
    tensor = tvm_ffi.from_dlpack(np.arange(3))
    assert repr(tvm_ffi.Array([tensor])) == "(int64[3]@cpu:0,)"


def test_format_full_shows_all_elements_and_digits():
    assert tvm_ffi.format_full(tvm_ffi.from_dlpack(np.arange(2000))).count(",") == 1999
    text = tvm_ffi.format_full(tvm_ffi.from_dlpack(np.array([1 / 3, 0.1])))
    assert text == f"float64[2]@cpu:0 [{1 / 3!r}, 0.1]"
    third = np.float32(1) / np.float32(3)
    text = tvm_ffi.format_full(tvm_ffi.from_dlpack(np.array([third])))
    assert np.float32(text.split("[")[-1].rstrip("]")) == third


SMALL = [
    *("float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz"),
    *("float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
]


@pytest.mark.parametrize("name", SMALL)
def test_every_number_of_eight_bits_equals_that_of_ml_dtypes(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    raw = np.arange(256, dtype="uint8")
    text = tvm_ffi.format_full(retyped(raw, name)).partition("\n")[2]
    values = [float(word) for word in text.strip("[]").replace("\n", "").split(",")]
    expected = raw.view(getattr(ml_dtypes, name)).astype("float64")
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("name", ["float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"])
def test_every_number_of_less_than_eight_bits_equals_that_of_ml_dtypes(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    bits = tvm_ffi.dtype(name).bits
    count = 1 << bits
    packed = sum(i << (i * bits) for i in range(count)).to_bytes(count * bits // 8, "little")
    tensor = packed_tensor(packed, name, count)
    values = [float(word) for word in repr(tensor).split("@cpu:0")[1].strip(" \n[]").split(",")]
    expected = np.arange(count, dtype="uint8").view(getattr(ml_dtypes, name)).astype("float64")
    np.testing.assert_array_equal(values, expected)


def packed_tensor(data, name, count):
    """Return a tensor whose elements have less than one byte each."""
    import ctypes

    from tvm_ffi._display import tensor as display

    kind = tvm_ffi.dtype(name)
    memory = ctypes.create_string_buffer(data)

    class Tensor:
        dtype = kind
        shape = (count,)
        strides = (1,)

        def data_ptr(self):
            return ctypes.addressof(memory)

        def numel(self):
            return count

        def __chandle__(self):
            return 0

        def __dlpack_device__(self):
            return (1, 0)

        device = tvm_ffi.device("cpu")

        def __repr__(self):
            return display.text_of(self)

    return Tensor()


@pytest.mark.parametrize(
    ("name", "data", "count", "values"),
    [
        ("int4", b"\x10\xf2", 4, "[0, 1, 2, -1]"),
        ("uint4", b"\x10\xf2", 4, "[0, 1, 2, 15]"),
        ("uint1", b"\x05", 5, "[1, 0, 1, 0, 0]"),
        ("int2", b"\xe4", 4, "[0, 1, -2, -1]"),
        ("float4_e2m1fnx2", b"\x21\x7f", 2, "[(0.5, 1.0), (-6.0, 6.0)]"),
        ("int32x2", b"\1\0\0\0\xff\xff\xff\xff", 1, "[(1, -1)]"),
    ],
)
def test_packed_elements_and_lanes(name, data, count, values):
    assert repr(packed_tensor(data, name, count)) == f"{name}[{count}]@cpu:0 {values}"


def test_bfloat16():
    raw = np.array([0x3F80, 0x4049, 0x7F80, 0xFF80, 0x7FC0, 0x8000, 0x3DCD], dtype="uint16")
    text = repr(retyped(raw, "bfloat16"))
    assert text == "bfloat16[7]@cpu:0 [1.0, 3.14, inf, -inf, nan, -0.0, 0.1]"


def test_handles_and_unknown_types():
    raw = np.array([0x1234, 0], dtype="uint64")
    assert repr(retyped(raw, "handle")).endswith("@cpu:0 [0x1234, 0x0]")
    sixteen = packed_tensor(b"\0" * 16, "float128", 1)
    assert repr(sixteen) == "float128[1]@cpu:0"


def test_memory_of_other_devices_is_not_read():
    """Use a tensor with an invalid address: reading its memory would end the process."""
    program = """
import tvm_ffi, ctypes
from tvm_ffi._display import tensor as display
class Elsewhere:
    dtype = tvm_ffi.dtype("float32"); shape = (2,); strides = (1,)
    device = tvm_ffi.device("cuda:1")
    def data_ptr(self): return 8
    def numel(self): return 2
    def __chandle__(self): return 0
    def __dlpack_device__(self): return (2, 1)
print(display.text_of(Elsewhere()), display.html_of(Elsewhere()))
"""
    done = execute(sys.executable, "-c", program, status=None)
    assert (done.returncode, done.stdout) == (0, "float32[2]@cuda:1 None\n"), done.stderr


def test_numpy_is_not_imported():
    program = """
import sys, tvm_ffi
import pickle
tensor = pickle.loads(%r)
print(repr(tensor), tensor._repr_html_() is not None, "numpy" in sys.modules)
"""
    data = pickle.dumps(tvm_ffi.from_dlpack(np.arange(2)), protocol=4)
    done = execute(sys.executable, "-c", program % data, status=None)
    assert (done.returncode, done.stdout) == (0, "int64[2]@cpu:0 [0, 1] True False\n"), done.stderr


def test_an_empty_tensor_object():
    assert repr(core.Tensor.__new__(core.Tensor)) == "Tensor(chandle=None)"


# ---- HTML ----


def test_table_of_a_matrix():
    html = tvm_ffi.from_dlpack(np.array([[1, 2], [3, 4]]))._repr_html_()
    assert html == (
        "<div><code>int64[2, 2]@cpu:0</code></div><table>"
        "<tr><th></th><th>0</th><th>1</th></tr>"
        "<tr><th>0</th><td>1</td><td>2</td></tr><tr><th>1</th><td>3</td><td>4</td></tr></table>"
    )


def test_large_tables_are_bounded():
    html = tvm_ffi.from_dlpack(np.zeros((1000, 1000)))._repr_html_()
    assert html.count("<tr>") == 12
    assert html.count("<td>") == 121
    assert "<th>999</th>" in html and "&hellip;" in html


def test_more_dimensions_are_several_tables():
    html = tvm_ffi.from_dlpack(np.arange(60).reshape(5, 3, 2, 2))._repr_html_()
    assert html.count("<table>") == 4
    assert "<code>[1, 0]</code>" in html
    assert "11 more tables" in html
    one = tvm_ffi.from_dlpack(np.arange(4).reshape(1, 2, 2))._repr_html_()
    assert "more" not in one and one.count("<table>") == 1


@pytest.mark.parametrize("array", [np.array(1), np.zeros((0, 3))])
def test_no_table(array):
    assert tvm_ffi.from_dlpack(array)._repr_html_() is None

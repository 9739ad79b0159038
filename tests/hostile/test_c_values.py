# SPDX-License-Identifier: Apache-2.0
"""Test values and calls of C code that break the rules of the C ABI in a detectable way."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from child import in_child, note
from layouts import AnyValue, ByteArray

import tvm_ffi

SafeCall = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(AnyValue)
)
SMALL_STR, SMALL_BYTES, DL_TENSOR, RAW_STR, BYTE_ARRAY, RVALUE = 11, 12, 7, 8, 9, 10
OBJECTS = (64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76)
_keep: list[object] = []


def library() -> ctypes.CDLL:
    return ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())


def function_returning(value: AnyValue, status: int = 0) -> Any:
    """Make a C function that returns a value unchanged."""

    @SafeCall
    def call(_self: Any, _args: Any, _num_args: int, result: Any) -> int:
        result[0] = value
        return status

    _keep.append(call)
    out = ctypes.c_void_p()
    assert library().TVMFFIFunctionCreate(None, call, None, ctypes.byref(out)) == 0
    return _function_of(out)


def _function_of(handle: ctypes.c_void_p) -> Any:
    """Make a C function available in Python, through the table of global functions."""
    name = f"hostile.c_values.{len(_keep)}".encode()
    text = ByteArray(name, len(name))
    assert library().TVMFFIFunctionSetGlobal(ctypes.byref(text), handle, 1) == 0
    library().TVMFFIObjectDecRef(handle)
    return tvm_ffi.get_global_func(name.decode())


MALFORMED = [
    *(AnyValue(index, 0, 0) for index in OBJECTS),
    *(
        AnyValue(index, length, 0)
        for index in (SMALL_STR, SMALL_BYTES)
        for length in (8, 2**32 - 1)
    ),
    *(AnyValue(index, 0, 0) for index in (DL_TENSOR, RAW_STR, BYTE_ARRAY, RVALUE)),
    *(AnyValue(index, 0, 1) for index in (14, 40, 63, -1, -(2**31))),
]


@in_child()
def test_value_returned_by_c_code_that_breaks_the_rules_is_a_value_error() -> None:
    for value in MALFORMED:
        note(value.type_index, value.small_len)
        function = function_returning(value)
        with pytest.raises(ValueError, match=r"type index|cannot be|no Python form"):
            function()
    assert tvm_ffi.convert(len)("ab") == 2


@in_child()
def test_failing_call_without_an_error_raises() -> None:
    for status in (-1, 1, 77):
        note(status)
        with pytest.raises(Exception, match=""):
            function_returning(AnyValue(0, 0, 0), status)()


def _call(function: Any, args: Any, count: int, result: Any) -> tuple[int, str]:
    lib = library()
    handle = ctypes.c_void_p(function.__chandle__())
    status = lib.TVMFFIFunctionCall(handle, args, ctypes.c_int32(count), result)
    if status == 0:
        return 0, ""
    error = ctypes.c_void_p()
    lib.TVMFFIErrorMoveFromRaised(ctypes.byref(error))
    assert error.value, "no error was raised"
    lib.TVMFFIObjectDecRef(error)
    return status, "raised"


@in_child()
def test_argument_from_c_code_that_breaks_the_rules_does_not_reach_a_python_callback() -> None:
    seen: list[object] = []
    function = tvm_ffi.convert(seen.append)
    for value in MALFORMED:
        note(value.type_index, value.small_len)
        result = AnyValue(0, 0, 0)
        assert _call(function, ctypes.byref(value), 1, ctypes.byref(result)) == (-1, "raised")
    bad = ByteArray(None, 5)
    value = AnyValue(BYTE_ARRAY, 0, ctypes.addressof(bad))
    result = AnyValue(0, 0, 0)
    assert _call(function, ctypes.byref(value), 1, ctypes.byref(result)) == (-1, "raised")
    assert seen == []


@in_child()
def test_c_code_that_calls_a_python_function_without_arguments_or_result() -> None:
    function = tvm_ffi.convert(lambda *args: len(args))
    value, result = AnyValue(1, 0, 5), AnyValue(0, 0, 0)
    for args, count, place in [
        (None, 1, ctypes.byref(result)),
        (ctypes.byref(value), -1, ctypes.byref(result)),
        (None, 0, None),
    ]:
        note(count)
        assert _call(function, args, count, place) == (-1, "raised")
    assert _call(function, None, 0, ctypes.byref(result)) == (0, "")

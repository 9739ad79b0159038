# SPDX-License-Identifier: Apache-2.0
"""Test the identity of exceptions that pass native frames, and the conversion of native errors."""

from __future__ import annotations

import gc
import sys
import traceback
import weakref
from collections.abc import Callable

import pytest

import tvm_ffi
from tvm_ffi import core

APPLY = tvm_ffi.get_global_func("testing.apply")
RAISE = tvm_ffi.get_global_func("testing.test_raise_error")
NATIVE_APPLY = "TestApply"


def nested(function: Callable[[], object], depth: int) -> Callable[[], object]:
    for _ in range(depth):
        function = (lambda inner: lambda: APPLY(inner))(tvm_ffi.convert(function))
    return function


@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_the_exception_object_comes_back_itself(depth: int) -> None:
    class Custom(Exception):
        pass

    original = Custom("text", 7)
    original.attribute = object()  # type: ignore[attr-defined]
    cause = KeyError("cause")

    def fail() -> None:
        raise original from cause

    with pytest.raises(Custom) as caught:
        nested(fail, depth)()
    assert caught.value is original
    assert original.args == ("text", 7)
    assert original.__cause__ is cause
    names = [frame.name for frame in traceback.extract_tb(original.__traceback__)]
    assert names[-1] == "fail"
    assert sum(NATIVE_APPLY in name for name in names) == depth


def test_catching_leaves_nothing_alive() -> None:
    class Witness:
        pass

    def run() -> weakref.ref[Witness]:
        witness = Witness()

        def fail(_x: object) -> None:
            raise ValueError("gone")

        try:
            APPLY(fail, witness)
        except ValueError:
            pass
        return weakref.ref(witness)

    gc.disable()
    try:
        assert run()() is None
    finally:
        gc.enable()


def test_many_errors_keep_no_references() -> None:
    def one() -> None:
        with pytest.raises(ValueError):
            RAISE("ValueError", "text")

    one()
    before = sys.getrefcount(core.Error)
    for _ in range(200):
        one()
    assert sys.getrefcount(core.Error) <= before + 2


def test_an_exception_whose_str_fails_still_crosses() -> None:
    class Unprintable(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    original = Unprintable()

    def fail() -> None:
        raise original

    with pytest.raises(Unprintable) as caught:
        APPLY(fail)
    assert caught.value is original


def test_a_deep_recursion_through_callbacks_ends_in_recursion_error() -> None:
    def again(n: int) -> object:
        return function(n + 1)

    function = tvm_ffi.convert(again)
    with pytest.raises(RecursionError):
        function(0)


def test_the_frames_of_the_first_error_keep_no_variables_of_its_callers(
    run_python: Callable[..., str],
) -> None:
    """On Python 3.10, the frames that are kept for tracebacks had the running frame as caller."""
    printed = run_python(
        "import gc, weakref, tvm_ffi\n"
        "fail = tvm_ffi.get_global_func('testing.test_raise_error')\n"
        "class Mine: pass\n"
        "def call(value): fail('ValueError', 'text')\n"
        "def first():\n"
        "    value = Mine()\n"
        "    try: call(value)\n"
        "    except ValueError: return weakref.ref(value)\n"
        "alive = first()\n"
        "gc.collect()\n"
        "print(alive())\n"
    )
    assert printed == "None"

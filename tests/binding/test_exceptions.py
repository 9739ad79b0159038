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


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration])
def test_exceptions_that_are_not_everyday_ones_stay_themselves(kind: type[BaseException]) -> None:
    original = kind()

    def fail() -> None:
        raise original

    with pytest.raises(kind) as caught:
        APPLY(fail)
    assert caught.value is original


def test_a_native_error_becomes_the_class_of_its_kind() -> None:
    for kind in ("ValueError", "TypeError", "NotImplementedError", "OSError", "ZeroDivisionError"):
        with pytest.raises(getattr(__builtins__, kind, None) or __builtins__[kind], match="text"):
            RAISE(kind, "text")
    with pytest.raises(RuntimeError, match="text") as caught:
        RAISE("NoSuchKindOfError", "text")
    assert type(caught.value) is RuntimeError
    assert caught.value.__tvm_ffi_error__.kind == "NoSuchKindOfError"


def test_the_native_frame_is_in_the_traceback() -> None:
    with pytest.raises(ValueError) as caught:
        RAISE("ValueError", "text")
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert "TestRaiseError" in frames[-1].name
    assert frames[-1].lineno and frames[-1].lineno > 0
    assert "core." not in frames[-1].filename


def test_an_error_that_went_through_python_shows_each_function_once() -> None:
    def through() -> None:
        RAISE("ValueError", "text")

    with pytest.raises(ValueError) as caught:
        APPLY(through)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert [n for n in names if n == "through"] == ["through"]
    assert sum("TestRaiseError" in n for n in names) == 1
    assert sum(NATIVE_APPLY in n for n in names) == 1


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


def test_a_result_that_cannot_be_converted_fails_like_an_exception() -> None:
    with pytest.raises(UnicodeEncodeError):
        APPLY(lambda: "\ud800 is a lone surrogate")


def test_errors_as_values() -> None:
    error = core.Error("ValueError", "text", '  File "f", line 3, in g\n')
    assert (error.kind, error.message) == ("ValueError", "text")
    exc = error.py_error()
    assert type(exc) is ValueError and exc.args == ("text",)
    frame = traceback.extract_tb(exc.__traceback__)[-1]
    assert (frame.filename, frame.lineno, frame.name) == ("f", 3, "g")
    error.update_backtrace("")
    assert error.backtrace == ""
    with pytest.raises(TypeError):
        core.Error("ValueError", 3, "")  # type: ignore[arg-type]


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

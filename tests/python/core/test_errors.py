# SPDX-License-Identifier: Apache-2.0
"""Test errors in both directions."""

from __future__ import annotations

import copy
import gc
import pickle
import traceback
import weakref

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import convert, core, error

RAISE = tvm_ffi.get_global_func("testing.test_raise_error")


def raised(call, *args):
    """Return the exception that a call raises."""
    with pytest.raises(BaseException) as caught:
        call(*args)
    return caught.value


@pytest.mark.spec("PY-G160")
@pytest.mark.parametrize(
    "cls",
    [
        *(RuntimeError, ValueError, TypeError, AttributeError, KeyError, IndexError),
        *(AssertionError, MemoryError, NotImplementedError, OSError, ZeroDivisionError),
    ],
)
def test_g160_kinds_of_built_in_classes(cls):
    assert type(raised(RAISE, cls.__name__, "m")) is cls


@pytest.mark.spec("PY-G160")
@pytest.mark.parametrize("kind", ["NoSuchKind", "", "int", "Exception"])
def test_g160_other_kinds(kind):
    assert isinstance(raised(RAISE, kind, "m"), Exception)
    assert kind == "Exception" or type(raised(RAISE, kind, "m")) is RuntimeError


@pytest.mark.spec("PY-G161")
def test_g161_arguments_and_error_object():
    exc = raised(RAISE, "KeyError", "the message")
    assert exc.args == ("the message",)
    assert exc.__tvm_ffi_error__.kind == "KeyError"
    assert exc.__tvm_ffi_error__.message == "the message"


@pytest.mark.spec("PY-G162", "PY-G163")
def test_g162_and_g163_the_native_frame():
    exc = raised(RAISE, "ValueError", "m")
    assert "TestRaiseError" in exc.__tvm_ffi_error__.backtrace
    assert "TestRaiseError" in traceback.format_tb(exc.__traceback__)[-1]


@pytest.mark.spec("PY-G164")
def test_g164_identity_through_python():
    def again(kind):
        RAISE(kind, "m")

    exc = raised(tvm_ffi.get_global_func("testing.apply"), convert(again), "ValueError")
    native = exc.__tvm_ffi_error__
    second = raised(tvm_ffi.get_global_func("testing.apply"), convert(lambda: reraise(exc)))
    assert second.__tvm_ffi_error__.same_as(native)
    text = "".join(traceback.format_exception(type(second), second, second.__traceback__))
    assert text.count("in TestRaiseError") + text.count("::TestRaiseError(") == 1, text


def reraise(exc):
    raise exc


@pytest.mark.spec("PY-G165")
def test_g165_innermost_first(apply):
    def middle(kind):
        RAISE(kind, "m")

    exc = raised(apply, convert(middle), "ValueError")
    lines = core._convert_to_ffi_error(exc).backtrace
    places = [lines.find(name) for name in ("TestRaiseError", "in middle", "TestApply")]
    assert -1 not in places, lines
    assert places == sorted(places)


@pytest.mark.spec("PY-G166")
def test_g166_functions_of_a_converted_exception(echo):
    def inner():
        raise ValueError("x")

    exc = raised(inner)
    for value in (convert(exc), echo(exc)):
        assert "in inner" in value.backtrace


@pytest.mark.spec("PY-G167")
def test_g167_the_exception_comes_back_itself(apply):
    class Own(LookupError):
        pass

    for exc in (Own("x"), KeyError("k"), StopIteration(3), SystemExit(1), KeyboardInterrupt()):
        exc.note = "kept"
        back = raised(apply, convert(lambda exc=exc: reraise(exc)))
        assert back is exc
        assert back.note == "kept"
    assert core._convert_to_ffi_error(UnicodeError("x")).kind == "ValueError"
    assert core._convert_to_ffi_error(Own("x")).kind == "RuntimeError"


@pytest.fixture
def registry():
    """Remove the error types that a test registers."""
    names, types = dict(core.ERROR_NAME_TO_TYPE), dict(core.ERROR_TYPE_TO_NAME)
    yield
    for table, before in ((core.ERROR_NAME_TO_TYPE, names), (core.ERROR_TYPE_TO_NAME, types)):
        table.clear()
        table.update(before)


@pytest.mark.spec("PY-G168")
def test_g168_all_forms_of_register_error(registry, apply):
    @tvm_ffi.register_error
    class BareError(RuntimeError):
        pass

    @tvm_ffi.register_error("NamedKind")
    class NamedError(RuntimeError):
        pass

    class GivenError(RuntimeError):
        pass

    assert tvm_ffi.register_error("GivenKind", GivenError) is GivenError
    for kind, cls in (
        ("BareError", BareError),
        ("NamedKind", NamedError),
        ("GivenKind", GivenError),
    ):
        assert type(raised(RAISE, kind, "m")) is cls
        assert core._convert_to_ffi_error(cls("m")).kind == kind


@pytest.mark.spec("PY-G169")
def test_g169_an_error_object_is_not_an_exception():
    value = core.Error("ValueError", "m", "")
    assert not isinstance(value, BaseException)
    assert type(value.py_error()) is ValueError
    with pytest.raises(TypeError):
        raise value


@pytest.mark.spec("PY-G170")
def test_g170_the_backtrace_is_replaced():
    value = core.Error("ValueError", "m", "first")
    value.update_backtrace("second")
    assert value.backtrace == "second"


@pytest.mark.spec("PY-G171")
def test_g171_the_parser_of_backtraces():
    text = 'noise\n  File "a.py", line 3, in f\n    File "b c.cc", line 0, in ns::g(int)\nrest'
    assert error._parse_backtrace(text) == [("a.py", 3, "f"), ("b c.cc", 0, "ns::g(int)")]


@pytest.mark.spec("PY-G172")
def test_g172_no_reference_cycle():
    class Local:
        pass

    gc.collect()
    gc.disable()
    try:

        def use():
            local = Local()
            watch = weakref.ref(local)
            try:
                RAISE("KeyError", "m")
            except KeyError:
                pass
            return watch

        assert use()() is None
    finally:
        gc.enable()


@pytest.mark.spec("PY-G173")
@pytest.mark.parametrize("copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy])
def test_g173_copies_of_exceptions(copied):
    exc = raised(RAISE, "ValueError", "m")
    again = copied(exc)
    assert type(again) is ValueError
    assert again.args == ("m",)
    for name in ("kind", "message", "backtrace"):
        assert getattr(again.__tvm_ffi_error__, name) == getattr(exc.__tvm_ffi_error__, name)
    assert again.__tvm_ffi_error__.extra_context is None


@pytest.mark.spec("PY-G174")
def test_g174_an_unpickled_exception_is_raised_again(apply):
    exc = pickle.loads(pickle.dumps(raised(RAISE, "ValueError", "m")))
    assert raised(apply, convert(lambda: reraise(exc))) is exc


@pytest.mark.spec("PY-G175")
def test_g175_failed_checks(registry):
    exc = raised(tvm_ffi.load_module, __file__)
    assert isinstance(exc, RuntimeError)
    assert type(raised(RAISE, "InternalError", "m")) is RuntimeError

    class InternalError(RuntimeError):
        pass

    tvm_ffi.register_error("InternalError", InternalError)
    assert type(raised(RAISE, "InternalError", "m")) is InternalError


@pytest.mark.spec("PY-G177")
@pytest.mark.parametrize("text", ["two\nlines", "ünïcödé ✓", "", "a" * 10_000, "tab\tand \x01"])
def test_g177_messages_are_intact(text):
    assert str(raised(RAISE, "ValueError", text)) == text

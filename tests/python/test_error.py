# SPDX-License-Identifier: Apache-2.0
"""Test errors that pass between Python and native code, in both directions."""

from __future__ import annotations

import copy
import gc
import pickle
import traceback
import weakref

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi import error as error_module


@pytest.fixture(scope="module")
def raise_error():
    return tvm_ffi.get_global_func("testing.test_raise_error")


def caught(function, *args):
    try:
        function(*args)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


# ---- native to Python ----


@pytest.mark.spec("PY-G160", "PY-G161")
@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        *(("RuntimeError", RuntimeError), ("ValueError", ValueError), ("TypeError", TypeError)),
        *(("AttributeError", AttributeError), ("KeyError", KeyError), ("IndexError", IndexError)),
        *(("AssertionError", AssertionError), ("MemoryError", MemoryError)),
        *(("NotImplementedError", NotImplementedError), ("OSError", OSError)),
        *(("OverflowError", OverflowError), ("ZeroDivisionError", ZeroDivisionError)),
        *(("NoSuchKindOfError", RuntimeError), ("", RuntimeError), ("print", RuntimeError)),
        *(("int", RuntimeError), ("InternalError", RuntimeError)),
    ],
)
def test_kind_decides_the_class(raise_error, kind, cls):
    error = caught(raise_error, kind, "the message")
    assert type(error) is cls
    assert error.args == ("the message",)
    assert error.__tvm_ffi_error__.kind == kind
    assert error.__tvm_ffi_error__.message == "the message"
    assert error.__cause__ is None


@pytest.mark.spec("PY-G177")
@pytest.mark.parametrize("message", ["", "two\nlines", "ünïcødé 😀", "x" * 5000, "100 % {} %s"])
def test_message_is_intact(raise_error, message):
    assert str(caught(raise_error, "ValueError", message)) == message


@pytest.mark.spec("PY-G162", "PY-G163")
def test_traceback_ends_in_native_code(raise_error):
    error = caught(raise_error, "ValueError", "m")
    frames = traceback.extract_tb(error.__traceback__)
    assert frames[0].name == "caught"
    assert "TestRaiseError" in frames[-1].name
    assert frames[-1].lineno and frames[-1].lineno > 0
    assert "core." not in frames[-1].filename
    assert "TestRaiseError" in error.__tvm_ffi_error__.backtrace
    assert "ValueError: m" in "".join(
        traceback.format_exception(type(error), error, error.__traceback__)
    )


@pytest.mark.spec("PY-G172")
def test_error_makes_no_reference_cycle(raise_error):
    class Local:
        pass

    def fail():
        local = Local()
        gone.append(weakref.ref(local))
        try:
            raise_error("KeyError", "k")
        except KeyError:
            pass

    gone = []
    gc.collect()
    gc.disable()
    try:
        fail()
        assert gone[0]() is None
    finally:
        gc.enable()


# ---- Python to native and back ----


class CustomError(Exception):
    """An exception class that native code does not know."""


@pytest.mark.spec("PY-G167")
@pytest.mark.parametrize(
    "error",
    [
        *(ValueError("v"), KeyError("k"), CustomError("c", 5), StopIteration(3)),
        *(
            KeyboardInterrupt(),
            SystemExit(3),
            GeneratorExit(),
            UnicodeDecodeError("a", b"", 0, 1, "b"),
        ),
    ],
    ids=lambda error: type(error).__name__,
)
def test_exception_of_a_callback_comes_back_as_itself(apply, error):
    def callback():
        raise error

    assert caught(apply, callback) is error
    assert caught(apply, lambda: apply(callback)) is error
    error.__traceback__ = None  # each time the exception is raised, its traceback grows


def test_exception_keeps_what_hangs_on_it(apply):
    def callback():
        try:
            raise KeyError("inner")
        except KeyError as inner:
            error = CustomError("outer")
            error.extra = [1, 2]
            raise error from inner

    error = caught(apply, callback)
    assert error.extra == [1, 2]
    assert type(error.__cause__) is KeyError
    assert "callback" in [frame.name for frame in traceback.extract_tb(error.__traceback__)]


def test_exception_does_not_outlive_its_last_holder(apply):
    class Payload:
        pass

    def make_error():
        error = CustomError("c")
        error.payload = Payload()
        gone.append(weakref.ref(error.payload))
        return error

    def callback():
        raise make_error()  # A local variable for the error would make a cycle with the traceback.

    gone = []
    gc.disable()
    try:
        caught(apply, callback)
        assert gone[0]() is None
    finally:
        gc.enable()


@pytest.mark.spec("PY-G164", "PY-G165")
def test_native_error_keeps_its_identity_through_python(raise_error, apply):
    seen = []

    def callback():
        try:
            raise_error("ValueError", "m")
        except ValueError as error:
            seen.append(error)
            raise

    error = caught(apply, callback)
    assert error is seen[0]
    assert error.__tvm_ffi_error__.backtrace.count("TestRaiseError") <= 1
    names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert names.count("callback") == 1
    assert sum("TestRaiseError" in name for name in names) == 1
    assert sum("TestApply" in name for name in names) == 1
    assert names.index("callback") < next(i for i, n in enumerate(names) if "TestRaiseError" in n)
    lines = core._convert_to_ffi_error(error).backtrace
    places = [lines.find(name) for name in ("TestRaiseError", "in callback", "TestApply")]
    assert -1 not in places and places == sorted(places), lines


@pytest.mark.spec("PY-G166")
def test_converted_exception_carries_its_traceback(echo):
    def innermost():
        raise ValueError("m")

    def outer():
        innermost()

    exception = caught(outer)
    for error in (tvm_ffi.convert(exception), echo(exception)):
        assert (error.kind, error.message) == ("ValueError", "m")
        lines = error.backtrace.splitlines()
        assert "innermost" in lines[0]
        assert "outer" in lines[1]
    assert not hasattr(exception, "__tvm_ffi_error__")


def test_kind_is_that_of_the_nearest_registered_class(echo):
    class Derived(IndexError):
        pass

    assert echo(Derived("m")).kind == "IndexError"
    assert echo(CustomError("m")).kind == "RuntimeError"


# ---- register_error ----


@pytest.fixture
def clean_registry():
    names, types = dict(core.ERROR_NAME_TO_TYPE), dict(core.ERROR_TYPE_TO_NAME)
    yield
    for registered, saved in ((core.ERROR_NAME_TO_TYPE, names), (core.ERROR_TYPE_TO_NAME, types)):
        registered.clear()
        registered.update(saved)


@pytest.mark.spec("PY-G168")
@pytest.mark.usefixtures("clean_registry")
def test_register_error_in_all_forms(raise_error, echo):
    @tvm_ffi.register_error
    class PlainError(RuntimeError):
        pass

    @tvm_ffi.register_error("NamedByDecorator")
    class DecoratedError(RuntimeError):
        pass

    class GivenError(RuntimeError):
        pass

    @tvm_ffi.register_error()
    class EmptyCallError(RuntimeError):
        pass

    assert tvm_ffi.register_error("Given", GivenError) is GivenError
    for kind, cls in [
        ("PlainError", PlainError),
        ("NamedByDecorator", DecoratedError),
        ("Given", GivenError),
        ("EmptyCallError", EmptyCallError),
    ]:
        assert type(caught(raise_error, kind, "m")) is cls
        assert echo(cls("m")).kind == kind


@pytest.mark.usefixtures("clean_registry")
def test_class_that_does_not_take_a_message(raise_error):
    @tvm_ffi.register_error
    class PickyError(Exception):
        def __init__(self, first, second):
            super().__init__(first, second)

    error = caught(raise_error, "PickyError", "the message")
    assert type(error) is RuntimeError
    assert "the message" in str(error)


@pytest.mark.spec("PY-G175")
@pytest.mark.usefixtures("clean_registry")
def test_class_for_failed_native_checks(raise_error):
    assert isinstance(caught(tvm_ffi.load_module, __file__), RuntimeError)

    class InternalError(RuntimeError):
        pass

    tvm_ffi.register_error("InternalError", InternalError)
    assert type(caught(raise_error, "InternalError", "m")) is InternalError


@pytest.mark.parametrize("bad", [(5,), ("Name", 5), ("Name", int)])
def test_register_error_refuses_values_that_are_not_exceptions(bad):
    with pytest.raises(TypeError):
        tvm_ffi.register_error(*bad)


@pytest.mark.usefixtures("clean_registry")
def test_built_in_kind_is_not_replaced_by_another_class(raise_error):
    class KernelError(Exception):
        pass

    for kind in ("ValueError", "MemoryError"):
        with pytest.raises(TypeError, match=f"not a subclass of the built-in {kind}"):
            tvm_ffi.register_error(kind, KernelError)
    assert type(caught(raise_error, "ValueError", "m")) is ValueError

    class NarrowError(ValueError):
        pass

    tvm_ffi.register_error("ValueError", NarrowError)
    assert type(caught(raise_error, "ValueError", "m")) is NarrowError
    tvm_ffi.register_error("ValueError", ValueError)
    # Native code does not raise errors of this kind, so any class can be registered for it.
    tvm_ffi.register_error("TimeoutError", KernelError)
    tvm_ffi.register_error("TimeoutError", NarrowError)


# ---- core.Error ----


@pytest.mark.spec("PY-G169", "PY-G170")
def test_error_object():
    error = core.Error("ValueError", "m", '  File "f.cc", line 3, in f\n')
    assert (error.kind, error.message) == ("ValueError", "m")
    assert not isinstance(error, BaseException)
    with pytest.raises(TypeError):
        raise error
    with pytest.raises(AttributeError):
        error.kind = "x"
    error.update_backtrace('  File "g.cc", line 4, in g\n')
    assert error.backtrace == '  File "g.cc", line 4, in g\n'
    exception = error.py_error()
    assert type(exception) is ValueError
    assert exception.__tvm_ffi_error__.same_as(error)
    frames = traceback.extract_tb(exception.__traceback__)
    assert [(f.filename, f.lineno, f.name) for f in frames] == [("g.cc", 4, "g")]


@pytest.mark.parametrize("bad", [(1, "m", ""), ("ValueError", None, ""), ("V", "m", b"")])
def test_error_object_takes_strings_only(bad):
    with pytest.raises((TypeError, AttributeError)):
        core.Error(*bad)


@pytest.mark.spec("PY-G173", "PY-G174")
def test_error_and_its_exception_can_be_copied(raise_error, apply):
    exception = caught(raise_error, "ValueError", "m")
    for other in (pickle.loads(pickle.dumps(exception)), copy.deepcopy(exception)):
        assert type(other) is ValueError
        assert other.args == ("m",)
        error = other.__tvm_ffi_error__
        assert (error.kind, error.message) == ("ValueError", "m")
        assert error.backtrace == exception.__tvm_ffi_error__.backtrace
        assert error.extra_context is None

        def callback(other=other):
            raise other

        assert caught(apply, callback) is other


# ---- backtraces as text ----


@pytest.mark.spec("PY-G171")
def test_parse_backtrace_skips_other_lines():
    text = (
        'Traceback:\n  File "a.cc", line 3, in f(int)\n'
        'noise\n\tFile "b c.py", line 12, in <lambda>\n'
    )
    assert error_module._parse_backtrace(text) == [
        ("a.cc", 3, "f(int)"),
        ("b c.py", 12, "<lambda>"),
    ]
    assert error_module._parse_backtrace("") == []


def test_appended_frames_stand_in_call_order():
    backtrace = (
        '  File "inner.cc", line 1, in inner\n  File "outer.cc", line 2, in void outer(int)\n'
    )
    error = error_module._with_append_backtrace(ValueError("m"), backtrace)
    frames = traceback.extract_tb(error.__traceback__)
    assert [frame.name for frame in frames] == ["void outer(int)", "inner"]
    assert error_module._traceback_to_backtrace_str(error.__traceback__) == backtrace


def test_exception_comes_back_through_a_visit_context():
    from tvm_ffi import List
    from tvm_ffi.testing import TestIntPair

    class MineError(Exception):
        pass

    raised = []

    def fails(_):
        raised.append(MineError("x"))
        raise raised[-1]

    walk = tvm_ffi.get_global_func("ffi.StructuralWalk")
    index = core._object_type_key_to_index("testing.TestIntPair")
    with pytest.raises(MineError) as caught:
        walk(List([TestIntPair(1, 2)]), [(index, fails)], [], 0)
    assert caught.value is raised[0]
    context = caught.value.__tvm_ffi_error__.extra_context
    assert type(context).__tvm_ffi_type_info__.type_key == "ffi.VisitErrorContext"
    assert context.prev_error_context is None

    def raises_again(_):
        raise caught.value

    with pytest.raises(MineError) as again:
        walk(List([TestIntPair(1, 2)]), [(index, raises_again)], [], 0)
    assert again.value is caught.value

# SPDX-License-Identifier: Apache-2.0
"""Test that the cause of an error crosses the boundary in both directions."""

from __future__ import annotations

import gc
import weakref

import pytest

from tvm_ffi.cpp import load_inline

SOURCE = r"""
namespace ffi = tvm::ffi;
int64_t fail() {
  ffi::Error cause("ValueError", "inner", "");
  throw ffi::Error("RuntimeError", "outer", "", cause, std::nullopt);
}
int64_t wrap(ffi::Function f) {
  try {
    return f().cast<int64_t>();
  } catch (const ffi::Error& error) {
    throw ffi::Error("ValueError", "wrapped", "", error, std::nullopt);
  }
}
ffi::Array<ffi::String> chain(ffi::Function f) {
  ffi::Array<ffi::String> messages;
  try {
    f();
  } catch (const ffi::Error& error) {
    messages.push_back(error.message());
    for (auto cause = error.cause_chain(); cause; cause = cause->cause_chain()) {
      messages.push_back(cause->message());
    }
  }
  return messages;
}
int64_t throw_cause(ffi::Function f) {
  try {
    f();
  } catch (const ffi::Error& error) {
    throw *error.cause_chain();
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def causes():
    functions = ["fail", "wrap", "chain", "throw_cause"]
    return load_inline("causes", cpp_sources=SOURCE, functions=functions, extra_cflags=["-O0"])


class Custom(ValueError):
    """A class that native code does not know."""


def fail_with_cause():
    try:
        raise ZeroDivisionError("first")
    except ZeroDivisionError as first:
        raise Custom("second") from first


def test_a_native_cause_is_the_cause_of_the_exception(causes):
    with pytest.raises(RuntimeError, match="outer") as caught:
        causes.fail()
    assert repr(caught.value.__cause__) == "ValueError('inner')"
    assert caught.value.__cause__.__cause__ is None


def test_an_exception_that_native_code_wraps_is_the_same_object(causes):
    exception = Custom("mine")

    def fail():
        raise exception

    for _ in range(2):
        with pytest.raises(ValueError, match="wrapped") as caught:
            causes.wrap(fail)
        assert caught.value.__cause__ is exception


def test_native_code_sees_the_causes_of_a_python_exception(causes):
    assert list(causes.chain(fail_with_cause)) == ["second", "first"]
    assert list(causes.chain(causes.fail)) == ["outer", "inner"]

    def wrap_and_fail():
        try:
            causes.wrap(fail_with_cause)
        except ValueError as error:
            raise Custom("top") from error

    assert list(causes.chain(wrap_and_fail)) == ["top", "wrapped", "second", "first"]


def test_a_cause_that_native_code_throws_is_the_original_exception(causes):
    with pytest.raises(ZeroDivisionError, match="first"):
        causes.throw_cause(fail_with_cause)


def test_a_cause_that_changes_between_two_calls_is_seen(causes):
    exception = Custom("effect")

    def fail():
        raise exception

    for cause in (KeyError("a"), KeyError("b"), KeyError("b")):
        exception.__cause__ = cause
        assert list(causes.chain(fail)) == ["effect", str(cause)]


def test_exceptions_that_cause_each_other_end(causes):
    first, second = Custom("first"), Custom("second")
    first.__cause__, second.__cause__ = second, first

    def fail():
        raise first

    assert list(causes.chain(fail))[:3] == ["first", "second", "first"]
    with pytest.raises(ValueError, match="wrapped") as caught:
        causes.wrap(fail)
    assert caught.value.__cause__ is first


@pytest.mark.parametrize("name", ["wrap", "chain", "throw_cause"])
def test_nothing_outlives_the_handler(causes, name):
    class Local:
        pass

    def call():
        local = Local()
        try:
            causes[name](fail_with_cause)
        except Exception:
            pass
        return weakref.ref(local)

    gc.disable()
    try:
        assert call()() is None
    finally:
        gc.enable()

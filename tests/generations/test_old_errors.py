# SPDX-License-Identifier: Apache-2.0
"""Test errors of libraries of 0.1.7 and earlier, which have no fields for cause and context."""

from __future__ import annotations

import gc
import pickle
import re
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import core

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(
    params=[(), ("-DONE_WORD_STRINGS",), ("-DTEXT_IN_THE_WORDS",)],
    ids=["strings-of-four-words", "strings-of-one-word", "text-in-the-words"],
)
def old(probe, request):
    """Yield the library for each layout of strings; afterwards check that no error is left."""
    library = probe("old_error.cc", *request.param)
    before = library.num_live()
    yield library
    gc.collect()
    assert library.num_live() == before


def raised_by(function, *args):
    with pytest.raises(Exception) as caught:
        function(*args)
    error = caught.value
    # Drop the traceback: its frames refer to the exception, and would keep the error alive.
    return error.with_traceback(None)


@pytest.mark.spec("GEN-G11")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("ValueError", ValueError), ("A.kind.that.is.longer", RuntimeError), ("", RuntimeError)],
)
def test_an_old_error_becomes_the_exception_of_its_kind(old, kind, expected):
    error = raised_by(old.fail, kind, "the text")
    assert type(error) is expected
    assert str(error) == "the text"
    assert error.__tvm_ffi_error__.kind == kind
    assert error.__tvm_ffi_error__.message == "the text"
    assert error.__tvm_ffi_error__.extra_context is None


@pytest.mark.spec("GEN-G11", "GEN-G20")
def test_100_old_errors_through_nested_calls_and_callbacks_with_causes_of_python(old):
    def fails(i):
        try:
            old.call(old.fail, "ValueError", f"inner {i}")
        except ValueError as inner:
            raise KeyError(f"outer {i}") from inner

    def passes_on(i):
        try:
            old.call(fails, i)
        except KeyError as error:
            cause = OSError(f"added {i}")
            error.__cause__.__cause__ = cause
            raise

    for i in range(100):
        error = raised_by(old.call, old.call, passes_on, i)
        assert type(error) is KeyError
        assert error.args == (f"outer {i}",)
        assert type(error.__cause__) is ValueError
        assert str(error.__cause__) == f"inner {i}"
        assert str(error.__cause__.__cause__) == f"added {i}"
        del error


@pytest.mark.spec("GEN-G11")
def test_an_old_error_that_passes_python_stays_the_same_exception(old):
    seen = []

    def passes_on():
        try:
            old.fail("ValueError", "the text")
        except ValueError as error:
            seen.append(error)
            error.__cause__ = KeyError("why")
            error.mark = 1
            raise

    error = raised_by(old.call, old.call, passes_on)
    assert error is seen[0]
    assert error.mark == 1
    assert error.__cause__.args == ("why",)
    assert error.__tvm_ffi_error__.kind == "ValueError"
    del error
    seen.clear()


def test_an_old_error_of_an_unknown_kind_keeps_it_on_the_way_through_python(old):
    def passes_on():
        old.fail("strange.Kind", "the text")

    assert old.caught(passes_on) == "strange.Kind: the text"
    assert old.caught(old.call, passes_on) == "strange.Kind: the text"


def test_an_old_error_as_a_value(old):
    value = old.make("ValueError", "the text")
    assert isinstance(value, core.Error)
    assert tvm_ffi.convert(lambda x: x)(value).same_as(value)
    error = value.py_error()
    assert type(error) is ValueError
    assert str(error) == "the text"
    echoed = tvm_ffi.convert(lambda x: x)(error)
    assert (echoed.kind, echoed.message) == ("ValueError", "the text")


def test_methods_of_an_old_error(old):
    error = raised_by(old.fail, "ValueError", "the text").__tvm_ffi_error__
    assert isinstance(error, core.Error)
    assert error.extra_context is None
    error.update_backtrace('  File "f.py", line 1, in g\n')
    assert error.backtrace == '  File "f.py", line 1, in g\n'
    assert error.kind == "ValueError"
    made = error.py_error()
    assert type(made) is ValueError
    assert "the text" in repr(made)
    repr(error)
    other = pickle.loads(pickle.dumps(error))
    assert (other.kind, other.message) == ("ValueError", "the text")
    assert other.backtrace == error.backtrace
    del error, made, other


def test_the_collector_sees_old_errors_in_containers(old):
    error = raised_by(old.fail, "ValueError", "the text")
    values = tvm_ffi.List([error.__tvm_ffi_error__])
    values.append(values)
    assert values[0] is not None
    del values, error
    gc.collect()


def test_an_old_error_in_a_traversal_keeps_its_text(old):
    def fails(_node):
        old.fail("ValueError", "the text")

    nested = tvm_ffi.Array([tvm_ffi.Array([1])])
    error = raised_by(lambda: tvm_ffi.structural_walk(nested, fails))
    assert type(error) is ValueError
    assert "the text" in str(error)
    del error


@pytest.mark.spec("GEN-G12")
def test_causes_and_contexts_of_errors_are_used_only_where_the_error_has_them():
    """Check that each file that uses `cause_chain` or `extra_context` also calls `has_links`."""
    names = re.compile(r"(?:->|\.)(?:cause_chain|extra_context)\b(?!\()")
    folders = ("src", "include", "python/binding", "rust/tvm-ffi/src")
    found = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cc", ".rs"):
                continue
            text = path.read_text(encoding="utf-8")
            if names.search(text):
                found[path.relative_to(ROOT).as_posix()] = "has_links(" in text
    # This file sets the members of errors that it has just allocated.
    found.pop("src/abi/error.cc")
    assert found
    assert [path for path, asks in found.items() if not asks] == []

# SPDX-License-Identifier: Apache-2.0
"""Test what only compiled code can do: its own threads, raw arguments, its own exceptions."""

from __future__ import annotations

import os
import shutil
import threading
import traceback

import pytest

import tvm_ffi.cpp
import tvm_ffi.testing
from tvm_ffi import convert

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("c++", "ninja"))), reason="needs c++ and ninja"
)

SOURCE = r"""
#include <poll.h>
#include <unistd.h>
#include <cstring>
#include <stdexcept>
#include <thread>

using namespace tvm::ffi;

int64_t on_a_thread(Function f, int64_t x) {
  int64_t result = 0;
  std::thread thread([&] { result = f(x).cast<int64_t>(); });
  thread.join();
  return result;
}

String fails_on_a_thread(Function f) {
  String text;
  std::thread thread([&] {
    try { f(); } catch (const Error& error) { text = error.kind() + ": " + error.message(); }
  });
  thread.join();
  return text;
}

Any raw_text(Function f) { return f("a text in C"); }

Any raw_bytes(Function f) {
  TVMFFIByteArray bytes{"a\0b", 3};
  return f(&bytes);
}

Any with_view(Function f, TensorView x) { return f(x); }

void standard_error() { throw std::runtime_error("plain"); }

bool tells_and_waits(int64_t tell, int64_t wait) {
  struct pollfd waits = {static_cast<int>(wait), POLLIN, 0};
  return write(static_cast<int>(tell), "x", 1) == 1 && poll(&waits, 1, 20000) == 1;
}
"""


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    """Compile the functions above; one build serves all tests."""
    names = ["on_a_thread", "fails_on_a_thread", "raw_text", "raw_bytes", "standard_error"]
    return tvm_ffi.cpp.load_inline(
        "pytest_core_native",
        cpp_sources=SOURCE,
        functions=[*names, "tells_and_waits", "with_view"],
        build_directory=str(tmp_path_factory.mktemp("native")),
    )


@pytest.mark.spec("PY-F142")
def test_other_threads_run_while_a_native_call_waits(native):
    told, tell = os.pipe()
    wait, answer = os.pipe()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(native.tells_and_waits(tell, wait)))
    thread.start()
    os.read(told, 1)  # os.read can only return if the waiting native call has released the GIL.
    os.write(answer, b"x")
    thread.join()
    for descriptor in (told, tell, wait, answer):
        os.close(descriptor)
    assert answers == [True]


@pytest.mark.spec("PY-F148")
def test_raw_text_and_bytes_arrive_as_such(native):
    seen = []
    native.raw_text(seen.append)
    native.raw_bytes(seen.append)
    assert seen == ["a text in C", b"a\0b"]
    assert [type(value) for value in seen] == [str, bytes]


@pytest.mark.spec("PY-F154")
def test_callbacks_run_on_threads_of_others(native):
    threads = []

    def callback(x):
        threads.append(threading.get_ident())
        return x + 1

    assert native.on_a_thread(callback, 41) == 42
    assert threads[0] != threading.get_ident()

    def fail():
        raise KeyError("k")

    assert native.fails_on_a_thread(fail) == "KeyError: 'k'"
    assert native.on_a_thread(convert(lambda x: x * 2), 4) == 8


@pytest.mark.spec("PY-G163")
def test_the_traceback_of_a_native_error_ends_in_its_frame(native):
    with pytest.raises(TypeError) as caught:
        native.on_a_thread(1)
    assert "Mismatched number of arguments" in str(caught.value)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename != __file__


@pytest.mark.spec("PY-G176")
def test_a_standard_exception_is_a_runtime_error(native):
    with pytest.raises(RuntimeError, match=r"^plain$") as caught:
        native.standard_error()
    assert type(caught.value) is RuntimeError
    assert caught.value.__tvm_ffi_error__.kind == "InternalError"


@pytest.mark.spec("PY-I224")
def test_i224_a_view_kept_in_a_container_or_field_would_outlive_its_memory(native):
    np = pytest.importorskip("numpy")
    edges = tvm_ffi.testing.create_object("testing.TestDeepCopyEdges", v_any=None, v_obj=[1])

    def keep(view):
        for use in (
            lambda: convert([view]),
            lambda: tvm_ffi.List().append(view),
            lambda: tvm_ffi.Map({"a": view}),
            lambda: tvm_ffi.Dict().__setitem__("a", view),
            lambda: tvm_ffi.core.CAny(view),
            lambda: setattr(edges, "v_any", view),
        ):
            with pytest.raises(ValueError, match="during its callback only and cannot be kept"):
                use()

    native.with_view(keep, np.zeros(3))
    with pytest.raises(ValueError, match="cannot be kept"):
        native.with_view(lambda view: [view], np.zeros(3))


@pytest.mark.spec("PY-I224")
def test_i224_a_view_is_valid_inside_its_callback_only(native):
    np = pytest.importorskip("numpy")
    array = np.arange(6, dtype="int16").reshape(2, 3)
    seen = []

    def look(view):
        seen.append((view.__chandle__(), view.shape, str(view.dtype), view.data_ptr()))
        for use in (view.__dlpack__, view._to_dlpack_versioned, lambda: convert([view])):
            with pytest.raises(Exception) as caught:
                use()
            assert isinstance(caught.value, (RuntimeError, ValueError))

    native.with_view(look, array)
    assert seen == [(0, (2, 3), "int16", array.ctypes.data)]
    with pytest.raises((RuntimeError, ValueError)):
        native.with_view(lambda view: view, array)
    kept = []
    native.with_view(kept.append, array)
    with pytest.raises((RuntimeError, ValueError)):
        kept[0].__dlpack__()

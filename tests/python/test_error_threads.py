# SPDX-License-Identifier: Apache-2.0
"""One exception, raised again while native code reads the error that was made from it earlier.

The programs run in child processes, in which `malloc` unmaps each freed text, so a read of freed
memory ends the process.
"""

from __future__ import annotations

import os
import shutil
import sys

import pytest
from running import execute

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

COMMON = '''
import threading
import tvm_ffi
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_error.h>
#include <tvm/ffi/function.h>

#include <vector>

namespace ffi = tvm::ffi;

// Returns whether the text of the error is still the same after the call of `meanwhile`.
bool Keeps(TVMFFIObjectHandle error, ffi::Function meanwhile) {
  TVMFFIByteArray text = tvm_ffi_error_backtrace(error);
  std::string copy(text.data, text.size);
  meanwhile();
  TVMFFIByteArray now = tvm_ffi_error_backtrace(error);
  return now.size == text.size && copy == std::string(text.data, text.size);
}

// Lets `f` fail, and reads the text of the error before and after the call of `meanwhile`. Then
// raises the error if `raises`.
bool CatchAndRead(ffi::Function f, ffi::Function meanwhile, bool raises) {
  try {
    f();
  } catch (const ffi::Error& error) {
    bool keeps = Keeps(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error), meanwhile);
    if (raises) throw;
    return keeps;
  }
  return false;
}

bool ReadArgument(ffi::AnyView error, ffi::Function meanwhile) {
  return Keeps(error.CopyToTVMFFIAny().v_obj, meanwhile);
}

std::vector<ffi::Error> kept;
void CatchAndKeep(ffi::Function f) {
  try {
    f();
  } catch (const ffi::Error& error) {
    kept.push_back(error);
  }
}
void RaiseKept() { throw kept.back(); }

int64_t CatchAndCount(ffi::Function f) {
  int64_t count = 0;
  try {
    f();
  } catch (const ffi::Error& error) {
    for (int i = 0; i < 50; ++i) {
      TVMFFIByteArray text =
          tvm_ffi_error_backtrace(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error));
      for (size_t k = 0; k < text.size; ++k) count += text.data[k] == 'x';
    }
  }
  return count;
}
"""
FUNCTIONS = [
    "CatchAndRead", "ReadArgument", "CatchAndKeep", "RaiseKept", "CatchAndCount"
]
native = load_inline("test_error_threads", cpp_sources=SOURCE, functions=FUNCTIONS)


def caught(f, *args):
    try:
        f(*args)
    except Exception as error:
        return error
    raise AssertionError("no exception")


original = caught(tvm_ffi.get_global_func("testing.test_raise_error"), "ValueError", "x" * 5000)


def fail():
    raise original


def in_thread(f):
    thread = threading.Thread(target=f)
    thread.start()
    thread.join()


def raise_elsewhere():
    in_thread(lambda: results.append(caught(tvm_ffi.get_global_func("testing.apply"), fail)))


results = []
'''

PROGRAMS = {
    "the_text_that_native_code_reads": """
assert native.CatchAndRead(fail, raise_elsewhere, False)
""",
    "the_exception_of_both_threads": """
assert caught(native.CatchAndRead, fail, raise_elsewhere, True) is original
assert results == [original]
""",
    "an_error_that_is_an_argument": """
assert native.ReadArgument(original.__tvm_ffi_error__, raise_elsewhere)
assert native.ReadArgument(original, raise_elsewhere)
assert results == [original] * 2
""",
    "an_error_in_a_container": """
held = tvm_ffi.List([original.__tvm_ffi_error__])
assert native.ReadArgument(original.__tvm_ffi_error__, raise_elsewhere)
assert held[0].backtrace != original.__tvm_ffi_error__.backtrace
""",
    "a_text_that_python_replaces": """
error = original.__tvm_ffi_error__
def replace():
    error.update_backtrace('  File "f.cc", line 1, in f\\n')
assert native.CatchAndRead(fail, replace, False)
assert native.ReadArgument(error, replace)
assert error.backtrace == '  File "f.cc", line 1, in f\\n'
assert error.message == "x" * 5000
""",
    "an_error_that_native_code_keeps": """
first = ValueError("kept")
def fail_first():
    raise first
native.CatchAndKeep(fail_first)
for _ in range(3):
    assert caught(native.RaiseKept) is first
assert first.__tvm_ffi_error__.message == "kept"
""",
    "a_future_in_four_threads": """
import concurrent.futures
future = concurrent.futures.Future()
future.set_exception(original)
def work():
    for _ in range(200):
        native.CatchAndCount(future.result)
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for done in [pool.submit(work) for _ in range(4)]:
        done.result()
""",
}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_raising_an_exception_again_does_not_change(name: str) -> None:
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "1024"}
    execute(
        sys.executable,
        "-X",
        "faulthandler",
        "-c",
        COMMON + PROGRAMS[name],
        env=environment,
        timeout=300,
    )

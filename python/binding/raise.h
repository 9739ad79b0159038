// SPDX-License-Identifier: Apache-2.0
// Exceptions: raises native errors in Python, and Python exceptions in native code. While a Python
// exception passes through native code, a native error owns the exception object, so that the
// Python caller gets this same object.
#pragma once

#include <tvm/ffi/c_api.h>

#include <string>

#include "compat.h"
#include "ref.h"

namespace binding {

// The failed function and its arguments, which the message names; see error_message.h.
struct Given;

// Takes the error out of the thread's error slot and raises it as a Python exception. Call this
// after a native call returned `status` other than 0; the result of that call must not be used, not
// even to release it. Always returns -1, with an exception set.
BINDING_COLD int raise_from_slot(int status, const Given* given = nullptr);

// Returns the exception of a native error: the one that the error owns, else a new instance of the
// class for its kind, with the native frames in the traceback. The caller owns `error`. New
// reference, or NULL with an exception set.
PyObject* exception_from_error(TVMFFIObject* error, const Given* given = nullptr);

// Returns a new error with the kind, the message and the cause of a borrowed error. Owned; NULL
// with MemoryError.
TVMFFIObject* error_copy(const TVMFFIErrorCell* cell, const TVMFFIByteArray& backtrace);

// Calls function `name` of a module with the raised exception and one to three borrowed values; the
// function completes the message. If the function fails, the exception keeps its message.
BINDING_COLD void complete_raised(const char* module, const char* name, PyObject* first,
                                  PyObject* second = nullptr, PyObject* third = nullptr);

// Adds to the raised exception the class and the position of the value that a native operation
// refuses. `first` and `second` are the values that the operation was called with.
BINDING_COLD void add_refused_place(const char* operation, PyObject* first, PyObject* second);

// Moves the raised Python exception into the thread's error slot. Returns the status for the native
// caller.
BINDING_COLD int raise_to_slot();

// Converts a borrowed exception object to a native error; owned, or NULL with an exception set. If
// the exception was made from a native error, returns that error, or a copy of it if native code
// owns references to that error, so that no text changes while another thread reads it. With
// `raised`, the exception passes through native frames: these frames are recorded, and the error
// owns the exception object. Without `raised`, the exception is passed as a value: no frames are
// recorded, and the error does not own the exception object.
TVMFFIObject* error_from_exception(PyObject* exc, bool raised);

// Searches the method resolution order of the exception's class for a registered class and returns
// its name as UTF-8. If there is none, returns `RuntimeError`, or `BaseException` for a class that
// does not derive from `Exception`. Borrowed from the registry.
const char* error_kind_of(PyObject* exc);

// Adds frames for the lines of a native backtrace (most recent first) in front of the exception's
// traceback. Returns 0, or -1 with an exception set.
int traceback_prepend(PyObject* exc, const char* text, size_t size);

// Identifies a traceback entry that was seen earlier. Owns nothing: the addresses are only
// compared.
struct TracebackPlace {
  const void* entry = nullptr;
  const void* frame = nullptr;
  int instruction = 0;

  bool is(const PyTracebackObject* tb) const {
    return tb == entry && tb->tb_frame == frame && tb->tb_lasti == instruction;
  }
  // Returns whether the traceback (may be NULL) still has the entry.
  bool is_in(PyObject* traceback) const;
};

// Returns the first (outermost) entry of a traceback; for NULL, an entry that no traceback
// contains.
TracebackPlace traceback_place(PyObject* traceback);

// Returns the text of a Python traceback (may be NULL) in the native format, in UTF-8 and with the
// most recent call first, up to the entry `until`, which is left out.
std::string traceback_to_text(PyObject* traceback, const TracebackPlace& until);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Exceptions: native errors raised in Python, Python exceptions raised in native code. The
// exception object itself travels with the native error and comes back as the same object.
#pragma once

#include <tvm/ffi/c_api.h>

#include <string>

#include "compat.h"
#include "ref.h"

namespace binding {

// A native call returned `status`, not 0: raises what lies in the thread's slot. Always returns
// -1, with an exception set.
BINDING_COLD int raise_from_slot(int status);

// The same for a call with a result: what the callee has left there all the same is released.
BINDING_COLD int raise_from_call(int status, TVMFFIAny* result);

// The exception of a native error: the carried one, else a new one of the kind's class with the
// native frames in its traceback. New reference, or NULL with an exception set.
PyObject* exception_from_error(TVMFFIObject* error);

// The raised Python exception goes into the thread's error slot. Returns the status for the native
// caller.
BINDING_COLD int raise_to_slot();

// Native error of an exception object (not taken over); owned, or NULL with an exception set. An
// exception that came from a native error gives that error again. `raised`: it is on its way
// through native frames, which are noted, and the error carries the exception object; as a plain
// value it does neither.
TVMFFIObject* error_from_exception(PyObject* exc, bool raised);

// Registered name of the nearest class of an exception in its method resolution order, as UTF-8;
// `RuntimeError` when there is none. Borrowed from the registry.
const char* error_kind_of(PyObject* exc);

// Puts frames for the lines of a native backtrace (most recent first) in front of the exception's
// traceback. 0 or -1.
int traceback_prepend(PyObject* exc, const char* text, size_t size);

// An entry of a traceback that was there at some time. Nothing is owned: it is compared, not used.
struct TracebackPlace {
  const void* entry = nullptr;
  const void* frame = nullptr;
  int instruction = 0;

  bool is(const PyTracebackObject* tb) const {
    return tb == entry && tb->tb_frame == frame && tb->tb_lasti == instruction;
  }
  // Whether the traceback (may be NULL) still has the entry.
  bool is_in(PyObject* traceback) const;
};

// The first, that is outermost, entry of a traceback; one that is in none for NULL.
TracebackPlace traceback_place(PyObject* traceback);

// Text of a Python traceback (may be NULL) in the native format, most recent first and UTF-8, as
// far as the entry `until`.
std::string traceback_to_text(PyObject* traceback, const TracebackPlace& until);

}  // namespace binding

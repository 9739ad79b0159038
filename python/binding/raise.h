// SPDX-License-Identifier: Apache-2.0
// Exceptions: native errors raised in Python, Python exceptions raised in native code. The native
// error owns the exception object meanwhile, so that the same object is raised again.
#pragma once

#include <tvm/ffi/c_api.h>

#include <string>

#include "compat.h"
#include "ref.h"

namespace binding {

// What a failed function was given, for the message: error_message.h.
struct Given;

// Raises the error in the thread's slot, after a native call returned `status`, not 0. Always
// returns -1, with an exception set.
BINDING_COLD int raise_from_slot(int status, const Given* given = nullptr);

// The same for a call with a result: releases a value that the callee left in it.
BINDING_COLD int raise_from_call(int status, TVMFFIAny* result, const Given* given = nullptr);

// The exception of a native error: the one that it owns, else a new one of the kind's class with
// the native frames in its traceback. New reference, or NULL with an exception set.
PyObject* exception_from_error(TVMFFIObject* error, const Given* given = nullptr);

// Moves the raised Python exception into the thread's error slot. Returns the status for the native
// caller.
BINDING_COLD int raise_to_slot();

// Native error of a borrowed exception object; the caller owns the result; NULL with an exception
// set. An exception that came from a native error gives that error again. `raised`: the exception
// passes through native frames, so that these are recorded and the error owns the exception object.
// An exception that is passed as a value has neither.
TVMFFIObject* error_from_exception(PyObject* exc, bool raised);

// Registered name of the nearest class of an exception in its method resolution order, as UTF-8;
// `RuntimeError` when there is none. Borrowed from the registry.
const char* error_kind_of(PyObject* exc);

// Adds frames for the lines of a native backtrace (most recent first) in front of the exception's
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

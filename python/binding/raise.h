// SPDX-License-Identifier: Apache-2.0
// Exceptions: native errors raised in Python, Python exceptions raised in native code. The
// exception object itself travels with the native error and comes back as the same object.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"
#include "ref.h"

namespace binding {

// A native call returned `status`, not 0: raises what lies in the thread's slot. Always returns
// -1, with an exception set.
BINDING_COLD int raise_from_slot(int status);

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

// Text of a Python traceback in the native format (most recent first). New str or NULL.
PyObject* traceback_to_text(PyObject* traceback);

}  // namespace binding

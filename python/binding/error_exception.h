// SPDX-License-Identifier: Apache-2.0
// Access to the Python exception that a native error owns on its way through native code.
//
// The exception is stored as an opaque object (opaque.cc) in the error's `extra_context`. If native
// code replaces `extra_context` by its own context (`ffi.VisitErrorContext`), the new context owns
// the former object as `prev_error_context`. So contexts form a chain, with the opaque object at
// its end.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// Moves the exception out of the error, so that the exception and the error never form a cycle. New
// reference, or NULL (without an exception set) if the error owns no exception.
PyObject* error_take_exception(TVMFFIErrorCell* error);

// Returns the exception that the error owns, borrowed; NULL if the error owns no exception.
PyObject* error_exception_borrowed(TVMFFIErrorCell* error);

// Stores `exc` (borrowed) in an error without an exception, at the end of its chain of contexts.
// Does nothing if the chain ends with another object, or if the error cannot have a context.
// Returns 0, or -1 with an exception set.
int error_store_exception(TVMFFIErrorCell* error, PyObject* exc);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The Python exception that a native error owns while it is on the native side.
//
// The exception is boxed (opaque.cc) in the error's `extra_context`. Native code that stores a
// context of its own there (`ffi.VisitErrorContext`) keeps the former one as `prev_error_context`;
// the box is then at the end of that chain.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// Moves the exception out of the error, so that exception -> error -> exception never becomes a
// cycle. New reference, or NULL (without an exception set) where the error owns none.
PyObject* error_take_exception(TVMFFIErrorCell* error);

// Stores `exc` (borrowed) in the error, which has none. Does nothing where something else is at the
// end of its chain, or where the error has no context. 0, or -1 with an exception set.
int error_store_exception(TVMFFIErrorCell* error, PyObject* exc);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The Python exception that a native error carries while it is on the native side.
//
// It lies in a box in the error's `extra_context`. Native code that puts a context of its own there
// (`ffi.VisitErrorContext`) keeps what was there before as `prev_error_context`; the box is then
// at the end of that chain.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// Takes the exception out of the error, so that exception -> error -> exception never becomes a
// cycle. New reference, or NULL (without an exception set) where the error carries none.
PyObject* carried_take(TVMFFIErrorCell* error);

// Puts `exc` into the error, which has none; where something else lies at the end of its chain the
// error is left alone. 0, or -1 with an exception set.
int carried_put(TVMFFIErrorCell* error, PyObject* exc);

}  // namespace binding

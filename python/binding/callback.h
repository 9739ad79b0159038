// SPDX-License-Identifier: Apache-2.0
// Calls from native code to Python: the reverse of call.h.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// The safe-call of every function that was made from a Python callable; `self` is the function
// object. Takes the GIL on any thread.
int callback_safe_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// Returns the callable of a function that was made from a Python callable, borrowed; NULL for other
// functions.
PyObject* callback_callable(TVMFFIObject* function);
// Replaces the callable of a function that was made from a Python callable. Steals `callable`; the
// caller owns the returned former callable.
PyObject* callback_replace_callable_steal(TVMFFIObject* function, PyObject* callable);

// Marks a function that was made from `callable` as stored in a column of type attributes. After
// this, stored_to_py_steal converts the function to `callable` itself. Does nothing for other
// functions.
void callback_mark_stored(TVMFFIObject* function, PyObject* callable);
// Converts a value that was read from a column of type attributes. Steals the value. New reference,
// or NULL with an exception set. May run Python.
PyObject* stored_to_py_steal(TVMFFIAny value);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// FFI calls Python: the road of call.h the other way.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// The safe-call of every function made from a Python callable; `self` is the callable. Takes the
// interpreter lock on whatever thread it runs.
int callback_safe_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// The callable inside a function made from one, borrowed; NULL for other functions.
PyObject* callback_callable(TVMFFIObject* function);
// Gives such a function another callable, taken over; the caller owns the one before.
PyObject* callback_replace_callable_steal(TVMFFIObject* function, PyObject* callable);

// Lets a function made from `callable` come back as that callable where it is read from a column of
// values. Does nothing for other functions.
void callback_mark_stored(TVMFFIObject* function, PyObject* callable);
// The Python form of a value that was read from a column, which is taken over. NULL with an
// exception set. May run Python.
PyObject* stored_to_py_steal(TVMFFIAny value);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Translation of the message of a native error for Python users. Native code uses the names of C++
// types and numbers the parameters; the error object keeps this text for C++ callers. The message
// of the Python exception has the names of Python types, of parameters and of the classes of the
// arguments instead. Only this code translates messages, and only after a failure.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// A native function and the arguments of its failed call. All members are borrowed.
struct Given {
  TVMFFIObject* function = nullptr;   // NULL if the failure was not a call
  PyObject* receiver = nullptr;       // the first argument of a method, or NULL
  PyObject* const* args = nullptr;    // the other arguments
  const TVMFFIAny* values = nullptr;  // all arguments after conversion
  Py_ssize_t size = 0;                // number of values

  PyObject* at(Py_ssize_t i) const {
    if (receiver == nullptr) return args[i];
    return i == 0 ? receiver : args[i - 1];
  }
};

// Returns whether the library made the text of an error, in its sources or in the headers that
// other libraries compile. The runtime gives such errors an `update_backtrace` of their own.
BINDING_COLD bool is_library_error(const TVMFFIErrorCell& cell);

// Returns the message for the exception that is made from a native error. `given` is the failed
// call, or NULL if it is unknown. New reference, or NULL with an exception set. May run Python.
BINDING_COLD PyObject* error_message_to_py(const TVMFFIErrorCell& cell, const Given* given);

// Call this when the conversion of an argument failed and its exception is set. `given` has the
// values that were converted before, so `given.size` is the index of the argument. Adds the index
// and name of the argument to the message of a BufferError. Returns -1. May run Python.
BINDING_COLD int raise_from_argument(const Given& given);

}  // namespace binding

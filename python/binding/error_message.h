// SPDX-License-Identifier: Apache-2.0
// The message of a native error as Python users read it. Native code names types as C++ does and
// counts parameters; the error object keeps that text, for C++ callers. The exception that Python
// code gets has the names of Python types, of parameters and of the classes of the arguments. This
// is the only place that translates; it runs after a failure only.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// What a failed native function was given. All borrowed.
struct Given {
  TVMFFIObject* function = nullptr;   // NULL: not a call
  PyObject* receiver = nullptr;       // the first argument of a method, or NULL
  PyObject* const* args = nullptr;    // the others
  const TVMFFIAny* values = nullptr;  // what all of them were converted to
  Py_ssize_t size = 0;                // number of values

  PyObject* at(Py_ssize_t i) const {
    if (receiver == nullptr) return args[i];
    return i == 0 ? receiver : args[i - 1];
  }
};

// The message for an exception. `given` NULL: unknown. New reference, or NULL with an exception
// set. May run Python.
BINDING_COLD PyObject* error_message_to_py(const TVMFFIErrorCell& cell, const Given* given);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// What core tells about a function, and records for it.
#pragma once

#include "../compat.h"

namespace binding {

// In attribute.cc: returns (Python callable inside the function or None, name or "",
// result of ffi._FunctionDescribe, FunctionWrapper::parameters or None).
PyObject* function_describe(PyObject*, PyObject* function);
// In function.cc: sets the name of a function that was looked up in a module.
PyObject* function_name_in_module(PyObject*, PyObject* const* args, Py_ssize_t n);
// In function.cc: sets the metadata of a function that was looked up in a module.
PyObject* function_set_metadata(PyObject*, PyObject* const* args, Py_ssize_t n);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Functions of the module tvm_ffi.core.
#pragma once

#include "compat.h"

namespace binding {

// Adds the functions to the module. 0 or -1.
int registry_init(PyObject* module);

// In type/dtype.cc and type/device.cc: values from their numbers, as pickles call them.
PyObject* dtype_create(PyObject*, PyObject* args);
PyObject* device_create(PyObject*, PyObject* args);

// In type/describe.cc: (key, ancestors, total size or 0, fields, methods), or None for an index
// that no type has.
PyObject* type_describe(PyObject*, PyObject* type_index);

}  // namespace binding

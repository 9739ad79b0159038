// SPDX-License-Identifier: Apache-2.0
// The functions of the module tvm_ffi.core.
#pragma once

#include "../compat.h"

namespace binding {

// Add functions to the module. Each returns 0, or -1 with an exception set.
int global_functions_init(PyObject* module);
int classes_init(PyObject* module);
int type_attributes_init(PyObject* module);
int conversions_init(PyObject* module);

inline int registry_init(PyObject* module) {
  for (auto init : {global_functions_init, classes_init, type_attributes_init, conversions_init}) {
    if (init(module) < 0) return -1;
  }
  return 0;
}

// In type/dtype.cc and type/device.cc: make data types and devices from their numbers. Unpickling
// calls these functions.
PyObject* dtype_create(PyObject*, PyObject* args);
PyObject* device_create(PyObject*, PyObject* args);

// In describe.cc: returns (key, ancestors, total size or 0, fields, methods, documentation or
// None), or None for an index without a type.
PyObject* type_describe(PyObject*, PyObject* type_index);

}  // namespace binding

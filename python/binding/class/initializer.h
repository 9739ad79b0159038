// SPDX-License-Identifier: Apache-2.0
// Construction of instances of classes that are defined in Python.
#pragma once

#include "plan.h"

namespace binding {

// Adds core._Initializer, core._make_init and core._make_ffi_init.
int initializer_init(PyObject* module);
// Adds core._allocate, core._copy_method and core._replace_method.
int copying_init(PyObject* module);
// Adds core._operators and core._use_operators.
int operators_init(PyObject* module);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// core.PreparedCall: a function together with the known types of its arguments.
#pragma once

#include "../compat.h"

namespace binding {

// The method `Function.prepare`. New reference, or NULL with an exception set. May run Python.
PyObject* function_prepare(PyObject* self, PyObject* const* examples, Py_ssize_t n,
                           PyObject* kwnames);

int prepared_type_init(PyObject* module);

}  // namespace binding

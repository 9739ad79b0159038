// SPDX-License-Identifier: Apache-2.0
// Recording of calls. While a recorder is set, functions and methods have a vectorcall slot that
// informs the recorder about each call. Otherwise they have their usual slots, so recording costs
// nothing when it is off.
#pragma once

#include "compat.h"

namespace binding {

// Returns whether a recorder is set. Guarded by the GIL.
bool recording_is_on();

// The vectorcall slots of recorded functions (core.Function) and methods (core._Method).
PyObject* call_function_recorded(PyObject* self, PyObject* const* args, size_t nargsf,
                                 PyObject* kwnames);
PyObject* call_method_recorded(PyObject* self, PyObject* const* args, size_t nargsf,
                               PyObject* kwnames);

// Adds core._set_recorder.
int recording_init(PyObject* module);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Wrappers and Python's garbage collector.
#include "wrapper.h"

namespace binding {

int wrapper_traverse(PyObject*, visitproc, void*) { return 0; }

int wrapper_clear(PyObject*) { return 0; }

}  // namespace binding

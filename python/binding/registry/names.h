// SPDX-License-Identifier: Apache-2.0
// Names that are looked up in the runtime: of functions, types and attributes.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"

namespace binding {

// UTF-8 of a str argument, borrowed; false with TypeError that names the function.
bool name_argument(PyObject* x, const char* what, TVMFFIByteArray* out);

// Loads the test fixtures when one of their names is looked up for the first time. 1: look up
// again, 0: nothing to load, -1: failed.
int load_testing(const TVMFFIByteArray& name);

}  // namespace binding

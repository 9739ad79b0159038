// SPDX-License-Identifier: Apache-2.0
// Names that are looked up in the runtime: names of functions, types and attributes.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"

namespace binding {

// Reads the UTF-8 of a str argument, borrowed. For another argument, returns false with a TypeError
// whose message contains `what`.
bool name_argument(PyObject* x, const char* what, TVMFFIByteArray* out);

// Loads the test fixtures when one of their names is looked up for the first time. Returns 1 if the
// caller has to look up the name again, 0 if there is nothing to load, -1 if loading failed.
int load_testing(const TVMFFIByteArray& name);

}  // namespace binding

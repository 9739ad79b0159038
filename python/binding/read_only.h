// SPDX-License-Identifier: Apache-2.0
// Decides which arguments of a call may be read-only tensors.
#pragma once

#include "error_message.h"

namespace binding {

// Refuses a read-only tensor for each parameter that the metadata does not declare const, because
// the function could write to such a parameter. Python functions accept read-only tensors for every
// parameter, and so do functions of the runtime, because they only read. Returns 0, or -1 with
// BufferError. Runs Python when a function first gets a read-only tensor, and when a tensor is
// refused.
//
// The core.Function stores which parameters are const, after the metadata was read once. A method
// is called without a core.Function, so each call with a read-only tensor reads the metadata again.
int check_read_only(const Given& given);

// Refuses a read-only array that a Python function returns to native code; a read-only Tensor is
// accepted. Returns 0, or -1 with BufferError; then the result is released.
int check_read_only_result(PyObject* returned, TVMFFIAny* result);

}  // namespace binding

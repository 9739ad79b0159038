// SPDX-License-Identifier: Apache-2.0
// Which arguments of a call may be tensors whose memory must not be written to.
#pragma once

#include "error_message.h"

namespace binding {

// Refuses read-only tensors as arguments of parameters through which a function could write to
// them: those that its metadata does not declare const. Python functions, and those of the runtime,
// which only read, take them everywhere. 0, or -1 with BufferError. Runs Python at the first such
// call of a function, and where it refuses.
//
// What the metadata says is kept in the wrapper of the function. A method has no such wrapper: each
// call with a read-only tensor reads its metadata again.
int check_read_only(const Given& given);

// Refuses an array, but not a Tensor, that a Python function returns to native code, if it is
// read-only. 0, or -1 with BufferError and the result released.
int check_read_only_result(PyObject* returned, TVMFFIAny* result);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the files of core.Tensor.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"

namespace binding {

// Returns the tensor object that a core.Tensor owns, as a borrowed reference; NULL with an
// exception set if it does not own one, for example because it is a view that a callback borrows.
TVMFFIObject* tensor_object_or_raise(PyObject* self);

// Computes the number of bytes of a tensor without gaps; false if it overflows.
bool tensor_packed_size(const int64_t* shape, int32_t ndim, DLDataType dtype, size_t* bytes);

// The buffer protocol of core.Tensor, see tensor_buffer.cc.
extern PyBufferProcs tensor_buffer_procs;

// Returns whether the elements are contiguous in row-major order.
bool tensor_is_packed(const DLTensor& t);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the files of core.Tensor.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"

namespace binding {

// The owned tensor object behind a core.Tensor, borrowed; NULL with an exception set where there is
// none, as for a view that a callback borrows.
TVMFFIObject* tensor_object_or_raise(PyObject* self);

// Bytes of `shape` packed without gaps; false when that does not fit.
bool tensor_packed_size(const int64_t* shape, int32_t ndim, DLDataType dtype, size_t* bytes);

// The buffer protocol of core.Tensor, see tensor_buffer.cc.
extern PyBufferProcs tensor_buffer_procs;

// Whether the elements lie one after another in row-major order.
bool tensor_is_packed(const DLTensor& t);

}  // namespace binding

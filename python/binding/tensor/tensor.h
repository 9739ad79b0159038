// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the files of core.Tensor.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"
#include "../type/types.h"

namespace binding {

// Raises for an object that does not hold a tensor. Returns NULL.
BINDING_COLD DLTensor* tensor_refuse_empty(PyObject* self);

// Returns the tensor that a core.Tensor owns or views, borrowed; NULL with an exception set.
BINDING_INLINE DLTensor* tensor_of(PyObject* self) {
  DLTensor* view = reinterpret_cast<TensorWrapper*>(self)->view;
  if (BINDING_UNLIKELY(view != nullptr)) return view;
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (BINDING_UNLIKELY(obj == nullptr || obj->type_index != kTVMFFITensor)) {
    return tensor_refuse_empty(self);
  }
  return TVMFFITensorGetDLTensorPtr(obj);
}

// Returns the tensor object that a core.Tensor owns, as a borrowed reference; NULL with an
// exception set if it does not own one, for example because it is a view that a callback borrows.
TVMFFIObject* tensor_object_or_raise(PyObject* self);

// Computes the number of bytes of a tensor without gaps; false if it overflows.
bool tensor_packed_size(const int64_t* shape, int32_t ndim, DLDataType dtype, size_t* bytes);

// The buffer protocol of core.Tensor, see tensor_buffer.cc.
extern PyBufferProcs tensor_buffer_procs;

// The slots and methods of core.Tensor as an array, see tensor_array.cc.
extern PySequenceMethods tensor_sequence_methods;
extern PyMappingMethods tensor_mapping_methods;
extern PyNumberMethods tensor_number_methods;
PyObject* tensor_iter(PyObject* self);
PyObject* tensor_to_list(PyObject* self, PyObject*);

// Returns whether the elements are contiguous in row-major order.
bool tensor_is_packed(const DLTensor& t);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Tensor objects whose memory belongs to something else.
#pragma once

#include <dlpack/dlpack.h>
#include <tvm/ffi/c_api.h>

namespace tvm::ffi::runtime {

/*! \brief A tensor that was imported through DLPack, or a view of a tensor. If the object was
 * allocated with extra bytes, extents and strides follow this struct in memory. */
struct ForeignTensor {
  TVMFFIObject header;
  DLTensor tensor;
  /*! \brief The imported DLPack tensor, or the tensor object with the memory. */
  void* owner;
};

/*! \brief A foreign tensor whose memory must not be written to. All have one deleter, so they keep
 * the function that releases the owner. */
struct ReadOnlyTensor {
  TVMFFIObject header;
  DLTensor tensor;
  void* owner;
  void (*release)(void* owner);
};

/*! \brief The deleter of read-only tensors, and their mark (tvm/ffi/detail/deleter_mark.h). */
void delete_read_only_tensor(void* self, int flags);

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// Tensors whose memory must not be written to. The ABI fixes the layout of tensor objects, and this
// layout has no space for a flag. So read-only tensors are recognized by their deleter, which no
// other object has.
#ifndef TVM_FFI_SRC_CORE_READ_ONLY_TENSOR_H_
#define TVM_FFI_SRC_CORE_READ_ONLY_TENSOR_H_

#include <dlpack/dlpack.h>
#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief A read-only tensor. If the object was allocated with extra bytes, extents and strides
 * follow this struct in memory.
 */
struct ReadOnlyTensor {
  TVMFFIObject header;
  DLTensor tensor;
  /*! \brief The imported DLPack tensor, which this object owns; NULL for a view of a tensor. */
  DLManagedTensorVersioned* managed;
  /*! \brief An owned reference to the tensor that this object views; NULL for an import. */
  TVMFFIObjectHandle source;

  int64_t* inline_extents() { return reinterpret_cast<int64_t*>(this + 1); }
};

/*! \brief The deleter of every ReadOnlyTensor. No other object may have this deleter. */
void delete_read_only_tensor(void* self, int flags);

/*! \brief Whether the object is a tensor whose memory must not be written to. */
inline bool is_read_only_tensor(const TVMFFIObject* object) {
  return object->deleter == delete_read_only_tensor;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_READ_ONLY_TENSOR_H_

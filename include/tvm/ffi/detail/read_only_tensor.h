// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/read_only_tensor.h
 * \brief Recognises the tensor objects whose memory must not be written to.
 *
 * The layout of a tensor object does not have space for a flag. So the runtime marks read-only
 * tensors with a deleter that no other object has. The tensor classes and the conversion of
 * arguments use this file.
 */
#ifndef TVM_FFI_DETAIL_READ_ONLY_TENSOR_H_
#define TVM_FFI_DETAIL_READ_ONLY_TENSOR_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace detail {

/*!
 * \brief Return the deleter of read-only tensors. If the runtime does not make such tensors, return
 * an address that is not the deleter of any object.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void* FindReadOnlyTensorDeleter() {
  static const char kName[] = "ffi._ReadOnlyTensorDeleter";
  TVMFFIByteArray name{kName, sizeof(kName) - 1};
  TVMFFIObjectHandle ask = nullptr;
  TVMFFIAny result{};
  if (TVMFFIFunctionGetGlobal(&name, &ask) == 0 && ask != nullptr) {
    int code = TVMFFIFunctionCall(ask, nullptr, 0, &result);
    TVMFFIObjectDecRef(ask);
    if (code == 0 && result.type_index == kTVMFFIOpaquePtr) return result.v_ptr;
  }
  return reinterpret_cast<void*>(&FindReadOnlyTensorDeleter);  // not a deleter
}

/*! \brief Return whether a tensor object is read-only. `tensor` must not be NULL. */
TVM_FFI_INLINE bool IsReadOnlyTensor(const TVMFFIObject* tensor) {
  static void* const deleter = FindReadOnlyTensorDeleter();
  return reinterpret_cast<void*>(tensor->deleter) == deleter;
}

/*! \brief Return whether a value is a read-only tensor object. */
TVM_FFI_INLINE bool IsReadOnlyTensor(const TVMFFIAny* value) {
  return value->type_index == kTVMFFITensor && IsReadOnlyTensor(value->v_obj);
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_READ_ONLY_TENSOR_H_

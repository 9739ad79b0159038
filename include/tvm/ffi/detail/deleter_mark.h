// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/deleter_mark.h
 * \brief Marks of objects, which are stored in the deleter of their header.
 *
 * The ABI leaves no bit in the header free. So the address of the deleter is the mark: read-only
 * tensors have a deleter of their own, and so have the candidates of the cycle collector. Only this
 * file compares deleters for a mark and replaces them (docs/decisions/deleter-word.md).
 */
#ifndef TVM_FFI_DETAIL_DELETER_MARK_H_
#define TVM_FFI_DETAIL_DELETER_MARK_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>

#include <utility>

namespace tvm::ffi::detail {

using DeleterMark = void (*)(void* self, int flags);

/*! \brief Return whether an object carries a mark. */
TVM_FFI_INLINE bool HasMark(const TVMFFIObject* object, DeleterMark mark) {
  return object->deleter == mark;
}

/*! \brief Give an object a mark, or its own deleter again; return the deleter that it had. The
 * caller owns a reference: other threads read the deleter only after the last one is gone. */
TVM_FFI_INLINE DeleterMark ExchangeMark(TVMFFIObject* object, DeleterMark mark) {
  return std::exchange(object->deleter, mark);
}

/*! \brief Return the mark of read-only tensors. If the runtime does not make such tensors, return
 * an address that is not the deleter of any object. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline DeleterMark FindReadOnlyMark() {
  TVMFFIAny result{};
  if (TVMFFIObjectHandle ask = FindRuntimeFunction(LiteralBytes("ffi._ReadOnlyTensorDeleter"))) {
    int code = TVMFFIFunctionCall(ask, nullptr, 0, &result);
    TVMFFIObjectDecRef(ask);
    if (code == 0 && result.type_index == kTVMFFIOpaquePtr) {
      return reinterpret_cast<DeleterMark>(result.v_ptr);
    }
  }
  return reinterpret_cast<DeleterMark>(
      reinterpret_cast<void*>(&FindReadOnlyMark));  // not a deleter
}

/*! \brief Return whether a tensor object is read-only. `tensor` must not be NULL. */
TVM_FFI_INLINE bool IsReadOnlyTensor(const TVMFFIObject* tensor) {
  static const DeleterMark mark = FindReadOnlyMark();
  return HasMark(tensor, mark);
}

/*! \brief Return whether a value is a read-only tensor object. */
TVM_FFI_INLINE bool IsReadOnlyTensor(const TVMFFIAny* value) {
  return value->type_index == kTVMFFITensor && IsReadOnlyTensor(value->v_obj);
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_DELETER_MARK_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/raise.h
 * \brief Definitions of the throwing functions that type_traits.h declares for conversions.
 *
 * Used by error.h, which includes this file at its end.
 */
#ifndef TVM_FFI_DETAIL_RAISE_H_
#define TVM_FFI_DETAIL_RAISE_H_

#include <tvm/ffi/error.h>

#include <cstdint>
#include <exception>
#include <string>

namespace tvm::ffi::detail {

template <typename Dummy>
[[noreturn]] void ThrowIntTooLarge(uint64_t value) {
  TVM_FFI_THROW(OverflowError) << "Integer value " << value
                               << " is too large to fit in int64_t. Consider explicitly casting "
                                  "to int64_t first if this is intentional.";
  TVM_FFI_UNREACHABLE();
}

template <typename Dummy>
[[noreturn]] void ThrowOutOfRange(std::string (*text)(const TVMFFIAny*), const TVMFFIAny* value) {
  TVM_FFI_THROW(OverflowError) << text(value);
  TVM_FFI_UNREACHABLE();
}

template <typename Dummy>
[[noreturn]] void ThrowNullSource() {
  TVM_FFI_THROW(InternalError) << "Check not null: src ";
  TVM_FFI_UNREACHABLE();
}

template <typename Dummy>
[[noreturn]] void ThrowDLTensorStored() {
  TVM_FFI_THROW(RuntimeError) << "DLTensor* cannot be held in Any as it does not retain ownership, "
                                 "use Tensor instead";
  TVM_FFI_UNREACHABLE();
}

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_DETAIL_RAISE_H_

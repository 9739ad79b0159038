// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/structural_hook.h
 * \brief Calls of the structural hooks of a type: plain C functions or Functions in attributes.
 *
 * Used by extra/structural_visit.h and extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_STRUCTURAL_HOOK_H_
#define TVM_FFI_DETAIL_STRUCTURAL_HOOK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/reflection/native_function.h>

#include <utility>

namespace tvm::ffi::detail {

/*! \brief Return whether the value of an attribute can be called as a structural hook. */
TVM_FFI_INLINE bool IsStructuralHook(const TVMFFIAny& value) {
  return (value.type_index == TypeIndex::kTVMFFIOpaquePtr && value.v_ptr != nullptr) ||
         value.type_index == TypeIndex::kTVMFFIFunction;
}

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error WrongStructuralHook(const char* message) {
  return Error("TypeError", message, TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

/*! \brief Calls hooks of one signature. */
template <typename FType>
struct StructuralHook;

template <typename R, typename... Args>
struct StructuralHook<R(Args...)> {
  /*!
   * \brief Call a structural hook of a type. The hook is foreign code.
   * \param value the hook, not None; borrowed.
   * \param message text of the TypeError for a value that is not a hook; a literal.
   */
  static Expected<R> CallExpected(const TVMFFIAny& value, const char* message,
                                  Args... args) noexcept {
    if (TVM_FFI_PREDICT_FALSE(!IsStructuralHook(value))) return WrongStructuralHook(message);
    return reflection::detail::NativeHook<R(Args...)>::CallExpected(value,
                                                                    std::forward<Args>(args)...);
  }
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_STRUCTURAL_HOOK_H_

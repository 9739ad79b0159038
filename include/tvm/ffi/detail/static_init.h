// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/static_init.h
 * \brief Functions that run the load-time code of a library, and pass its exceptions to the loader.
 *
 * Used by base.h, and through it by object.h.
 */
#ifndef TVM_FFI_DETAIL_STATIC_INIT_H_
#define TVM_FFI_DETAIL_STATIC_INIT_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <exception>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define TVM_FFI_STATIC_INIT_CATCHES_ 1
#else
#define TVM_FFI_STATIC_INIT_CATCHES_ 0
#endif

namespace tvm::ffi::detail {

/*! \brief Return a view of a string literal, without its NUL. */
template <size_t kSize>
constexpr TVMFFIByteArray LiteralBytes(const char (&text)[kSize]) {
  return TVMFFIByteArray{text, kSize - 1};
}

/*! \brief Return a global function of the runtime; NULL if the runtime does not have it. */
inline TVMFFIObjectHandle FindRuntimeFunction(TVMFFIByteArray name) noexcept {
  TVMFFIObjectHandle function = nullptr;
  return TVMFFIFunctionGetGlobal(&name, &function) == 0 ? function : nullptr;
}

/*!
 * \brief Call a global function of the runtime that returns a bool.
 * \return the result; false when the runtime does not have the function or the call fails.
 */
inline bool AskRuntime(TVMFFIByteArray name, const TVMFFIAny* args, int32_t num_args) noexcept {
  TVMFFIObjectHandle hook = FindRuntimeFunction(name);
  if (hook == nullptr) return false;
  TVMFFIAny result{};
  int status = TVMFFIFunctionCall(hook, const_cast<TVMFFIAny*>(args), num_args, &result);
  TVMFFIObjectDecRef(hook);
  return status == 0 && result.v_int64 != 0;
}

/*!
 * \brief Pass the exception that is being handled to the runtime, which is loading this library or
 * keeps the error.
 * \param what the text of the exception; NULL when it is not a std::exception.
 * \param code the function of this library that threw the exception.
 * \return whether the runtime has accepted the error. If not, the caller must terminate the
 * process.
 */
inline bool ReportStaticInitFailure(const char* what, void* code) noexcept {
  TVMFFIAny args[2] = {};
  args[0].type_index = what == nullptr ? kTVMFFINone : kTVMFFIRawStr;
  args[0].v_c_str = what;
  args[1].type_index = kTVMFFIOpaquePtr;
  args[1].v_ptr = code;
  return AskRuntime(LiteralBytes("ffi.StaticInitFailed"), args, 2);
}

/*!
 * \brief Run `body()`, which returns an int32_t, and pass an exception to the runtime.
 * \param body the callable.
 * \param code the address of the code of this library that `body` runs.
 * \param fallback see below.
 * \return the result of `body()`, or `fallback` when `body()` threw an exception.
 *
 * If the runtime does not accept the exception, std::terminate shows its text and ends the process.
 */
template <typename Body>
inline int32_t RunForLoader(Body body, void* code, int32_t fallback) noexcept {
#if TVM_FFI_STATIC_INIT_CATCHES_
  try {
    return body();
  } catch (const std::exception& error) {
    if (!ReportStaticInitFailure(error.what(), code)) std::terminate();
  } catch (...) {
    if (!ReportStaticInitFailure(nullptr, code)) std::terminate();
  }
  return fallback;
#else
  static_cast<void>(code);
  static_cast<void>(fallback);
  return body();
#endif
}

/*! \brief Run the body of a static-init block, a `void (*)()`. The runtime calls this function. */
inline void RunStaticInitBody(void* body) noexcept {
  RunForLoader([body]() { return reinterpret_cast<void (*)()>(body)(), int32_t{0}; }, body, 0);
}

/*! \brief Run the body of a static-init block, unless the load has failed already, or the runtime
 * runs the body after the system's loader has returned. */
inline void RunStaticInitBlock(void (*body)(), const char* file, int line) noexcept {
  TVMFFIAny args[4] = {};
  args[0].type_index = kTVMFFIOpaquePtr;
  args[0].v_ptr = reinterpret_cast<void*>(body);
  args[1].type_index = kTVMFFIRawStr;
  args[1].v_c_str = file;
  args[2].type_index = kTVMFFIInt;
  args[2].v_int64 = line;
  args[3].type_index = kTVMFFIOpaquePtr;
  args[3].v_ptr = reinterpret_cast<void*>(&RunStaticInitBody);
  if (AskRuntime(LiteralBytes("ffi.StaticInitBegin"), args, 4)) return;
  RunStaticInitBody(args[0].v_ptr);
}

}  // namespace tvm::ffi::detail

#undef TVM_FFI_STATIC_INIT_CATCHES_
#endif  // TVM_FFI_DETAIL_STATIC_INIT_H_

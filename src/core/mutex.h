// SPDX-License-Identifier: Apache-2.0
// A mutex for variables that are used before the constructors of the library run.
#pragma once

#include <mutex>

/*! \brief Marks a variable whose initial value the compiler computes. Compilation fails if the
 * variable needs code that runs when the library is loaded. */
#if defined(__clang__)
#define TVM_FFI_CONSTINIT [[clang::require_constant_initialization]]
#elif defined(__GNUC__) && __GNUC__ >= 10
#define TVM_FFI_CONSTINIT __constinit
#else
#define TVM_FFI_CONSTINIT
#endif

namespace tvm::ffi::runtime {

#if defined(_WIN32)

/*! \brief A mutex that is constant-initialized and never destroyed. The std::mutex of MinGW-w64 has
 * neither property. */
class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void lock();
  void unlock();

 private:
  void* state_ = nullptr;  // the content of an SRWLOCK
};

#else

using Mutex = std::mutex;

#endif

}  // namespace tvm::ffi::runtime

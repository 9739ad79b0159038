// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/c_stack.h
 * \brief Functions that check how much C stack is left before a recursion through foreign code.
 *
 * Used by extra/structural_visit.h and extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_C_STACK_H_
#define TVM_FFI_DETAIL_C_STACK_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdint>

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__) && !defined(__GLIBC__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
// Old C libraries have this function in a separate library, libpthread. In programs that do not
// link libpthread, the address of the function is null.
#pragma weak pthread_getattr_np
#endif

namespace tvm::ffi::detail {

#if defined(_WIN64)
// The declaration from <windows.h>, which is not included because of its macros.
extern "C" __declspec(dllimport) void __stdcall GetCurrentThreadStackLimits(
    unsigned long long* low, unsigned long long* high);  // NOLINT(runtime/int)
#endif

/*!
 * \brief The usable address range of the stack of a thread; both bounds are 0 if the system does
 * not report them.
 *
 * The struct has no constructor or destructor, so a thread-local variable of this type can be used
 * at any time, also while the thread exits.
 */
struct CStackRange {
  uintptr_t limit;
  uintptr_t top;
  bool is_known;
};

TVM_FFI_THREAD_LOCAL CStackRange c_stack_range = {0, 0, false};

/*! \brief Return the lowest usable address and the end of the stack of this thread; zeros if the
 * system does not report them. */
inline CStackRange AskForCStackRange() {
#if defined(__linux__)
  pthread_attr_t attributes;
#if defined(__GLIBC__)
  if (&pthread_getattr_np == nullptr) return {0, 0, true};
#endif
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0, true};
  void* low = nullptr;
  size_t size = 0;
  int status = pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  if (status != 0) return {0, 0, true};
  uintptr_t top = reinterpret_cast<uintptr_t>(low) + size;
#if !defined(__GLIBC__)
  // The stack of the main thread grows, and musl reports only the part that is mapped.
  if (syscall(SYS_gettid) == getpid()) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return {0, 0, true};
    size = limit.rlim_cur < top ? static_cast<size_t>(limit.rlim_cur) : static_cast<size_t>(top);
  }
#endif
  return {top - size, top, true};
#elif defined(__APPLE__)
  auto top = reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  return {top - pthread_get_stacksize_np(pthread_self()), top, true};
#elif defined(_WIN64)
  unsigned long long low = 0, high = 0;  // NOLINT(runtime/int)
  GetCurrentThreadStackLimits(&low, &high);
  return {static_cast<uintptr_t>(low), static_cast<uintptr_t>(high), true};
#else
  return {0, 0, true};
#endif
}

/*! \brief The slow path of CStackHasSpace(). */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline bool FindCStackSpace(CStackRange* range,
                                                                uintptr_t here) {
  // The space to keep free for the frames of the innermost hook, and for unwinding if it throws.
  constexpr uintptr_t kMargin = 256 * 1024;
  // Use at most this much of a stack that is larger or has no limit.
  constexpr uintptr_t kMaxSize = uintptr_t{64} << 20;
  if (!range->is_known) {
    *range = AskForCStackRange();
    // The lowest address of an unlimited stack may wrap around, so compare the unsigned difference.
    if (range->top - range->limit > kMaxSize) range->limit = range->top - kMaxSize;
    uintptr_t half = (range->top - range->limit) / 2;
    range->limit += kMargin < half ? kMargin : half;
  }
  // An address outside of the range belongs to another stack, for example that of a coroutine.
  bool is_elsewhere = here > range->top || here + kMargin < range->limit;
  return is_elsewhere || here > range->limit;
}

/*!
 * \brief Return whether the stack has enough space left for a hook and its callees: 256 KiB, or
 * half of a stack that is smaller than 512 KiB.
 *
 * The result is true if the bounds of the current stack are unknown, for example for a coroutine.
 */
TVM_FFI_INLINE bool CStackHasSpace() {
#if defined(__GNUC__)
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#else
  char local;
  auto here = reinterpret_cast<uintptr_t>(&local);
#endif
  CStackRange* range = &c_stack_range;
  if (TVM_FFI_PREDICT_TRUE(here > range->limit && here <= range->top)) return true;
  return FindCStackSpace(range, here);
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowNoCStack(const char* operation) {
  TVM_FFI_THROW(ValueError)
      << operation << ": callbacks or hooks are nested too deeply, the C stack is nearly used up";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Check the C stack. \throws ValueError when it is too full for more recursion by
 * `operation`. */
TVM_FFI_INLINE void CheckCStack(const char* operation) {
  if (TVM_FFI_PREDICT_FALSE(!CStackHasSpace())) ThrowNoCStack(operation);
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_C_STACK_H_

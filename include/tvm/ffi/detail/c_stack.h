// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/c_stack.h
 * \brief Whether a recursion through foreign code may go on: how much is left of the C stack.
 *
 * Serves extra/structural_visit.h and extra/structural_mutate.h.
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
#if defined(__GLIBC__)
// Programs that are not linked with the thread library of an old C library go without.
#pragma weak pthread_getattr_np
#endif

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Where the stack of a thread may be used; both 0 where nobody tells. Plain words without
 * constructor and destructor, good at any time of a thread. */
struct CStackRange {
  uintptr_t limit;
  uintptr_t top;
  bool is_known;
};

TVM_FFI_THREAD_LOCAL CStackRange c_stack_range = {0, 0, false};

/*! \brief The lowest usable address and the end of this thread's stack; zeros where the system
 * does not tell. */
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
  return {reinterpret_cast<uintptr_t>(low), reinterpret_cast<uintptr_t>(low) + size, true};
#elif defined(__APPLE__)
  auto top = reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  return {top - pthread_get_stacksize_np(pthread_self()), top, true};
#else
  return {0, 0, true};
#endif
}

/*! \brief The rarely run part of CStackHasRoom(). */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline bool FindCStackRoom(CStackRange* range, uintptr_t here) {
  // Kept free below the last hook: its own frames, and unwinding when it fails.
  constexpr uintptr_t kMargin = 256 * 1024;
  // Of a stack without limit, or with a higher one, so much is used.
  constexpr uintptr_t kMaxSize = uintptr_t{64} << 20;
  if (!range->is_known) {
    *range = AskForCStackRange();
    // "Unlimited" is a size of which the bounds wrap around.
    if (range->top - range->limit > kMaxSize) range->limit = range->top - kMaxSize;
    uintptr_t half = (range->top - range->limit) / 2;
    range->limit += kMargin < half ? kMargin : half;
  }
  // Outside of the whole stack means on one that the thread was not started with.
  bool is_elsewhere = here > range->top || here + kMargin < range->limit;
  return is_elsewhere || here > range->limit;
}

/*!
 * \brief Whether there is room left for a hook and what it calls, at least 128 KiB of most stacks.
 *
 * True as well where nothing is known about the stack that this runs on: a coroutine's, say.
 */
TVM_FFI_INLINE bool CStackHasRoom() {
#if defined(__GNUC__)
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#else
  char local;
  auto here = reinterpret_cast<uintptr_t>(&local);
#endif
  CStackRange* range = &c_stack_range;
  if (TVM_FFI_PREDICT_TRUE(here > range->limit && here <= range->top)) return true;
  return FindCStackRoom(range, here);
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowNoCStack(const char* operation) {
  TVM_FFI_THROW(ValueError)
      << operation << ": callbacks or hooks are nested too deeply, the C stack is nearly used up";
  TVM_FFI_UNREACHABLE();
}

/*! \brief \throws Error ValueError when there is no room for more recursion by `operation`. */
TVM_FFI_INLINE void CheckCStack(const char* operation) {
  if (TVM_FFI_PREDICT_FALSE(!CStackHasRoom())) ThrowNoCStack(operation);
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_C_STACK_H_

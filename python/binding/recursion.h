// SPDX-License-Identifier: Apache-2.0
// The guard for recursion through Python and through values of the user, which may be very deep or
// hold themselves.
#pragma once

#include "compat.h"

#if PY_VERSION_HEX < 0x030E0000
#include <tvm/ffi/detail/c_stack.h>
#endif

namespace binding {

#if PY_VERSION_HEX < 0x030E0000
// CPython before 3.14 counts levels, however small the stack of the thread is.
extern BINDING_THREAD_LOCAL tvm::ffi::detail::CStackRange t_c_stack;

// Raises the RecursionError for a stack that is nearly used up. Returns false.
BINDING_COLD bool refuse_level(const char* where);

BINDING_INLINE bool c_stack_has_space() {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (BINDING_LIKELY(here > t_c_stack.limit && here <= t_c_stack.top)) return true;
  return tvm::ffi::detail::FindCStackSpace(&t_c_stack, here);
}
#endif

// One level of recursion, for the lifetime of the guard. It is false, with a RecursionError set, if
// the limit of Python is reached or the C stack is nearly used up. `where` ends the message.
class RecursionLevel {
 public:
  BINDING_INLINE explicit RecursionLevel(const char* where) : entered_(enter(where)) {}
  BINDING_INLINE ~RecursionLevel() {
    if (BINDING_LIKELY(entered_)) Py_LeaveRecursiveCall();
  }
  RecursionLevel(const RecursionLevel&) = delete;
  RecursionLevel& operator=(const RecursionLevel&) = delete;
  BINDING_INLINE explicit operator bool() const { return entered_; }

 private:
  BINDING_INLINE static bool enter(const char* where) {
#if PY_VERSION_HEX < 0x030E0000
    if (BINDING_UNLIKELY(!c_stack_has_space())) return refuse_level(where);
#endif
    return BINDING_LIKELY(Py_EnterRecursiveCall(where) == 0);
  }

  const bool entered_;
};

}  // namespace binding

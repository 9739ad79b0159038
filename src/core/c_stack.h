// SPDX-License-Identifier: Apache-2.0
// Whether a recursion through foreign code may go on: how much is left of the thread's C stack.
#ifndef TVM_FFI_SRC_CORE_C_STACK_H_
#define TVM_FFI_SRC_CORE_C_STACK_H_

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Where the stack of a thread may be used; both 0 before it is known or where nobody tells.
 */
struct StackRange {
  uintptr_t limit;
  uintptr_t top;
};

extern thread_local StackRange stack_range;

/*! \brief The rarely run part of c_stack_has_room(). */
bool find_stack_room(uintptr_t here);

/*!
 * \brief Whether there is room left for a hook and what it calls, at least 128 KiB of most stacks.
 *
 * True as well where nothing is known about the stack that this runs on: a coroutine's, say.
 */
inline bool c_stack_has_room() {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (__builtin_expect(here > stack_range.limit && here <= stack_range.top, 1)) return true;
  return find_stack_room(here);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_C_STACK_H_

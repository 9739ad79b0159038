// SPDX-License-Identifier: Apache-2.0
// Rules for simple frames: they lead from a frame to its caller without the unwinder.
#ifndef TVM_FFI_SRC_CORE_FRAME_RULE_H_
#define TVM_FFI_SRC_CORE_FRAME_RULE_H_

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Where the caller's registers are, for one code address of x86-64.
 *
 * The caller's stack pointer is the stack or base pointer plus `caller_offset`. The return address
 * is in the 8 bytes below the caller's stack pointer. The caller's base pointer is either equal to
 * the base pointer, or is stored at the caller's stack pointer plus `base_offset`.
 */
struct FrameRule {
  enum Kind : uint8_t {
    /*! \brief Only the unwinder can find the caller. */
    kComplex,
    kFromStackPointer,
    kFromBasePointer,
    /*! \brief There is no caller. */
    kOutermost,
  };
  static constexpr int32_t kBaseUnchanged = INT32_MIN;

  Kind kind = kComplex;
  int32_t caller_offset = 0;
  int32_t base_offset = kBaseUnchanged;
};

/*!
 * \brief Read the rule for a code address from the unwind tables. Return kComplex if a FrameRule
 * cannot express the entry in the tables, and on every system except x86-64 Linux.
 */
FrameRule read_frame_rule(uintptr_t address);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FRAME_RULE_H_

// SPDX-License-Identifier: Apache-2.0
// Interprets frame programs (DWARF call frame instructions) to find the x86-64 registers that are
// needed to go from a frame to its caller.
#ifndef TVM_FFI_SRC_CORE_FRAME_PROGRAM_H_
#define TVM_FFI_SRC_CORE_FRAME_PROGRAM_H_

#include <cstdint>

#include "core/unwind_bytes.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief DWARF numbers of the registers that are needed here. */
constexpr uint64_t kBasePointer = 6;
constexpr uint64_t kStackPointer = 7;
constexpr uint64_t kReturnAddress = 16;

/*! \brief Where the value of a caller's register is stored. */
struct RegisterRule {
  enum Kind : uint8_t { kSame, kAtOffset, kUndefined, kOther } kind = kSame;
  int64_t offset = 0;
};

/*!
 * \brief The rules at one code address: the state between two instructions of the frame program.
 */
struct FrameRow {
  uint64_t cfa_register = 0;
  int64_t cfa_offset = 0;
  bool cfa_is_expression = false;
  RegisterRule base;
  RegisterRule return_address;
};

/*! \brief Factors by which offsets in code and in data are multiplied. */
struct FrameProgramContext {
  uint64_t code_align = 1;
  int64_t data_align = 1;
};

/*! \brief Runs a frame program up to one code address. */
class FrameProgram {
 public:
  /*!
   * \brief Prepare to run the program of the function that begins at `function`, up to `address`.
   * `common` must outlive this object.
   */
  FrameProgram(const FrameProgramContext& common, uintptr_t function, uintptr_t address)
      : common_(common), location_(function), address_(address) {}

  /*! \brief Run instructions up to the address. \return false at an unsupported instruction. */
  bool run(UnwindBytes bytes);

  /*! \brief Save the current rules; `restore` instructions set rules of registers back to them. */
  void set_initial() { initial_ = row_; }

  /*! \brief The rules at the requested address, after run() has returned true. */
  const FrameRow& row() const { return row_; }

 private:
  static constexpr int kMostRemembered = 8;

  void advance(uint64_t delta);
  void set(uint64_t column, RegisterRule::Kind kind, int64_t offset = 0);
  void restore(uint64_t column);
  bool step(UnwindBytes* bytes);
  bool step_state(unsigned char opcode, UnwindBytes* bytes);
  bool step_register(unsigned char opcode, UnwindBytes* bytes);
  bool remember();
  bool recall();

  const FrameProgramContext& common_;
  uintptr_t location_;
  uintptr_t address_;
  bool is_past_ = false;
  FrameRow row_;
  FrameRow initial_;
  FrameRow remembered_[kMostRemembered];
  int remembered_count_ = 0;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FRAME_PROGRAM_H_

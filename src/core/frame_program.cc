// SPDX-License-Identifier: Apache-2.0
// The call frame instructions, grouped by the kind of their operands.
#include "core/frame_program.h"

namespace tvm {
namespace ffi {
namespace runtime {

bool FrameProgram::run(UnwindBytes bytes) {
  while (!bytes.empty() && !is_past_) {
    if (!step(&bytes) || !bytes.ok) return false;
  }
  return true;
}

void FrameProgram::advance(uint64_t delta) {
  location_ += delta * common_.code_align;
  is_past_ = location_ > address_;
}

void FrameProgram::set(uint64_t column, RegisterRule::Kind kind, int64_t offset) {
  if (column == kBasePointer) row_.base = {kind, offset};
  if (column == kReturnAddress) row_.return_address = {kind, offset};
}

void FrameProgram::restore(uint64_t column) {
  if (column == kBasePointer) row_.base = initial_.base;
  if (column == kReturnAddress) row_.return_address = initial_.return_address;
}

bool FrameProgram::remember() {
  if (remembered_count_ == kMostRemembered) return false;
  remembered_[remembered_count_++] = row_;
  return true;
}

bool FrameProgram::recall() {
  if (remembered_count_ == 0) return false;
  row_ = remembered_[--remembered_count_];
  return true;
}

// Runs one instruction. If the two high bits of its opcode are not zero, they select the kind of
// instruction, and the low six bits are its operand.
bool FrameProgram::step(UnwindBytes* bytes) {
  unsigned char opcode = bytes->fixed<unsigned char>();
  uint64_t low = opcode & 0x3f;
  switch (opcode >> 6) {
    case 1:
      advance(low);
      return true;
    case 2:
      set(low, RegisterRule::kAtOffset, static_cast<int64_t>(bytes->uleb()) * common_.data_align);
      return true;
    case 3:
      restore(low);
      return true;
    default:
      return step_state(opcode, bytes);
  }
}

// Runs an instruction that changes the code position, the saved rows, or the rule for the caller's
// stack pointer.
bool FrameProgram::step_state(unsigned char opcode, UnwindBytes* bytes) {
  switch (opcode) {
    case 0x00:  // nop
      return true;
    case 0x02:
      advance(bytes->fixed<uint8_t>());
      return true;
    case 0x03:
      advance(bytes->fixed<uint16_t>());
      return true;
    case 0x04:
      advance(bytes->fixed<uint32_t>());
      return true;
    case 0x0a:
      return remember();
    case 0x0b:
      return recall();
    case 0x0c:  // def_cfa
      row_.cfa_register = bytes->uleb();
      row_.cfa_offset = static_cast<int64_t>(bytes->uleb());
      row_.cfa_is_expression = false;
      return true;
    case 0x0d:  // def_cfa_register
      row_.cfa_register = bytes->uleb();
      row_.cfa_is_expression = false;
      return true;
    case 0x0e:  // def_cfa_offset
      row_.cfa_offset = static_cast<int64_t>(bytes->uleb());
      return true;
    case 0x0f:  // def_cfa_expression
      row_.cfa_is_expression = true;
      bytes->skip(bytes->uleb());
      return true;
    case 0x12:  // def_cfa_sf
      row_.cfa_register = bytes->uleb();
      row_.cfa_offset = bytes->sleb() * common_.data_align;
      row_.cfa_is_expression = false;
      return true;
    case 0x13:  // def_cfa_offset_sf
      row_.cfa_offset = bytes->sleb() * common_.data_align;
      return true;
    case 0x2e:  // GNU_args_size
      bytes->uleb();
      return true;
    default:
      return step_register(opcode, bytes);
  }
}

// Runs an instruction that says where a register of the caller is stored.
bool FrameProgram::step_register(unsigned char opcode, UnwindBytes* bytes) {
  uint64_t column = bytes->uleb();
  switch (opcode) {
    case 0x05:  // offset_extended
      set(column, RegisterRule::kAtOffset,
          static_cast<int64_t>(bytes->uleb()) * common_.data_align);
      return true;
    case 0x06:  // restore_extended
      restore(column);
      return true;
    case 0x07:
      set(column, RegisterRule::kUndefined);
      return true;
    case 0x08:  // same_value
      set(column, RegisterRule::kSame);
      return true;
    case 0x09:  // register
    case 0x14:  // val_offset
      set(column, RegisterRule::kOther);
      bytes->uleb();
      return true;
    case 0x10:  // expression
    case 0x16:  // val_expression
      set(column, RegisterRule::kOther);
      bytes->skip(bytes->uleb());
      return true;
    case 0x11:  // offset_extended_sf
      set(column, RegisterRule::kAtOffset, bytes->sleb() * common_.data_align);
      return true;
    default:
      return false;
  }
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

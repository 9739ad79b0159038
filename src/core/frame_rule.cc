// SPDX-License-Identifier: Apache-2.0
// Interprets the call frame information (DWARF, as laid out in .eh_frame) of one code address.
//
// The unwinder does this again at every frame of every walk, which is what makes it cost some
// 100 ns per frame; a rule is read once per address and kept.
#include "core/frame_rule.h"

#if defined(__x86_64__) && defined(__linux__)

#include <cstring>

// Exported by the compiler's runtime library, but declared in none of its headers.
extern "C" {
struct dwarf_eh_bases {
  void* text_base;
  void* data_base;
  void* function;
};
const void* _Unwind_Find_FDE(void* address, struct dwarf_eh_bases* bases);
}

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

constexpr uint64_t kBasePointer = 6;
constexpr uint64_t kStackPointer = 7;
constexpr uint64_t kReturnAddress = 16;

/*! \brief Bytes read from the front; a read beyond the end gives zeros and clears `ok`. */
struct Bytes {
  const unsigned char* at;
  const unsigned char* end;
  bool ok = true;

  bool empty() const { return at >= end; }
  void skip(uint64_t count) {
    if (count > static_cast<uint64_t>(end - at)) {
      ok = false;
      at = end;
    } else {
      at += count;
    }
  }
  template <typename T>
  T fixed() {
    T value{};
    if (static_cast<size_t>(end - at) < sizeof(T)) {
      ok = false;
      at = end;
      return value;
    }
    std::memcpy(&value, at, sizeof(T));
    at += sizeof(T);
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      unsigned char byte = fixed<unsigned char>();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ok = false;
    return 0;
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      unsigned char byte = fixed<unsigned char>();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~uint64_t{0} << (shift + 7);
      return static_cast<int64_t>(value);
    }
    ok = false;
    return 0;
  }
};

/*! \brief Where a register of the caller is. */
struct RegisterRule {
  enum Kind : uint8_t { kSame, kAtOffset, kUndefined, kOther } kind = kSame;
  int64_t offset = 0;
};

/*! \brief One row of the table: the state between two instructions of the frame program. */
struct Row {
  uint64_t cfa_register = 0;
  int64_t cfa_offset = 0;
  bool cfa_is_expression = false;
  RegisterRule base;
  RegisterRule return_address;
};

/*! \brief What the common entry says that the program needs. */
struct Common {
  uint64_t code_align = 1;
  int64_t data_align = 1;
  unsigned char pointer_encoding = 0;
  bool has_augmentation = false;
  Bytes program{nullptr, nullptr};
};

/*! \brief Size of a pointer of this encoding, 0 when it varies. */
size_t encoded_size(unsigned char encoding) {
  switch (encoding & 0x0f) {
    case 0x00:  // address-sized
    case 0x04:
    case 0x0c:
      return 8;
    case 0x03:
    case 0x0b:
      return 4;
    case 0x02:
    case 0x0a:
      return 2;
    default:
      return 0;
  }
}

/*! \brief An entry's bytes behind its length word; empty for the 64-bit form, which is not used. */
Bytes entry_at(const unsigned char* address) {
  uint32_t length;
  std::memcpy(&length, address, sizeof(length));
  if (length == 0xffffffffu) length = 0;
  return {address + sizeof(length), address + sizeof(length) + length};
}

bool read_common(const unsigned char* address, Common* out) {
  Bytes bytes = entry_at(address);
  if (bytes.fixed<uint32_t>() != 0) return false;
  unsigned char version = bytes.fixed<unsigned char>();
  const char* augmentation = reinterpret_cast<const char*>(bytes.at);
  while (bytes.fixed<unsigned char>() != 0) {
  }
  out->code_align = bytes.uleb();
  out->data_align = bytes.sleb();
  uint64_t return_column = version == 1 ? bytes.fixed<unsigned char>() : bytes.uleb();
  if (!bytes.ok || return_column != kReturnAddress) return false;
  if (*augmentation == 'z') {
    out->has_augmentation = true;
    uint64_t size = bytes.uleb();
    const unsigned char* program = bytes.at + size;
    for (const char* letter = augmentation + 1; *letter != '\0'; ++letter) {
      if (*letter == 'R') {
        out->pointer_encoding = bytes.fixed<unsigned char>();
      } else if (*letter == 'L') {
        bytes.skip(1);
      } else if (*letter == 'P') {
        size_t pointer_size = encoded_size(bytes.fixed<unsigned char>());
        if (pointer_size == 0) return false;
        bytes.skip(pointer_size);
      } else {
        return false;  // 'S' among them: a frame made by a signal
      }
    }
    if (program > bytes.end) return false;
    bytes.at = program;
  } else if (*augmentation != '\0') {
    return false;
  }
  out->program = bytes;
  return bytes.ok;
}

/*! \brief Runs a frame program up to one code address. */
class Program {
 public:
  Program(const Common& common, uintptr_t function, uintptr_t address)
      : common_(common), location_(function), address_(address) {}

  /*! \brief false when it says something that a FrameRule cannot. */
  bool run(Bytes bytes) {
    while (!bytes.empty() && !is_past_) {
      if (!step(&bytes) || !bytes.ok) return false;
    }
    return true;
  }
  void set_initial() { initial_ = row_; }
  const Row& row() const { return row_; }

 private:
  static constexpr int kMostRemembered = 8;

  void advance(uint64_t delta) {
    location_ += delta * common_.code_align;
    is_past_ = location_ > address_;
  }

  RegisterRule* rule_of(uint64_t column) {
    if (column == kBasePointer) return &row_.base;
    if (column == kReturnAddress) return &row_.return_address;
    return &ignored_;
  }

  void set(uint64_t column, RegisterRule::Kind kind, int64_t offset = 0) {
    *rule_of(column) = {kind, offset};
  }

  void restore(uint64_t column) {
    if (column == kBasePointer) row_.base = initial_.base;
    if (column == kReturnAddress) row_.return_address = initial_.return_address;
  }

  bool step(Bytes* bytes) {
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
        return step_extended(opcode, bytes);
    }
  }

  bool step_extended(unsigned char opcode, Bytes* bytes) {
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

  bool step_register(unsigned char opcode, Bytes* bytes) {
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

  bool remember() {
    if (remembered_count_ == kMostRemembered) return false;
    remembered_[remembered_count_++] = row_;
    return true;
  }
  bool recall() {
    if (remembered_count_ == 0) return false;
    row_ = remembered_[--remembered_count_];
    return true;
  }

  const Common& common_;
  uintptr_t location_;
  uintptr_t address_;
  bool is_past_ = false;
  Row row_;
  Row initial_;
  Row remembered_[kMostRemembered];
  int remembered_count_ = 0;
  RegisterRule ignored_;
};

FrameRule rule_of_row(const Row& row) {
  FrameRule rule;
  if (row.return_address.kind == RegisterRule::kUndefined) {
    rule.kind = FrameRule::kOutermost;
    return rule;
  }
  bool is_simple = !row.cfa_is_expression &&
                   (row.cfa_register == kStackPointer || row.cfa_register == kBasePointer) &&
                   row.cfa_offset >= INT32_MIN / 2 && row.cfa_offset <= INT32_MAX / 2 &&
                   row.return_address.kind == RegisterRule::kAtOffset &&
                   row.return_address.offset == -8;
  if (!is_simple) return rule;
  if (row.base.kind == RegisterRule::kAtOffset) {
    if (row.base.offset < INT32_MIN / 2 || row.base.offset > INT32_MAX / 2) return rule;
    rule.base_offset = static_cast<int32_t>(row.base.offset);
  } else if (row.base.kind != RegisterRule::kSame) {
    return rule;
  }
  rule.caller_offset = static_cast<int32_t>(row.cfa_offset);
  rule.kind = row.cfa_register == kStackPointer ? FrameRule::kFromStackPointer
                                                : FrameRule::kFromBasePointer;
  return rule;
}

}  // namespace

FrameRule read_frame_rule(uintptr_t address) {
  FrameRule complex;
  dwarf_eh_bases bases{};
  const auto* entry = static_cast<const unsigned char*>(
      _Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases));
  if (entry == nullptr) return complex;
  Bytes bytes = entry_at(entry);
  const unsigned char* delta_at = bytes.at;
  int32_t delta = bytes.fixed<int32_t>();
  Common common;
  if (!bytes.ok || !read_common(delta_at - delta, &common)) return complex;
  size_t pointer_size = encoded_size(common.pointer_encoding);
  if (pointer_size == 0) return complex;
  bytes.skip(2 * pointer_size);
  if (common.has_augmentation) bytes.skip(bytes.uleb());
  Program program(common, reinterpret_cast<uintptr_t>(bases.function), address);
  if (!bytes.ok || !program.run(common.program)) return complex;
  program.set_initial();
  return program.run(bytes) ? rule_of_row(program.row()) : complex;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#else

namespace tvm {
namespace ffi {
namespace runtime {

FrameRule read_frame_rule(uintptr_t) { return {}; }

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // __x86_64__ && __linux__

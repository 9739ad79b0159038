// SPDX-License-Identifier: Apache-2.0
// Finds the call frame information (DWARF, as laid out in .eh_frame) of one code address and
// reduces it to a rule.
//
// The unwinder repeats this work at every frame of every capture, which takes about 100 ns per
// frame. Here a rule is read once per address and cached with the text of the frame.
//
// Times with rules, and with `_Unwind_Backtrace` for all frames (x86-64, g++ 12, glibc 2.36, best
// of three to five alternating runs; both with the cache of texts):
//                                         with rules            without rules
//   capture of a backtrace                0.10 us               1.07 us
//   C++ throw and catch                   1.0 us                2.0 us
//     instructions (callgrind)            22,000                36,000
//   C++ raise, Python catch               2.5 us                3.4 us
//   Python raise through C++              1.5 us                2.9 us
//   Python raise through 16 levels of C++ 43 us                 72 us
// To repeat the measurement, let walk_by_rules() in backtrace_posix.cc return false in one of two
// builds, and compare the rows `errors/` of bench/ffi_bench.py and `error/` of
// bench/cpp/ffi_micro.cpp.
#include "core/frame_rule.h"

#if defined(__x86_64__) && defined(__linux__)

#include <cstring>

#include "core/frame_program.h"

// The compiler's runtime library exports _Unwind_Find_FDE, but no header declares it. The symbol is
// weak: if the program uses an unwinder without this function, all frames are kComplex.
extern "C" {
struct dwarf_eh_bases {
  void* text_base;
  void* data_base;
  void* function;
};
__attribute__((weak)) const void* _Unwind_Find_FDE(void* address, struct dwarf_eh_bases* bases);
}

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

/*! \brief The content of a common information entry (CIE). */
struct Common {
  FrameProgramContext context;
  unsigned char pointer_encoding = 0;
  bool has_augmentation = false;
  UnwindBytes program{nullptr, nullptr};
};

/*! \brief Return the size of a pointer in this encoding; 0 when the size varies. */
size_t encoded_size(unsigned char encoding) {
  if (encoding == 0x50) return 0;  // padded to an aligned address
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

/*!
 * \brief Return the bytes of an entry after its length word; empty for the 64-bit form, which
 * compilers do not use.
 */
UnwindBytes entry_at(const unsigned char* address) {
  uint32_t length;
  std::memcpy(&length, address, sizeof(length));
  if (length == 0xffffffffu) length = 0;
  return {address + sizeof(length), address + sizeof(length) + length};
}

bool read_common(const unsigned char* address, Common* out) {
  UnwindBytes bytes = entry_at(address);
  if (bytes.fixed<uint32_t>() != 0) return false;
  unsigned char version = bytes.fixed<unsigned char>();
  const char* augmentation = reinterpret_cast<const char*>(bytes.at);
  while (bytes.fixed<unsigned char>() != 0) {
  }
  out->context.code_align = bytes.uleb();
  out->context.data_align = bytes.sleb();
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
        return false;  // an unsupported letter, such as 'S' for the frame of a signal handler
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

FrameRule rule_of_row(const FrameRow& row) {
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
  if (_Unwind_Find_FDE == nullptr) return complex;
  dwarf_eh_bases bases{};
  const auto* entry =
      static_cast<const unsigned char*>(_Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases));
  if (entry == nullptr) return complex;
  UnwindBytes bytes = entry_at(entry);
  const unsigned char* delta_at = bytes.at;
  int32_t delta = bytes.fixed<int32_t>();
  Common common;
  if (!bytes.ok || !read_common(delta_at - delta, &common)) return complex;
  size_t pointer_size = encoded_size(common.pointer_encoding);
  if (pointer_size == 0) return complex;
  bytes.skip(2 * pointer_size);
  if (common.has_augmentation) bytes.skip(bytes.uleb());
  FrameProgram program(common.context, reinterpret_cast<uintptr_t>(bases.function), address);
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

// SPDX-License-Identifier: Apache-2.0
// Reads numbers from the bytes of unwind tables.
#ifndef TVM_FFI_SRC_CORE_UNWIND_BYTES_H_
#define TVM_FFI_SRC_CORE_UNWIND_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Reads bytes from the front. A read beyond the end returns zeros and clears `ok`. */
struct UnwindBytes {
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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_UNWIND_BYTES_H_

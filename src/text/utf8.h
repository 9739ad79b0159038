// SPDX-License-Identifier: Apache-2.0
// Checks that bytes are UTF-8 text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tvm::ffi::runtime {

/*! \brief Return the number of bytes of the first code point; 0 if the text does not begin with a
 * code point. */
inline size_t utf8_length(std::string_view text) {
  auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return 1;
  size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Reject overlong forms, surrogates, and numbers beyond the last code point.
  if ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F)) return 0;
  if ((byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    uint64_t word;
    while (text.size() >= sizeof(word)) {  // fast path for ASCII
      std::memcpy(&word, text.data(), sizeof(word));
      if ((word & 0x8080808080808080u) != 0) break;
      text.remove_prefix(sizeof(word));
    }
    if (text.empty()) return true;
    size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace tvm::ffi::runtime

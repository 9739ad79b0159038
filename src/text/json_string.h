// SPDX-License-Identifier: Apache-2.0
// JSON strings: search for the first quote, backslash or control character; unescaping and
// escaping.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "text/text_buffer.h"

namespace tvm::ffi::runtime {

/*! \brief An error in a JSON text: a message in static storage, and the position. */
struct JsonFault {
  const char* message = nullptr;
  const char* at = nullptr;
};

/*! \brief Find the first `"`, `\` or control character in [p, end); return `end` if there is
 * none. */
const char* find_json_string_stop(const char* p, const char* end);

/*!
 * \brief Read a JSON string of at most 7 bytes without escapes; most keys are such strings.
 * \param begin the position after the opening quote.
 * \param end the end of the JSON text.
 * \param out the small String.
 * \return the position after the closing quote; NULL for another string, and for some short strings
 * at the end of the text.
 */
inline const char* read_short_json_string([[maybe_unused]] const char* begin,
                                          [[maybe_unused]] const char* end,
                                          [[maybe_unused]] TVMFFIAny* out) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighBits = 0x80 * kOnes;
  uint64_t word;
  if (static_cast<size_t>(end - begin) < sizeof(word)) return nullptr;
  std::memcpy(&word, begin, sizeof(word));
  // Sets the high bit of each byte that is less than `limit`. It may also set the bit of bytes
  // after the first such byte, which do not matter: only the first one is used.
  auto less = [](uint64_t bytes, uint64_t limit) { return (bytes - limit * kOnes) & ~bytes; };
  auto equal = [&](char c) { return less(word ^ static_cast<unsigned char>(c) * kOnes, 1); };
  uint64_t stops = (less(word, 0x20) | equal('"') | equal('\\')) & kHighBits;
  if (stops == 0) return nullptr;
  int size = __builtin_ctzll(stops) / 8;
  if (begin[size] != '"') return nullptr;
  out->type_index = kTVMFFISmallStr;
  out->small_str_len = static_cast<uint32_t>(size);
  out->v_uint64 = word & ((uint64_t{1} << 8 * size) - 1);
  return begin + size + 1;
#else
  return nullptr;
#endif
}

/*!
 * \brief Unescape a JSON string.
 * \param begin the position after the opening quote.
 * \param stop the result of find_json_string_stop(begin, end): no escape precedes it.
 * \param end the end of the JSON text.
 * \param out replaced by the content.
 * \param fault set when the string is invalid.
 * \return the position after the closing quote; NULL when the string is invalid.
 */
const char* unescape_json_string(const char* begin, const char* stop, const char* end,
                                 std::string* out, JsonFault* fault);

/*! \brief Append a JSON string literal with its quotes; the text is the same as that of
 * EscapeStringJSON. */
void append_json_string(std::string_view text, TextBuffer* out);

/*! \brief Append a String, small or not, as a JSON string literal. */
void append_json_text(const TVMFFIAny& text, TextBuffer* out);

}  // namespace tvm::ffi::runtime

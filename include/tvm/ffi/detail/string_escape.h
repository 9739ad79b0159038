// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/string_escape.h
 * \brief Quoted forms of a String, for JSON and for Python. The end of string.h includes this file.
 */
#ifndef TVM_FFI_DETAIL_STRING_ESCAPE_H_
#define TVM_FFI_DETAIL_STRING_ESCAPE_H_

#include <tvm/ffi/string.h>

#include <string>
#include <string_view>
#include <utility>

namespace tvm::ffi {
namespace detail {

/*! \brief Append the low `num_digits` hexadecimal digits of `value`, lowercase. */
inline void AppendHex(std::string* out, uint32_t value, int num_digits) {
  for (int shift = 4 * (num_digits - 1); shift >= 0; shift -= 4) {
    out->push_back("0123456789abcdef"[(value >> shift) & 0xf]);
  }
}

constexpr bool IsControlByte(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }

/*! \brief Return the letter after the backslash of a two-character JSON escape, or 0. */
constexpr char JSONEscapeLetter(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

/*! \brief Return the letter after the backslash of a two-character Python escape, or 0. */
inline char PyEscapeLetter(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

/*!
 * \brief Read one multi-byte UTF-8 sequence at the front of `text`.
 * \param text starts with a byte of 0x80 or above.
 * \param code_point set on success.
 * \return the length of the sequence, 2 to 4; 0 when the sequence is invalid (truncated, longer
 *         than needed, a surrogate, or beyond U+10FFFF).
 */
inline size_t DecodeUTF8(std::string_view text, uint32_t* code_point) {
  auto lead = static_cast<unsigned char>(text[0]);
  size_t length = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length == 0 || text.size() < length) return 0;
  uint32_t value = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    value = (value << 6) | (byte & 0x3f);
  }
  constexpr uint32_t kSmallestOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallestOfLength[length] || value > 0x10ffff) return 0;
  if (value >= 0xd800 && value < 0xe000) return 0;
  *code_point = value;
  return length;
}

/*! \brief Append the Python escape of the UTF-8 sequence, or of the invalid byte, at the front of
 * `text`; return the number of bytes read. */
inline size_t AppendPyEscapedNonASCII(std::string* out, std::string_view text) {
  uint32_t code_point = 0;
  size_t length = DecodeUTF8(text, &code_point);
  if (length == 0) {
    out->append("\\x");
    AppendHex(out, static_cast<unsigned char>(text[0]), 2);
    return 1;
  }
  out->append(length == 4 ? "\\U" : "\\u");
  AppendHex(out, code_point, length == 4 ? 8 : 4);
  return length;
}

}  // namespace detail

}  // namespace tvm::ffi

#endif  // TVM_FFI_DETAIL_STRING_ESCAPE_H_

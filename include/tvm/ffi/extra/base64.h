// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/base64.h
 * \brief Conversion of bytes to text in the standard base64 alphabet with `=` padding, and back.
 */
#ifndef TVM_FFI_EXTRA_BASE64_H_
#define TVM_FFI_EXTRA_BASE64_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tvm::ffi {
namespace detail {

inline constexpr char kBase64Alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/*! \brief Entry of the digit table that means "not a digit". */
inline constexpr uint8_t kNoBase64Digit = 0xff;

constexpr std::array<uint8_t, 256> MakeBase64Digits() {
  std::array<uint8_t, 256> digits{};
  for (size_t i = 0; i < digits.size(); ++i) digits[i] = kNoBase64Digit;
  for (uint8_t i = 0; i < 64; ++i) digits[static_cast<uint8_t>(kBase64Alphabet[i])] = i;
  return digits;
}
inline constexpr std::array<uint8_t, 256> kBase64Digits = MakeBase64Digits();

/*! \brief Return the number of `=` at the end of a text whose size is a positive multiple of 4. */
inline size_t CountBase64Padding(TVMFFIByteArray text) {
  if (text.data[text.size - 1] != '=') return 0;
  return text.data[text.size - 2] == '=' ? 2 : 1;
}

/*! \brief Return the 24 bits that four characters encode; all 32 bits set for an invalid character.
 * The last `padding` characters count as zero bits. */
inline uint32_t ReadBase64Group(const char* group, size_t padding) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 4; ++i) {
    uint8_t digit = i + padding < 4 ? kBase64Digits[static_cast<uint8_t>(group[i])] : 0;
    if (digit == kNoBase64Digit) return ~uint32_t{0};
    bits = (bits << 6) | digit;
  }
  return bits;
}

}  // namespace detail

/*! \brief Return the base64 text of borrowed bytes; empty for no bytes. */
inline String Base64Encode(TVMFFIByteArray bytes) {
  std::string out;
  out.reserve((bytes.size / 3 + 1) * 4);
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data);
  for (size_t i = 0; i < bytes.size; i += 3) {
    size_t given = bytes.size - i < 3 ? bytes.size - i : 3;
    uint32_t bits = uint32_t{data[i]} << 16;
    if (given > 1) bits |= uint32_t{data[i + 1]} << 8;
    if (given > 2) bits |= uint32_t{data[i + 2]};
    for (size_t digit = 0; digit < 4; ++digit) {
      out.push_back(digit > given ? '=' : detail::kBase64Alphabet[(bits >> (18 - 6 * digit)) & 63]);
    }
  }
  return String(out);
}

/*! \brief Return the base64 text of `bytes`; empty for no bytes. */
inline String Base64Encode(const Bytes& bytes) {
  return Base64Encode(TVMFFIByteArray{bytes.data(), bytes.size()});
}

/*!
 * \brief Return the bytes that a base64 text encodes; empty for an empty text.
 * \throws InternalError when the size is not a multiple of 4 or a character is outside the alphabet
 *         (line breaks and blanks included); `=` is accepted only as the last character or the last
 *         two characters.
 */
inline Bytes Base64Decode(TVMFFIByteArray text) {
  TVM_FFI_ICHECK(text.size % 4 == 0) << "invalid base64 encoding: its size is " << text.size;
  if (text.size == 0) return Bytes();
  const size_t padding = detail::CountBase64Padding(text);
  std::string out;
  out.reserve(text.size / 4 * 3);
  for (size_t i = 0; i < text.size; i += 4) {
    size_t missing = i + 4 == text.size ? padding : 0;
    uint32_t bits = detail::ReadBase64Group(text.data + i, missing);
    TVM_FFI_ICHECK(bits >> 24 == 0)
        << "invalid base64 encoding: not a digit among the 4 characters from position " << i;
    for (size_t byte = 0; byte < 3 - missing; ++byte) {
      out.push_back(static_cast<char>(bits >> (16 - 8 * byte)));
    }
  }
  return Bytes(out);
}

/*! \brief Return the bytes that `text` encodes; see the overload for borrowed text. */
inline Bytes Base64Decode(const String& text) {
  return Base64Decode(TVMFFIByteArray{text.data(), text.size()});
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_BASE64_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_text.h
 * \brief Conversion of BigInt from and to double and decimal text; included by big_int.h.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_TEXT_H_
#define TVM_FFI_DETAIL_BIG_INT_TEXT_H_

#include <tvm/ffi/detail/big_int_divide.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tvm::ffi::detail::int_ops {

/*!
 * \brief Round a double toward zero.
 * \throws ValueError for NaN, OverflowError for an infinity.
 */
inline BigInt FromDoubleFallback(double value) {
  if (std::isnan(value)) TVM_FFI_THROW(ValueError) << "Cannot convert NaN to BigInt";
  if (std::isinf(value)) TVM_FFI_THROW(OverflowError) << "Cannot convert infinity to BigInt";
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (value >= -kLimit && value < kLimit) return BigInt(static_cast<int64_t>(value));
  int exponent;
  double fraction = std::frexp(value, &exponent);
  int64_t mantissa = static_cast<int64_t>(std::ldexp(fraction, 63)), shift = exponent - 63;
  return LeftShiftFallback(ArrayView(&mantissa, 1), ArrayView(&shift, 1));
}

/*! \brief Return the top 64 bits of a number that has more than 64 bits. If one of the lower bits
 * is set, set the last bit of the result. \param exponent receives the count of the lower bits. */
inline uint64_t TopBits(const Digits& digits, int64_t* exponent) {
  size_t n = digits.size();
  int shift = 0;
  while ((digits[n - 1] << shift & 0x80000000u) == 0) ++shift;
  uint64_t top = static_cast<uint64_t>(digits[n - 1]) << 32 | digits[n - 2], below = digits[n - 3];
  uint64_t bits = shift == 0 ? top : top << shift | below >> (32 - shift);
  bool is_inexact = static_cast<uint32_t>(below << shift) != 0;
  for (size_t i = 0; i + 3 < n; ++i) is_inexact |= digits[i] != 0;
  *exponent = static_cast<int64_t>(n - 2) * 32 - shift;
  return bits | (is_inexact ? 1 : 0);
}

/*!
 * \brief Return the nearest double; if two are equally near, the even one.
 * \throws OverflowError when the number is beyond the range of finite doubles.
 */
inline double ToDoubleFallback(const BigInt& value) {
  if (BigIntUnsafe::CheckInt64(value)) return static_cast<double>(BigIntUnsafe::GetInt64(value));
  ArrayView view = BigIntUnsafe::GetArrayView(value);
  Digits digits = MagnitudeOf(view);
  double result;
  if (digits.size() <= 2) {
    result = static_cast<double>(static_cast<uint64_t>(digits[1]) << 32 | digits[0]);
  } else {
    int64_t exponent;
    uint64_t bits = TopBits(digits, &exponent);
    // Rounding these 64 bits to 53 gives the same result as rounding all bits, since the last bit
    // records whether a lower bit is set.
    result = std::ldexp(static_cast<double>(bits),
                        static_cast<int>(std::min<int64_t>(exponent, 1 << 20)));
  }
  if (!(result <= std::numeric_limits<double>::max())) {
    TVM_FFI_THROW(OverflowError) << "BigInt does not fit finite double";
  }
  return IsNegative(view) ? -result : result;
}

constexpr uint32_t kDecimalBase = 1000000000;
constexpr int kDecimalDigits = 9;

/*! \brief Return the number in decimal, with `-` before a negative number. */
inline std::string ToDecimal(ArrayView view) {
  if (view.size() == 1) return std::to_string(view[0]);
  Digits digits = MagnitudeOf(view);
  if (digits.empty()) return "0";
  std::string reversed;
  while (!digits.empty()) {
    uint32_t chunk = DivideByDigit(&digits, kDecimalBase);
    for (int i = 0; digits.empty() ? chunk != 0 : i < kDecimalDigits; ++i, chunk /= 10) {
      reversed.push_back(static_cast<char>('0' + chunk % 10));
    }
  }
  if (IsNegative(view)) reversed.push_back('-');
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}
inline std::string ToStringFallback(const BigInt& value) {
  return ToDecimal(BigIntUnsafe::GetArrayView(value));
}

/*! \brief Return the number with these decimal digits, which are not checked. */
inline BigInt FromDecimal(std::string_view text, bool is_negative) {
  Digits result;
  result.reserve(text.size() / kDecimalDigits + 1);
  for (size_t pos = 0; pos < text.size();) {
    // The first chunk may be shorter, so that all later chunks have the same number of digits.
    size_t size = (text.size() - pos - 1) % kDecimalDigits + 1;
    uint64_t carry = 0;
    for (size_t end = pos + size; pos < end; ++pos) {
      carry = carry * 10 + static_cast<uint64_t>(text[pos] - '0');
    }
    for (uint32_t& digit : result) {
      carry += static_cast<uint64_t>(digit) * kDecimalBase;
      digit = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) result.push_back(static_cast<uint32_t>(carry));
  }
  return FromMagnitude(result, is_negative);
}

}  // namespace tvm::ffi::detail::int_ops

#endif  // TVM_FFI_DETAIL_BIG_INT_TEXT_H_

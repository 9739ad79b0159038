// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_divide.h
 * \brief Division of big integers, on magnitudes with digits of 32 bits; included by big_int.h.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_DIVIDE_H_
#define TVM_FFI_DETAIL_BIG_INT_DIVIDE_H_

#include <tvm/ffi/detail/big_int_words.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tvm::ffi::detail::int_ops {

/*! \brief Digits of an unsigned number, the lowest first, without leading zeros; 0 has no
 * digits. */
using Digits = std::vector<uint32_t>;

inline void DropLeadingZeros(Digits* digits) {
  while (!digits->empty() && digits->back() == 0) digits->pop_back();
}

inline Digits MagnitudeOf(ArrayView value) {
  Digits digits(value.size() * 2);
  uint64_t flip = IsNegative(value) ? ~uint64_t{0} : 0, carry = flip & 1;
  for (size_t i = 0; i < value.size(); ++i) {
    uint64_t word = (static_cast<uint64_t>(value[i]) ^ flip) + carry;
    carry = carry != 0 && word == 0;
    digits[2 * i] = static_cast<uint32_t>(word);
    digits[2 * i + 1] = static_cast<uint32_t>(word >> 32);
  }
  DropLeadingZeros(&digits);
  return digits;
}

inline BigInt FromMagnitude(const Digits& digits, bool is_negative) {
  uint64_t flip = is_negative ? ~uint64_t{0} : 0, carry = flip & 1;
  auto digit = [&](size_t i) -> uint64_t { return i < digits.size() ? digits[i] : 0; };
  return MakeWords(digits.size() / 2 + 1, [&](size_t i) {
    uint64_t word = ((digit(2 * i + 1) << 32 | digit(2 * i)) ^ flip) + carry;
    carry = carry != 0 && word == 0;
    return word;
  });
}

/*! \brief Divide in place by one digit. \return the remainder. */
inline uint32_t DivideByDigit(Digits* digits, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = digits->size(); i-- > 0;) {
    uint64_t current = rest << 32 | (*digits)[i];
    (*digits)[i] = static_cast<uint32_t>(current / divisor);
    rest = current % divisor;
  }
  DropLeadingZeros(digits);
  return static_cast<uint32_t>(rest);
}

/*! \brief Return `digits << bits`, for 0 to 31 bits, with one additional digit on top. */
inline Digits ShiftedDigits(const Digits& digits, int bits) {
  Digits result(digits.size() + 1);
  for (size_t i = 0; i < digits.size(); ++i) {
    uint64_t wide = static_cast<uint64_t>(digits[i]) << bits;
    result[i] |= static_cast<uint32_t>(wide);
    result[i + 1] = static_cast<uint32_t>(wide >> 32);
  }
  return result;
}

/*!
 * \brief Subtract `quotient * divisor` from the `n + 1` digits at `rest`.
 * \return true if `quotient` was too large by one, so that the difference is negative.
 */
inline bool SubtractMultiple(uint32_t* rest, const Digits& divisor, size_t n, uint64_t quotient) {
  uint64_t carry = 0, borrow = 0;
  for (size_t i = 0; i <= n; ++i) {
    uint64_t product = (i < n ? quotient * divisor[i] : 0) + carry;
    carry = product >> 32;
    uint64_t difference = static_cast<uint64_t>(rest[i]) - (product & 0xffffffffu) - borrow;
    rest[i] = static_cast<uint32_t>(difference);
    borrow = difference >> 63;
  }
  return borrow != 0;
}

inline void AddBack(uint32_t* rest, const Digits& divisor, size_t n) {
  uint64_t carry = 0;
  for (size_t i = 0; i <= n; ++i) {
    carry += static_cast<uint64_t>(rest[i]) + (i < n ? divisor[i] : 0);
    rest[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
}

/*!
 * \brief Divide with the schoolbook method (Knuth, volume 2, 4.3.1, algorithm D).
 * \param dividend becomes the remainder.
 * \param divisor at least two digits, without leading zeros.
 * \return the quotient.
 */
inline Digits DivideDigits(Digits* dividend, const Digits& divisor) {
  size_t n = divisor.size();
  if (dividend->size() < n) return Digits();
  int shift = 0;
  while ((divisor[n - 1] << shift & 0x80000000u) == 0) ++shift;
  Digits rest = ShiftedDigits(*dividend, shift), scaled = ShiftedDigits(divisor, shift);
  uint64_t top = scaled[n - 1], second = scaled[n - 2];
  Digits quotient(dividend->size() - n + 1);
  for (size_t j = quotient.size(); j-- > 0;) {
    uint64_t head = static_cast<uint64_t>(rest[j + n]) << 32 | rest[j + n - 1];
    uint64_t guess = head / top, left = head % top;
    while (guess >> 32 != 0 || guess * second > (left << 32 | rest[j + n - 2])) {
      --guess;
      left += top;
      if (left >> 32 != 0) break;
    }
    if (SubtractMultiple(&rest[j], scaled, n, guess)) {
      --guess;
      AddBack(&rest[j], scaled, n);
    }
    quotient[j] = static_cast<uint32_t>(guess);
  }
  for (size_t i = 0; i < n; ++i) {
    (*dividend)[i] =
        static_cast<uint32_t>((static_cast<uint64_t>(rest[i + 1]) << 32 | rest[i]) >> shift);
  }
  dividend->resize(n);
  DropLeadingZeros(dividend);
  DropLeadingZeros(&quotient);
  return quotient;
}

/*!
 * \brief Return the quotient, rounded toward zero, and the remainder with the sign of the dividend.
 * \throws ZeroDivisionError when the divisor is 0.
 */
inline std::pair<BigInt, BigInt> DivRemFallback(ArrayView a, ArrayView b) {
  Digits rest = MagnitudeOf(a), divisor = MagnitudeOf(b), quotient;
  if (divisor.empty()) ThrowDivisionByZero();
  if (divisor.size() == 1) {
    quotient = std::move(rest);
    rest = {DivideByDigit(&quotient, divisor[0])};
  } else {
    quotient = DivideDigits(&rest, divisor);
  }
  return {FromMagnitude(quotient, IsNegative(a) != IsNegative(b)),
          FromMagnitude(rest, IsNegative(a))};
}
inline std::pair<BigInt, BigInt> DivRemFallback(ArrayView a, int64_t b) {
  return DivRemFallback(a, ArrayView(&b, 1));
}

inline BigInt TruncDivFallback(ArrayView a, ArrayView b) { return DivRemFallback(a, b).first; }
inline BigInt TruncModFallback(ArrayView a, ArrayView b) { return DivRemFallback(a, b).second; }

inline BigInt FloorDivFallback(ArrayView a, ArrayView b) {
  auto [quotient, rest] = DivRemFallback(a, b);
  if (!rest || IsNegative(a) == IsNegative(b)) return std::move(quotient);
  int64_t one = 1;
  return SubFallback(BigIntUnsafe::GetArrayView(quotient), ArrayView(&one, 1));
}
inline BigInt FloorModFallback(ArrayView a, ArrayView b) {
  BigInt rest = TruncModFallback(a, b);
  if (!rest || IsNegative(a) == IsNegative(b)) return rest;
  return AddFallback(BigIntUnsafe::GetArrayView(rest), b);
}

}  // namespace tvm::ffi::detail::int_ops

#endif  // TVM_FFI_DETAIL_BIG_INT_DIVIDE_H_

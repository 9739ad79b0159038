// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_stream.h
 * \brief BigInt in streams; included by big_int.h at its end.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_STREAM_H_
#define TVM_FFI_DETAIL_BIG_INT_STREAM_H_

#include <tvm/ffi/detail/big_int_text.h>

#include <istream>
#include <ostream>
#include <string>

namespace tvm {
namespace ffi {

/*! \brief Decimal, formatted as the std::string of its digits would be. */
inline std::ostream& operator<<(std::ostream& os, const BigInt& value) {
  return os << detail::int_ops::ToStringFallback(value);
}

/*!
 * \brief White space, one sign at most, decimal digits up to the first other character.
 *
 * Without a digit the stream fails and `value` stays.
 */
inline std::istream& operator>>(std::istream& is, BigInt& value) {
  using Traits = std::istream::traits_type;
  std::istream::sentry ready(is);
  if (!ready) return is;
  auto is_digit = [](Traits::int_type c) { return c >= '0' && c <= '9'; };
  Traits::int_type next = is.rdbuf()->sgetc();
  bool is_negative = next == '-';
  if (next == '-' || next == '+') next = is.rdbuf()->snextc();
  std::string digits;
  for (; is_digit(next); next = is.rdbuf()->snextc()) digits.push_back(Traits::to_char_type(next));
  std::ios_base::iostate state = std::ios_base::goodbit;
  if (Traits::eq_int_type(next, Traits::eof())) state |= std::ios_base::eofbit;
  if (digits.empty()) {
    state |= std::ios_base::failbit;
  } else {
    value = detail::int_ops::FromDecimal(digits, is_negative);
  }
  is.setstate(state);
  return is;
}

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_BIG_INT_STREAM_H_

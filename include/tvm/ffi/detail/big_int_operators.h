// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_operators.h
 * \brief Operators and named operations of BigInt: one word where the result fits, else words;
 * included by big_int.h at its end.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_OPERATORS_H_
#define TVM_FFI_DETAIL_BIG_INT_OPERATORS_H_

#include <tvm/ffi/detail/big_int_divide.h>

#include <cstdint>
#include <type_traits>

namespace tvm {
namespace ffi {
namespace detail {
namespace int_ops {

/*! \brief `Scalar` where both operands and the result are single words, else `Words`. */
template <bool (*Scalar)(int64_t, int64_t, int64_t*), BigInt (*Words)(ArrayView, ArrayView),
          typename A, typename B>
TVM_FFI_INLINE BigInt Apply(const A& a, const B& b) {
  using Unsafe = BigIntUnsafe;
  if (TVM_FFI_PREDICT_TRUE(Unsafe::CheckInt64(a) && Unsafe::CheckInt64(b))) {
    int64_t result;
    if (TVM_FFI_PREDICT_TRUE(!Scalar(Unsafe::GetInt64(a), Unsafe::GetInt64(b), &result))) {
      return BigInt(result);
    }
  }
  return Words(Unsafe::GetArrayView(a), Unsafe::GetArrayView(b));
}

template <typename A, typename B>
TVM_FFI_INLINE int Compare(const A& a, const B& b) {
  using Unsafe = BigIntUnsafe;
  if (TVM_FFI_PREDICT_TRUE(Unsafe::CheckInt64(a) && Unsafe::CheckInt64(b))) {
    int64_t left = Unsafe::GetInt64(a), right = Unsafe::GetInt64(b);
    return left < right ? -1 : left > right;
  }
  return CompareFallback(Unsafe::GetArrayView(a), Unsafe::GetArrayView(b));
}

// Single-word operations that always fit, in the form of the others.
inline bool AndScalar(int64_t a, int64_t b, int64_t* out) { return *out = a & b, false; }
inline bool OrScalar(int64_t a, int64_t b, int64_t* out) { return *out = a | b, false; }
inline bool XorScalar(int64_t a, int64_t b, int64_t* out) { return *out = a ^ b, false; }
inline bool MinScalar(int64_t a, int64_t b, int64_t* out) { return *out = b < a ? b : a, false; }
inline bool MaxScalar(int64_t a, int64_t b, int64_t* out) { return *out = a < b ? b : a, false; }
inline bool RightShiftScalar(int64_t a, int64_t b, int64_t* out) {
  return *out = RightShift(a, b), false;
}

/*! \brief Unsigned types whose values an int64_t parameter would silently change. */
template <typename T>
using EnableIfWideUnsigned =
    std::enable_if_t<std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) == 8>;

}  // namespace int_ops
}  // namespace detail

// Each operation takes two BigInt, or one and an int64_t on either side. A uint64_t is taken at its
// value.
#define TVM_FFI_DETAIL_BIG_INT_FORMS(Result, Name, Impl)                      \
  inline Result Name(const BigInt& a, const BigInt& b) { return Impl(a, b); } \
  inline Result Name(const BigInt& a, int64_t b) { return Impl(a, b); }       \
  inline Result Name(int64_t a, const BigInt& b) { return Impl(a, b); }       \
  template <typename T, typename = detail::int_ops::EnableIfWideUnsigned<T>>  \
  inline Result Name(const BigInt& a, T b) {                                  \
    return Impl(a, BigInt(b));                                                \
  }                                                                           \
  template <typename T, typename = detail::int_ops::EnableIfWideUnsigned<T>>  \
  inline Result Name(T a, const BigInt& b) {                                  \
    return Impl(BigInt(a), b);                                                \
  }
#define TVM_FFI_DETAIL_BIG_INT_OPERATION(Name, Scalar, Words) \
  TVM_FFI_DETAIL_BIG_INT_FORMS(                               \
      BigInt, Name, (detail::int_ops::Apply<&detail::int_ops::Scalar, &detail::int_ops::Words>))
#define TVM_FFI_DETAIL_BIG_INT_RELATION(Name, Relation)                              \
  TVM_FFI_DETAIL_BIG_INT_FORMS(bool, Name, [](const auto& left, const auto& right) { \
    return detail::int_ops::Compare(left, right) Relation 0;                         \
  })

TVM_FFI_DETAIL_BIG_INT_OPERATION(operator+, AddOverflow, AddFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator-, SubOverflow, SubFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator*, MulOverflow, MulFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator/, TruncDivOverflow, TruncDivFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator%, TruncModOverflow, TruncModFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(truncdiv, TruncDivOverflow, TruncDivFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(truncmod, TruncModOverflow, TruncModFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(floordiv, FloorDivOverflow, FloorDivFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(floormod, FloorModOverflow, FloorModFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator&, AndScalar, AndFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator|, OrScalar, OrFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator^, XorScalar, XorFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator<<, LeftShiftOverflow, LeftShiftFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(operator>>, RightShiftScalar, RightShiftFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(min, MinScalar, MinFallback)
TVM_FFI_DETAIL_BIG_INT_OPERATION(max, MaxScalar, MaxFallback)

TVM_FFI_DETAIL_BIG_INT_RELATION(operator==, ==)
TVM_FFI_DETAIL_BIG_INT_RELATION(operator!=, !=)
TVM_FFI_DETAIL_BIG_INT_RELATION(operator<, <)
TVM_FFI_DETAIL_BIG_INT_RELATION(operator<=, <=)
TVM_FFI_DETAIL_BIG_INT_RELATION(operator>, >)
TVM_FFI_DETAIL_BIG_INT_RELATION(operator>=, >=)

#undef TVM_FFI_DETAIL_BIG_INT_RELATION
#undef TVM_FFI_DETAIL_BIG_INT_OPERATION
#undef TVM_FFI_DETAIL_BIG_INT_FORMS

inline BigInt operator+(const BigInt& value) { return value; }
inline BigInt operator-(const BigInt& value) { return int64_t{0} - value; }
inline BigInt operator~(const BigInt& value) { return value ^ int64_t{-1}; }

inline BigInt& BigInt::operator+=(const BigInt& other) { return *this = *this + other; }
inline BigInt& BigInt::operator-=(const BigInt& other) { return *this = *this - other; }
inline BigInt& BigInt::operator*=(const BigInt& other) { return *this = *this * other; }
inline BigInt& BigInt::operator/=(const BigInt& other) { return *this = *this / other; }
inline BigInt& BigInt::operator%=(const BigInt& other) { return *this = *this % other; }
inline BigInt& BigInt::operator&=(const BigInt& other) { return *this = *this & other; }
inline BigInt& BigInt::operator|=(const BigInt& other) { return *this = *this | other; }
inline BigInt& BigInt::operator^=(const BigInt& other) { return *this = *this ^ other; }
inline BigInt& BigInt::operator<<=(const BigInt& count) { return *this = *this << count; }
inline BigInt& BigInt::operator>>=(const BigInt& count) { return *this = *this >> count; }

inline BigInt& BigInt::operator++() { return *this += 1; }
inline BigInt& BigInt::operator--() { return *this -= 1; }
inline BigInt BigInt::operator++(int) {
  BigInt before = *this;
  ++*this;
  return before;
}
inline BigInt BigInt::operator--(int) {
  BigInt before = *this;
  --*this;
  return before;
}

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_BIG_INT_OPERATORS_H_

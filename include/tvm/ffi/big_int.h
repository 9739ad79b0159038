// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/big_int.h
 * \brief BigInt: an integer of any size, which is stored as a plain int if it fits.
 *
 * tvm_ffi.h does not include this header. Define TVM_FFI_BIGINT_FORCE_PORTABLE before the inclusion
 * to use no compiler extensions; the results are the same.
 */
#ifndef TVM_FFI_BIG_INT_H_
#define TVM_FFI_BIG_INT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/big_int_object.h>
#include <tvm/ffi/detail/big_int_scalar.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*!
 * \brief An integer of any size, 16 bytes: a TVMFFIAny that holds an int, or an immutable shared
 * object when the number does not fit int64_t.
 *
 * A number that fits int64_t is never an object. A moved-from BigInt is 0. Operations that allocate
 * memory throw std::bad_alloc when the allocation fails. A BigInt is as thread-safe as an int.
 */
class BigInt {
 public:
  /*! \brief Borrowed words of a two's-complement number, the least significant first. */
  class ArrayView {
   public:
    ArrayView(const int64_t* data, size_t size) : data_(data), size_(size) {}
    const int64_t& operator[](size_t i) const { return data_[i]; }
    size_t size() const { return size_; }

   private:
    const int64_t* data_;
    size_t size_;
  };

  /*! \brief 0. */
  BigInt() noexcept { SetSmall(0); }
  /*! \brief Make a BigInt from a value of any integer type. */
  template <typename Int, typename = std::enable_if_t<std::is_integral_v<Int> && sizeof(Int) <= 8>>
  BigInt(Int value) {  // NOLINT(google-explicit-constructor)
    SetSmall(static_cast<int64_t>(value));
    if constexpr (std::is_unsigned_v<Int> && sizeof(Int) == 8) {
      if (TVM_FFI_PREDICT_FALSE(data_.v_int64 < 0)) SetTwoWords(data_.v_int64, 0);
    }
  }
  /*!
   * \brief Round a double toward zero.
   * \throws ValueError for NaN, OverflowError for an infinity.
   */
  explicit BigInt(double value);

  BigInt(const BigInt& other) noexcept : data_(other.data_) {
    if (!is_small()) detail::ObjectUnsafe::IncRefObjectHandle(data_.v_obj);
  }
  BigInt(BigInt&& other) noexcept : data_(other.data_) { other.SetSmall(0); }
  BigInt& operator=(const BigInt& other) noexcept {
    BigInt(other).swap(*this);
    return *this;
  }
  BigInt& operator=(BigInt&& other) noexcept {
    BigInt(std::move(other)).swap(*this);
    return *this;
  }
  ~BigInt() {
    if (!is_small()) detail::ObjectUnsafe::DecRefObjectHandle(data_.v_obj);
  }

  void swap(BigInt& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief Return whether the number is not 0. */
  explicit operator bool() const noexcept { return !is_small() || data_.v_int64 != 0; }
  /*! \throws OverflowError when the number does not fit. */
  explicit operator int64_t() const {
    if (TVM_FFI_PREDICT_FALSE(!is_small())) {
      TVM_FFI_THROW(OverflowError) << "BigInt does not fit int64_t";
    }
    return data_.v_int64;
  }
  /*!
   * \brief Return the nearest double; if two are equally near, the even one.
   * \throws OverflowError when the number is beyond the range of finite doubles.
   */
  explicit operator double() const;

  /*! \brief Return the number as an Int, or nullopt if it does not fit. */
  template <typename Int, typename = std::enable_if_t<std::is_integral_v<Int> && sizeof(Int) <= 8>>
  std::optional<Int> as() const;

  /*! \brief Return the number itself as uint64_t if it fits int64_t, otherwise a stable hash of its
   * words. */
  uint64_t hash() const;

  BigInt& operator+=(const BigInt& other);
  BigInt& operator-=(const BigInt& other);
  BigInt& operator*=(const BigInt& other);
  /*! \brief Divide, and round toward zero. Both `/=` and `%=` throw ZeroDivisionError for a divisor
   * of 0. */
  BigInt& operator/=(const BigInt& other);
  /*! \brief Replace the number by the remainder, which has the sign of the dividend. */
  BigInt& operator%=(const BigInt& other);
  // Bitwise operators treat each number as two's complement with an infinite number of sign bits.
  BigInt& operator&=(const BigInt& other);
  BigInt& operator|=(const BigInt& other);
  BigInt& operator^=(const BigInt& other);
  /*! \brief Shift left. Throw ValueError for a negative count, OverflowError for a count beyond
   * size_t. */
  BigInt& operator<<=(const BigInt& count);
  /*! \brief Shift right and round down. Throw ValueError for a negative count. */
  BigInt& operator>>=(const BigInt& count);
  BigInt& operator++();
  BigInt& operator--();
  BigInt operator++(int);
  BigInt operator--(int);

 private:
  friend struct detail::BigIntUnsafe;
  template <typename, typename>
  friend struct TypeTraits;

  /*! \brief Take over the object of a value that does not fit int64_t. */
  explicit BigInt(ObjectPtr<detail::BigIntObj> object) noexcept {
    detail::SetAnyHead(&data_, TypeIndex::kTVMFFIBigInt);
    TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(&data_);
    data_.v_obj = detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(object));
  }

  bool is_small() const noexcept { return data_.type_index == TypeIndex::kTVMFFIInt; }
  void SetSmall(int64_t value) noexcept {
    detail::SetAnyInt64(&data_, TypeIndex::kTVMFFIInt, value);
  }
  void SetTwoWords(int64_t low, int64_t high);

  TVMFFIAny data_;
};

/*! \brief Accepts an int or a BigInt object, and converts a bool. */
template <>
struct TypeTraits<BigInt> : public TypeTraitsBase {
  TVM_FFI_INLINE static void CopyToAnyView(const BigInt& source, TVMFFIAny* result) {
    *result = source.data_;
  }
  TVM_FFI_INLINE static void MoveToAny(BigInt source, TVMFFIAny* result) {
    *result = source.data_;
    source.SetSmall(0);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIInt ||
           source->type_index == TypeIndex::kTVMFFIBigInt;
  }
  TVM_FFI_INLINE static BigInt CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    BigInt result(source->v_int64);
    if (source->type_index == TypeIndex::kTVMFFIBigInt) {
      detail::ObjectUnsafe::IncRefObjectHandle(source->v_obj);
      result.data_ = *source;
    }
    return result;
  }
  TVM_FFI_INLINE static BigInt MoveFromAnyAfterCheck(TVMFFIAny* source) {
    BigInt result;
    result.data_ = *source;
    detail::SetAnyNone(source);
    return result;
  }
  TVM_FFI_INLINE static std::optional<BigInt> TryCastFromAnyView(const TVMFFIAny* source) {
    if (CheckAnyStrict(source)) return CopyFromAnyViewAfterCheck(source);
    if (source->type_index == TypeIndex::kTVMFFIBool) return BigInt(source->v_int64 != 0);
    return std::nullopt;
  }
  static std::string TypeStr() { return "BigInt"; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIBigInt); }
};

}  // namespace tvm::ffi

#include <tvm/ffi/detail/big_int_divide.h>
#include <tvm/ffi/detail/big_int_text.h>

namespace tvm::ffi {

namespace detail::int_ops {

/*! \brief Call `Scalar` if both operands and the result are single words, otherwise `Words`. */
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

// Single-word operations whose result always fits. They have the signature of the operations that
// can overflow, and return false, which means "no overflow".
inline bool AndScalar(int64_t a, int64_t b, int64_t* out) { return *out = a & b, false; }
inline bool OrScalar(int64_t a, int64_t b, int64_t* out) { return *out = a | b, false; }
inline bool XorScalar(int64_t a, int64_t b, int64_t* out) { return *out = a ^ b, false; }
inline bool MinScalar(int64_t a, int64_t b, int64_t* out) { return *out = b < a ? b : a, false; }
inline bool MaxScalar(int64_t a, int64_t b, int64_t* out) { return *out = a < b ? b : a, false; }
inline bool RightShiftScalar(int64_t a, int64_t b, int64_t* out) {
  return *out = RightShift(a, b), false;
}

/*! \brief Enables an overload for 64-bit unsigned types, whose large values do not fit int64_t. */
template <typename T>
using EnableIfWideUnsigned =
    std::enable_if_t<std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) == 8>;

}  // namespace detail::int_ops

// Each operation takes two BigInt, or a BigInt and an int64_t in either order. A uint64_t is
// converted to BigInt first, because a conversion to int64_t would change large values.
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
/*! \brief Invert all bits. */
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

/*! \brief Write the number in decimal, with the format options of a std::string. */
inline std::ostream& operator<<(std::ostream& os, const BigInt& value) {
  return os << detail::int_ops::ToStringFallback(value);
}

/*!
 * \brief Read a decimal number: skip white space, accept one sign, then read all digits up to the
 * first character that is not a digit.
 *
 * If there is no digit, set the failbit of the stream and leave `value` unchanged.
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

inline BigInt::BigInt(double value) : BigInt(detail::int_ops::FromDoubleFallback(value)) {}

inline BigInt::operator double() const { return detail::int_ops::ToDoubleFallback(*this); }

inline void BigInt::SetTwoWords(int64_t low, int64_t high) {
  ObjectPtr<detail::BigIntObj> object = detail::int_ops::NewWords(2);
  int64_t* words = detail::BigIntUnsafe::GetMutableData(object);
  words[0] = low;
  words[1] = high;
  BigInt(std::move(object)).swap(*this);
}

template <typename Int, typename>
std::optional<Int> BigInt::as() const {
  using Limits = std::numeric_limits<Int>;
  if (*this < Limits::min() || *this > Limits::max()) return std::nullopt;
  return static_cast<Int>(detail::BigIntUnsafe::GetArrayView(*this)[0]);
}

inline uint64_t BigInt::hash() const {
  if (is_small()) return data_.v_uint64;
  ArrayView words = detail::BigIntUnsafe::GetArrayView(*this);
  return detail::StableHashBytes(&words[0], words.size() * sizeof(int64_t));
}

}  // namespace tvm::ffi

/*! \brief Gives equal numbers equal hashes. */
template <>
struct std::hash<tvm::ffi::BigInt> {
  std::size_t operator()(const tvm::ffi::BigInt& value) const noexcept {
    return static_cast<std::size_t>(value.hash());
  }
};

/*! \brief Exchange the 16 bytes of two numbers. */
template <>
inline void std::swap<tvm::ffi::BigInt>(tvm::ffi::BigInt& a, tvm::ffi::BigInt& b) noexcept {
  a.swap(b);
}

#endif  // TVM_FFI_BIG_INT_H_

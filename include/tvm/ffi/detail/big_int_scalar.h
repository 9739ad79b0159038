// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_scalar.h
 * \brief Arithmetic on single words, with checks whether the result fits; included by big_int.h.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_SCALAR_H_
#define TVM_FFI_DETAIL_BIG_INT_SCALAR_H_

#include <tvm/ffi/error.h>

#include <cstdint>
#include <cstring>
#include <limits>

#if !defined(TVM_FFI_BIGINT_FORCE_PORTABLE) && (defined(__GNUC__) || defined(__clang__))
#define TVM_FFI_DETAIL_BIG_INT_BUILTINS 1
#else
#define TVM_FFI_DETAIL_BIG_INT_BUILTINS 0
#endif

namespace tvm::ffi::detail::int_ops {

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowDivisionByZero() {
  TVM_FFI_THROW(ZeroDivisionError) << "Division by zero";
  TVM_FFI_UNREACHABLE();
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowNegativeShift() {
  TVM_FFI_THROW(ValueError) << "Negative BigInt shift count";
  TVM_FFI_UNREACHABLE();
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowShiftTooLarge() {
  TVM_FFI_THROW(OverflowError) << "BigInt shift count is too large";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the same 64 bits as a signed number. */
inline int64_t BitcastToInt64(uint64_t value) {
  int64_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

/*! \brief Return `|value|`, also for INT64_MIN. */
inline uint64_t AbsoluteValue(int64_t value) {
  uint64_t bits = static_cast<uint64_t>(value);
  return value < 0 ? uint64_t{0} - bits : bits;
}

/*! \brief Return the low word of `a * b`, and store the high word in `*high`. */
inline uint64_t MultiplyWide(uint64_t a, uint64_t b, uint64_t* high) {
#if TVM_FFI_DETAIL_BIG_INT_BUILTINS && defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  *high = static_cast<uint64_t>(product >> 64);
  return static_cast<uint64_t>(product);
#else
  constexpr uint64_t kLow = 0xffffffffu;
  uint64_t low = (a & kLow) * (b & kLow);
  uint64_t cross = (a >> 32) * (b & kLow) + (low >> 32);
  uint64_t other = (a & kLow) * (b >> 32) + (cross & kLow);
  *high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
  return (other << 32) | (low & kLow);
#endif
}

// Each function `...Overflow` writes the result to `*out` and returns false. If the result does not
// fit, it returns true, and the value of `*out` is unspecified.

inline bool AddOverflow(int64_t a, int64_t b, int64_t* out) {
#if TVM_FFI_DETAIL_BIG_INT_BUILTINS
  return __builtin_add_overflow(a, b, out);
#else
  *out = BitcastToInt64(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  return ((a ^ *out) & (b ^ *out)) < 0;
#endif
}

inline bool SubOverflow(int64_t a, int64_t b, int64_t* out) {
#if TVM_FFI_DETAIL_BIG_INT_BUILTINS
  return __builtin_sub_overflow(a, b, out);
#else
  *out = BitcastToInt64(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  return ((a ^ b) & (a ^ *out)) < 0;
#endif
}

inline bool MulOverflow(int64_t a, int64_t b, int64_t* out) {
#if TVM_FFI_DETAIL_BIG_INT_BUILTINS
  return __builtin_mul_overflow(a, b, out);
#else
  uint64_t high;
  uint64_t low = MultiplyWide(AbsoluteValue(a), AbsoluteValue(b), &high);
  bool is_negative = (a < 0) != (b < 0);
  uint64_t limit = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) + is_negative;
  *out = BitcastToInt64(is_negative ? uint64_t{0} - low : low);
  return high != 0 || low > limit;
#endif
}

/*! \throws ZeroDivisionError when `b` is 0, like the next three functions. */
inline bool TruncDivOverflow(int64_t a, int64_t b, int64_t* out) {
  if (TVM_FFI_PREDICT_FALSE(b == 0)) ThrowDivisionByZero();
  // INT64_MIN / -1, the only quotient that does not fit, would be a hardware trap.
  if (b == -1) return SubOverflow(0, a, out);
  *out = a / b;
  return false;
}

inline bool TruncModOverflow(int64_t a, int64_t b, int64_t* out) {
  if (TVM_FFI_PREDICT_FALSE(b == 0)) ThrowDivisionByZero();
  *out = b == -1 ? 0 : a % b;
  return false;
}

inline bool FloorDivOverflow(int64_t a, int64_t b, int64_t* out) {
  if (TruncDivOverflow(a, b, out)) return true;
  if (b != -1 && a % b != 0 && (a < 0) != (b < 0)) --*out;
  return false;
}

inline bool FloorModOverflow(int64_t a, int64_t b, int64_t* out) {
  TruncModOverflow(a, b, out);
  if (*out != 0 && (*out < 0) != (b < 0)) *out += b;
  return false;
}

/*! \throws ValueError for a negative count. */
inline bool LeftShiftOverflow(int64_t a, int64_t b, int64_t* out) {
  if (TVM_FFI_PREDICT_FALSE(b < 0)) ThrowNegativeShift();
  if (a == 0) {
    *out = 0;
    return false;
  }
  if (b > 63) return true;
  *out = BitcastToInt64(static_cast<uint64_t>(a) << b);
  return (*out >> b) != a;
}

/*! \throws ValueError for a negative count. */
inline int64_t RightShift(int64_t a, int64_t b) {
  if (TVM_FFI_PREDICT_FALSE(b < 0)) ThrowNegativeShift();
  return a >> (b > 63 ? 63 : b);
}

}  // namespace tvm::ffi::detail::int_ops

#endif  // TVM_FFI_DETAIL_BIG_INT_SCALAR_H_

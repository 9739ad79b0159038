// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_words.h
 * \brief Access to the words of a BigInt, and arithmetic on words except for division. big_int.h
 * includes this file after the class BigInt.
 *
 * In an operand, the most significant words may only repeat the sign. Results do not have such
 * words.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_WORDS_H_
#define TVM_FFI_DETAIL_BIG_INT_WORDS_H_

#include <tvm/ffi/detail/big_int_object.h>
#include <tvm/ffi/detail/big_int_scalar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief Access to the members of BigInt, for the arithmetic functions. */
struct BigIntUnsafe {
  using ArrayView = BigInt::ArrayView;

  /*! \brief Return whether the value is held as an int64_t. */
  static bool CheckInt64(const BigInt& value) noexcept { return value.is_small(); }
  static bool CheckInt64(int64_t) noexcept { return true; }
  /*! \brief Return a value that is held as an int64_t. */
  static int64_t GetInt64(const BigInt& value) noexcept { return value.data_.v_int64; }
  static int64_t GetInt64(int64_t value) noexcept { return value; }

  // Each view borrows from the argument.
  static ArrayView GetArrayView(const BigInt& value) { return GetArrayView(&value.data_); }
  static ArrayView GetArrayView(const int64_t& value) { return ArrayView(&value, 1); }
  static ArrayView GetArrayView(const ObjectPtr<BigIntObj>& object) {
    return ArrayView(GetMutableData(object), object->size_);
  }
  /*! \param value an int or a BigInt, which is not checked. */
  static ArrayView GetArrayView(const TVMFFIAny* value) {
    if (value->type_index == TypeIndex::kTVMFFIInt) return ArrayView(&value->v_int64, 1);
    const auto* object = reinterpret_cast<const BigIntObj*>(value->v_obj);
    return ArrayView(reinterpret_cast<const int64_t*>(object + 1), object->size_);
  }

  /*! \brief Return the address of the first word, which follows the object in memory. */
  static int64_t* GetMutableData(const ObjectPtr<BigIntObj>& object) {
    return reinterpret_cast<int64_t*>(object.get() + 1);
  }
  /*! \brief Drop the words from `size` on; the memory stays allocated. */
  static void ShrinkSize(const ObjectPtr<BigIntObj>& object, size_t size) { object->size_ = size; }

  /*!
   * \brief Return the number with the words of `object`; drop the most significant words that only
   * repeat the sign.
   * \param object taken over; must be the only reference.
   */
  static BigInt Normalize(ObjectPtr<BigIntObj> object) {
    const int64_t* words = GetMutableData(object);
    size_t size = object->size_;
    while (size > 1 && words[size - 1] == (words[size - 2] < 0 ? -1 : 0)) --size;
    if (size == 0) return BigInt();
    if (size == 1) return BigInt(words[0]);
    object->size_ = size;
    return BigInt(std::move(object));
  }
};

namespace int_ops {

using ArrayView = BigInt::ArrayView;

inline bool IsNegative(ArrayView value) { return value.size() != 0 && value[value.size() - 1] < 0; }

/*! \brief Return whether the number is 0. `value` must not have words that only repeat the sign. */
inline bool IsNormalizedZero(ArrayView value) {
  return value.size() == 0 || (value.size() == 1 && value[0] == 0);
}

inline bool IsZero(ArrayView value) {
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] != 0) return false;
  }
  return true;
}

/*! \brief Return word `i` of the number; beyond its last word, 64 copies of the sign bit. */
inline uint64_t WordAt(ArrayView value, size_t i) {
  if (i < value.size()) return static_cast<uint64_t>(value[i]);
  return IsNegative(value) ? ~uint64_t{0} : 0;
}

inline ObjectPtr<BigIntObj> NewWords(size_t count) {
  return make_inplace_array_object<BigIntObj, int64_t>(count, count);
}

/*! \brief Make a number of `count` words; `word_of(i)` returns word `i`. Word 0 is the lowest. */
template <typename WordOf>
inline BigInt MakeWords(size_t count, WordOf word_of) {
  ObjectPtr<BigIntObj> result = NewWords(count);
  int64_t* words = BigIntUnsafe::GetMutableData(result);
  for (size_t i = 0; i < count; ++i) words[i] = BitcastToInt64(word_of(i));
  return BigIntUnsafe::Normalize(std::move(result));
}

/*! \brief Return `a + (b ^ flip) + carry`; `^ flip` applies to each word of `b`. */
inline BigInt AddWords(ArrayView a, ArrayView b, uint64_t flip, uint64_t carry) {
  return MakeWords(std::max(a.size(), b.size()) + 1, [&](size_t i) {
    uint64_t partial = WordAt(a, i) + carry;
    carry = partial < carry;
    uint64_t sum = partial + (WordAt(b, i) ^ flip);
    carry += sum < partial;
    return sum;
  });
}

inline BigInt AddFallback(ArrayView a, ArrayView b) { return AddWords(a, b, 0, 0); }
inline BigInt SubFallback(ArrayView a, ArrayView b) { return AddWords(a, b, ~uint64_t{0}, 1); }
inline BigInt NegateFallback(ArrayView value) { return SubFallback(ArrayView(nullptr, 0), value); }

/*! \brief Subtract `value` from the `count` words at `target`, modulo 2^(64 * count). */
inline void SubtractInPlace(uint64_t* target, size_t count, ArrayView value) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t word = static_cast<uint64_t>(value[i]);
    uint64_t partial = target[i] - borrow;
    borrow = target[i] < borrow;
    borrow += partial < word;
    target[i] = partial - word;
  }
}

inline BigInt MulFallback(ArrayView a, ArrayView b) {
  size_t count = a.size() + b.size();
  ObjectPtr<BigIntObj> result = NewWords(count);
  auto* words = reinterpret_cast<uint64_t*>(BigIntUnsafe::GetMutableData(result));
  std::fill_n(words, count, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      uint64_t high;
      uint64_t low = MultiplyWide(WordAt(a, i), WordAt(b, j), &high);
      low += carry;
      high += low < carry;
      uint64_t sum = words[i + j] + low;
      carry = high + (sum < low);
      words[i + j] = sum;
    }
    words[i + b.size()] = carry;
  }
  // So far the words were multiplied as unsigned numbers, which adds 2^(64 * size) to a negative
  // operand. Correct the product.
  if (IsNegative(a)) SubtractInPlace(words + a.size(), b.size(), b);
  if (IsNegative(b)) SubtractInPlace(words + b.size(), a.size(), a);
  return BigIntUnsafe::Normalize(std::move(result));
}

inline BigInt AndFallback(ArrayView a, ArrayView b) {
  return MakeWords(std::max(a.size(), b.size()),
                   [&](size_t i) { return WordAt(a, i) & WordAt(b, i); });
}
inline BigInt OrFallback(ArrayView a, ArrayView b) {
  return MakeWords(std::max(a.size(), b.size()),
                   [&](size_t i) { return WordAt(a, i) | WordAt(b, i); });
}
inline BigInt XorFallback(ArrayView a, ArrayView b) {
  return MakeWords(std::max(a.size(), b.size()),
                   [&](size_t i) { return WordAt(a, i) ^ WordAt(b, i); });
}
inline BigInt ComplementFallback(ArrayView value) {
  return MakeWords(std::max(value.size(), size_t{1}), [&](size_t i) { return ~WordAt(value, i); });
}

/*!
 * \brief Read a count of bits into `*result`; return false when the count does not fit size_t.
 * \throws ValueError for a negative count.
 */
inline bool ReadShiftCount(ArrayView count, size_t* result) {
  if (IsNegative(count)) ThrowNegativeShift();
  for (size_t i = 1; i < count.size(); ++i) {
    if (count[i] != 0) return false;
  }
  uint64_t bits = WordAt(count, 0);
  *result = static_cast<size_t>(bits);
  return *result == bits;
}

/*! \throws ValueError for a negative count, OverflowError for a count beyond size_t. */
inline BigInt LeftShiftFallback(ArrayView value, ArrayView count) {
  size_t bits = 0;
  bool fits = ReadShiftCount(count, &bits);
  if (IsZero(value)) return BigInt();
  if (!fits) ThrowShiftTooLarge();
  size_t skipped = bits / 64, rest = bits % 64;
  return MakeWords(value.size() + skipped + 1, [&](size_t i) {
    if (i < skipped) return uint64_t{0};
    uint64_t word = WordAt(value, i - skipped) << rest;
    if (rest != 0 && i > skipped) word |= WordAt(value, i - skipped - 1) >> (64 - rest);
    return word;
  });
}

/*! \throws ValueError for a negative count. */
inline BigInt RightShiftFallback(ArrayView value, ArrayView count) {
  size_t bits = 0;
  bool fits = ReadShiftCount(count, &bits);
  size_t skipped = bits / 64, rest = bits % 64;
  if (!fits || skipped >= value.size()) return BigInt(IsNegative(value) ? -1 : 0);
  return MakeWords(value.size() - skipped, [&](size_t i) {
    uint64_t word = WordAt(value, i + skipped) >> rest;
    if (rest != 0) word |= WordAt(value, i + skipped + 1) << (64 - rest);
    return word;
  });
}

/*! \brief Compare two numbers; return -1, 0 or 1. */
inline int CompareFallback(ArrayView a, ArrayView b) {
  if (IsNegative(a) != IsNegative(b)) return IsNegative(a) ? -1 : 1;
  for (size_t i = std::max(a.size(), b.size()); i-- > 0;) {
    // For numbers of equal sign, comparing the words as unsigned numbers gives the right order.
    uint64_t left = WordAt(a, i), right = WordAt(b, i);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}
inline bool EqualFallback(ArrayView a, ArrayView b) { return CompareFallback(a, b) == 0; }

/*! \brief Return a copy of the number. */
inline BigInt CopyWords(ArrayView value) {
  return MakeWords(value.size(), [&](size_t i) { return WordAt(value, i); });
}
/*! \brief Return the smaller number. Like MaxFallback, return `a` if both are equal. */
inline BigInt MinFallback(ArrayView a, ArrayView b) {
  return CopyWords(CompareFallback(a, b) <= 0 ? a : b);
}
inline BigInt MaxFallback(ArrayView a, ArrayView b) {
  return CopyWords(CompareFallback(a, b) >= 0 ? a : b);
}

}  // namespace int_ops
}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_BIG_INT_WORDS_H_

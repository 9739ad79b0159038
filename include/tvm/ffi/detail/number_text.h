// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/number_text.h
 * \brief The texts of OverflowErrors for numbers that do not fit a parameter or a field.
 *
 * Used by any.h. type_traits.h only declares the functions, which keeps object.h short.
 */
#ifndef TVM_FFI_DETAIL_NUMBER_TEXT_H_
#define TVM_FFI_DETAIL_NUMBER_TEXT_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace tvm::ffi::detail {

/*! \brief Return the name of an integer type by its size, e.g. `uint8`, or `bool`. */
template <typename Integer>
std::string IntegerName() {
  if constexpr (std::is_same_v<Integer, bool>) return "bool";
  return (std::is_signed_v<Integer> ? "int" : "uint") + std::to_string(sizeof(Integer) * 8);
}

/*!
 * \brief Return the text for an integer that `Integer` cannot hold; empty for values that are not
 * integers.
 *
 * Integers are passed as int64_t, so the text for uint64_t names the range of int64_t.
 */
template <typename Integer>
std::string IntegerOverflowText(const TVMFFIAny* value) {
  constexpr int64_t max = MaxOfInteger<Integer>();
  constexpr bool is_unsigned = std::is_unsigned_v<Integer> && sizeof(Integer) < sizeof(int64_t);
  constexpr int64_t min = is_unsigned ? 0 : -max - 1;
  std::string text;
  if (value->type_index == TypeIndex::kTVMFFIInt) {
    text = "integer " + std::to_string(value->v_int64);
  } else if (value->type_index == TypeIndex::kTVMFFIBigInt) {
    text = "integer of more than 64 bits";
  } else {
    return text;
  }
  constexpr bool is_uint64 = std::is_unsigned_v<Integer> && sizeof(Integer) >= sizeof(int64_t);
  text += " out of " + (is_uint64 ? IntegerName<int64_t>() : IntegerName<Integer>()) + " range [" +
          std::to_string(min) + ", " + std::to_string(max) + "]";
  return is_uint64 ? text + ", in which a uint64 is passed" : text;
}

/*! \brief Return the text for a number that a float cannot hold, or that is not converted because
 * it is an integer of more than 64 bits; empty for other values. */
template <typename Dummy>
std::string FloatOverflowText(const TVMFFIAny* value) {
  if (value->type_index == TypeIndex::kTVMFFIBigInt) {
    return "integer of more than 64 bits is not converted to float";
  }
  if (value->type_index != TypeIndex::kTVMFFIFloat) return std::string();
  char number[32];
  std::snprintf(number, sizeof(number), "%.9g", value->v_float64);
  return std::string("float ") + number + " out of float32 range [-3.40282347e+38, 3.40282347e+38]";
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_NUMBER_TEXT_H_

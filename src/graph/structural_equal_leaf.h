// SPDX-License-Identifier: Apache-2.0
// Structural equality of values without children. The functions are inline, because most values do
// not have children.
#pragma once

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "graph/leaf.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime::structural {

/*! \brief The relation of two values. kLookInside: their children must be compared. */
enum class Verdict { kDifferent, kEqual, kLookInside };

constexpr Verdict verdict(bool is_equal) {
  return is_equal ? Verdict::kEqual : Verdict::kDifferent;
}

inline bool are_nans(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return lhs.type_index == kTVMFFIFloat && std::isnan(lhs.v_float64) && std::isnan(rhs.v_float64);
}

/*! \brief Compare two floats. Zeros of different signs are different; all NaNs are equal. */
inline Verdict compare_floats(double lhs, double rhs) {
  return verdict((lhs == rhs && std::signbit(lhs) == std::signbit(rhs)) ||
                 (std::isnan(lhs) && std::isnan(rhs)));
}

inline bool equal_bytes(const TVMFFIByteArray& lhs, const TVMFFIByteArray& rhs) {
  return lhs.size == rhs.size && (lhs.size == 0 || std::memcmp(lhs.data, rhs.data, lhs.size) == 0);
}

inline Verdict compare_integers(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return verdict(
      equal_bytes(TVMFFIBigIntGetContentByteArray(&lhs), TVMFFIBigIntGetContentByteArray(&rhs)));
}

/*! \brief Compare two values of different types. They are equal only if one is the small and the
 * other the large form of the same string or bytes. */
inline Verdict compare_forms(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  int32_t kind = text_kind(lhs.type_index);
  return verdict(kind >= 0 && kind == text_kind(rhs.type_index) && text_of(lhs) == text_of(rhs));
}

inline bool equal_shapes(const TVMFFIShapeCell& lhs, const TVMFFIShapeCell& rhs) {
  if (lhs.size != rhs.size) return false;
  return lhs.size == 0 || std::memcmp(lhs.data, rhs.data, lhs.size * sizeof(int64_t)) == 0;
}

/*! \brief Compare two objects of one type. */
TVM_FFI_INLINE Verdict compare_objects(TVMFFIObject* lhs, TVMFFIObject* rhs) {
  switch (lhs->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return verdict(
          equal_bytes(*TVMFFIBytesGetByteArrayPtr(lhs), *TVMFFIBytesGetByteArrayPtr(rhs)));
    case kTVMFFIShape:
      return verdict(equal_shapes(*TVMFFIShapeGetCellPtr(lhs), *TVMFFIShapeGetCellPtr(rhs)));
    case kTVMFFIBigInt:
      return compare_integers(value_of(lhs), value_of(rhs));
    default:
      return Verdict::kLookInside;
  }
}

/*! \brief Compare two values of any types. */
TVM_FFI_INLINE Verdict compare_values(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  if (__builtin_expect(lhs.type_index != rhs.type_index, 0)) return compare_forms(lhs, rhs);
  if (is_object(lhs)) return compare_objects(lhs.v_obj, rhs.v_obj);
  bool same_bits = lhs.v_uint64 == rhs.v_uint64 && lhs.small_str_len == rhs.small_str_len;
  return verdict(same_bits || are_nans(lhs, rhs));
}

}  // namespace tvm::ffi::runtime::structural

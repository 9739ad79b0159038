// SPDX-License-Identifier: Apache-2.0
// Equality and order of values without children: None, numbers, texts, dtypes, devices, shapes, and
// values that are compared by their bits.
#include "graph/leaf_order.h"

#include <tvm/ffi/big_int.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/type_traits.h>

#include <cmath>
#include <cstdint>

#include "core/type_table.h"
#include "graph/leaf.h"
#include "graph/structural_equal_leaf.h"

namespace tvm::ffi::runtime {
namespace {

template <typename T>
LeafOrder order_of(const T& lhs, const T& rhs) {
  if (lhs < rhs) return LeafOrder::kLess;
  return rhs < lhs ? LeafOrder::kGreater : LeafOrder::kEqual;
}

LeafOrder from_sign(int sign) { return order_of(sign, 0); }

template <typename... Rest>
LeafOrder first_difference(LeafOrder first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first != LeafOrder::kEqual ? first : first_difference(rest...);
  }
}

LeafOrder order_of_floats(double lhs, double rhs) {
  if (!std::isnan(lhs) && !std::isnan(rhs)) return order_of(lhs, rhs);
  TVM_FFI_THROW(TypeError) << "Cannot order NaN values";
  TVM_FFI_UNREACHABLE();
}

LeafOrder order_of_dtypes(DLDataType lhs, DLDataType rhs) {
  return first_difference(order_of(lhs.code, rhs.code), order_of(lhs.bits, rhs.bits),
                          order_of(lhs.lanes, rhs.lanes));
}

LeafOrder order_of_devices(DLDevice lhs, DLDevice rhs) {
  return first_difference(order_of<int>(lhs.device_type, rhs.device_type),
                          order_of(lhs.device_id, rhs.device_id));
}

LeafOrder order_of_integers(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return static_cast<LeafOrder>(detail::int_ops::CompareFallback(
      detail::BigIntUnsafe::GetArrayView(&lhs), detail::BigIntUnsafe::GetArrayView(&rhs)));
}

LeafOrder order_of_shapes(const TVMFFIShapeCell& lhs, const TVMFFIShapeCell& rhs) {
  for (size_t i = 0; i < lhs.size && i < rhs.size; ++i) {
    if (lhs.data[i] != rhs.data[i]) return order_of(lhs.data[i], rhs.data[i]);
  }
  return order_of(lhs.size, rhs.size);
}

bool is_integer(const TVMFFIAny& value) {
  return value.type_index == kTVMFFIInt || value.type_index == kTVMFFIBigInt;
}

[[noreturn]] void throw_different_types(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  TVM_FFI_THROW(TypeError) << "Cannot compare values of different types: "
                           << type_title(lhs.type_index) << " vs " << type_title(rhs.type_index);
  TVM_FFI_UNREACHABLE();
}

LeafOrder order_by_bits(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  if (lhs.v_uint64 == rhs.v_uint64) return LeafOrder::kEqual;
  TVM_FFI_THROW(TypeError) << "Cannot order values of type " << TypeIndexToTypeKey(lhs.type_index);
  TVM_FFI_UNREACHABLE();
}

// Compares two values of one type. The values are neither texts nor None.
LeafOrder order_in_type(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  switch (lhs.type_index) {
    case kTVMFFIBool:
      return order_of(lhs.v_int64 != 0, rhs.v_int64 != 0);
    case kTVMFFIInt:
      return order_of(lhs.v_int64, rhs.v_int64);
    case kTVMFFIFloat:
      return order_of_floats(lhs.v_float64, rhs.v_float64);
    case kTVMFFIDataType:
      return order_of_dtypes(lhs.v_dtype, rhs.v_dtype);
    case kTVMFFIDevice:
      return order_of_devices(lhs.v_device, rhs.v_device);
    case kTVMFFIBigInt:
      return order_of_integers(lhs, rhs);
    case kTVMFFIShape:
      return order_of_shapes(*TVMFFIShapeGetCellPtr(lhs.v_obj), *TVMFFIShapeGetCellPtr(rhs.v_obj));
    default:
      if (!is_object(lhs)) return order_by_bits(lhs, rhs);
      return lhs.v_obj == rhs.v_obj ? LeafOrder::kEqual : LeafOrder::kLookInside;
  }
}

}  // namespace

LeafOrder leaf_equality(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  if (lhs.type_index == rhs.type_index) {
    if (is_object(lhs) && lhs.v_obj == rhs.v_obj) return LeafOrder::kEqual;
    // Structural equality distinguishes zeros of different signs.
    if (lhs.type_index == kTVMFFIFloat && lhs.v_float64 == rhs.v_float64) return LeafOrder::kEqual;
  }
  switch (structural::compare_values(lhs, rhs)) {
    case structural::Verdict::kEqual:
      return LeafOrder::kEqual;
    case structural::Verdict::kLookInside:
      return LeafOrder::kLookInside;
    default:
      return LeafOrder::kLess;
  }
}

LeafOrder leaf_order(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  bool is_none = lhs.type_index == kTVMFFINone, is_other_none = rhs.type_index == kTVMFFINone;
  if (is_none || is_other_none) return order_of(!is_none, !is_other_none);
  int32_t kind = text_kind(lhs.type_index);
  if (kind >= 0 && kind == text_kind(rhs.type_index)) {
    return from_sign(text_of(lhs).compare(text_of(rhs)));
  }
  if (lhs.type_index == rhs.type_index) return order_in_type(lhs, rhs);
  if (is_integer(lhs) && is_integer(rhs)) return order_of_integers(lhs, rhs);
  throw_different_types(lhs, rhs);
}

}  // namespace tvm::ffi::runtime

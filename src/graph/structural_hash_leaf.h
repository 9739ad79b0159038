// SPDX-License-Identifier: Apache-2.0
// Structural hash of values without children. The functions are inline, because most values do not
// have children.
#pragma once

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/type_entry.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime::structural {

/*! \brief Mix a word into a hash. */
inline uint64_t combine(uint64_t hash, uint64_t value) {
  return detail::StableHashCombine(hash, value);
}

/*! \brief Do the same as combine() for a chain in which each call needs the hash of the call
 * before. This function first adds the summands that do not depend on this hash, so a call takes 4
 * cycles. In the order that compilers choose, a call takes 5 cycles. */
TVM_FFI_INLINE uint64_t combine_in_chain(uint64_t hash, uint64_t value) {
#if defined(__GNUC__)
  uint64_t sum = value + 0x9e3779b9;
  __asm__("" : "+r"(sum));
  sum += hash >> 2;
  __asm__("" : "+r"(sum));
  return hash ^ (sum + (hash << 6));
#else
  return combine(hash, value);
#endif
}

inline uint64_t kind_word(int32_t type_index) {
  return static_cast<uint64_t>(static_cast<int64_t>(type_index));
}

inline uint64_t hash_bytes(int32_t type_index, const TVMFFIByteArray& bytes) {
  return combine(kind_word(type_index), detail::StableHashBytes(bytes.data, bytes.size));
}

/*! \brief Hash a plain value (not an object) by its bits. */
inline uint64_t hash_plain(const TVMFFIAny& value) {
  if (value.type_index != kTVMFFISmallStr) {
    return combine(kind_word(value.type_index), value.v_uint64);
  }
  return combine(kTVMFFIStr, detail::StableHashSmallStrBytes(&value));
}

/*! \brief Return the hash of the type key of a static type, which is always registered. */
inline uint64_t key_hash_of(int32_t type_index) {
  return registered_type(type_index)->info.type_key_hash;
}

inline uint64_t hash_shape(const TVMFFIShapeCell& shape) {
  uint64_t hash = combine(key_hash_of(kTVMFFIShape), shape.size);
  for (size_t i = 0; i < shape.size; ++i) {
    hash = combine(hash, static_cast<uint64_t>(shape.data[i]));
  }
  return hash;
}

/*! \brief Hash a string, bytes or a big integer on the heap. Return false for other objects. */
inline bool hash_content(const TVMFFIAny& value, uint64_t* hash) {
  switch (value.type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      *hash = hash_bytes(value.type_index, *TVMFFIBytesGetByteArrayPtr(value.v_obj));
      return true;
    case kTVMFFIBigInt:
      *hash = hash_bytes(kTVMFFIBigInt, TVMFFIBigIntGetContentByteArray(&value));
      return true;
    default:
      return false;
  }
}

/*! \brief Hash a value without children. Return false for other objects. */
TVM_FFI_INLINE bool hash_leaf(const TVMFFIAny& value, uint64_t* hash) {
  constexpr uint64_t kOneNaN = 0x7ff8000000000000u;
  if (!is_object(value)) {
    bool is_nan = value.type_index == kTVMFFIFloat && std::isnan(value.v_float64);
    *hash = is_nan ? combine(kTVMFFIFloat, kOneNaN) : hash_plain(value);
    return true;
  }
  if (value.type_index == kTVMFFIShape) {
    *hash = hash_shape(*TVMFFIShapeGetCellPtr(value.v_obj));
    return true;
  }
  return hash_content(value, hash);
}

/*! \brief Combine the hashes of the integers from `*begin` on; move `*begin` behind them. */
TVM_FFI_INLINE uint64_t hash_integers(const Any* values, size_t size, size_t* begin,
                                      uint64_t hash) {
  size_t i = *begin;
  for (; i < size && raw(values[i]).type_index == kTVMFFIInt; ++i) {
    hash = combine_in_chain(hash, combine(kTVMFFIInt, raw(values[i]).v_uint64));
  }
  *begin = i;
  return hash;
}

}  // namespace tvm::ffi::runtime::structural

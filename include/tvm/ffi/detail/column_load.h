// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/column_load.h
 * \brief Loads from a TVMFFITypeAttrColumn that the runtime library may write at the same time.
 * Used by reflection/accessor.h.
 */
#ifndef TVM_FFI_DETAIL_COLUMN_LOAD_H_
#define TVM_FFI_DETAIL_COLUMN_LOAD_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <cstring>

namespace tvm::ffi::reflection::detail {

// Uses built-ins, so that clients do not have to compile <atomic>.
template <typename T>
inline T LoadAcquire(const T* place) noexcept {
#if defined(_MSC_VER)
  return *static_cast<const volatile T*>(place);
#else
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
#endif
}

/*! \brief Load a cell of a column with two atomic loads, while the runtime library may write the
 * cell. The loads read the type index and the payload of the cell, and the two always belong
 * together: while the column uses one array `data`, all values of a cell have one type or are
 * None. To store a value of another type, the library makes a new array. */
inline TVMFFIAny LoadCell(const TVMFFIAny* cell) noexcept {
#if defined(_MSC_VER)
  return *cell;
#else
  using Word __attribute__((may_alias)) = uint64_t;
  static_assert(sizeof(TVMFFIAny) == 2 * sizeof(Word), "a cell is two words");
  const Word* place = reinterpret_cast<const Word*>(cell);
  uint64_t words[2] = {LoadAcquire(place), LoadAcquire(place + 1)};
  if (words[0] == 0) words[1] = 0;  // a cell that becomes None keeps the former payload
  TVMFFIAny value;
  std::memcpy(&value, words, sizeof(value));
  return value;
#endif
}

}  // namespace tvm::ffi::reflection::detail

#endif  // TVM_FFI_DETAIL_COLUMN_LOAD_H_

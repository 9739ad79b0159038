// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/base_detail.h
 * \brief Includes base.h, and defines for_each and the hash functions whose results are the same on
 * every platform.
 */
#ifndef TVM_FFI_BASE_DETAIL_H_
#define TVM_FFI_BASE_DETAIL_H_

#include <tvm/ffi/base.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

template <typename F, size_t... I, typename... Args>
TVM_FFI_INLINE void ForEachImpl(const F& f, std::index_sequence<I...>, Args&&... args) {
  (f(I, std::forward<Args>(args)), ...);
}

/*! \brief Call `f(index, argument)` for each argument in order. */
template <typename F, typename... Args>
TVM_FFI_INLINE void for_each(const F& f, Args&&... args) {
  ForEachImpl(f, std::index_sequence_for<Args...>{}, std::forward<Args>(args)...);
}

/*!
 * \brief Mix `value` into the hash `key`; the result is the same on every platform.
 * \param value converted to uint64_t first, so a negative number is sign-extended.
 */
template <typename T>
TVM_FFI_INLINE uint64_t StableHashCombine(uint64_t key, const T& value) {
  static_assert(std::is_convertible_v<T, uint64_t>, "T must be convertible to uint64_t");
  return key ^ (static_cast<uint64_t>(value) + 0x9e3779b9 + (key << 6) + (key >> 2));
}

/*! \brief Do one step of StableHashBytes, a polynomial hash, with one little-endian word. */
TVM_FFI_INLINE uint64_t StableHashStep(uint64_t hash, uint64_t word) {
  constexpr uint64_t kMultiplier = 1099511628211ULL;
  constexpr uint64_t kModulus = 2147483647ULL;
  return (hash * kMultiplier + word) % kModulus;
}

/*! \brief Read `size` bytes, at most 8, as a little-endian number; the remaining bits are zero. */
TVM_FFI_INLINE uint64_t LoadLittleEndian(const unsigned char* data, size_t size) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i) word |= static_cast<uint64_t>(data[i]) << (8 * i);
  return word;
#else
  uint64_t word = 0;
  std::memcpy(&word, data, size);
  return word;
#endif
}

/*!
 * \brief Hash `size` bytes at any alignment; the result is the same on every platform.
 * \param data may be NULL when `size` is 0; the hash is then 0.
 * \return a number below 2147483647.
 */
inline uint64_t StableHashBytes(const void* data, size_t size) {
  const unsigned char* bytes = static_cast<const unsigned char*>(data);
  uint64_t hash = 0;
  for (; size >= 8; size -= 8, bytes += 8) hash = StableHashStep(hash, LoadLittleEndian(bytes, 8));
  return size == 0 ? hash : StableHashStep(hash, LoadLittleEndian(bytes, size));
}

/*! \brief Hash an inline string or bytes value; the result is StableHashBytes of its content. */
TVM_FFI_INLINE uint64_t StableHashSmallStrBytes(const TVMFFIAny* data) {
  // Unused payload bytes are zero, so hashing all 8 bytes in one step gives the StableHashBytes of
  // the content.
  return StableHashStep(0,
                        LoadLittleEndian(reinterpret_cast<const unsigned char*>(data->v_bytes), 8));
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_BASE_DETAIL_H_

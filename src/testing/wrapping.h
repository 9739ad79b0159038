// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the fixtures: callers may pass any integers, so it is modulo 2^64.
#ifndef TVM_FFI_SRC_TESTING_WRAPPING_H_
#define TVM_FFI_SRC_TESTING_WRAPPING_H_

#include <cstdint>

namespace tvm {
namespace ffi {
namespace testing {

inline int64_t WrappingAdd(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}

inline int64_t WrappingSubtract(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
}

/*! \brief x + 10 y + 100 z: tells which argument came where. */
inline int64_t WrappingWeigh(int64_t x, int64_t y, int64_t z) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) + 10 * static_cast<uint64_t>(y) +
                              100 * static_cast<uint64_t>(z));
}

}  // namespace testing
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TESTING_WRAPPING_H_

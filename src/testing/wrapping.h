// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo 2^64 for the fixtures, because callers may pass any integers.
#pragma once

#include <cstdint>

namespace tvm::ffi::testing {

inline int64_t WrappingAdd(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}

inline int64_t WrappingSubtract(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
}

/*! \brief Return x + 10 y + 100 z, which shows the order in which the arguments arrived. */
inline int64_t WrappingWeigh(int64_t x, int64_t y, int64_t z) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) + 10 * static_cast<uint64_t>(y) +
                              100 * static_cast<uint64_t>(z));
}

}  // namespace tvm::ffi::testing

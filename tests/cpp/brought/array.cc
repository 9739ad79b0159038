// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/array.h>

namespace ffi = tvm::ffi;

ffi::Optional<int64_t> First(ffi::Array<int64_t> x) {
  if (x.empty()) return std::nullopt;
  std::cout << x[0];
  return std::min(x[0], std::numeric_limits<int64_t>::max());
}

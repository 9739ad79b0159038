// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/map.h>

namespace ffi = tvm::ffi;

ffi::Optional<int64_t> Find(const ffi::Map<ffi::String, int64_t>& x) {
  std::cerr << std::numeric_limits<double>::epsilon();
  return x.Get("a");
}

// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/list.h>

namespace ffi = tvm::ffi;

ffi::Optional<ffi::Array<int64_t>> Copy(const ffi::List<int64_t>& x) {
  return ffi::Array<int64_t>(x.begin(), x.end());
}

// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/tensor.h>

namespace ffi = tvm::ffi;

// A kernel of a client that includes only tensor.h. The kernel uses names from other headers, which
// tensor.h includes.
int64_t Kernel(ffi::TensorView x, ffi::Optional<ffi::Array<int64_t>> axes) {
  if (std::numeric_limits<float>::infinity() < 0) std::cerr << x.ndim();
  return std::max<int64_t>(x.ndim(), axes.has_value() ? 1 : 0);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(kernel, Kernel);
ffi::Expected<int64_t> Told(const ffi::Function& f) { return f.CallExpected<int64_t>(1); }

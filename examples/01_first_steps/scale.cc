// SPDX-License-Identifier: Apache-2.0
// Changes a tensor in place. The memory belongs to the caller, and may come from any framework.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

namespace first_steps {

namespace ffi = tvm::ffi;

// Returns the address of the elements, so that the caller can see that nothing was copied.
int64_t Scale(ffi::TensorView x, double factor) {
  if (x.device().device_type != kDLCPU || x.dtype() != DLDataType{kDLFloat, 32, 1} ||
      !x.IsContiguous()) {
    TVM_FFI_THROW(TypeError) << "expected a contiguous float32 tensor in main memory";
  }
  float* data = static_cast<float*>(x.data_ptr());
  const int64_t size = x.numel();
  for (int64_t i = 0; i < size; ++i) data[i] *= static_cast<float>(factor);
  return reinterpret_cast<int64_t>(data);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale);

}  // namespace first_steps

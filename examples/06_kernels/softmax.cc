// SPDX-License-Identifier: Apache-2.0
// A kernel on memory that the caller owns. The kernel checks its arguments before it uses the
// memory.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>

namespace {

namespace ffi = tvm::ffi;

void CheckMatrix(const ffi::TensorView& x, const char* name) {
  if (x.device().device_type != kDLCPU || x.dtype() != DLDataType{kDLFloat, 32, 1} ||
      x.ndim() != 2 || !x.IsContiguous()) {
    TVM_FFI_THROW(TypeError) << name << ": expected a contiguous float32 matrix in main memory";
  }
}

// Applies softmax to each row of `x`, and writes the results to `out`.
void Softmax(ffi::TensorView x, ffi::TensorView out) {
  CheckMatrix(x, "x");
  CheckMatrix(out, "out");
  const int64_t rows = x.size(0), columns = x.size(1);
  if (out.size(0) != rows || out.size(1) != columns) {
    TVM_FFI_THROW(ValueError) << "out: expected the shape of x";
  }
  const float* from = static_cast<const float*>(x.data_ptr());
  float* to = static_cast<float*>(out.data_ptr());
  for (int64_t i = 0; i < rows; ++i, from += columns, to += columns) {
    const float largest = columns == 0 ? 0.0F : *std::max_element(from, from + columns);
    float sum = 0.0F;
    for (int64_t j = 0; j < columns; ++j) sum += to[j] = std::exp(from[j] - largest);
    for (int64_t j = 0; j < columns; ++j) to[j] /= sum;
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(softmax, Softmax);

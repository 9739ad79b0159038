// SPDX-License-Identifier: Apache-2.0
// A kernel on memory that the caller owns. The arguments are checked before it runs.
#include <tvm/ffi/container/typed_tensor.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>

namespace {

namespace ffi = tvm::ffi;

// Applies softmax to each row of `x`, and writes the results to `out`, which has the same shape.
void Softmax(ffi::TypedTensorView<const float, ffi::Dims<'m', 'n'>> x,
             ffi::TypedTensorView<float, ffi::Dims<'m', 'n'>> out) {
  const int64_t rows = x.size(0), columns = x.size(1);
  const float* from = x.data();
  float* to = out.data();
  for (int64_t i = 0; i < rows; ++i, from += columns, to += columns) {
    const float largest = columns == 0 ? 0.0F : *std::max_element(from, from + columns);
    float sum = 0.0F;
    for (int64_t j = 0; j < columns; ++j) sum += to[j] = std::exp(from[j] - largest);
    for (int64_t j = 0; j < columns; ++j) to[j] /= sum;
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(softmax, Softmax);

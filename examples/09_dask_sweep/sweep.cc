// SPDX-License-Identifier: Apache-2.0
// Gradient descent on f(x) = (x - 3)^2 / 2 + noise, with the step size as the parameter.
#include <tvm/ffi/tvm_ffi.h>

#include <cmath>

namespace ffi = tvm::ffi;

// Returns the distance to the minimum after one step for each number in `noise`.
double Descend(double step, ffi::TypedTensorView<const double, 1> noise) {
  if (step <= 0) TVM_FFI_THROW(ValueError) << "step must be positive, got " << step;
  double x = 0;
  for (double error : noise) x -= step * (x - 3 + error);
  return std::abs(x - 3);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(descend, Descend);

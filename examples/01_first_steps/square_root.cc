// SPDX-License-Identifier: Apache-2.0
// Throws an error in C++, which Python catches as the exception of the same name.
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cmath>

namespace first_steps {

double SquareRoot(double x) {
  if (x < 0) TVM_FFI_THROW(ValueError) << "no square root of " << x;
  return std::sqrt(x);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(square_root, SquareRoot);

}  // namespace first_steps

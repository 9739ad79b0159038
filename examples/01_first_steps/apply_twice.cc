// SPDX-License-Identifier: Apache-2.0
// A callback: C++ calls a function that may be written in Python.
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>

namespace first_steps {

namespace ffi = tvm::ffi;

ffi::Any ApplyTwice(ffi::Function f, ffi::Any x) { return f(f(x)); }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_twice, ApplyTwice);

}  // namespace first_steps

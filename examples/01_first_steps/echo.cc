// SPDX-License-Identifier: Apache-2.0
// Takes a value of any type, and returns the value.
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>

namespace first_steps {

tvm::ffi::Any Echo(tvm::ffi::Any value) { return value; }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(echo, Echo);

}  // namespace first_steps

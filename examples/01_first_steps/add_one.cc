// SPDX-License-Identifier: Apache-2.0
// A function: an ordinary C++ function and one line that exports it.
#include <tvm/ffi/function.h>

namespace first_steps {

int64_t AddOne(int64_t x) { return x + 1; }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, AddOne);

}  // namespace first_steps

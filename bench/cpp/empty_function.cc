// SPDX-License-Identifier: Apache-2.0
// The least that a client compiles: one exported function. Measured by ../compile_time.py.
#include <tvm/ffi/function.h>

namespace {

void Nothing() {}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nothing, Nothing);

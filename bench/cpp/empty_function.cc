// SPDX-License-Identifier: Apache-2.0
// The smallest source of a client: one exported function. ../compile_time.py measures its compile
// time.
#include <tvm/ffi/function.h>

namespace {

void Nothing() {}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nothing, Nothing);

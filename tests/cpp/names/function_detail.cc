// SPDX-License-Identifier: Apache-2.0
// Test TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA, another name of
// TVM_FFI_DLL_EXPORT_INCLUDE_METADATA.
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA 1
#include <tvm/ffi/function_detail.h>

#include <string>

#include "use.h"

namespace ffi = tvm::ffi;
SAME_TYPE(ffi::detail::FunctionInfo<void(int)>::RetType, void);
void Text(ffi::detail::FGetFuncSignature text) { ffi::detail::Arg2Str(0, text); }

int64_t Twice(int64_t x) { return 2 * x; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(names_twice, Twice);
HAS_TYPE(__tvm_ffi__metadata_names_twice(nullptr, nullptr, 0, The<TVMFFIAny*>()), int);

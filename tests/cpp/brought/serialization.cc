// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/serialization.h>

namespace ffi = tvm::ffi;

ffi::Function Reader() { return ffi::Function::GetGlobalRequired("ffi.FromJSONGraph"); }
ffi::reflection::FieldGetter* getter = nullptr;

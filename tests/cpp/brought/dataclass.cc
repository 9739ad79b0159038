// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/dataclass.h>

namespace ffi = tvm::ffi;

ffi::Function Copier() { return ffi::Function::GetGlobalRequired("ffi.DeepCopy"); }
ffi::reflection::FieldGetter* getter = nullptr;

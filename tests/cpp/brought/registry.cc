// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/registry.h>

namespace ffi = tvm::ffi;

ffi::Variant<int64_t, ffi::String> Same(ffi::Variant<int64_t, ffi::String> x) { return x; }
ffi::Optional<ffi::Map<ffi::String, ffi::Any>> None() { return std::nullopt; }
TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::GlobalDef().def("brought.same", Same).def("brought.none", None);
}

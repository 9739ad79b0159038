// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/enum_def.h>

namespace ffi = tvm::ffi;

using Entries = ffi::Array<ffi::Variant<int64_t, ffi::String>>;
ffi::Optional<Entries> Take(Entries entries) { return entries; }

// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/access_path.h>

namespace ffi = tvm::ffi;

void Register() {
  namespace refl = ffi::reflection;
  refl::GlobalDef().def("brought.root", []() { return refl::AccessPath::Root(); });
}
using Steps = ffi::Map<ffi::String, ffi::Variant<int64_t, ffi::String>>;
ffi::Expected<Steps> Take(Steps steps) { return steps; }

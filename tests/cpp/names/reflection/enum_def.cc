// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/enum_def.h>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::reflection::EnumDef;

class ColourObj : public ffi::EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("names.Colour", ColourObj, ffi::EnumObj);
};
class LevelObj : public ffi::IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("names.Level", LevelObj, ffi::IntEnumObj);
};
HOLDS(std::is_constructible_v<EnumDef<ColourObj>, const char*>);
HAS_TYPE(EnumDef<ColourObj>::IsDefined(The<const ffi::String>()), bool);
int64_t Hash(const ffi::Any&) { return 1; }
void Register() {
  EnumDef<ColourObj>("red")
      .set_attr("names.warm", true)
      .set_attr(ffi::type_attr::kTypeFinal, true)
      .set_native_fn_attr<&Hash>(ffi::type_attr::kAnyHash);
  EnumDef<LevelObj>("low", 1);
}

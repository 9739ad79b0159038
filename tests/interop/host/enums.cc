// SPDX-License-Identifier: Apache-2.0
// Define enums in the program, if the headers and the runtime support them.
#include "checks.h"

#if __has_include(<tvm/ffi/reflection/enum_def.h>)
#include <tvm/ffi/enum.h>
#include <tvm/ffi/reflection/enum_def.h>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class SeasonObj : public EnumObj {
 public:
  double warmth = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("interop.host.Season", SeasonObj, EnumObj);
};

class CodeObj : public IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("interop.host.Code", CodeObj, IntEnumObj);
};

bool RuntimeHasEnums() {
  int32_t index = 0;
  TVMFFIByteArray key = refl::AsByteArray("ffi.EnumState");
  return TVMFFITypeKeyToIndex(&key, &index) == 0 && TVMFFIGetTypeInfo(index)->metadata != nullptr;
}

}  // namespace

void host::CheckEnums() {
  if (!RuntimeHasEnums()) {
    std::printf("enums: the runtime has none\n");
    return;
  }
  refl::ObjectDef<SeasonObj>(refl::init(false)).def_ro("warmth", &SeasonObj::warmth);
  refl::ObjectDef<CodeObj>(refl::init(false));
  CHECK_THAT(!refl::EnumDef<SeasonObj>::IsDefined("Summer"));
  refl::EnumDef<SeasonObj>("Summer").set_attr("months", 3).set_attr("months", 4);
  refl::EnumDef<SeasonObj>("Winter");
  refl::EnumDef<CodeObj>("Lost", 404);
  refl::EnumDef<CodeObj>("Odd", -7);
  CHECK_THAT(refl::EnumDef<SeasonObj>::IsDefined("Summer"));
  Enum summer = EnumObj::_GetByStrIndex<SeasonObj>("Summer");
  CHECK_THAT(EnumObj::_GetByIntIndex<SeasonObj>(0).same_as(summer));
  CHECK_THAT(EnumObj::_GetByIntIndex<SeasonObj>(1)->_str_index == "Winter");
  CHECK_THAT(EnumObj::_GetByIntIndex<CodeObj>(-7)->_str_index == "Odd");
  CHECK_THAT(summer->type_index() == SeasonObj::RuntimeTypeIndex());
  CHECK_THROWS("ValueError", "Duplicate enum index for type `interop.host.Season`",
               refl::EnumDef<SeasonObj>("Winter"));
  CHECK_THROWS("ValueError", "Duplicate enum index for type `interop.host.Code`",
               refl::EnumDef<CodeObj>("Gone", 404));
  CHECK_THROWS("ValueError", "Enum `interop.host.Season` has no instance with index 2",
               EnumObj::_GetByIntIndex<SeasonObj>(2));
  EnumState state =
      refl::TypeAttrColumn("__ffi_enum__")[SeasonObj::RuntimeTypeIndex()].cast<EnumState>();
  CHECK_THAT(state->entries.size() == 2 && state->indexes.size() == 4);
  CHECK_THAT(state->attrs.at("months").at(summer).cast<int>() == 4);
}
#else
void host::CheckEnums() { std::printf("enums: the headers have none\n"); }
#endif

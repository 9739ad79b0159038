// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/enum_entry.h>

#include <string>
#include <string_view>

// ObjectDef::as_enum marks a type as an enum.
#include <tvm/ffi/reflection/registry.h>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
using ffi::Function;
using ffi::ObjectRef;

class ActivationObj : public ffi::Object {
 public:
  bool approximate = false;
  bool inplace = false;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("names.Activation", ActivationObj, ffi::Object);
};
class Activation : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS(Activation, ObjectRef, ActivationObj);
  static Activation Get(const std::string& name) { return refl::EnumGet<Activation>(name); }
};
HAS_TYPE(refl::EnumGet<Activation>(The<std::string_view>()), Activation);
using Entry = refl::EnumEntry<ActivationObj>;
using Column = refl::EnumAttrDef<ActivationObj>;
using AttrMap = refl::EnumAttrMap<ActivationObj>;
HOLDS(std::is_constructible_v<Entry, const char*> && !std::is_convertible_v<const char*, Entry>);
HOLDS(!std::is_copy_constructible_v<Entry> && !std::is_nothrow_destructible_v<Entry>);
SAME_TYPE(ffi::EnumEntry<ActivationObj>, Entry);
SAME_TYPE(ffi::EnumAttrDef<ActivationObj>, Column);
SAME_TYPE(ffi::EnumAttrMap<ActivationObj>, AttrMap);
class LevelObj : public ffi::IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("names.EntryLevel", LevelObj, ffi::IntEnumObj);
};
HOLDS(std::is_constructible_v<refl::EnumEntry<LevelObj>, const char*, int64_t>);

int64_t ComputeRelu(int64_t x) { return x; }
void Register() {
  refl::ObjectDef<ActivationObj>()
      .as_enum()
      .def_ro("approximate", &ActivationObj::approximate)
      .def_ro("inplace", &ActivationObj::inplace);
  HAS_TYPE(The<Entry>().set("approximate", true), Entry&);
  refl::EnumEntry<ActivationObj>("GeLU").set("approximate", true).set("inplace", false);
  refl::EnumAttrDef<ActivationObj>("f_compute").set("ReLU", ComputeRelu).set("GeLU", 1);
}
void Read(const ObjectRef& entry) {
  AttrMap values("f_compute");
  Function function = values[entry];
  bool flag = values[entry];
  ffi::Any any = values[entry];
  auto number = values[entry].cast<int64_t>();
  function = values[entry];
  flag = values[entry] == nullptr && number == 0 && any == nullptr;
  HAS_TYPE(The<const AttrMap>().count(entry), bool);
  HAS_TYPE(The<const AttrMap>().get<int64_t>(entry, 1), int64_t);
  HAS_TYPE(The<AttrMap>().Set(entry, The<ffi::Any>()), void);
  (void)flag;
}
void Longhand() {
  int32_t type_index = ActivationObj::RuntimeTypeIndex();
  using Entries = ffi::Map<ffi::String, ObjectRef>;
  auto entries = ffi::TypeAttrColumn("__enum_entries__")[type_index].cast<Entries>();
  HAS_TYPE(entries.at("ReLU"), const ObjectRef);
}

// SPDX-License-Identifier: Apache-2.0
// A client that defines enums, and reads enums that the client of the other side (side.h) defines.
#include <tvm/ffi/enum.h>
#include <tvm/ffi/reflection/enum_def.h>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class ColourObj : public StrEnumObj {
 public:
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(INTEROP_KEY("Colour"), ColourObj, StrEnumObj);
};

class LevelObj : public IntEnumObj {
 public:
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(INTEROP_KEY("Level"), LevelObj, IntEnumObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ColourObj>(refl::init(false));
  refl::ObjectDef<LevelObj>(refl::init(false));
  refl::EnumDef<ColourObj>("Red").set_attr("warm", true);
  refl::EnumDef<ColourObj>("Blue").set_attr("warm", false);
  refl::EnumDef<LevelObj>("Low", -1);
  refl::EnumDef<LevelObj>("High", 100);
}

Enum by_name(const String& key, const String& name) {
  return EnumObj::_GetByStrIndex(TypeKeyToIndex(key.c_str()), name);
}
Enum by_number(const String& key, int64_t number) {
  return EnumObj::_GetByIntIndex(TypeKeyToIndex(key.c_str()), number);
}
bool is_defined(const String& name) { return refl::EnumDef<ColourObj>::IsDefined(name); }
String name_of(const Enum& entry) { return entry->_str_index; }
int64_t number_of(const Enum& entry) { return entry->_int_index; }

// Read an attribute of an entry from the enum's state, where 0.1.15 stores attributes.
Any attr_of(const Enum& entry, const String& name) {
  static const refl::TypeAttrColumn states("__ffi_enum__");
  EnumState state = states[entry->type_index()].cast<EnumState>();
  return state->attrs.at(name).at(entry);
}

// Return the names in the type attribute `__enum_entries__`. Only our runtime sets this attribute,
// in addition to the state of the enum.
Array<String> published_names(const String& key) {
  refl::TypeAttrColumn entries("__enum_entries__");
  Array<String> names;
  for (const auto& [name, entry] :
       entries[TypeKeyToIndex(key.c_str())].cast<Map<String, ObjectRef>>()) {
    names.push_back(name);
  }
  return names;
}

// Add an entry after the library was loaded; readers must find such entries, too.
void define(const String& name) {
  refl::EnumDef<ColourObj>(name.c_str()).set_attr("warm", String("late"));
}

}  // namespace

INTEROP_EXPORT(by_name);
INTEROP_EXPORT(by_number);
INTEROP_EXPORT(is_defined);
INTEROP_EXPORT(name_of);
INTEROP_EXPORT(number_of);
INTEROP_EXPORT(attr_of);
INTEROP_EXPORT(published_names);
INTEROP_EXPORT(define);

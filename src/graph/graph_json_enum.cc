// SPDX-License-Identifier: Apache-2.0
// Enum objects in graph JSON: written as their index, found again by it.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/reflection/accessor.h>

#include "core/type_table.h"
#include "graph/graph_json.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// The C layouts: enum objects, and the state that their type keeps in the attribute `__ffi_enum__`.
struct EnumLayout {
  TVMFFIObject header;
  int64_t int_index;
  TVMFFIAny str_index;
};
struct EnumStateLayout {
  TVMFFIObject header;
  TVMFFIObject* entries;
  TVMFFIObject* indexes;  // Dict: numbers and names to objects
  TVMFFIObject* attrs;
};

const DictObj* indexes_of(const TVMFFITypeInfo* type) {
  AnyView state = reflection::TypeAttrColumn("__ffi_enum__")[type->type_index];
  if (state.type_index() < kTVMFFIStaticObjectBegin) return nullptr;
  static const int32_t state_index = find_type_key("ffi.EnumState");
  if (state.type_index() != state_index) return nullptr;
  const auto* layout = reinterpret_cast<const EnumStateLayout*>(state.CopyToTVMFFIAny().v_obj);
  if (layout->indexes == nullptr || layout->indexes->type_index != kTVMFFIDict) return nullptr;
  return detail::ObjectUnsafe::RawObjectPtrFromUnowned<DictObj>(layout->indexes);
}

bool derives_from(const TVMFFITypeInfo* type, int32_t ancestor) {
  if (type->type_index == ancestor) return true;
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    if (type->type_ancestors[depth]->type_index == ancestor) return true;
  }
  return false;
}

}  // namespace

EnumTraits enum_traits(const TVMFFITypeInfo* type) {
  static const int32_t enum_index = find_type_key("ffi.Enum");
  static const int32_t int_enum_index = find_type_key("ffi.IntEnum");
  EnumTraits traits;
  traits.has_enum_layout = enum_index >= 0 && derives_from(type, enum_index);
  traits.is_int_enum = int_enum_index >= 0 && derives_from(type, int_enum_index);
  traits.is_enum = traits.has_enum_layout || indexes_of(type) != nullptr;
  return traits;
}

Any enum_index(const TVMFFITypeInfo* type, const EnumTraits& traits, TVMFFIObject* object) {
  if (traits.has_enum_layout) {
    const auto* layout = reinterpret_cast<const EnumLayout*>(object);
    if (traits.is_int_enum) return Any(layout->int_index);
    return Any(AnyView::CopyFromTVMFFIAny(layout->str_index));
  }
  for (const auto& [index, entry] : *indexes_of(type)) {
    if (entry.type_index() == object->type_index && index.as<String>().has_value() &&
        detail::AnyUnsafe::TVMFFIAnyPtrFromAny(entry)->v_obj == object) {
      return index;
    }
  }
  TVM_FFI_THROW(ValueError) << "The object is no instance of enum `" << ToStringView(type->type_key)
                            << "`";
  TVM_FFI_UNREACHABLE();
}

Any find_enum_object(const TVMFFITypeInfo* type, const Any& index) {
  const DictObj* indexes = indexes_of(type);
  if (indexes != nullptr && (index.type_index() == kTVMFFIInt || index.as<String>().has_value())) {
    auto it = indexes->find(index);
    if (it != indexes->end()) return it->second;
  }
  std::optional<String> name = index.as<String>();
  TVM_FFI_THROW(ValueError) << "Enum `" << ToStringView(type->type_key)
                            << "` has no instance with index "
                            << (name.has_value() ? *name : json::Stringify(index));
  TVM_FFI_UNREACHABLE();
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

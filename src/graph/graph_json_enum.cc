// SPDX-License-Identifier: Apache-2.0
// Objects that the writers of graphs refuse, and enum objects, which are written as their index and
// looked up by the index.
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/json.h>

#include "core/enum_store.h"
#include "graph/graph_json.h"
#include "graph/leaf.h"

namespace tvm::ffi::runtime {

std::string outdated_type_error(int32_t type_index) {
  return "`" + TypeIndexToTypeKey(type_index) +
         "` was defined again; this object belongs to the earlier definition and cannot be "
         "serialized: make it again";
}

std::string write_cycle_error(const TVMFFIObject* object) {
  const bool is_list = object->type_index == kTVMFFIList;
  const bool is_dict = object->type_index == kTVMFFIDict;
  return "Cycle detected during serialization: a " +
         (is_list   ? "List"
          : is_dict ? "Dict"
                    : TypeIndexToTypeKey(object->type_index)) +
         " contains itself";
}

EnumTraits enum_traits(const TVMFFITypeInfo* type) {
  EnumTraits traits;
  traits.is_enum = is_enum_type(type->type_index);
  traits.is_int_enum = traits.is_enum && detail::IsObjectInstance<IntEnumObj>(type->type_index);
  return traits;
}

Any enum_index(const TVMFFITypeInfo* type, const EnumTraits& traits, TVMFFIObject* object) {
  if (traits.is_int_enum) {
    return Any(detail::ObjectUnsafe::RawObjectPtrFromUnowned<IntEnumObj>(object)->_int_index);
  }
  std::optional<String> name = enum_name_of(object);
  if (name.has_value()) return Any(*std::move(name));
  TVM_FFI_THROW(ValueError) << "The object is not an instance of enum `"
                            << ToStringView(type->type_key) << "`";
  TVM_FFI_UNREACHABLE();
}

Any find_enum_object(const TVMFFITypeInfo* type, const Any& index) {
  std::optional<String> name = index.as<String>();
  if (index.type_index() == kTVMFFIInt || name.has_value()) {
    Optional<ObjectRef> entry = find_enum_entry(type->type_index, index);
    if (entry.has_value()) return Any(*std::move(entry));
  }
  TVM_FFI_THROW(ValueError) << "Enum `" << ToStringView(type->type_key)
                            << "` has no instance with index "
                            << (name.has_value() ? *name : json::Stringify(index));
  TVM_FFI_UNREACHABLE();
}

}  // namespace tvm::ffi::runtime

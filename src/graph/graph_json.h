// SPDX-License-Identifier: Apache-2.0
// Definitions that the writers and the readers of graph JSON and of packed graphs share.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <atomic>
#include <string>
#include <string_view>

#include "core/type_entry.h"
#include "core/type_table.h"
#include "graph/field_plan.h"

namespace tvm::ffi::runtime {

/*! \brief Do the work of ToJSONGraph and json::Stringify without building the tree of Map and
 * Array. */
String to_json_graph_string(const Any& value, const Any& metadata);

/*! \brief Parse JSON text and convert the result as FromJSONGraph does. */
Any from_json_graph_string(const String& text);

/*! \brief Whether the JSON node of an object contains the value of a field. The value of every
 * other field has its own node, and the node of the object contains the number of that node. */
inline bool is_inline_field(const TVMFFIFieldInfo& field) {
  switch (field.field_static_type_index) {
    case kTVMFFINone:
    case kTVMFFIBool:
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
      return true;
    default:
      return false;
  }
}

/*!
 * \brief Whether a field of a new object is None already, so that its setter is not called to store
 * None: the setter refuses None if the class of the reference is non-nullable. A field with
 * `not_null` in its metadata, which begin with the type schema, must have a value.
 */
inline bool is_none_already(const TVMFFIFieldInfo& field, const Any& value, const Object* object) {
  return value == nullptr && reflection::FieldGetter(&field)(object) == nullptr &&
         ToStringView(field.metadata).find(",\"not_null\":true") == std::string_view::npos;
}

/*! \brief Whether a type was defined again under its key after its objects were made. Such objects
 * are not written: the output contains only the key, so a reader would use the new definition. */
inline bool is_outdated(int32_t type_index) {
  const TypeEntry* type = registered_type(type_index);
  return type->is_forgotten.load(std::memory_order_acquire) &&
         find_type_key(ToStringView(type->info.type_key)) >= 0;
}

/*! \brief Return the text of the error for an object of a type that is_outdated(). */
std::string outdated_type_error(int32_t type_index);

/*! \brief Return the text of the error for an object that contains itself. */
std::string write_cycle_error(const TVMFFIObject* object);

/*! \brief Whether a type is an enum, and how its objects are identified. */
struct EnumTraits {
  /*! \brief Whether the objects of the type are singletons of an enum. */
  bool is_enum = false;
  /*! \brief Whether the objects are identified by number instead of name. */
  bool is_int_enum = false;
};
EnumTraits enum_traits(const TVMFFITypeInfo* type);

/*! \brief Return the number or the name of an enum object. \throws ValueError when the enum does
 * not have the object. */
Any enum_index(const TVMFFITypeInfo* type, const EnumTraits& traits, TVMFFIObject* object);

/*! \brief Return the enum object that has a number or name. \throws ValueError when the enum does
 * not have such an object. */
Any find_enum_object(const TVMFFITypeInfo* type, const Any& index);

}  // namespace tvm::ffi::runtime

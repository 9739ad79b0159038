// SPDX-License-Identifier: Apache-2.0
// Graph JSON: what its writer and its reader agree on.
#ifndef TVM_FFI_SRC_GRAPH_GRAPH_JSON_H_
#define TVM_FFI_SRC_GRAPH_GRAPH_JSON_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include "graph/field_plan.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief ToJSONGraph and json::Stringify in one, without the tree between them. */
String to_json_graph_string(const Any& value, const Any& metadata);

/*! \brief json::Parse and FromJSONGraph in one. */
Any from_json_graph_string(const String& text);

/*! \brief Whether a field stands in its object's node itself; all others are nodes of their own. */
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

/*! \brief The enum side of a type. */
struct EnumTraits {
  /*! \brief Its objects are singletons of an enum. */
  bool is_enum = false;
  /*! \brief They are named by number. */
  bool is_int_enum = false;
};
EnumTraits enum_traits(const TVMFFITypeInfo* type);

/*! \brief The number or the name of an enum object; ValueError when its enum does not know it. */
Any enum_index(const TVMFFITypeInfo* type, const EnumTraits& traits, TVMFFIObject* object);

/*! \brief The enum object of a number or name. \throws ValueError when there is none. */
Any find_enum_object(const TVMFFITypeInfo* type, const Any& index);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_GRAPH_JSON_H_

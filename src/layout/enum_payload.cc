// SPDX-License-Identifier: Apache-2.0
#include "layout/enum_payload.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/reflection/accessor.h>

#include <optional>

#include "core/enum_store.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief Return a member of a JSON object, which may be given as text; None if there is none or
 * the value is not an object. */
Any member_of(Any value, const char* name) {
  if (std::optional<String> text = value.as<String>()) {
    String error;
    value = json::Parse(*text, &error);
    if (!error.empty()) return Any();
  }
  std::optional<json::Object> object = value.as<json::Object>();
  return object.has_value() ? object->Get(String(name)).value_or(Any()) : Any();
}

/*! \brief Return the type index of the enum if the field's type is an IntEnum, a StrEnum, or an
 * Optional of such an enum; otherwise -1. */
int32_t payload_enum_of(const TVMFFIFieldInfo* field) {
  Any metadata(String(field->metadata.data, field->metadata.size));
  Any schema = member_of(metadata, "type_schema");
  std::optional<String> key = member_of(schema, "type").as<String>();
  if (key.has_value() && *key == "Optional") {
    std::optional<json::Array> args = member_of(schema, "args").as<json::Array>();
    if (!args.has_value() || args->size() != 1) return -1;
    key = member_of((*args)[0], "type").as<String>();
  }
  int32_t type_index = key.has_value() ? find_type_key({key->data(), key->size()}) : -1;
  bool is_payload = type_index >= 0 && (detail::IsObjectInstance<IntEnumObj>(type_index) ||
                                        detail::IsObjectInstance<StrEnumObj>(type_index));
  return is_payload ? type_index : -1;
}

Optional<ObjectRef> entry_of_payload(const TVMFFIFieldInfo* field, const TVMFFIAny* value) {
  bool is_text = value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFIStr ||
                 value->type_index == kTVMFFIRawStr;
  bool is_large = value->type_index == kTVMFFIBigInt;
  if (!is_text && !is_large && value->type_index != kTVMFFIInt) return std::nullopt;
  int32_t type_index = payload_enum_of(field);
  if (type_index < 0 || detail::IsObjectInstance<StrEnumObj>(type_index) != is_text) {
    return std::nullopt;
  }
  if (is_large) {
    TVM_FFI_THROW(TypeError) << "type conversion failed for " << TypeIndexToTypeKey(type_index)
                             << ": integer out of int64 range [-9223372036854775808, "
                                "9223372036854775807]";
  }
  return find_enum_entry(type_index, Any(AnyView::CopyFromTVMFFIAny(*value)));
}

}  // namespace

bool set_field_to_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value) {
  Optional<ObjectRef> entry = entry_of_payload(field, value);
  if (!entry.has_value()) return false;
  Any variant(*entry);
  TVM_FFI_CHECK_SAFE_CALL(
      reflection::CallFieldSetter(field, address, detail::AnyUnsafe::TVMFFIAnyPtrFromAny(variant)));
  return true;
}

int retry_field_with_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value) {
  TVMFFIObjectHandle refused = nullptr;
  TVMFFIErrorMoveFromRaised(&refused);
  if (refused == nullptr) return -1;  // the language binding has a pending exception
  TVM_FFI_SAFE_CALL_BEGIN();
  ObjectRef keep(
      detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(refused)));
  if (set_field_to_payload(field, address, value)) return 0;
  TVMFFIErrorSetRaised(refused);
  return -1;
  TVM_FFI_SAFE_CALL_END();
}

}  // namespace tvm::ffi::runtime

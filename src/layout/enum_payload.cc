// SPDX-License-Identifier: Apache-2.0
#include "layout/enum_payload.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/reflection/accessor.h>

#include <optional>
#include <string_view>

#include "core/enum_store.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

std::optional<json::Object> parse_object(const Any& text) {
  if (std::optional<json::Object> parsed = text.as<json::Object>()) return parsed;
  std::optional<String> source = text.as<String>();
  if (!source.has_value()) return std::nullopt;
  String error;
  json::Value value = json::Parse(*source, &error);
  return error.empty() ? value.as<json::Object>() : std::nullopt;
}

/*! \brief Return the type key that a schema names; for an optional type, the key of its content. */
std::optional<String> key_in_schema(const json::Object& schema) {
  std::optional<String> key = schema.Get(String("type")).value_or(Any()).as<String>();
  if (!key.has_value() || *key != "Optional") return key;
  std::optional<json::Array> args = schema.Get(String("args")).value_or(Any()).as<json::Array>();
  if (!args.has_value() || args->size() != 1) return std::nullopt;
  std::optional<json::Object> content = (*args)[0].as<json::Object>();
  if (!content.has_value()) return std::nullopt;
  return content->Get(String("type")).value_or(Any()).as<String>();
}

/*!
 * \brief Return the type index of the enum if the field's type is an IntEnum, a StrEnum, or an
 * Optional of such an enum; otherwise -1.
 */
int32_t payload_enum_of(const TVMFFIFieldInfo* field) {
  std::optional<json::Object> metadata =
      parse_object(Any(String(field->metadata.data, field->metadata.size)));
  if (!metadata.has_value()) return -1;
  std::optional<json::Object> schema =
      parse_object(metadata->Get(String("type_schema")).value_or(Any()));
  std::optional<String> key = schema.has_value() ? key_in_schema(*schema) : std::nullopt;
  if (!key.has_value()) return -1;
  int32_t type_index;
  TVMFFIByteArray bytes{key->data(), key->size()};
  if (TVMFFITypeKeyToIndex(&bytes, &type_index) != 0) {
    detail::MoveFromSafeCallRaised();  // clear the error: the key is not a registered type
    return -1;
  }
  bool is_payload = detail::IsObjectInstance<IntEnumObj>(type_index) ||
                    detail::IsObjectInstance<StrEnumObj>(type_index);
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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

// SPDX-License-Identifier: Apache-2.0
// Makes the values of graph JSON.
#include "graph/graph_json_make.h"

#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/function.h>

#include <string>
#include <string_view>

#include "core/error_slot.h"
#include "graph/graph_json.h"
#include "text/dtype_text.h"

namespace tvm::ffi::runtime {
namespace {

constexpr const char* kJSONReadOperation = "FromJSONGraph";

DLDataType dtype_of(const String& text) {
  DLDataType dtype;
  TVM_FFI_CHECK_SAFE_CALL(parse_dtype(std::string_view(text.data(), text.size()), &dtype));
  return dtype;
}

DLDevice device_of(const Array<int64_t>& parts) {
  if (parts.size() != 2) {
    throw_malformed_graph(": Device data must be an array of [device_type, device_id], got " +
                          std::to_string(parts.size()) + " element(s)");
  }
  return DLDevice{static_cast<DLDeviceType>(parts[0]), static_cast<int32_t>(parts[1])};
}

}  // namespace

void throw_malformed_graph(const std::string& what) {
  TVM_FFI_THROW(ValueError) << "Invalid JSON Object Graph" << what;
  TVM_FFI_UNREACHABLE();
}

Any GraphMaker::make_leaf(const Any& data) const {
  switch (type_->type_index) {
    case kTVMFFINone:
    case kTVMFFIBool:
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
      return plain_value(type_->type_index, data, nullptr);
    case kTVMFFIDevice:
      return Any(device_of(read_as<Array<int64_t>>(data)));
    case kTVMFFIStr:
      return Any(read_as<String>(data));
    case kTVMFFIBytes:
      return Any(Base64Decode(read_as<String>(data)));
    case kTVMFFIShape:
      return Any(Shape(read_as<Array<int64_t>>(data)));
    default:
      break;
  }
  if (type_->kind == DataKind::kEnum) return find_enum_object(type_->type, data);
  HookScope scope(kJSONReadOperation);
  return data_hook_of(type_->type_index).cast<Function>()(data);
}

Any GraphMaker::plain_value(int32_t type_index, const Any& data,
                            const TVMFFIFieldInfo* field) const {
  switch (type_index) {
    case kTVMFFINone:
      return Any();
    case kTVMFFIBool:
      return Any(read_as<bool>(data, field));
    case kTVMFFIInt:
      return Any(read_as<int64_t>(data, field));
    case kTVMFFIFloat:
      return Any(read_as<double>(data, field));
    default:
      return Any(dtype_of(read_as<String>(data, field)));
  }
}

void GraphMaker::set_field(const TVMFFIFieldInfo& info, const Any& value, Object* object) const {
  if (is_none_already(info, value, object)) return;
  void* address = reinterpret_cast<char*>(detail::ObjectUnsafe::GetHeader(object)) + info.offset;
  try {
    TVM_FFI_CHECK_SAFE_CALL(reflection::CallFieldSetter(
        &info, address, detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)));  // may run foreign code
  } catch (const Error& error) {
    if (error.message().rfind("Cannot convert from type ", 0) != 0) throw;
    throw_with_place(error, &info);
  }
}

void GraphMaker::throw_with_place(const Error& error, const TVMFFIFieldInfo* field) const {
  std::string text = error.message();
  if (field != nullptr) text += " in field `" + std::string(ToStringView(field->name)) + "`";
  text += field != nullptr ? " of " : " in ";
  text += "node " + std::to_string(index_);
  if (type_ != nullptr) {
    text += " (`" + std::string(ToStringView(type_->type->type_key)) + "`)";
  }
  throw with_origin(Error(error.kind(), text, error.backtrace()), error);
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// Global functions about objects in general: construction by reflection, the two sentinel objects
// (core/sentinel.h), the list of type keys and the library of a type.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/loaded_library.h"
#include "core/sentinel.h"
#include "core/type_table.h"
#include "functions/functions.h"

namespace tvm::ffi::runtime {

namespace {

// ---------------------------------------------------------------- ffi.MakeObjectFromPackedArgs

// The field values that the caller passes: name, value, name, value, ...
class NamedValues {
 public:
  NamedValues(const TVMFFIAny* pairs, int32_t count) : pairs_(pairs), count_(count) {}

  // Names are usually in the order of the fields, so the search begins after the name found last.
  const TVMFFIAny* find(std::string_view name) {
    for (int32_t step = 0; step < count_; ++step) {
      int32_t i = next_ + step < count_ ? next_ + step : next_ + step - count_;
      if (*detail::TryStringView(&pairs_[2 * i]) != name) continue;
      next_ = i + 1;
      ++num_found_;
      return &pairs_[2 * i + 1];
    }
    return nullptr;
  }

  bool all_found() const { return num_found_ == count_; }

  // Returns the first name that is not a field or that is a repetition.
  std::string_view first_unknown(const TVMFFITypeInfo* type) const {
    std::unordered_set<std::string_view> unused;
    reflection::ForEachFieldInfo(
        type, [&](const TVMFFIFieldInfo* field) { unused.insert(ToStringView(field->name)); });
    for (int32_t i = 0; i < count_; ++i) {
      std::string_view name = *detail::TryStringView(&pairs_[2 * i]);
      if (unused.erase(name) == 0) return name;
    }
    return std::string_view();
  }

 private:
  const TVMFFIAny* pairs_;
  int32_t count_;
  int32_t next_ = 0;
  int32_t num_found_ = 0;
};

const TVMFFITypeInfo* type_of_argument(AnyView argument) {
  if (std::optional<int32_t> type_index = argument.as<int32_t>()) {
    return detail::GetTypeInfoOrThrow(*type_index);
  }
  String key = argument.cast<String>();
  return detail::GetTypeInfoOrThrow(TypeKeyToIndex(detail::TextView(key)));
}

ObjectPtr<Object> make_object_from(const TVMFFITypeInfo* type, NamedValues values) {
  ObjectPtr<Object> object = CreateEmptyObject(type);
  char* body = reinterpret_cast<char*>(object.get());
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* field) {
    void* address = body + field->offset;
    if (const TVMFFIAny* value = values.find(ToStringView(field->name))) {
      reflection::detail::SetFieldOrThrow(field, address, value);
    } else if ((field->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) {
      reflection::SetFieldToDefault(field, address);
    } else {
      TVM_FFI_THROW(TypeError) << "Required field `" << ToStringView(field->name)
                               << "` not set in type `" << ToStringView(type->type_key) << "`";
    }
  });
  if (!values.all_found()) {
    TVM_FFI_THROW(TypeError) << "Type `" << ToStringView(type->type_key)
                             << "` does not have field `" << values.first_unknown(type) << "`";
  }
  return object;
}

void make_object_from_packed_args(PackedArgs args, Any* result) {
  TVM_FFI_ICHECK(args.size() % 2 == 1);
  const TVMFFITypeInfo* type = type_of_argument(args[0]);
  const TVMFFIAny* raw = reinterpret_cast<const TVMFFIAny*>(args.data());
  for (int i = 1; i < args.size(); i += 2) {
    // The cast throws the usual error for a value that is not a string.
    if (!detail::TryStringView(&raw[i]).has_value()) args[i].cast<String>();
  }
  *result = ObjectRef(make_object_from(type, NamedValues(raw + 1, args.size() / 2)));
}

// ---------------------------------------------------------------- other functions

Array<String> registered_keys() {
  Array<String> keys;
  std::vector<std::string_view> names = registered_type_keys();
  keys.reserve(static_cast<int64_t>(names.size()));
  for (std::string_view name : names) keys.push_back(String(name.data(), name.size()));
  return keys;
}

// Return the path of the library that registered the fields of a type; empty if the type has no
// fields of its own, or this library reads them.
String library_of_type(int32_t type_index) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  if (info == nullptr || info->num_fields == 0) return String();
  std::string path = library_path(reinterpret_cast<const void*>(info->fields[0].getter));
  if (path == library_path(reinterpret_cast<const void*>(&library_of_type))) path.clear();
  return path;
}

}  // namespace

void register_object_functions() {
  ShortDef()
      .def_packed("ffi.MakeObjectFromPackedArgs", make_object_from_packed_args)
      .def("ffi.GetInvalidObject", []() { return missing_object(); })
      .def("ffi.GetKwargsObject", []() { return kwargs_object(); })
      .def("ffi.GetRegisteredTypeKeys", registered_keys)
      .def("ffi._LibraryOfType", library_of_type);
}

}  // namespace tvm::ffi::runtime

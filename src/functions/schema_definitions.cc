// SPDX-License-Identifier: Apache-2.0
// What is known of types beyond the type table: their schema, as a library or an image embeds it,
// and for those who write code that reads fields, where these lie.
#include "functions/schema_definitions.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include <mutex>
#include <string>
#include <unordered_map>

#include "core/type_entry.h"
#include "core/type_table.h"
#include "functions/functions.h"
#include "functions/schema_header.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// Begins what a library embeds: the header of an image, the strings of an image, which are the type
// keys, and the schema. The tool finds it in files by these bytes.
constexpr std::string_view kMagic("\x89TSR\r\n\x1a\n", 8);

// Never destroyed, as types are not.
struct Definitions {
  std::mutex mutex;
  std::unordered_map<std::string, Bytes> by_key;
};

Definitions& definitions() {
  static auto* instance = new Definitions();
  return *instance;
}

// Called by generated libraries while they are loaded; a second copy of a library changes nothing.
void add_definitions(const Bytes& record) {
  const std::string name = "<library>";
  SchemaReader reader({record.data(), record.size()}, name);
  uint32_t schema_size = read_schema_header(&reader, kMagic, "embedded schema");
  reader.set_section("strings");
  reader.read_strings();
  reader.set_section("schema");
  std::string_view schema = reader.bytes(schema_size);
  if (reader.remaining() != 0) reader.fail("there is something behind the end");
  add_schema_definitions(reader.strings(), schema);
}

// The intermediate form of the schema of a type, compressed; None when nothing brought one.
Optional<Bytes> definition_of(const String& key) {
  Definitions& known = definitions();
  std::lock_guard<std::mutex> lock(known.mutex);
  auto it = known.by_key.find(std::string(key.data(), key.size()));
  if (it == known.by_key.end()) return std::nullopt;
  return it->second;
}

// What lies in a field, for code that reads it directly. The size tells how wide a number is.
const char* carrier_of(const TVMFFIFieldInfo& field) {
  switch (field.field_static_type_index) {
    case kTVMFFIBool:
      return "bool";
    case kTVMFFIInt:
      return "int";
    case kTVMFFIFloat:
      return "float";
    case kTVMFFIOpaquePtr:
      return "handle";
    case kTVMFFIDataType:
      return "dtype";
    case kTVMFFIDevice:
      return "device";
    default:
      break;
  }
  if (field.field_static_type_index >= kTVMFFIStaticObjectBegin ||
      (field.field_static_type_index == kTVMFFIAny && field.size == sizeof(void*))) {
    return field.size == sizeof(void*) ? "object" : "native";
  }
  return field.size == sizeof(TVMFFIAny) ? "any" : "native";
}

Map<String, Any> layout_of_field(const TVMFFIFieldInfo& field) {
  return Map<String, Any>{{"name", String(field.name.data, field.name.size)},
                          {"offset", field.offset},
                          {"size", field.size},
                          {"alignment", field.alignment},
                          {"carrier", String(carrier_of(field))}};
}

// `type_key`, `size` (None when the type does not tell), `child_slots`, `overflows` (whether more
// children than that may be registered), and `fields`, inherited ones first, each
// with `name`, `offset`, `size`, `alignment` and `carrier`.
Map<String, Any> layout_of(const String& key) {
  const TVMFFITypeInfo* type = find_type(find_type_key({key.data(), key.size()}));
  if (type == nullptr) {
    TVM_FFI_THROW(ValueError) << "There is no type `" << key << "`";
  }
  Array<Any> fields;
  reflection::ForEachFieldInfo(
      type, [&](const TVMFFIFieldInfo* field) { fields.push_back(layout_of_field(*field)); });
  Any size(nullptr);
  if (type->metadata != nullptr && type->metadata->total_size > 0) {
    size = static_cast<int64_t>(type->metadata->total_size);
  }
  const TypeEntry* entry = find_type_entry(type->type_index);
  return Map<String, Any>{{"type_key", key},
                          {"size", size},
                          {"child_slots", entry->slots_total - 1},
                          {"overflows", entry->overflows},
                          {"fields", fields}};
}

}  // namespace

void add_schema_definitions(const std::vector<std::string_view>& keys, std::string_view schema) {
  if (schema.empty()) return;
  Definitions& known = definitions();
  Bytes bytes(schema.data(), schema.size());
  std::lock_guard<std::mutex> lock(known.mutex);
  known.by_key.reserve(known.by_key.size() + keys.size());
  for (std::string_view key : keys) known.by_key.emplace(key, bytes);
}

void register_schema_definition_functions() {
  reflection::GlobalDef()
      .def("ffi.schema.AddDefinitions", add_definitions)
      .def("ffi.schema.Definition", definition_of, reflection::short_call())
      .def("ffi.schema.Layout", layout_of, reflection::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

// SPDX-License-Identifier: Apache-2.0
// Global functions of schemas: load images, also as modules; return the schema and the layout of a
// type.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include "core/type_entry.h"
#include "core/type_table.h"
#include "functions/functions.h"
#include "schema_image/definitions.h"
#include "schema_image/load.h"

namespace tvm::ffi::runtime {
namespace {

// Returns the kind of storage of a field, for code that reads fields directly. The kind of a number
// does not include its width, which is the size of the field.
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

// Returns `type_key`, `size` (None if the type does not state its size), `child_slots`, `overflows`
// (whether further children may be registered when the slots are used up), and `fields`, inherited
// ones first, each with `name`, `offset`, `size`, `alignment` and `carrier`.
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

// Returns the kind of structural equality that a type specifies, or 0.
int64_t structural_kind_of(int32_t type_index) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  return type->metadata == nullptr ? 0 : type->metadata->structural_eq_hash_kind;
}

// The module of an image file. Its types are in the type table, and it has no functions.
class SchemaImageModuleObj final : public ModuleObj {
 public:
  const char* kind() const override { return "schema_image"; }
  Optional<Function> GetFunction(const String&) override { return std::nullopt; }
};

Module load_module(const String& path, const String&) {
  load_schema_image_file(path, 0);
  return Module(make_object<SchemaImageModuleObj>());
}

}  // namespace

void register_schema_functions() {
  reflection::GlobalDef()
      .def("ffi.schema.AddDefinitions", add_embedded_schema)
      .def("ffi.schema.Definition", find_schema_definition, reflection::short_call())
      .def("ffi.schema.Layout", layout_of, reflection::short_call())
      .def("ffi.schema.LoadImage", load_schema_image)
      .def("ffi.schema.LoadImageFile", load_schema_image_file)
      .def("ffi.schema.StructuralKind", structural_kind_of, reflection::short_call())
      .def("ffi.Module.load_from_file.tfs", load_module);
}

}  // namespace tvm::ffi::runtime

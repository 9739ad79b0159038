// SPDX-License-Identifier: Apache-2.0
// Registers the types of a schema image as classes with a layout. Setters convert values to the
// types of the fields. Also registers entries and attributes.
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/one_of.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

#include "core/enum_store.h"
#include "core/type_entry.h"
#include "core/type_table.h"
#include "layout/auto_init.h"
#include "layout/field_access.h"
#include "layout/laid_out_class.h"
#include "schema_image/image.h"

namespace tvm::ffi::runtime {
namespace {

TVMFFIByteArray bytes_of(std::string_view text) { return {text.data(), text.size()}; }

// ---------------------------------------------------------------- values

Any find_entry(std::string_view key, std::string_view name) {
  int32_t index = find_type_key(key);
  if (index >= 0) {
    Optional<ObjectRef> entry = find_enum_entry(index, Any(String(name.data(), name.size())));
    if (entry.has_value()) return Any(*entry);
  }
  TVM_FFI_THROW(RuntimeError) << "There is no entry `" << std::string(name) << "` of an enum `"
                              << std::string(key) << "`";
  TVM_FFI_UNREACHABLE();
}

[[noreturn]] void throw_native(const std::string& what) {
  TVM_FFI_THROW(RuntimeError) << what
                              << " is native code, which a schema image does not hold; load the "
                                 "library that defines it instead of the image";
  TVM_FFI_UNREACHABLE();
}

// Returns the value; nothing if the image has only a C++ expression for it.
std::optional<Any> known_value(const SchemaValue& value) {
  if (value.kind == SchemaValue::kNative) return std::nullopt;
  if (value.kind == SchemaValue::kEntry) return find_entry(value.text, value.entry);
  return value.literal;
}

// ---------------------------------------------------------------- fields

// Keeps the types that setters refer to. Neither the types nor the setters are ever freed.
void keep_types(std::vector<std::unique_ptr<const SchemaType>> types) {
  static auto* kept =  // guarded by LoadedImages::mutex
      new std::deque<std::vector<std::unique_ptr<const SchemaType>>>();
  kept->push_back(std::move(types));
}

int convert_field(void* context, const TVMFFIAny* value, TVMFFIAny* result) {
  *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(convert_to_type(
      *static_cast<const SchemaType*>(context), AnyView::CopyFromTVMFFIAny(*value)));
  return 0;
}

// A field that accepts only some values of its type.
struct LiteralField {
  const SchemaType* type;
  reflection::detail::AllowedValues allowed;
};

int convert_literal(void* context, const TVMFFIAny* value, TVMFFIAny* result) {
  auto* field = static_cast<const LiteralField*>(context);
  Any converted = convert_to_type(*field->type, AnyView::CopyFromTVMFFIAny(*value));
  field->allowed.Check(converted);
  *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(converted));
  return 0;
}

// Returns the values that the metadata of a field list; empty if the field accepts all values of
// its type.
json::Array allowed_values(const SchemaField& field) {
  if (field.metadata.find("\"one_of\":[") == field.metadata.npos) return {};
  String error;
  Any metadata = json::Parse(String(field.metadata.data(), field.metadata.size()), &error);
  std::optional<json::Object> object = metadata.as<json::Object>();
  if (!object.has_value()) return {};
  return object->Get("one_of").value_or(Any()).as<json::Array>().value_or(json::Array());
}

// The setters of an image. Fields with the same type and storage share a setter, but not if they
// check values, because the errors name the field.
class Setters {
 public:
  Function of(const SchemaField& field) {
    if (json::Array allowed = allowed_values(field); !allowed.empty()) {
      std::vector<Any> values(allowed.begin(), allowed.end());
      return make(field.shape,
                  new LiteralField{field.type, {std::string(field.name), std::move(values)}},
                  convert_literal);
    }
    Function& known = known_[{field.type, field.shape.static_type_index, field.shape.size}];
    if (known == nullptr) {
      known = make(field.shape, const_cast<SchemaType*>(field.type), convert_field);
    }
    return known;
  }

 private:
  static Function make(const SchemaShape& shape, void* context, FieldConverter convert) {
    // The declared type of an optional reference is "any value", but the reference is stored as a
    // pointer.
    bool is_pointer = shape.static_type_index == kTVMFFIAny && shape.size == sizeof(void*);
    int32_t stored = is_pointer ? static_cast<int32_t>(kTVMFFIObject) : shape.static_type_index;
    bool is_number = stored == kTVMFFIInt || stored == kTVMFFIFloat;
    return make_field_setter(stored, is_number ? shape.size : 0, context, convert);
  }

  // By type, static type index and size.
  std::map<std::tuple<const SchemaType*, int32_t, int32_t>, Function> known_;
};

// Returns the default value or factory to register, and adds the flags that describe it.
Any default_of(const SchemaTypeDef& owner, const SchemaField& field, int64_t* flags) {
  if (!field.initial.has_value()) return Any(nullptr);
  *flags |= kTVMFFIFieldFlagBitMaskHasDefault;
  const SchemaValue& initial = *field.initial;
  if (initial.kind == SchemaValue::kLiteral) return initial.literal;
  *flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  if (initial.kind == SchemaValue::kEntry) {
    return Any(
        Function::FromTyped([key = std::string(initial.text), name = std::string(initial.entry)] {
          return find_entry(key, name);
        }));
  }
  std::string what = "The default of `" + std::string(owner.key) + "." + std::string(field.name) +
                     "`, `" + std::string(initial.text) + "`,";
  return Any(Function::FromTyped([what]() -> Any { throw_native(what); }));
}

void register_field(int32_t type_index, const SchemaTypeDef& owner, const SchemaField& field,
                    Setters* setters) {
  TVMFFIFieldInfo info{};
  info.name = bytes_of(field.name);
  info.doc = bytes_of(field.doc);
  info.metadata = bytes_of(field.metadata);
  info.flags = field.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  info.size = field.shape.size;
  info.alignment = field.shape.alignment;
  info.offset = field.offset;
  info.getter = field.shape.getter;
  info.field_static_type_index = field.shape.static_type_index;
  Any initial = default_of(owner, field, &info.flags);
  info.default_value_or_factory = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(initial);
  Function setter = setters->of(field);
  info.setter = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(setter);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(type_index, &info));
}

// ---------------------------------------------------------------- types

void register_method(int32_t type_index, const SchemaTypeDef& owner, const SchemaMethod& method) {
  std::string what = "`" + std::string(owner.key) + "." + std::string(method.name) + "`";
  Any function(Function::FromPacked([what](const AnyView*, int32_t, Any*) { throw_native(what); }));
  TVMFFIMethodInfo info{};
  info.name = bytes_of(method.name);
  info.doc = bytes_of(method.doc);
  info.metadata = bytes_of(method.metadata);
  info.flags = method.is_static ? kTVMFFIFieldFlagBitMaskIsStaticMethod : 0;
  info.method = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(function);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMethod(type_index, &info));
}

int32_t open_type(const SchemaTypeDef& type) {
  const TVMFFITypeInfo* parent = find_type(find_type_key(type.parent));
  TVMFFIByteArray key = bytes_of(type.key);
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, parent->type_depth + 1, type.child_slots,
                                            (type.flags & kSchemaSealed) == 0, parent->type_index);
  if (index < 0) throw detail::MoveFromSafeCallRaised();
  return index;
}

// Reserves memory for all fields in one step. The fields are still published one by one.
void reserve_fields(int32_t type_index, size_t count) {
  TypeEntry* entry = find_type_entry(type_index);
  std::lock_guard<Mutex> lock(type_table_mutex());
  entry->fields.reserve(entry->info.num_fields, static_cast<int32_t>(count));
}

int32_t total_size_of(const TVMFFITypeInfo* info) {
  int64_t end = sizeof(TVMFFIObject);
  reflection::ForEachFieldInfo(info, [&](const TVMFFIFieldInfo* field) {
    end = std::max(end, field->offset + field->size);
  });
  return static_cast<int32_t>((end + 7) / 8 * 8);
}

void register_type(int32_t type_index, const SchemaTypeDef& type, Setters* setters) {
  reserve_fields(type_index, type.fields.size());
  for (const SchemaField& field : type.fields) register_field(type_index, type, field, setters);
  for (const SchemaMethod& method : type.methods) register_method(type_index, type, method);
  const TVMFFITypeInfo* info = find_type(type_index);
  TVMFFITypeMetadata metadata{};
  metadata.doc = bytes_of(type.doc);
  metadata.total_size = total_size_of(info);
  metadata.structural_eq_hash_kind = type.kind;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMetadata(type_index, &metadata));
  LaidOutUse use = (type.flags & kSchemaAbstract) != 0 ? LaidOutUse::kAbstract
                   : (type.flags & kSchemaNoInit) != 0 ? LaidOutUse::kAllocated
                                                       : LaidOutUse::kConstructed;
  register_laid_out_class(info, metadata.total_size, use);
  register_type_attribute(type_index, type_attr::kTypeFinal.name,
                          Any((type.flags & kSchemaFinal) != 0));
}

// ---------------------------------------------------------------- enums and attributes

void add_entry(int32_t type_index, const SchemaEntry& entry) {
  const TVMFFITypeInfo* type = find_type(type_index);
  ObjectRef made(CreateEmptyObject(type));
  auto* object = reinterpret_cast<char*>(const_cast<Object*>(made.get()));
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* field) {
    void* address = object + field->offset;
    for (const auto& [name, value] : entry.fields) {
      if (name != ToStringView(field->name)) continue;
      std::optional<Any> given = known_value(value);
      if (!given.has_value()) throw_native("A field of entry `" + std::string(entry.name) + "`");
      const TVMFFIAny* raw = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(*given);
      TVM_FFI_CHECK_SAFE_CALL(reflection::CallFieldSetter(field, address, raw));
      return;
    }
    if ((field->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) {
      TVM_FFI_CHECK_SAFE_CALL(reflection::CallFieldSetterToDefault(field, address));
    }
  });
  Optional<int64_t> number = entry.number.as<int64_t>();
  add_enum_entry(type_index, String(entry.name.data(), entry.name.size()), number, made, {});
}

void register_values(int32_t type_index, const SchemaTypeDef& type) {
  for (const auto& [name, value] : type.attributes) {
    if (std::optional<Any> known = known_value(value)) {
      register_type_attribute(type_index, std::string(name).c_str(), *known);
    }
  }
  for (const SchemaEntry& entry : type.entries) {
    String entry_name(entry.name.data(), entry.name.size());
    for (const auto& [column, value] : entry.attributes) {
      if (std::optional<Any> known = known_value(value)) {
        set_enum_attr(type_index, String(column.data(), column.size()), entry_name, *known);
      }
    }
  }
}

}  // namespace

void register_schema_image(SchemaImage* image) {
  keep_types(std::move(image->field_types));
  Setters setters;
  std::vector<int32_t> opened;
  try {
    for (const SchemaTypeDef& type : image->types) {
      opened.push_back(open_type(type));
      register_type(opened.back(), type, &setters);
      if ((type.flags & kSchemaEnum) == 0) continue;
      mark_enum(opened.back());
      for (const SchemaEntry& entry : type.entries) add_entry(opened.back(), entry);
    }
    for (size_t i = 0; i < opened.size(); ++i) register_values(opened[i], image->types[i]);
  } catch (...) {
    for (int32_t type_index : opened) forget_type_key(type_index);
    throw;
  }
}

}  // namespace tvm::ffi::runtime

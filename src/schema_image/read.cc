// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of a schema image into records.
#include <unordered_map>

#include "schema_image/header.h"
#include "schema_image/image.h"
#include "schema_image/reader.h"

namespace tvm::ffi::runtime {
namespace {

constexpr std::string_view kImageMagic("\x89TFS\r\n\x1a\n", 8);
// Maximum nesting of types.
constexpr int kMaxTypeDepth = 64;
// Flags that an image may contain. The other flags are computed from its content.
constexpr uint32_t kFieldFlags =
    kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskSEqHashIgnore |
    kTVMFFIFieldFlagBitMaskSEqHashDefPattern | kTVMFFIFieldFlagBitMaskSEqHashDefSimple |
    kTVMFFIFieldFlagBitMaskReprOff | kTVMFFIFieldFlagBitMaskCompareOff |
    kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly;

// Minimum size in bytes of each item. Limits the memory that a wrong count can allocate.
constexpr size_t kLeastType = 38;
constexpr size_t kLeastField = 23;
constexpr size_t kLeastMethod = 13;

std::unique_ptr<SchemaType> read_type(SchemaReader* reader, int depth) {
  if (depth > kMaxTypeDepth) reader->fail("a type is nested too deep");
  uint8_t kind = reader->u8();
  if (kind >= kNumSchemaKinds) reader->fail("there is no type " + std::to_string(kind));
  auto type = std::make_unique<SchemaType>();
  type->kind = static_cast<SchemaKind>(kind);
  type->is_nullable = type->kind == SchemaKind::kObject;
  uint32_t num_args = 0;
  switch (type->kind) {
    case SchemaKind::kClass:
      type->key = reader->text();
      type->is_nullable = reader->flag();
      break;
    case SchemaKind::kTuple:
    case SchemaKind::kUnion:
      num_args = reader->count();
      break;
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kOptional:
      num_args = 1;
      break;
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      num_args = 2;
      break;
    default:
      break;
  }
  for (; num_args > 0; --num_args) type->args.push_back(read_type(reader, depth + 1));
  return type;
}

// Reads the types of fields. Equal types of an image are shared.
class TypePool {
 public:
  TypePool(SchemaReader* reader, SchemaImage* image) : reader_(reader), image_(image) {}

  const SchemaType* read() {
    size_t begin = reader_->position();
    std::unique_ptr<SchemaType> type = read_type(reader_, 0);
    std::string_view encoded = reader_->all().substr(begin, reader_->position() - begin);
    auto [it, is_new] = known_.emplace(encoded, type.get());
    if (is_new) image_->field_types.push_back(std::move(type));
    return it->second;
  }

 private:
  SchemaReader* reader_;
  SchemaImage* image_;
  std::unordered_map<std::string_view, const SchemaType*> known_;
};

SchemaField read_field(SchemaReader* reader, TypePool* types) {
  SchemaField field;
  field.name = reader->text();
  reader->set_member("field", field.name);
  field.doc = reader->text();
  field.metadata = reader->text();
  uint8_t storage = reader->u8();
  if (storage > 2) reader->fail("there is no storage " + std::to_string(storage));
  field.type = types->read();
  field.shape = storage == 1 ? shape_of_any() : shape_of_type(*field.type);
  if (storage == 2 && field.shape.size != sizeof(void*)) {
    reader->fail("it is not an object pointer");
  }
  field.offset = reader->u32();
  uint32_t flags = reader->u32();
  if ((flags & ~kFieldFlags) != 0) reader->fail("it has flags that this library does not know");
  field.flags = flags;
  if (reader->flag()) field.initial = read_schema_value(reader, false);
  return field;
}

NamedSchemaValues read_named_values(SchemaReader* reader) {
  NamedSchemaValues values;
  for (uint32_t left = reader->count(); left > 0; --left) {
    std::string_view name = reader->text();
    values.emplace_back(name, read_schema_value(reader, false));
  }
  return values;
}

SchemaEntry read_entry(SchemaReader* reader) {
  SchemaEntry entry;
  entry.name = reader->text();
  reader->set_member("entry", entry.name);
  entry.number = read_schema_value(reader, true).literal;
  if (entry.number.type_index() != kTVMFFINone && entry.number.type_index() != kTVMFFIInt) {
    reader->fail("its number is neither an integer nor None");
  }
  entry.fields = read_named_values(reader);
  entry.attributes = read_named_values(reader);
  return entry;
}

SchemaMethod read_method(SchemaReader* reader) {
  SchemaMethod method;
  method.name = reader->text();
  method.doc = reader->text();
  method.metadata = reader->text();
  method.is_static = reader->flag();
  return method;
}

SchemaTypeDef read_type_def(SchemaReader* reader, TypePool* types) {
  SchemaTypeDef type;
  type.key = reader->text();
  reader->set_type(type.key);
  type.parent = reader->text();
  type.name = reader->text();
  type.doc = reader->text();
  type.flags = reader->u8();
  if ((type.flags & ~kSchemaTypeFlags) != 0) reader->fail("it has unknown flags");
  uint8_t kind = reader->u8();
  if (kind > kTVMFFISEqHashKindUniqueInstance) reader->fail("its structural kind is unknown");
  type.kind = static_cast<TVMFFISEqHashKind>(kind);
  uint32_t slots = reader->u32();
  if (slots > 1u << 20) reader->fail("it reserves " + std::to_string(slots) + " child slots");
  type.child_slots = static_cast<int32_t>(slots);
  uint32_t left = reader->count(kLeastField);
  type.fields.reserve(left);
  for (; left > 0; --left) type.fields.push_back(read_field(reader, types));
  reader->set_type(type.key);
  left = reader->count(kLeastMethod);
  type.methods.reserve(left);
  for (; left > 0; --left) type.methods.push_back(read_method(reader));
  type.attributes = read_named_values(reader);
  for (left = reader->count(); left > 0; --left) type.entries.push_back(read_entry(reader));
  return type;
}

}  // namespace

SchemaImage read_schema_image(std::string_view bytes, const std::string& name) {
  SchemaReader reader(bytes, name);
  uint32_t schema_size = read_schema_header(&reader, kImageMagic, "a schema image");
  SchemaImage image;
  TypePool types(&reader, &image);
  reader.set_section("strings");
  reader.read_strings();
  reader.set_section("types");
  uint32_t left = reader.count(kLeastType);
  image.types.reserve(left);
  for (; left > 0; --left) image.types.push_back(read_type_def(&reader, &types));
  reader.set_section("schema");
  image.schema = reader.bytes(schema_size);
  if (reader.remaining() != 0) reader.fail("there is something behind the end");
  return image;
}

}  // namespace tvm::ffi::runtime

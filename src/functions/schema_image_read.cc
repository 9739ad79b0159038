// SPDX-License-Identifier: Apache-2.0
// From the bytes of a schema image to its records.
#include <array>

#include "functions/schema_image.h"
#include "functions/schema_reader.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

constexpr std::string_view kMagic("\x89TFS\r\n\x1a\n", 8);
constexpr uint32_t kVersion = 1;
constexpr size_t kHeaderSize = 32;
// How deep types may be nested.
constexpr int kMaxTypeDepth = 64;
// Flags that an image may set; the others follow from what it says.
constexpr uint32_t kFieldFlags =
    kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskSEqHashIgnore |
    kTVMFFIFieldFlagBitMaskSEqHashDefPattern | kTVMFFIFieldFlagBitMaskSEqHashDefSimple |
    kTVMFFIFieldFlagBitMaskReprOff | kTVMFFIFieldFlagBitMaskCompareOff |
    kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly;

std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
    table[i] = rest;
  }
  return table;
}

// CRC-32 as zlib has it.
uint32_t crc_of(std::string_view bytes) {
  static const std::array<uint32_t, 256> table = make_crc_table();
  uint32_t crc = ~0u;
  for (char byte : bytes) crc = table[(crc ^ static_cast<uint8_t>(byte)) & 255] ^ crc >> 8;
  return ~crc;
}

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

// Returns the bytes of the last section.
uint32_t read_header(SchemaReader* reader, std::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) reader->fail("this is no schema image");
  reader->bytes(kMagic.size());
  uint32_t version = reader->u32();
  if (version != kVersion) {
    reader->fail("its format has version " + std::to_string(version) +
                 ", this library reads version " + std::to_string(kVersion));
  }
  if (reader->u32() != 0) reader->fail("it uses features that this library does not know");
  uint64_t size = reader->u64();
  if (size != bytes.size()) {
    reader->fail("it should have " + std::to_string(size) + " bytes, but has " +
                 std::to_string(bytes.size()));
  }
  if (reader->u32() != crc_of(bytes.substr(kHeaderSize))) {
    reader->fail("its content has changed since it was written (the checksum differs)");
  }
  return reader->u32();
}

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

SchemaField read_field(SchemaReader* reader, const std::string& owner) {
  SchemaField field;
  field.name = reader->text();
  reader->set_subject(owner + ", field " + quoted(field.name));
  field.doc = reader->text();
  field.metadata = reader->text();
  uint8_t storage = reader->u8();
  if (storage > 2) reader->fail("there is no storage " + std::to_string(storage));
  field.type = read_type(reader, 0);
  field.shape = storage == 1 ? shape_of_any() : shape_of_type(*field.type);
  if (storage == 2 && field.shape.size != sizeof(void*)) reader->fail("it is no object pointer");
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

SchemaEntry read_entry(SchemaReader* reader, const std::string& owner) {
  SchemaEntry entry;
  entry.name = reader->text();
  reader->set_subject(owner + ", entry " + quoted(entry.name));
  entry.number = read_schema_value(reader, true).literal;
  if (entry.number.type_index() != kTVMFFINone && entry.number.type_index() != kTVMFFIInt) {
    reader->fail("its number is none");
  }
  entry.fields = read_named_values(reader);
  entry.attributes = read_named_values(reader);
  return entry;
}

SchemaTypeDef read_type_def(SchemaReader* reader) {
  SchemaTypeDef type;
  type.key = reader->text();
  std::string subject = "type " + quoted(type.key);
  reader->set_subject(subject);
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
  for (uint32_t left = reader->count(); left > 0; --left) {
    type.fields.push_back(read_field(reader, subject));
  }
  for (uint32_t left = reader->count(); left > 0; --left) {
    SchemaMethod method;
    method.name = reader->text();
    method.doc = reader->text();
    method.metadata = reader->text();
    method.is_static = reader->flag();
    type.methods.push_back(method);
  }
  type.attributes = read_named_values(reader);
  for (uint32_t left = reader->count(); left > 0; --left) {
    type.entries.push_back(read_entry(reader, subject));
  }
  return type;
}

}  // namespace

SchemaImage read_schema_image(std::string_view bytes, const std::string& name) {
  SchemaReader reader(bytes, name);
  uint32_t schema_size = read_header(&reader, bytes);
  SchemaImage image;
  reader.set_subject("strings");
  reader.read_strings();
  reader.set_subject("types");
  for (uint32_t left = reader.count(); left > 0; --left) {
    image.types.push_back(read_type_def(&reader));
  }
  reader.set_subject("schema");
  image.schema = reader.bytes(schema_size);
  if (reader.remaining() != 0) reader.fail("there is something behind the end");
  return image;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

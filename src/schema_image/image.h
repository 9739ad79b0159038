// SPDX-License-Identifier: Apache-2.0
// Schema images: types with their fields as a table of bytes. The runtime registers the types from
// the image, without a library.
//
// The bytes, little-endian, without gaps:
//
//   header   8 bytes  "\x89TFS\r\n\x1a\n"
//            u32      format version, 1
//            u32      flags, 0
//            u64      number of bytes of the whole image
//            u32      CRC-32 of everything behind the header
//            u32      number of bytes of the schema at the end
//   strings  u32 count, each: u32 bytes, UTF-8 text; `text` below is an index into the strings
//   types    u32 count, each, parents before children:
//            text key, text parent, text name, text doc, u8 flags (SchemaTypeFlag),
//            u8 structural kind, u32 child slots
//            u32 fields, each: text name, text doc, text metadata (JSON; "one_of" lists the values
//                that a field accepts), u8 storage (0: that of the type, 1: any value, 2: object
//                pointer), type, u32 offset (0: not stated),
//                u32 TVMFFIFieldFlagBitMask, u8 has default, value
//            u32 methods, each: text name, text doc, text metadata, u8 is static
//            u32 type attributes, each: text name, value
//            u32 entries of the enum, each: text name, value (number or None),
//                u32 fields: text, value; u32 attributes: text, value
//   schema   the intermediate form of the schema, compressed; may be empty
//
//   type     u8 SchemaKind; kClass: text key, u8 is nullable; kTuple, kUnion: u32 count, types;
//            other containers: their argument types
//   value    u8 tag (see value.cc) and its content
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema_image/type.h"

namespace tvm::ffi::runtime {

enum SchemaTypeFlag : uint8_t {
  /*! \brief The type has no constructor; deserialization may create objects nevertheless. */
  kSchemaNoInit = 1,
  /*! \brief The type has no objects. */
  kSchemaAbstract = 2,
  kSchemaFinal = 4,
  /*! \brief There cannot be more children than child slots. */
  kSchemaSealed = 8,
  kSchemaEnum = 16,
};
constexpr uint8_t kSchemaTypeFlags = 31;

/*! \brief A literal, an entry of an enum, or a C++ expression. */
struct SchemaValue {
  enum Kind { kLiteral, kEntry, kNative };
  Kind kind = kLiteral;
  Any literal;
  /*! \brief The type key of the enum for kEntry; the C++ expression for kNative. */
  std::string_view text;
  /*! \brief The name of the entry for kEntry. */
  std::string_view entry;
};

struct SchemaField {
  std::string_view name, doc, metadata;
  const SchemaType* type;
  SchemaShape shape;
  int64_t offset;
  int64_t flags;
  std::optional<SchemaValue> initial;
};

struct SchemaMethod {
  std::string_view name, doc, metadata;
  bool is_static;
};

using NamedSchemaValues = std::vector<std::pair<std::string_view, SchemaValue>>;

struct SchemaEntry {
  std::string_view name;
  Any number;
  NamedSchemaValues fields, attributes;
};

struct SchemaTypeDef {
  std::string_view key, parent, name, doc;
  uint8_t flags;
  TVMFFISEqHashKind kind;
  int32_t child_slots;
  std::vector<SchemaField> fields;
  std::vector<SchemaMethod> methods;
  NamedSchemaValues attributes;
  std::vector<SchemaEntry> entries;
};

/*! \brief The content of an image. The string views point into the bytes of the image. */
struct SchemaImage {
  std::vector<SchemaTypeDef> types;
  /*! \brief The types of fields. Fields with equal types share one SchemaType. */
  std::vector<std::unique_ptr<const SchemaType>> field_types;
  std::string_view schema;
};

/*!
 * \brief Read an image.
 * \param bytes must live as long as the result.
 * \param name name of the image for messages.
 * \throws ValueError with the position of the first error.
 */
SchemaImage read_schema_image(std::string_view bytes, const std::string& name);

/*!
 * \brief Check an image against the registered types, and compute the offsets of its fields.
 * Does not register anything.
 * \throws ValueError or TypeError that names the type and the field.
 */
void check_schema_image(SchemaImage* image, const std::string& name);

/*!
 * \brief Register the types of a checked image. Moves the field types out of the image.
 * \throws the errors of the registration, after making the type keys available again.
 */
void register_schema_image(SchemaImage* image);

class SchemaReader;

/*! \brief Read one value of an image; part of read_schema_image(). */
SchemaValue read_schema_value(SchemaReader* reader, bool is_literal);

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// Reads literals of schema images. Data types and devices are stored as names.
#include <tvm/ffi/container/map.h>

#include <cstring>

#include "schema_image/image.h"
#include "schema_image/reader.h"

namespace tvm::ffi::runtime {
namespace {

// Maximum nesting of literals.
constexpr int kMaxDepth = 64;

enum Tag : uint8_t {
  kNone = 0,
  kFalse,
  kTrue,
  kInt,     // i64
  kFloat,   // f64
  kStr,     // text
  kBytes,   // text, of any bytes
  kList,    // u32 count, values
  kDict,    // u32 count, pairs of values
  kEntry,   // text type key, text name; not nested in other values
  kNative,  // text C++ expression; not nested in other values
};

double as_double(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

Any literal(SchemaReader* reader, uint8_t tag, int depth) {
  if (depth > kMaxDepth) reader->fail("a value is nested too deep");
  switch (tag) {
    case kNone:
      return Any(nullptr);
    case kFalse:
    case kTrue:
      return Any(tag == kTrue);
    case kInt:
      return Any(static_cast<int64_t>(reader->u64()));
    case kFloat:
      return Any(as_double(reader->u64()));
    case kStr: {
      std::string_view text = reader->text();
      return Any(String(text.data(), text.size()));
    }
    case kBytes: {
      std::string_view text = reader->raw_text();
      return Any(Bytes(text.data(), text.size()));
    }
    case kList: {
      Array<Any> items;
      for (uint32_t left = reader->count(); left > 0; --left) {
        items.push_back(literal(reader, reader->u8(), depth + 1));
      }
      return Any(std::move(items));
    }
    case kDict: {
      Map<Any, Any> items;
      for (uint32_t left = reader->count(); left > 0; --left) {
        Any key = literal(reader, reader->u8(), depth + 1);
        items.Set(key, literal(reader, reader->u8(), depth + 1));
      }
      return Any(std::move(items));
    }
  }
  reader->fail("a value has the unknown tag " + std::to_string(tag));
}

}  // namespace

SchemaValue read_schema_value(SchemaReader* reader, bool is_literal) {
  SchemaValue value;
  uint8_t tag = reader->u8();
  if (!is_literal && tag == kEntry) {
    value.kind = SchemaValue::kEntry;
    value.text = reader->text();
    value.entry = reader->text();
  } else if (!is_literal && tag == kNative) {
    value.kind = SchemaValue::kNative;
    value.text = reader->text();
  } else {
    value.literal = literal(reader, tag, 0);
  }
  return value;
}

}  // namespace tvm::ffi::runtime

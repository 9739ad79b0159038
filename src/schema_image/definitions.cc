// SPDX-License-Identifier: Apache-2.0
// The table of schemas by type key, and the reader of schemas that libraries embed.
#include "schema_image/definitions.h"

#include <mutex>
#include <string>
#include <unordered_map>

#include "schema_image/header.h"

namespace tvm::ffi::runtime {
namespace {

// The first bytes of an embedded schema; the schema tool searches files for these bytes. After them
// come the rest of the header, the type keys in the form of the strings of an image, and the
// schema.
constexpr std::string_view kEmbeddedMagic("\x89TSR\r\n\x1a\n", 8);

// The table is never destroyed, because types are not destroyed.
struct Definitions {
  std::mutex mutex;
  std::unordered_map<std::string, Bytes> by_key;
};

Definitions& definitions() {
  static auto* instance = new Definitions();
  return *instance;
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

void add_embedded_schema(const Bytes& record) {
  const std::string name = "<library>";
  SchemaReader reader({record.data(), record.size()}, name);
  uint32_t schema_size = read_schema_header(&reader, kEmbeddedMagic, "an embedded schema");
  reader.set_section("strings");
  reader.read_strings();
  reader.set_section("schema");
  std::string_view schema = reader.bytes(schema_size);
  if (reader.remaining() != 0) reader.fail("there is something behind the end");
  add_schema_definitions(reader.strings(), schema);
}

Optional<Bytes> find_schema_definition(const String& key) {
  Definitions& known = definitions();
  std::lock_guard<std::mutex> lock(known.mutex);
  auto it = known.by_key.find(std::string(key.data(), key.size()));
  if (it == known.by_key.end()) return std::nullopt;
  return it->second;
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
#include "schema_image/header.h"

#include <array>
#include <string>

namespace tvm::ffi::runtime {
namespace {

constexpr uint32_t kVersion = 1;

// Row n contains the checksum of each byte when n zeros follow it.
using CrcTables = std::array<std::array<uint32_t, 256>, 8>;

CrcTables make_crc_tables() {
  CrcTables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
    tables[0][i] = rest;
  }
  for (size_t row = 1; row < tables.size(); ++row) {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t before = tables[row - 1][i];
      tables[row][i] = tables[0][before & 255] ^ before >> 8;
    }
  }
  return tables;
}

// Computes the CRC-32 of zlib, eight bytes at a time, because every image is checked completely.
uint32_t crc_of(std::string_view bytes) {
  static const CrcTables tables = make_crc_tables();
  uint32_t crc = ~0u;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint32_t next = 0;
    for (int i = 0; i < 4; ++i) next ^= tables[7 - i][(crc >> 8 * i & 255) ^ at[i]];
    for (int i = 4; i < 8; ++i) next ^= tables[7 - i][at[i]];
    crc = next;
  }
  for (; left > 0; --left, ++at) crc = tables[0][(crc ^ *at) & 255] ^ crc >> 8;
  return ~crc;
}

}  // namespace

uint32_t read_schema_header(SchemaReader* reader, std::string_view magic, const char* kind) {
  std::string_view bytes = reader->all();
  if (bytes.substr(0, magic.size()) != magic) reader->fail(std::string("this is not ") + kind);
  reader->bytes(magic.size());
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
  uint32_t crc = reader->u32();
  uint32_t schema_size = reader->u32();
  if (crc != crc_of(bytes.substr(reader->position()))) {
    reader->fail("its content has changed since it was written (the checksum differs)");
  }
  return schema_size;
}

}  // namespace tvm::ffi::runtime

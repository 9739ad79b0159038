// SPDX-License-Identifier: Apache-2.0
// Read a Map or Dict from raw memory, by the offsets in docs/reference/container-layout.md.
#ifndef TVM_FFI_TESTS_CPP_RAW_MAP_H_
#define TVM_FFI_TESTS_CPP_RAW_MAP_H_

#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "container_probe.h"
#include "container_vectors.h"
#include "map_model.h"

namespace raw {

using probe::Raw;
using tvm::ffi::Any;
using tvm::ffi::AnyHash;
using tvm::ffi::Object;

/*! \brief A view of a Map or Dict that reads the memory only by offsets. */
struct RawMap {
  explicit RawMap(const Object* object) : object(object) {
    data = Raw<const char*>(object, 24);
    size = Raw<uint64_t>(object, 32);
    slots = Raw<uint64_t>(object, 40);
    deleter = Raw<void*>(object, 48);
    if (!small()) {
      shift = Raw<uint32_t>(object, 56);
      head = Raw<uint64_t>(object, 64);
      tail = Raw<uint64_t>(object, 72);
    }
  }
  bool small() const { return slots >> 63 != 0; }
  uint8_t Meta(uint64_t slot) const {
    return static_cast<uint8_t>(data[784 * (slot / 16) + slot % 16]);
  }
  const char* Item(uint64_t slot) const {
    return small() ? data + 32 * slot : data + 784 * (slot / 16) + 16 + 48 * (slot % 16);
  }
  const Any& Key(uint64_t slot) const { return *reinterpret_cast<const Any*>(Item(slot)); }
  const Any& Value(uint64_t slot) const { return *reinterpret_cast<const Any*>(Item(slot) + 16); }
  uint64_t Prev(uint64_t slot) const { return Raw<uint64_t>(Item(slot), 32); }
  uint64_t Next(uint64_t slot) const { return Raw<uint64_t>(Item(slot), 40); }
  std::vector<uint64_t> Order() const {
    std::vector<uint64_t> order;
    if (small()) {
      for (uint64_t i = 0; i < size; ++i) order.push_back(i);
    } else {
      for (uint64_t i = head; i != model::kNone; i = Next(i)) order.push_back(i);
    }
    return order;
  }
  std::string MetaHex() const {
    std::string hex;
    char digits[3];
    for (uint64_t i = 0; i < (slots + 15) / 16 * 16; ++i) {
      std::snprintf(digits, sizeof(digits), "%02x", Meta(i));
      hex += digits;
    }
    return hex;
  }

  const Object* object;
  const char* data;
  uint64_t size, slots;
  void* deleter;
  uint32_t shift = 0;
  uint64_t head = model::kNone, tail = model::kNone;
};

/*! \brief Check the invariants of a map with the dense layout. */
inline void CheckDense(const RawMap& map) {
  ASSERT_FALSE(map.small());
  uint64_t occupied = 0, reached = 0;
  for (uint64_t i = 0; i < (map.slots + 15) / 16 * 16; ++i) {
    uint8_t meta = map.Meta(i);
    ASSERT_TRUE(i < map.slots || meta == 0xff);
    ASSERT_NE(meta, 0xfe);
    if (meta == 0xff) continue;
    ++occupied;
    if (meta & 0x80) continue;
    for (uint64_t at = i;;) {
      ++reached;
      ASSERT_EQ((11400714819323198485u * AnyHash()(map.Key(at))) >> map.shift, i);
      uint8_t jump = map.Meta(at) & 0x7f;
      if (jump == 0) break;
      at = (at + golden::kProbeDistance[jump]) % map.slots;
      ASSERT_EQ(map.Meta(at) & 0x80, 0x80);
    }
  }
  ASSERT_EQ(occupied, map.size);
  ASSERT_EQ(reached, map.size);
  uint64_t last = model::kNone, linked = 0;
  for (uint64_t i = map.head; i != model::kNone; i = map.Next(i), ++linked) {
    ASSERT_EQ(map.Prev(i), last);
    last = i;
  }
  ASSERT_EQ(linked, map.size);
  ASSERT_EQ(map.tail, last);
}

}  // namespace raw
#endif  // TVM_FFI_TESTS_CPP_RAW_MAP_H_

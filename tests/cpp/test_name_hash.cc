// SPDX-License-Identifier: Apache-2.0
// Test the hash function for names, which is not public.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "../../src/core/name_table.h"

namespace {

using tvm::ffi::runtime::hash_name;

// A test for a fixed bug: 1000 names of eight characters that differed only at the end used ten of
// 2048 slots. A random function would use about 790 slots.
TEST(NameHash, NamesThatDifferInTheirLastCharactersArePlacedApart) {
  for (const char* prefix : {"", "x", "big.C", "demo.expr.Node", "a.rather.long.name.of.a.type"}) {
    for (bool padded : {false, true}) {
      std::set<uint64_t> places, hashes;
      for (int i = 0; i < 1000; ++i) {
        std::string number = std::to_string(i);
        if (padded) number.insert(0, 3 - number.size(), '0');
        std::string name = prefix + number;
        uint64_t hash = hash_name(name.data(), name.size());
        places.insert(hash & 2047);
        hashes.insert(hash);
      }
      EXPECT_GT(places.size(), 700u) << prefix;
      EXPECT_EQ(hashes.size(), 1000u) << prefix;
    }
  }
}

}  // namespace

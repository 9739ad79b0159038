// SPDX-License-Identifier: Apache-2.0
// The hash behind look-ups by name, which no interface shows.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "../../src/core/name_table.h"

namespace {

using tvm::ffi::runtime::hash_name;

// If 1000 names had random places among 2048, 790 names would have a place of their own.
// Names of eight characters that differ in the last ones once shared ten places.
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

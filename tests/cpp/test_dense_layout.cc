// SPDX-License-Identifier: Apache-2.0
// Test the dense layout of maps, slot by slot, against map_model.h, a second implementation of the
// algorithm.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>

#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "container_vectors.h"
#include "hooked_key.h"
#include "map_model.h"
#include "raw_map.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using raw::CheckDense;
using raw::RawMap;

void CompareWithModel(const RawMap& map, const model::Table& want) {
  ASSERT_FALSE(map.small());
  ASSERT_EQ(map.slots, want.slots());
  ASSERT_EQ(map.size, want.size);
  ASSERT_EQ(map.shift, want.shift);
  ASSERT_EQ(map.head, want.head);
  ASSERT_EQ(map.tail, want.tail);
  for (uint64_t i = 0; i < want.slots(); ++i) {
    ASSERT_EQ(map.Meta(i), want.meta[i]) << "slot " << i;
    if (want.meta[i] == 0xff) continue;
    ASSERT_EQ(map.Value(i).cast<int64_t>(), want.items[i].value) << "slot " << i;
    ASSERT_EQ(map.Prev(i), want.items[i].prev) << "slot " << i;
    ASSERT_EQ(map.Next(i), want.items[i].next) << "slot " << i;
  }
}

/*! \brief Functions from a number to a key, and from the number to the hash of that key. */
struct KeySpace {
  std::function<Any(int64_t)> key;
  model::Table::Hash hash;
};

template <typename MapType>
std::set<std::string> RunAgainstModel(const KeySpace& space, uint32_t seed, int keys, int steps) {
  std::mt19937 random(seed);
  std::vector<std::pair<Any, Any>> start;
  model::Table want = model::Table::For(space.hash, 4);
  for (int64_t i = 0; i < 4; ++i) {
    start.emplace_back(space.key(i), Any(i));
    want.Set(i, i);
  }
  MapType map(start.begin(), start.end());
  for (int step = 0; step < steps; ++step) {
    int64_t key = static_cast<int64_t>(random() % static_cast<unsigned>(keys));
    if (random() % 10 < 6) {
      map.Set(space.key(key), Any(step));
      want.Set(key, step);
    } else {
      map.erase(space.key(key));
      want.Erase(key);
    }
    CompareWithModel(RawMap(map.get()), want);
    if (testing::Test::HasFatalFailure()) return want.steps;
  }
  return want.steps;
}

// spec: Z3
TEST(DenseLayout, EveryStepOfTheDenseAlgorithm) {
  std::set<std::string> steps;
  KeySpace ints{[](int64_t i) { return Any(i); }, [](int64_t i) { return AnyHash()(Any(i)); }};
  // Make keys that have few, neighbouring home slots, so that chains collide.
  auto colliding = [](int64_t spread) {
    auto custom = [spread](int64_t i) { return static_cast<uint64_t>(i % spread); };
    return KeySpace{[custom](int64_t i) { return Any(hooked::Key(i, custom(i))); },
                    [custom](int64_t i) { return AnyHash()(Any(hooked::Key(i, custom(i)))); }};
  };
  for (uint32_t seed = 0; seed < 6; ++seed) {
    for (int keys : {6, 12, 30, 200}) {
      for (const KeySpace& space : {ints, colliding(2), colliding(5), colliding(17)}) {
        auto some = RunAgainstModel<Map<Any, Any>>(space, seed, keys, keys * 8);
        steps.insert(some.begin(), some.end());
        some = RunAgainstModel<Dict<Any, Any>>(space, seed + 100, keys, keys * 8);
        steps.insert(some.begin(), some.end());
        if (HasFatalFailure()) return;
      }
    }
  }
  for (const char* step :
       {"empty home", "empty home although full", "body home, full", "head home, full", "found",
        "append to chain", "evict one", "evict several", "grow", "erase last body",
        "erase lone head", "erase inner body", "erase head with chain"}) {
    EXPECT_TRUE(steps.count(step)) << step << " was not reached";
  }
}

// The home slot of a new key holds an entry near the beginning of a long chain, whose entries have
// another home slot.
// This entry and all entries after it in the chain must move.
// spec: Z3
TEST(DenseLayout, ALongChainIsEvictedWhole) {
  constexpr uint32_t kShift = 57;  // 128 slots
  auto any_hash = [](uint64_t custom) { return AnyHash()(Any(hooked::Key(0, custom))); };
  auto home = [&](uint64_t custom) { return (11400714819323198485u * any_hash(custom)) >> kShift; };
  uint64_t other = 1;
  while (home(other) != (home(0) + 1) % 128) ++other;
  auto custom = [other](int64_t i) { return i < 20 ? 0 : other; };
  model::Table want = model::Table::For([&](int64_t i) { return any_hash(custom(i)); }, 40);
  ASSERT_EQ(want.shift, kShift);
  std::vector<std::pair<Any, Any>> pairs;
  for (int64_t i = 0; i < 40; ++i) {
    pairs.emplace_back(hooked::Key(i % 20, custom(i % 20)), i);
    want.Set(i % 20, i);
  }
  Map<Any, Any> map(pairs.begin(), pairs.end());
  CompareWithModel(RawMap(map.get()), want);
  map.Set(hooked::Key(20, other), 20);
  want.Set(20, 20);
  EXPECT_TRUE(want.steps.count("evict many"));
  CompareWithModel(RawMap(map.get()), want);
  CheckDense(RawMap(map.get()));
}

// None of the 125 jumps from one home slot reaches an empty slot, so the table must grow long
// before it is full.
// spec: Z3
TEST(DenseLayout, AChainWithoutRoomGrows) {
  // Int keys by their home slot, found by trial.
  constexpr uint32_t kShift = 64 - 15;  // 2^15 slots
  std::unordered_map<uint64_t, std::vector<int64_t>> by_home;
  for (int64_t i = 0; i < 2000000; ++i) {
    by_home[(11400714819323198485u * AnyHash()(Any(i))) >> kShift].push_back(i);
  }
  model::Table::Hash hash = [](int64_t i) { return AnyHash()(Any(i)); };
  model::Table want = model::Table::For(hash, 1 << 14);
  ASSERT_EQ(want.shift, kShift);
  std::vector<std::pair<Any, Any>> pairs;
  const uint64_t home = 100;
  std::set<uint64_t> crowd;
  for (uint64_t distance : golden::kProbeDistance) crowd.insert((home + distance) % want.slots());
  for (uint64_t slot : crowd) pairs.emplace_back(by_home[slot].at(0), 0);
  for (int64_t i = 0; pairs.size() < (1 << 14); ++i) {
    uint64_t slot = (11400714819323198485u * hash(i)) >> kShift;
    if (crowd.count(slot) == 0 && by_home[slot].at(0) == i) pairs.emplace_back(i, 0);
  }
  Map<Any, Any> map(pairs.begin(), pairs.end());
  for (const auto& [key, value] : pairs) want.Set(key.cast<int64_t>(), 0);
  CompareWithModel(RawMap(map.get()), want);
  int64_t second = by_home[home].at(1);
  map.Set(second, 1);
  want.Set(second, 1);
  EXPECT_TRUE(want.steps.count("no free slot for a body"));
  EXPECT_EQ(RawMap(map.get()).slots, uint64_t{1} << 16);
  CompareWithModel(RawMap(map.get()), want);
}

// The home slot of a new key holds an entry of another chain, and no jump leads to an empty slot
// for that entry: the table must grow, and must not change before it grows.
// spec: Z3
TEST(DenseLayout, AnEvictionWithoutRoomGrows) {
  constexpr uint32_t kShift = 64 - 15;
  std::unordered_map<uint64_t, std::vector<int64_t>> by_home;
  for (int64_t i = 0; i < 2000000; ++i) {
    by_home[(11400714819323198485u * AnyHash()(Any(i))) >> kShift].push_back(i);
  }
  model::Table::Hash hash = [](int64_t i) { return AnyHash()(Any(i)); };
  model::Table want = model::Table::For(hash, 1 << 14);
  std::vector<std::pair<Any, Any>> pairs;
  const uint64_t home = 100;
  // Make a chain of three entries in the slots `home`, home + 1 and home + 2. Then fill each slot
  // that a jump from one of these three slots could reach.
  for (int i = 0; i < 3; ++i) pairs.emplace_back(by_home[home].at(static_cast<size_t>(i)), 0);
  std::set<uint64_t> crowd;
  for (uint64_t from : {home, home + 1, home + 2}) {
    for (uint64_t distance : golden::kProbeDistance) crowd.insert((from + distance) % want.slots());
  }
  crowd.erase(home);
  crowd.erase(home + 1);
  crowd.erase(home + 2);
  for (uint64_t slot : crowd) pairs.emplace_back(by_home[slot].at(0), 0);
  std::set<int64_t> used;
  for (const auto& kv : pairs) used.insert(kv.first.cast<int64_t>());
  for (int64_t i = 0; pairs.size() < (1 << 14); ++i) {
    uint64_t slot = (11400714819323198485u * hash(i)) >> kShift;
    if (crowd.count(slot) || (slot >= home && slot <= home + 2)) continue;
    if (used.insert(i).second && by_home[slot].at(0) == i) pairs.emplace_back(i, 0);
  }
  Map<Any, Any> map(pairs.begin(), pairs.end());
  for (const auto& [key, value] : pairs) want.Set(key.cast<int64_t>(), 0);
  CompareWithModel(RawMap(map.get()), want);
  ASSERT_EQ(want.slots(), uint64_t{1} << 15);
  int64_t newcomer = by_home[home + 1].at(0);
  map.Set(newcomer, 1);
  want.Set(newcomer, 1);
  EXPECT_TRUE(want.steps.count("eviction fails"));
  CompareWithModel(RawMap(map.get()), want);
}

TEST(DenseLayout, CopiesHaveTheSameSlots) {
  Map<Any, Any> map;
  for (int64_t i = 0; i < 40; ++i) map.Set(i, i);
  for (int64_t i = 0; i < 40; i += 3) map.erase(i);
  Map<Any, Any> copy = map;
  copy.CopyOnWrite();
  RawMap a(map.get()), b(copy.get());
  EXPECT_NE(a.data, b.data);
  EXPECT_EQ(a.MetaHex(), b.MetaHex());
  EXPECT_EQ(a.Order(), b.Order());
  Map<Any, Any> small{{1, 1}};
  small.Set(2, 2);
  small.Set(3, 3);
  small.erase(3);
  small.erase(2);
  Map<Any, Any> small_copy = small;
  small_copy.CopyOnWrite();
  EXPECT_EQ(RawMap(small.get()).slots, 0x8000000000000004u);
  EXPECT_EQ(RawMap(small_copy.get()).slots, 0x8000000000000002u);
}

}  // namespace

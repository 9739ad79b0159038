// SPDX-License-Identifier: Apache-2.0
// Test containers in long random runs against standard containers.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hooked_key.h"
#include "raw_map.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using raw::CheckDense;
using raw::RawMap;

template <typename MapType, bool kSharing>
void RandomMapRun(uint32_t seed, int steps) {
  // The model: a list of (key, value) in insertion order, and a map from keys to list iterators.
  using Order = std::list<std::pair<int64_t, int64_t>>;
  std::mt19937 random(seed);
  MapType map;
  Order order;
  std::unordered_map<int64_t, Order::iterator> index;
  MapType kept = map;
  Order kept_order;
  auto key_of = [](int64_t k) {
    switch (k % 4) {
      case 0:
        return Any(k);
      case 1:
        return Any(String("k" + std::to_string(k)));
      case 2:
        return Any(String("a key too long to be held inline " + std::to_string(k)));
      default:
        return Any(hooked::Key(k, static_cast<uint64_t>(k % 7)));
    }
  };
  auto dense = [](const MapType& m) { return !RawMap(m.get()).small(); };
  auto check = [&](const MapType& m, const Order& o) {
    ASSERT_EQ(m.size(), o.size());
    auto want = o.begin();
    for (const auto& kv : m) {
      ASSERT_TRUE(AnyEqual()(kv.first, key_of(want->first)));
      ASSERT_EQ(kv.second.template cast<int64_t>(), want->second);
      ++want;
    }
    if (dense(m)) CheckDense(RawMap(m.get()));
  };
  int keys = 3;
  for (int step = 0; step < steps; ++step) {
    if (step % 2500 == 0) keys = 2 + static_cast<int>(random() % (random() % 2 ? 6 : 300));
    int64_t k = static_cast<int64_t>(random() % static_cast<unsigned>(keys));
    unsigned action = random() % 100;
    if (action < 50) {
      bool full_small =
          !dense(map) && RawMap(map.get()).slots == 0x8000000000000004u && map.size() == 4;
      auto found = index.find(k);
      if (found != index.end() && !dense(map) && !full_small) {
        found->second->second = step;
      } else {
        if (found != index.end()) order.erase(found->second);
        index[k] = order.insert(order.end(), {k, step});
      }
      map.Set(key_of(k), Any(step));
    } else if (action < 85) {
      auto found = index.find(k);
      if (found != index.end()) {
        order.erase(found->second);
        index.erase(found);
      }
      map.erase(key_of(k));
    } else if (action < 98) {
      ASSERT_EQ(map.count(key_of(k)), index.count(k));
      auto value = map.Get(key_of(k));
      ASSERT_EQ(value.has_value(), index.count(k) == 1);
      if (value.has_value()) {
        ASSERT_EQ(value->template cast<int64_t>(), index[k]->second);
      }
    } else if (random() % 40 == 0) {
      map.clear();
      order.clear();
      index.clear();
    } else if (kSharing) {
      kept = map;
      kept_order = order;
    }
    if (step % 97 == 0 || map.size() < 6) {
      check(map, order);
      if (kSharing) check(kept, kept_order);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// spec: Z6
TEST(ContainerModel, MapAgainstStandardContainers) { RandomMapRun<Map<Any, Any>, true>(1, 100000); }
// spec: Z6
TEST(ContainerModel, DictAgainstStandardContainers) {
  RandomMapRun<Dict<Any, Any>, false>(2, 100000);
}

template <typename Seq, bool kSharing>
void RandomSequenceRun(uint32_t seed, int steps) {
  std::mt19937 random(seed);
  auto below = [&](size_t n) { return static_cast<int64_t>(random() % (n == 0 ? 1 : n)); };
  Seq seq;
  std::vector<int64_t> want, kept_want;
  Seq kept = seq;
  // The values own memory, so that the sanitizers detect a missing or repeated release.
  auto value = [](int64_t v) { return String("value number " + std::to_string(v)); };
  auto check = [&](const Seq& s, const std::vector<int64_t>& w) {
    ASSERT_EQ(s.size(), w.size());
    ASSERT_GE(s.capacity(), s.size());
    for (size_t i = 0; i < w.size(); ++i) ASSERT_EQ(s[static_cast<int64_t>(i)], value(w[i]));
  };
  for (int64_t step = 0; step < steps; ++step) {
    int64_t n = static_cast<int64_t>(want.size());
    switch (random() % 14) {
      case 0:
      case 1:
      case 2:
        seq.push_back(value(step));
        want.push_back(step);
        break;
      case 3:
        if (n == 0) break;
        seq.pop_back();
        want.pop_back();
        break;
      case 4: {
        int64_t at = below(want.size() + 1);
        seq.insert(seq.begin() + at, value(step));
        want.insert(want.begin() + at, step);
        break;
      }
      case 5: {
        if (n == 0) break;
        int64_t at = below(want.size());
        seq.erase(seq.begin() + at);
        want.erase(want.begin() + at);
        break;
      }
      case 6: {
        int64_t from = below(want.size() + 1), to = from + below(static_cast<size_t>(n - from) + 1);
        seq.erase(seq.begin() + from, seq.begin() + to);
        want.erase(want.begin() + from, want.begin() + to);
        break;
      }
      case 7: {
        int64_t size = below(want.size() + 1);
        seq.resize(size);
        want.resize(static_cast<size_t>(size));
        break;
      }
      case 8:
        seq.reserve(below(60));
        break;
      case 9: {
        if (n == 0) break;
        int64_t at = below(want.size());
        seq.Set(at, value(step));
        want[static_cast<size_t>(at)] = step;
        break;
      }
      case 10: {
        // Insert a part of the same container at any position.
        int64_t from = below(want.size() + 1), to = from + below(static_cast<size_t>(n - from) + 1);
        int64_t at = below(want.size() + 1);
        seq.insert(seq.begin() + at, seq.begin() + from, seq.begin() + to);
        std::vector<int64_t> part(want.begin() + from, want.begin() + to);
        want.insert(want.begin() + at, part.begin(), part.end());
        break;
      }
      case 11: {
        if (n < 30) break;
        int64_t from = below(want.size() + 1), to = from + below(10);
        to = std::min(to, n);
        std::vector<int64_t> part(want.begin() + from, want.begin() + to);
        seq.Assign(seq.begin() + from, seq.begin() + to);
        want = part;
        break;
      }
      case 12:
        if (random() % 20 != 0) break;
        seq.clear();
        want.clear();
        break;
      default:
        if (!kSharing) break;
        kept = seq;
        kept_want = want;
        break;
    }
    if (step % 50 == 0 || want.size() < 5) {
      check(seq, want);
      if (kSharing) check(kept, kept_want);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// spec: Z6
TEST(ContainerModel, ArrayAgainstVector) { RandomSequenceRun<Array<String>, true>(3, 100000); }
// spec: Z6
TEST(ContainerModel, ListAgainstVector) { RandomSequenceRun<List<String>, false>(4, 100000); }

}  // namespace

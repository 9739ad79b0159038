// SPDX-License-Identifier: Apache-2.0
// Test Dict: shared mutation, identity across growth, conversion, reentrancy of destructors and
// hooks.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caught.h"
#include "container_probe.h"
#include "hooked_key.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using probe::Element;
using probe::TakeReleased;
using Ids = std::vector<int>;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

template <typename K, typename V>
std::vector<std::pair<K, V>> Items(const Dict<K, V>& dict) {
  std::vector<std::pair<K, V>> items;
  for (const auto& kv : dict) items.push_back(kv);
  return items;
}

// spec: J05, J09
TEST(Dict, EveryHolderSeesEveryChange) {
  Dict<int64_t, int64_t> dict;
  Dict<int64_t, int64_t> other = dict;
  Any any = dict;
  const void* address = dict.get();
  EXPECT_EQ(dict.type_index(), 76);
  for (int64_t i = 0; i < 100; ++i) {
    dict.Set(i, i);
    ASSERT_EQ(dict.get(), address);
    ASSERT_EQ(other.size(), static_cast<size_t>(i + 1));
    ASSERT_EQ(other.at(i), i);
  }
  EXPECT_EQ((any.cast<Dict<int64_t, int64_t>>().size()), 100u);
  other.erase(5);
  EXPECT_EQ(dict.count(5), 0u);
  other.clear();
  EXPECT_TRUE(dict.empty());
  EXPECT_TRUE(dict.begin() == dict.end());
  dict.Set(1, 2);
  EXPECT_EQ(other.at(1), 2);
}

TEST(Dict, Constructors) {
  Pairs pairs{{1, 10}, {2, 20}, {3, 30}, {4, 40}, {5, 50}};
  EXPECT_EQ(Items(Dict<int64_t, int64_t>(pairs.begin(), pairs.end())), pairs);
  EXPECT_EQ(Items(Dict<int64_t, int64_t>{{1, 1}, {2, 2}, {1, 5}}), (Pairs{{1, 5}, {2, 2}}));
  EXPECT_EQ(Items(Dict<int64_t, int64_t>{{1, 1}, {2, 2}, {1, 5}, {3, 3}}),
            (Pairs{{2, 2}, {1, 5}, {3, 3}}));
  std::unordered_map<int64_t, int64_t> standard(pairs.begin(), pairs.end());
  EXPECT_EQ((Dict<int64_t, int64_t>(standard).size()), 5u);
  EXPECT_ERROR((Dict<int64_t, int64_t>(ObjectPtr<Object>(nullptr))), "InternalError",
               "Check not null: data_.get() ");
  EXPECT_EQ(make_object<DictObj>()->size(), 0u);
}

// spec: J03
TEST(Dict, MissingKeys) {
  for (int64_t n : {0, 3, 8}) {
    Dict<int64_t, int64_t> dict;
    for (int64_t i = 0; i < n; ++i) dict.Set(i, i);
    std::string text =
        "key is not in Map: a Dict with " + std::to_string(n) + " keys does not contain 100";
    EXPECT_ERROR(dict.at(100), "KeyError", text);
    EXPECT_ERROR(dict[100], "KeyError", text);
    EXPECT_FALSE(dict.Get(100).has_value());
    EXPECT_TRUE(dict.find(100) == dict.end());
    dict.erase(100);
    EXPECT_EQ(dict.size(), static_cast<size_t>(n));
  }
}

TEST(Dict, NullReadsAsEmptyAndIsMadeAnew) {
  Dict<int64_t, int64_t> source{{1, 1}};
  Dict<int64_t, int64_t> dict = std::move(source);
  EXPECT_EQ(source.size(), 0u);  // NOLINT(bugprone-use-after-move): that is the subject
  EXPECT_TRUE(source.begin() == source.end());
  EXPECT_ERROR(source.at(1), "KeyError",
               "key is not in Map: the reference is empty, it was moved from");
  source.erase(1);
  source.clear();
  EXPECT_FALSE(source.defined());
  source.Set(2, 3);
  EXPECT_EQ(source.at(2), 3);
}

TEST(Dict, MayContainItself) {
  Dict<Any, Any> dict;
  dict.Set("self", dict);
  EXPECT_EQ(dict.size(), 1u);
  EXPECT_TRUE((dict.at("self").cast<Dict<Any, Any>>().same_as(dict)));
  dict.clear();  // breaks the cycle
}

// spec: J07
TEST(Dict, ConversionNamesAndSchema) {
  Dict<Any, Any> dict{{"a", 1}};
  EXPECT_TRUE((Any(dict).cast<Dict<String, int64_t>>().same_as(dict)));
  EXPECT_FALSE((Any(dict).cast<Dict<String, double>>().same_as(dict)));
  Map<Any, Any> map{{"a", 1}};
  Dict<String, int64_t> copied = Any(map).cast<Dict<String, int64_t>>();
  copied.Set("b", 2);
  EXPECT_EQ(map.size(), 1u);
  EXPECT_ERROR(
      (Any(Dict<Any, Any>{{"a", 1.5}}).cast<Dict<String, int64_t>>()), "TypeError",
      "Cannot convert from type `Dict[K, some value is float at key \"a\"]` to `Dict<str, int>`");
  EXPECT_ERROR((Any(Map<Any, Any>{{2, 1}}).cast<Dict<String, int64_t>>()), "TypeError",
               "Cannot convert from type `Dict[some key is int, V]` to `Dict<str, int>`");
  EXPECT_EQ((details::Type2Str<Dict<String, int>>::v()), "Dict<str, int>");
  EXPECT_EQ((details::TypeSchema<Dict<int, Any>>::v()),
            R"({"type":"ffi.Dict","args":[{"type":"int"},{"type":"Any"}]})");
  EXPECT_EQ((TypeTraits<Dict<Any, Any>>::field_static_type_index), 64);
  Dict<String, Any> up = copied;
  EXPECT_TRUE(up.same_as(copied));
  Dict<Any, Any> shallow(DictObj::ShallowCopy(static_cast<const DictObj*>(dict.get())));
  EXPECT_EQ(shallow.type_index(), 76);
  shallow.clear();
  EXPECT_EQ(dict.size(), 1u);
}

/* ---------------------------------------------------------------- release */

Dict<Any, Any> Elements(int n) {
  Dict<Any, Any> dict;
  for (int i = 0; i < n; ++i) dict.Set(i, Element(i));
  TakeReleased();
  return dict;
}

// spec: Z7
TEST(DictRelease, OrderWithinAPair) {
  for (int n : {3, 8}) {
    Dict<Any, Any> dict;
    for (int i = 0; i < n; ++i) dict.Set(Element(i), Element(100 + i));
    TakeReleased();
    auto* object = const_cast<DictObj*>(static_cast<const DictObj*>(dict.get()));
    object->erase(object->begin());
    EXPECT_EQ(TakeReleased(), (Ids{0, 100}));  // the key is released first
    dict.clear();
    Ids ids = TakeReleased();
    ASSERT_EQ(ids.size(), static_cast<size_t>(2 * (n - 1)));
    for (size_t i = 0; i < ids.size(); i += 2) {
      // A small dict releases its pairs in order, the key of each pair first. A dense dict releases
      // its pairs slot by slot, the value of each pair first.
      EXPECT_EQ(n == 3 ? ids[i + 1] - ids[i] : ids[i] - ids[i + 1], 100);
    }
    for (int i = 0; i < n; ++i) dict.Set(Element(i), Element(100 + i));
    TakeReleased();
    dict = Dict<Any, Any>();
    ids = TakeReleased();
    ASSERT_EQ(ids.size(), static_cast<size_t>(2 * n));
  }
}

TEST(DictRelease, DenseClearGoesSlotBySlot) {
  // The keys 0 to 19, in the order of their slots (as in the golden layouts).
  const Ids expected{16, 8, 19, 0, 11, 3, 18, 10, 2, 13, 5, 12, 4, 15, 7, 14, 6, 17, 9, 1};
  Dict<Any, Any> dict = Elements(20);
  dict.clear();
  EXPECT_EQ(TakeReleased(), expected);
  dict = Elements(20);
  TakeReleased();
  dict = Dict<Any, Any>();
  EXPECT_EQ(TakeReleased(), expected);
}

TEST(DictRelease, OverwritingReleasesTheOldValueOnly) {
  for (int n : {3, 4, 8}) {
    Dict<Any, Any> dict = Elements(n);
    dict.Set(1, Element(50));
    EXPECT_EQ(TakeReleased(), Ids{1});
    EXPECT_EQ(dict.size(), static_cast<size_t>(n));
  }
}

TEST(DictRelease, GrowthReleasesNothing) {
  Dict<Any, Any> dict = Elements(1);
  for (int i = 1; i < 100; ++i) dict.Set(i, Element(i));
  EXPECT_EQ(TakeReleased(), Ids{});
}

// The destructors of the values change the dict that releases the values.
// spec: Z7
TEST(DictRelease, DestructorsMayChangeTheDict) {
  for (int n : {2, 3, 4, 5, 7, 15, 30}) {
    for (int operation = 0; operation < 4; ++operation) {
      for (int meddling = 0; meddling < 4; ++meddling) {
        TakeReleased();
        {
          Dict<Any, Any> dict;
          int inserted = 0;
          auto meddle = [&dict, &inserted, meddling] {
            switch (meddling) {
              case 0:
                for (int k = 0; k < 10; ++k) dict.Set(1000 + inserted++, 1);
                break;
              case 1:
                dict.erase(1);
                break;
              case 2:
                dict.clear();
                break;
              default:
                dict.Set(0, 5);
                dict.Set(1, 5);
                break;
            }
          };
          for (int i = 0; i < n; ++i) dict.Set(i, Element(i, meddle));
          switch (operation) {
            case 0:
              dict.clear();
              break;
            case 1:
              dict.erase(0);
              break;
            case 2:
              dict.Set(0, 7);
              break;
            default:
              for (int i = 0; i < n; ++i) dict.Set(i, i);
              break;
          }
          for (const auto& kv : dict) EXPECT_EQ(dict.count(kv.first), 1u);
          for (int round = 0; !dict.empty() && round < 100; ++round) dict.clear();
          EXPECT_TRUE(dict.empty());
        }
        Ids all = TakeReleased();
        std::sort(all.begin(), all.end());
        Ids expected;
        for (int i = 0; i < n; ++i) expected.push_back(i);
        EXPECT_EQ(all, expected) << n << " operation " << operation << " meddling " << meddling;
      }
    }
  }
}

/* ---------------------------------------------------------------- hooks */

// Hooks that change the dict during a lookup: the lookup may return a result or fail, but not
// crash.
TEST(DictHooks, HooksMayChangeTheDict) {
  for (int n : {2, 3, 4, 5, 7, 15, 40}) {
    for (int meddling = 0; meddling < 4; ++meddling) {
      for (int at = 1; at < 30; ++at) {
        Dict<Any, Any> dict;
        for (int i = 0; i < n; ++i) dict.Set(hooked::Key(i, static_cast<uint64_t>(i % 3)), i);
        int count = 0;
        hooked::on_call = [&] {
          if (++count != at) return;
          auto resume = std::exchange(hooked::on_call, nullptr);
          switch (meddling) {
            case 0:
              dict.clear();
              break;
            case 1:
              for (int k = 0; k < 50; ++k) dict.Set(k, 1);
              break;
            case 2:
              dict.erase(dict.empty() ? Any(0) : (*dict.begin()).first);
              break;
            default: {
              // The size and the storage stay the same, but one key is replaced.
              Any first = dict.empty() ? Any(0) : (*dict.begin()).first;
              dict.erase(first);
              dict.Set(hooked::Key(500, 2), 1);
              break;
            }
          }
        };
        try {
          if (at % 3 == 0) {
            dict.Set(hooked::Key(n + 1, 1), 7);
          } else if (at % 3 == 1) {
            dict.erase(hooked::Key(n - 1, static_cast<uint64_t>((n - 1) % 3)));
          } else {
            dict.count(hooked::Key(n - 1, static_cast<uint64_t>((n - 1) % 3)));
          }
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), "RuntimeError");
          EXPECT_EQ(error.message(),
                    "The map was changed by a hook that hashes or compares its keys");
        }
        hooked::on_call = nullptr;
        size_t seen = 0;
        for (const auto& kv : dict) {
          (void)kv;
          ++seen;
        }
        EXPECT_EQ(seen, dict.size());
        dict.Set("still usable", 1);
        EXPECT_EQ(dict.count("still usable"), 1u);
      }
    }
  }
}

}  // namespace

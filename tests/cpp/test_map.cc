// SPDX-License-Identifier: Apache-2.0
// Test Map: construction, lookup, order, copy-on-write, conversion, errors, hooks of key types.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>

#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caught.h"
#include "container_probe.h"
#include "hooked_key.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using probe::Element;
using probe::TakeReleased;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

template <typename K, typename V>
std::vector<std::pair<K, V>> Items(const Map<K, V>& map) {
  std::vector<std::pair<K, V>> items;
  for (const auto& kv : map) items.push_back(kv);
  return items;
}

std::vector<int64_t> Keys(const Map<int64_t, int64_t>& map) {
  std::vector<int64_t> keys;
  for (const auto& kv : map) keys.push_back(kv.first);
  return keys;
}

template <typename T, typename = void>
constexpr bool can_be_key = false;
template <typename T>
constexpr bool can_be_key<T, std::void_t<Map<T, Any>>> = true;

// spec: J01
TEST(Map, GrowsFromNothingThroughBothLayouts) {
  Map<int64_t, int64_t> map;
  EXPECT_TRUE(map.defined());
  EXPECT_EQ(map.type_index(), 72);
  for (int64_t i = 0; i <= 5; ++i) {
    EXPECT_EQ(map.size(), static_cast<size_t>(i));
    EXPECT_EQ(map.empty(), i == 0);
    for (int64_t k = 0; k <= 5; ++k) EXPECT_EQ(map.count(k), k < i ? 1u : 0u);
    map.Set(i, i * 10);
    for (int64_t k = 0; k <= i; ++k) EXPECT_EQ(map.at(k), k * 10);
  }
  EXPECT_EQ(Keys(map), (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
}

// spec: J01
TEST(Map, ManyEntriesWithDeletions) {
  Map<int64_t, int64_t> map;
  constexpr int64_t kCount = 120000;
  for (int64_t i = 0; i < kCount; ++i) map.Set(i * 7919, i);
  EXPECT_EQ(map.size(), static_cast<size_t>(kCount));
  for (int64_t i = 0; i < kCount; i += 3) map.erase(i * 7919);
  EXPECT_EQ(map.size(), static_cast<size_t>(kCount - kCount / 3));
  for (int64_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(map.count(i * 7919), i % 3 == 0 ? 0u : 1u);
    if (i % 3 != 0) {
      ASSERT_EQ(map[i * 7919], i);
    }
  }
  int64_t last = -1;
  for (const auto& kv : map) {
    ASSERT_LT(last, kv.second);
    last = kv.second;
  }
}

// spec: J02
TEST(Map, OrderIsInsertionOrder) {
  for (int64_t n : {3, 8}) {
    Map<int64_t, int64_t> map;
    for (int64_t i = 0; i < n; ++i) map.Set(i, i);
    map.erase(0);
    map.Set(0, 5);  // an erased key that is inserted again moves to the end
    EXPECT_EQ(Keys(map).back(), 0);
    // an overwritten key stays in its place in a small map, but moves to the end of a dense map
    map.Set(1, 7);
    EXPECT_EQ(map.at(1), 7);
    EXPECT_EQ(n == 3 ? Keys(map).front() : Keys(map).back(), 1);
  }
}

// spec: J03
TEST(Map, MissingKeys) {
  for (int64_t n : {0, 3, 8}) {
    Map<int64_t, int64_t> map;
    for (int64_t i = 0; i < n; ++i) map.Set(i, i);
    std::string text =
        "key is not in Map: a Map with " + std::to_string(n) + " keys does not contain 100";
    EXPECT_ERROR(map.at(100), "KeyError", text);
    EXPECT_ERROR(map[100], "KeyError", text);
    EXPECT_FALSE(map.Get(100).has_value());
    EXPECT_EQ(map.count(100), 0u);
    EXPECT_TRUE(map.find(100) == map.end());
    map.erase(100);
    EXPECT_EQ(map.size(), static_cast<size_t>(n));
    EXPECT_EQ(map.Get(0).has_value(), n > 0);
  }
}

// spec: J04
TEST(Map, KeysOfManyTypes) {
  sample::Int object(1);
  ObjectRef same = object;
  std::vector<Any> keys{Any(1),
                        Any(1.0),
                        Any(true),
                        Any(nullptr),
                        Any(String("short")),
                        Any(String("a string that is longer")),
                        Any(Bytes("short", 5)),
                        Any(Bytes("a string that is longer", 23)),
                        Any(object),
                        Any(sample::Int(1)),
                        Any(DLDataType{kDLInt, 1, 1}),
                        Any(DLDevice{kDLCPU, 1}),
                        Any(0.0),
                        Any(-0.0),
                        Any(std::numeric_limits<double>::quiet_NaN())};
  Map<Any, int64_t> map;
  for (size_t i = 0; i < keys.size(); ++i) map.Set(keys[i], static_cast<int64_t>(i));
  EXPECT_EQ(map.size(), keys.size());
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(map.at(keys[i]), static_cast<int64_t>(i));
  // The key in the map is an inline string; the equal string here is on the heap.
  EXPECT_EQ(map.at(Any(String(std::string("short")))), 4);
  EXPECT_EQ(map.at(same), 8);
  EXPECT_EQ(map.at(Any(std::numeric_limits<double>::quiet_NaN())), 14);
}

TEST(Map, TypedKeysAreLookedUpWithoutCopies) {
  sample::Int key(1);
  Map<sample::Int, int64_t> map{{key, 5}};
  EXPECT_EQ(key.use_count(), 2);
  EXPECT_EQ(map.at(key), 5);
  EXPECT_EQ(map.count(key), 1u);
  EXPECT_TRUE(map.find(key) != map.end());
  EXPECT_EQ(map.Get(key), 5);
  EXPECT_EQ(map.count(sample::Int(1)), 0u);
  EXPECT_EQ(key.use_count(), 2);
  Map<ObjectPtr<sample::IntObj>, int64_t> pointers;
  pointers.Set(nullptr, 3);
  EXPECT_EQ(pointers.at(nullptr), 3);
  Map<Array<int64_t>, int64_t> arrays;
  Array<int64_t> array{1};
  arrays.Set(array, 4);
  EXPECT_EQ(arrays.at(array), 4);
}

// spec: J06
TEST(Map, DuplicateKeysInConstructors) {
  Map<int64_t, int64_t> few{{1, 1}, {2, 2}, {1, 5}};
  EXPECT_EQ(Items(few), (Pairs{{1, 5}, {2, 2}}));
  Map<int64_t, int64_t> many{{1, 1}, {2, 2}, {1, 5}, {3, 3}};
  EXPECT_EQ(Items(many), (Pairs{{2, 2}, {1, 5}, {3, 3}}));
}

// spec: J10
TEST(Map, ConstructorsFromRanges) {
  Pairs pairs{{1, 10}, {2, 20}, {3, 30}, {4, 40}, {5, 50}};
  EXPECT_EQ(Items(Map<int64_t, int64_t>(pairs.begin(), pairs.end())), pairs);
  EXPECT_EQ(Items(Map<int64_t, int64_t>(pairs.begin(), pairs.begin() + 2)),
            (Pairs{{1, 10}, {2, 20}}));
  EXPECT_TRUE((Map<int64_t, int64_t>(pairs.begin(), pairs.begin()).empty()));
  EXPECT_ERROR((Map<int64_t, int64_t>(pairs.end(), pairs.begin())), "ValueError",
               "cannot construct a map from a range of negative size");
  struct OddHash {
    size_t operator()(const int64_t& key) const { return static_cast<size_t>(key) % 3; }
  };
  std::unordered_map<int64_t, int64_t, OddHash> standard(pairs.begin(), pairs.end());
  Map<int64_t, int64_t> from_standard(standard);
  EXPECT_EQ(from_standard.size(), 5u);
  EXPECT_EQ(from_standard.at(4), 40);
  // Keys and values are first converted to K and V, and then stored.
  std::vector<std::pair<const char*, int>> loose{{"a", 1}, {"b", 2}};
  Map<String, double> typed(loose.begin(), loose.end());
  EXPECT_EQ(typed.at("b"), 2.0);
  EXPECT_TRUE((Any(typed).as<Map<String, double>>().has_value()));
}

// spec: J05, J09
TEST(Map, WritingASharedOneLeavesTheOtherAlone) {
  for (int64_t n : {3, 8}) {
    Map<int64_t, int64_t> original;
    for (int64_t i = 0; i < n; ++i) original.Set(i, i);
    Pairs before = Items(original);
    auto check = [&](auto write) {
      Map<int64_t, int64_t> map = original;
      write(map);
      EXPECT_NE(Items(map), before);
      EXPECT_EQ(Items(original), before);
      EXPECT_EQ(original.use_count(), 1);
    };
    check([](auto& m) { m.Set(100, 1); });
    check([](auto& m) { m.Set(0, 9); });
    check([](auto& m) { m.erase(0); });
    check([](auto& m) { m.clear(); });
    check([](auto& m) { m.CopyOnWrite()->erase(Any(1)); });
  }
  Map<int64_t, int64_t> unique{{1, 1}, {2, 2}};
  const void* address = unique.get();
  unique.Set(1, 5);
  EXPECT_EQ(unique.get(), address);
}

TEST(Map, AWeakReferenceMakesItShared) {
  Map<int64_t, int64_t> map{{1, 1}};
  WeakObjectPtr<Object> weak(details::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(map));
  const void* before = map.get();
  map.Set(1, 2);
  EXPECT_NE(map.get(), before);
  EXPECT_TRUE(weak.expired());
}

TEST(Map, NullReadsAsEmptyAndIsMadeAnew) {
  Map<int64_t, int64_t> source{{1, 1}};
  Map<int64_t, int64_t> map = std::move(source);
  EXPECT_FALSE(source.defined());  // NOLINT(bugprone-use-after-move): that is the subject
  EXPECT_EQ(source.size(), 0u);
  EXPECT_EQ(source.count(1), 0u);
  EXPECT_TRUE(source.begin() == source.end());
  EXPECT_TRUE(source.find(1) == source.end());
  EXPECT_FALSE(source.Get(1).has_value());
  EXPECT_ERROR(source.at(1), "KeyError",
               "key is not in Map: the reference is empty, it was moved from");
  source.erase(1);
  source.clear();
  EXPECT_FALSE(source.defined());
  source.Set(2, 3);
  EXPECT_EQ(source.at(2), 3);
  EXPECT_ERROR((Map<int64_t, int64_t>(ObjectPtr<Object>(nullptr))), "InternalError",
               "Check not null: data_.get() ");
  EXPECT_EQ(make_object<MapObj>()->size(), 0u);
}

// spec: J08
TEST(Map, IteratorsAreBidirectional) {
  EXPECT_TRUE((std::is_default_constructible_v<Map<int, int>::iterator>));
  EXPECT_EQ(sizeof(Map<int, int>::iterator), 16u);
  for (int64_t n : {0, 3, 8}) {
    Map<int64_t, int64_t> map;
    for (int64_t i = 0; i < n; ++i) map.Set(i, i);
    EXPECT_EQ(std::distance(map.begin(), map.end()), n);
    int64_t expected = n;
    for (auto it = map.end(); it != map.begin();) EXPECT_EQ((*--it).first, --expected);
    EXPECT_EQ(expected, 0);
    auto it = map.begin();
    if (n > 0) {
      EXPECT_EQ((*it++).first, 0);
      EXPECT_EQ((*it--).first, 1);
    }
    EXPECT_TRUE(it == map.begin());
    EXPECT_TRUE(map.end() == map.end());
  }
}

TEST(Map, ErasingWhileIterating) {
  for (int64_t n : {4, 40}) {
    Map<int64_t, int64_t> map;
    for (int64_t i = 0; i < n; ++i) map.Set(i, i);
    MapObj* object = map.CopyOnWrite();
    for (auto it = object->begin(); it != object->end();) {
      auto here = it++;
      if (here->first.cast<int64_t>() % 2 == 0) object->erase(here);
    }
    EXPECT_EQ(map.size(), static_cast<size_t>(n / 2));
    auto gone = object->begin();
    object->erase(object->end());
    EXPECT_EQ(map.size(), static_cast<size_t>(n / 2));
    EXPECT_ERROR(object->erase(MapObj::iterator()), "ValueError",
                 "The position to erase is not in this map");
    object->clear();
    object->erase(gone);
    EXPECT_TRUE(map.empty());
  }
}

TEST(Map, ObjectLevelAccess) {
  Map<Any, Any> map{{"a", 1}};
  MapObj* object = map.CopyOnWrite();
  object->at(Any("a")) = 2;
  EXPECT_EQ(map.at("a").cast<int>(), 2);
  EXPECT_EQ(object->count(Any("b")), 0u);
  EXPECT_ERROR(object->at(Any("b")), "KeyError",
               "key is not in Map: a Map with 1 key does not contain 'b'");
  object->find(Any("a"))->second = 3;
  EXPECT_EQ(map.at("a").cast<int>(), 3);
  object->erase(Any("a"));
  object->erase(Any("a"));
  EXPECT_TRUE(map.empty());
}

// spec: J10, J11
TEST(Map, MergeAndShallowCopy) {
  Map<int64_t, int64_t> lhs{{1, 1}, {2, 2}}, rhs{{2, 20}, {3, 30}};
  EXPECT_EQ(Items(Merge(lhs, rhs)), (Pairs{{1, 1}, {2, 20}, {3, 30}}));
  EXPECT_EQ(Items(lhs), (Pairs{{1, 1}, {2, 2}}));
  Element value(7);
  for (int n : {2, 9}) {
    Map<int64_t, Element> map;
    for (int i = 0; i < n; ++i) map.Set(i, value);
    Map<int64_t, Element> copy(MapObj::ShallowCopy(map.CopyOnWrite()));
    EXPECT_FALSE(copy.same_as(map));
    EXPECT_EQ(value.use_count(), 1 + 2 * n);
    copy.erase(0);
    EXPECT_EQ(map.size(), static_cast<size_t>(n));
    EXPECT_EQ(copy.type_index(), 72);
  }
}

// spec: J10
TEST(Map, UpcastsNamesAndSchema) {
  Map<String, sample::Int> map{{"a", sample::Int(1)}};
  Map<String, ObjectRef> refs = map;
  Map<Any, Any> anys = refs;
  EXPECT_TRUE(anys.same_as(map));
  EXPECT_FALSE((std::is_convertible_v<Map<Any, Any>, Map<String, Any>>));
  EXPECT_EQ((details::Type2Str<Map<String, Array<int>>>::v()), "Map<str, Array<int>>");
  EXPECT_EQ((details::TypeSchema<Map<String, Any>>::v()),
            R"({"type":"ffi.Map","args":[{"type":"ffi.String"},{"type":"Any"}]})");
  EXPECT_EQ((TypeTraits<Map<Any, Any>>::field_static_type_index), 64);
  EXPECT_FALSE(can_be_key<std::string>);
  EXPECT_TRUE(can_be_key<String>);
}

// spec: J07
TEST(Map, Conversion) {
  Map<Any, Any> map{{"a", 1}};
  EXPECT_TRUE((Any(map).cast<Map<String, int64_t>>().same_as(map)));
  Map<String, double> converted = Any(map).cast<Map<String, double>>();
  EXPECT_FALSE(converted.same_as(map));
  EXPECT_EQ(converted.at("a"), 1.0);
  Dict<Any, Any> dict{{"a", 1}};
  Map<String, int64_t> copied = Any(dict).cast<Map<String, int64_t>>();
  dict.Set("b", 2);
  EXPECT_EQ(copied.size(), 1u);
  EXPECT_TRUE((Any(Dict<Any, Any>()).cast<Map<Any, Any>>().empty()));
  EXPECT_TRUE((Any(Map<Any, Any>()).as<Map<String, String>>().has_value()));
  EXPECT_FALSE((Any(dict).as<Map<Any, Any>>().has_value()));
  EXPECT_ERROR(
      (Any(Map<Any, Any>{{"a", 1.5}}).cast<Map<String, int64_t>>()), "TypeError",
      "Cannot convert from type `Map[K, some value is float at key \"a\"]` to `Map<str, int>`");
  EXPECT_ERROR((Any(Map<Any, Any>{{2, 1}}).cast<Map<String, int64_t>>()), "TypeError",
               "Cannot convert from type `Map[some key is int, V]` to `Map<str, int>`");
  EXPECT_ERROR((Any(Dict<Any, Any>{{2, 1}}).cast<Map<String, int64_t>>()), "TypeError",
               "Cannot convert from type `Map[some key is int, V]` to `Map<str, int>`");
  EXPECT_ERROR(
      (Any(Map<Any, Any>{{"a", true}}).as_or_throw<Map<String, int64_t>>()), "TypeError",
      "Cannot treat type `Map[K, some value is bool at key \"a\"]` as type `Map<str, int>`");
  EXPECT_ERROR((Any(Array<Any>()).cast<Map<Any, Any>>()), "TypeError",
               "Cannot convert from type `ffi.Array` to `Map<Any, Any>`");
}

/* ---------------------------------------------------------------- keys with hooks */

// spec: J12
TEST(MapHooks, AllKeysInOneChain) {
  Map<Any, int64_t> map;
  for (int i = 0; i < 300; ++i) map.Set(hooked::Key(i, 42), i);
  EXPECT_EQ(map.size(), 300u);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(map.at(hooked::Key(i, 42)), i);
  for (int i = 0; i < 300; i += 2) map.erase(hooked::Key(i, 42));
  for (int i = 0; i < 300; ++i) EXPECT_EQ(map.count(hooked::Key(i, 42)), i % 2 == 0 ? 0u : 1u);
}

TEST(MapHooks, AnErrorLeavesTheMapAsItWas) {
  // Let the hooks fail in the first, second, ... call, while an insertion makes the map grow.
  for (int64_t n : {2, 4, 7, 15}) {
    Map<Any, int64_t> map;
    for (int i = 0; i < n; ++i) map.Set(hooked::Key(i, static_cast<uint64_t>(i % 3)), i);
    std::vector<std::pair<Any, int64_t>> before = Items(map);
    int failures = 0;
    for (int at = 1; at < 1000; ++at) {
      hooked::FailAtCall fail(at);
      try {
        map.Set(hooked::Key(100, 1), 7);
        break;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), "ValueError");
        ++failures;
      }
      auto now = Items(map);
      ASSERT_EQ(now.size(), before.size());
      for (size_t i = 0; i < now.size(); ++i) {
        EXPECT_TRUE(now[i].first.same_as(before[i].first));
        EXPECT_EQ(now[i].second, before[i].second);
      }
    }
    EXPECT_GT(failures, 1);
    EXPECT_EQ(map.size(), static_cast<size_t>(n + 1));
    EXPECT_EQ(map.at(hooked::Key(100, 1)), 7);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(map.at(hooked::Key(i, static_cast<uint64_t>(i % 3))), i);
    }
  }
}

TEST(MapHooks, AKeyWhoseHashChangedDoesNoHarm) {
  Map<Any, int64_t> map;
  std::vector<hooked::Key> keys;
  for (int i = 0; i < 14; ++i) keys.push_back(hooked::Key(i, static_cast<uint64_t>(i % 4)));
  for (int i = 0; i < 14; ++i) map.Set(keys[static_cast<size_t>(i)], i);
  for (auto& key : keys) key->hash += 1000003;
  for (int i = 0; i < 200; ++i) map.Set(hooked::Key(1000 + i, static_cast<uint64_t>(i % 5)), i);
  for (auto it = map.CopyOnWrite()->begin(); map.size() > 3; it = map.CopyOnWrite()->begin()) {
    map.CopyOnWrite()->erase(it);
  }
  EXPECT_EQ(map.size(), 3u);
}

}  // namespace

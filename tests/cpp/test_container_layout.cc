// SPDX-License-Identifier: Apache-2.0
// Test containers as raw memory: golden vectors, capacities, and a Dict whose pairs are stored in
// another object.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/structural_hash.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "container_probe.h"
#include "container_vectors.h"
#include "raw_map.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using probe::Element;
using probe::KeyText;
using probe::Raw;
using probe::TakeReleased;
using raw::CheckDense;
using raw::RawMap;

void CheckAgainst(const golden::MapLayout& want, const ObjectRef& ref) {
  SCOPED_TRACE(want.label);
  RawMap map(ref.get());
  EXPECT_EQ(ref.type_index(), want.type_index);
  EXPECT_EQ(map.size, want.size);
  EXPECT_EQ(map.slots, want.slots_raw);
  EXPECT_EQ(map.deleter == nullptr, want.data_deleter_null);
  if (want.data_offset >= 0) {
    EXPECT_EQ(map.data - reinterpret_cast<const char*>(map.object), want.data_offset);
  }
  std::vector<std::string> order;
  for (uint64_t slot : map.Order()) order.push_back(KeyText(map.Key(slot)));
  EXPECT_EQ(order, want.order);
  if (want.meta.empty()) return;
  CheckDense(map);
  EXPECT_EQ(map.shift, want.fib_shift);
  EXPECT_EQ(static_cast<int64_t>(map.head), want.head);
  EXPECT_EQ(static_cast<int64_t>(map.tail), want.tail);
  // `want.meta` has one metadata byte for each slot; the metadata bytes behind them are 0xff.
  EXPECT_EQ(map.MetaHex().substr(0, want.meta.size()), want.meta);
  for (const golden::Slot& slot : want.slots) {
    EXPECT_EQ(KeyText(map.Key(slot.slot)), slot.key);
    EXPECT_EQ(static_cast<int64_t>(map.Prev(slot.slot)), slot.prev);
    EXPECT_EQ(static_cast<int64_t>(map.Next(slot.slot)), slot.next);
  }
}

/* ---------------------------------------------------------------- golden vectors */

// spec: A05
TEST(ContainerLayout, ObjectSizes) {
  EXPECT_EQ(sizeof(SeqBaseObj), 56u);
  EXPECT_EQ(sizeof(ArrayObj), 56u);
  EXPECT_EQ(sizeof(ListObj), 56u);
  EXPECT_EQ(sizeof(MapBaseObj), 56u);
  EXPECT_EQ(sizeof(MapObj), 56u);
  EXPECT_EQ(sizeof(DictObj), 56u);
  EXPECT_EQ(sizeof(SmallMapBaseObj), 56u);
  EXPECT_EQ(sizeof(DenseMapBaseObj), 80u);
  EXPECT_EQ(sizeof(MapBaseObj::iterator), 16u);
  EXPECT_EQ(sizeof(Variant<int, String>), 16u);
  EXPECT_EQ((sizeof(Tuple<int, String>)), 8u);
}

TEST(ContainerLayout, ProbeDistances) {
  ASSERT_EQ(golden::kProbeDistance.size(), size_t{details::kDenseMapNumDistances});
  for (size_t i = 0; i < golden::kProbeDistance.size(); ++i) {
    EXPECT_EQ(details::kDenseMapDistance[i], golden::kProbeDistance[i]);
  }
}

// spec: Z1
TEST(ContainerLayout, MapSnapshots) {
  const auto& want = golden::kMapLayouts;
  ASSERT_EQ(want.size(), 26u);
  size_t next = 0;
  auto set_ints = [](int64_t n) {
    Map<Any, Any> map;
    for (int64_t i = 0; i < n; ++i) map.Set(i, i);
    return map;
  };
  for (int64_t n : {0, 1, 2, 3, 4, 5, 8, 9, 16, 17}) CheckAgainst(want[next++], set_ints(n));
  Map<Any, Any> map = set_ints(20);
  CheckAgainst(want[next++], map);
  map.erase(3);
  CheckAgainst(want[next++], map);
  map.Set(0, 100);
  CheckAgainst(want[next++], map);
  map.Set(100, 1);
  CheckAgainst(want[next++], map);

  Map<Any, Any> texts;
  for (char c = 'a'; c <= 'h'; ++c) texts.Set(String(std::string(1, c)), 1);
  CheckAgainst(want[next++], texts);
  for (int i = 0; i < 8; ++i) texts.Set(String("longer_key_" + std::to_string(i)), 1);
  CheckAgainst(want[next++], texts);
  texts.erase(String("c"));
  texts.erase(String("longer_key_2"));
  CheckAgainst(want[next++], texts);

  Map<Any, Any> few = set_ints(3);
  few.erase(0);
  CheckAgainst(want[next++], few);
  few.Set(1, 5);
  CheckAgainst(want[next++], few);
  for (int64_t n : {3, 4, 10}) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (int64_t i = 0; i < n; ++i) pairs.emplace_back(i, i);
    CheckAgainst(want[next++], Map<Any, Any>(pairs.begin(), pairs.end()));
  }

  Dict<Any, Any> dict;
  for (int64_t i = 0; i < 4; ++i) dict.Set(i, i);
  CheckAgainst(want[next++], dict);
  dict.Set(4, 4);
  CheckAgainst(want[next++], dict);
  for (int64_t i = 5; i < 9; ++i) dict.Set(i, i);
  CheckAgainst(want[next++], dict);
  dict.clear();
  CheckAgainst(want[next++], dict);
  EXPECT_EQ(next, want.size());
}

/*! \brief Return the value that a golden hash vector names; nullopt if this test cannot make it. */
std::optional<Any> ParseKey(const std::string& text) {
  auto rest = [&](const char* prefix) -> std::optional<std::string> {
    size_t n = std::strlen(prefix);
    if (text.compare(0, n, prefix) != 0) return std::nullopt;
    return text.substr(n);
  };
  auto bits = [](uint64_t payload) {
    double value;
    std::memcpy(&value, &payload, sizeof(value));
    return Any(value);
  };
  if (text == "None") return Any(nullptr);
  if (auto t = rest("int:")) return Any(static_cast<int64_t>(std::stoll(*t)));
  if (auto t = rest("bool:")) return Any(*t == "true");
  if (text == "float:qNaN(0x7ff8000000000000)") return bits(0x7ff8000000000000u);
  if (text == "float:NaN(0x7ff8000000000001)") return bits(0x7ff8000000000001u);
  if (auto t = rest("float:")) return Any(std::stod(*t));
  if (text == "str:bytes ff fe (2 bytes)") return Any(String("\xff\xfe", 2));
  if (auto t = rest("str:utf8 ")) return Any(String(t->data(), t->size()));
  if (auto t = rest("str:")) return Any(String(t->data(), t->size()));
  if (auto t = rest("heapstr:")) return Any(String(std::string(*t)));
  if (auto t = rest("bytes:")) return Any(Bytes(t->data(), t->size()));
  if (text == "dtype:int32x1") return Any(DLDataType{kDLInt, 32, 1});
  if (text == "dtype:float32x4") return Any(DLDataType{kDLFloat, 32, 4});
  if (text == "dtype:bfloat16") return Any(DLDataType{kDLBfloat, 16, 1});
  if (text == "device:cpu:0") return Any(DLDevice{kDLCPU, 0});
  if (text == "device:cuda:1") return Any(DLDevice{kDLCUDA, 1});
  if (text == "void*:null") return Any(static_cast<void*>(nullptr));
  if (text == "void*:0x1234") return Any(reinterpret_cast<void*>(uintptr_t{0x1234}));
  if (text == "Unchanged") {
    TVMFFIAny raw{};
    raw.type_index = TypeIndex::kTVMFFIUnchanged;
    return details::AnyUnsafe::MoveTVMFFIAnyRawToAny(raw);
  }
  if (auto t = rest("BigInt:")) {
    std::vector<int64_t> words;
    if (*t == "2^63") words = {std::numeric_limits<int64_t>::min(), 0};
    if (*t == "2^64") words = {0, 1};
    if (*t == "-2^63-1") words = {std::numeric_limits<int64_t>::max(), -1};
    if (*t == "2^252") words = {0, 0, 0, int64_t{1} << 60};
    TVMFFIByteArray bytes{reinterpret_cast<const char*>(words.data()), words.size() * 8};
    TVMFFIAny raw{};
    if (words.empty() || TVMFFIBigIntFromByteArray(&bytes, &raw) != 0) return std::nullopt;
    return details::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
  }
  return std::nullopt;
}

void CheckKeyHashes(bool big_ints) {
  int checked = 0;
  for (const golden::KeyHash& want : golden::kKeyHashes) {
    if ((want.type_index == TypeIndex::kTVMFFIBigInt) != big_ints) continue;
    SCOPED_TRACE(want.key);
    std::optional<Any> key = ParseKey(want.key);
    ASSERT_TRUE(key.has_value());
    EXPECT_EQ(key->type_index(), want.type_index);
    EXPECT_EQ(AnyHash()(*key), want.hash);
    EXPECT_EQ(StructuralHash::Hash(*key), want.structural_hash);
    EXPECT_TRUE(AnyEqual()(*key, *ParseKey(want.key)));
    ++checked;
  }
  EXPECT_EQ(checked, big_ints ? 4 : 49);
}

// spec: Z1
TEST(ContainerLayout, KeyHashes) { CheckKeyHashes(false); }

TEST(ContainerLayout, KeyHashesOfBigInts) { CheckKeyHashes(true); }

// spec: I04, Z1
TEST(ContainerLayout, CapacityTrace) {
  size_t next = 0;
  auto step = [&](const char* name, const auto& sequence) {
    ASSERT_LT(next, golden::kCapacities.size());
    const golden::Capacity& want = golden::kCapacities[next++];
    EXPECT_EQ(want.step, name);
    EXPECT_EQ(static_cast<int64_t>(sequence.size()), want.size) << name;
    EXPECT_EQ(static_cast<int64_t>(sequence.capacity()), want.capacity) << name;
  };
  Array<int64_t> array;
  step("Array()", array);
  for (int64_t i = 0; i < 9; ++i) {
    array.push_back(i);
    step(("Array push " + std::to_string(i)).c_str(), array);
  }
  array.erase(array.begin());
  step("erase", array);
  Array<int64_t> three{1, 2, 3};
  step("Array{1,2,3}", three);
  three.reserve(7);
  step("reserve 7", three);
  Array<int64_t> copy = three;
  copy.push_back(4);
  step("COW copy push", copy);
  three.resize(6);
  three = Array<int64_t>{1, 2, 3, 4};
  three.resize(6);
  step("resize 6", three);
  Array<int64_t> none{std::vector<int64_t>()};
  step("Array(empty vector)", none);
  for (int64_t i = 0; i < 3; ++i) {
    none.push_back(i);
    step("push", none);
  }
  List<int64_t> list;
  step("List()", list);
  for (int64_t i = 0; i < 9; ++i) {
    list.push_back(i);
    step(("List push " + std::to_string(i)).c_str(), list);
  }
  step("List{1,2,3}", List<int64_t>{1, 2, 3});
  EXPECT_EQ(next, golden::kCapacities.size());
}

TEST(ContainerLayout, SequenceCells) {
  Array<int64_t> array{7, 8};
  const char* object = reinterpret_cast<const char*>(array.get());
  EXPECT_EQ(Raw<const char*>(object, 24), object + 56);
  EXPECT_EQ(Raw<int64_t>(object, 32), 2);
  EXPECT_EQ(Raw<int64_t>(object, 40), 2);
  EXPECT_EQ(Raw<void*>(object, 48), nullptr);
  EXPECT_EQ(Raw<int64_t>(object, 56 + 16 + 8), 8);
  List<int64_t> list{7, 8};
  object = reinterpret_cast<const char*>(list.get());
  EXPECT_EQ(Raw<int64_t>(object, 32), 2);
  EXPECT_EQ(Raw<int64_t>(object, 40), 4);
  EXPECT_NE(Raw<void*>(object, 48), nullptr);
  EXPECT_EQ(Raw<int64_t>(Raw<const char*>(object, 24), 16 + 8), 8);
  EXPECT_NE(Raw<void*>(List<int64_t>().get(), 48), nullptr);
  EXPECT_EQ(Raw<void*>(List<int64_t>().get(), 24), nullptr);
  Tuple<int64_t, String> tuple(1, "a");
  EXPECT_EQ(Raw<int64_t>(Any(tuple).as<ArrayObj>(), 40), 2);
}

TEST(ContainerLayout, AForeignBufferIsFreedByItsDeleter) {
  static int freed;
  freed = 0;
  List<int64_t> list;
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(
      reinterpret_cast<char*>(const_cast<ListObj*>(list.GetListObj())) + 24);
  cell->data_deleter = [](void* data) {
    ++freed;
    ::operator delete(data);
  };
  for (int64_t i = 0; i < 9; ++i) list.push_back(i);  // grows at 1, 2, 3, 5 and 9
  EXPECT_EQ(freed, 5);
  list = List<int64_t>();
  EXPECT_EQ(freed, 6);
}

/* ----------------------------------------------------- growth of shared and unshared containers */

template <typename Seq, typename Write>
int64_t CapacityAfter(int sharing, Write write) {
  Seq seq{1, 2, 3, 4, 5};
  seq.reserve(6);
  Seq other(UnsafeInit{});
  WeakObjectPtr<Object> weak;
  if (sharing == 1) other = seq;
  if (sharing == 2) {
    weak = WeakObjectPtr<Object>(details::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(seq));
  }
  const void* before = seq.get();
  write(seq);
  if (std::is_same_v<Seq, List<int64_t>>) {
    EXPECT_EQ(seq.get(), before);
  } else if (sharing != 0) {
    EXPECT_NE(seq.get(), before);
  }
  return static_cast<int64_t>(seq.capacity());
}

// spec: I04, Z2
TEST(ContainerLayout, CapacityRulesUniqueSharedAndWeak) {
  using A = Array<int64_t>;
  using L = List<int64_t>;
  std::vector<int64_t> two{8, 9}, twenty(20, 1);
  for (int sharing : {0, 1, 2}) {
    SCOPED_TRACE(sharing);
    auto both = [&](int64_t want, auto write) {
      EXPECT_EQ(CapacityAfter<A>(sharing, write), want);
      EXPECT_EQ(CapacityAfter<L>(sharing, write), want);
    };
    both(6, [](auto& s) { s.push_back(1); });
    both(12, [](auto& s) {
      s.push_back(1);
      s.push_back(1);
    });
    both(12, [&](auto& s) { s.insert(s.begin(), two.begin(), two.end()); });
    both(25, [&](auto& s) { s.insert(s.begin(), twenty.begin(), twenty.end()); });
    both(12, [](auto& s) { s.resize(7); });
    both(30, [](auto& s) { s.resize(30); });
    both(40, [](auto& s) { s.reserve(40); });
    both(6, [](auto& s) { s.resize(1); });
    both(6, [](auto& s) { s.pop_back(); });
    both(6, [](auto& s) { s.erase(s.begin()); });
    both(6, [](auto& s) { s.clear(); });
    both(6, [](auto& s) { s.Set(0, 9); });
    both(20, [&](auto& s) { s.Assign(twenty.begin(), twenty.end()); });
  }
}

/* ---------------------------------------------- a Dict whose pairs are stored in another object */

// spec: Z4
TEST(DictStorage, PairsInAnotherObjectAreKeptAliveAndFreed) {
  TakeReleased();
  std::vector<int> ids;
  {
    Dict<Any, Any> dict;
    const Object* address = dict.get();
    for (int i = 0; i < 3; ++i) dict.Set(i, Element(i));
    RawMap raw(address);
    EXPECT_EQ(raw.slots, 0x8000000000000004u);
    EXPECT_NE(raw.deleter, nullptr);
    EXPECT_NE(raw.data, reinterpret_cast<const char*>(address) + 56);
    // The pairs begin 56 bytes after the beginning of the object that owns them.
    EXPECT_EQ(Raw<uint64_t>(raw.data - 56, 0), 0x100000001u);
    EXPECT_EQ(dict.at(2).cast<Element>()->id, 2);
    dict.Set(3, Element(3));
    dict.erase(1);
    dict.Set(4, Element(4));
    EXPECT_TRUE(RawMap(address).small());
    EXPECT_EQ(RawMap(address).data, raw.data);
    dict.Set(5, Element(5));  // from small, with pairs in another object, to dense
    EXPECT_EQ(dict.get(), address);
    CheckDense(RawMap(address));
    for (int i = 6; i < 40; ++i) dict.Set(i, Element(i));  // from dense to dense
    EXPECT_EQ(dict.get(), address);
    CheckDense(RawMap(address));
    EXPECT_EQ(TakeReleased(), std::vector<int>{1});
  }
  EXPECT_EQ(TakeReleased().size(), 39u);
}

// spec: Z4
TEST(DictStorage, SmallInPlaceToDense) {
  Dict<Any, Any> source{{0, 0}, {1, 1}, {2, 2}};  // capacity 3, pairs inside the Dict object
  const Object* address = source.get();
  EXPECT_EQ(RawMap(address).deleter, nullptr);
  source.Set(3, 3);  // the dict grows and stays small; another object now stores the pairs
  EXPECT_NE(RawMap(address).deleter, nullptr);
  // the dict is full, so even an existing key makes it dense, and the key moves to the end
  source.Set(0, 7);
  RawMap raw(address);
  CheckDense(raw);
  EXPECT_EQ(raw.size, 4u);
  EXPECT_EQ(raw.slots, 8u);
  EXPECT_EQ(raw.Key(raw.tail).cast<int64_t>(), 0);
  EXPECT_EQ(source.at(0).cast<int64_t>(), 7);
}

TEST(DictStorage, ASmallDictDestroyedWithForeignPairs) {
  TakeReleased();
  {
    Dict<Any, Any> dict;
    for (int i = 0; i < 4; ++i) dict.Set(i, Element(i));
    dict.clear();
    EXPECT_EQ(TakeReleased(), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(RawMap(dict.get()).slots, 0x8000000000000004u);
    dict.Set(9, Element(9));
  }
  EXPECT_EQ(TakeReleased(), std::vector<int>{9});
}

}  // namespace

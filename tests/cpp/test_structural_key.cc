// SPDX-License-Identifier: Apache-2.0
// Test keys that are compared by structure.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/structural_key.h>
#include <tvm/ffi/tvm_ffi.h>

#include <string>
#include <unordered_map>

#include "caught.h"
#include "structural_objects.h"

namespace {

using namespace structural_objects;  // NOLINT(build/namespaces)

StructuralKey Key(Any value) { return StructuralKey(std::move(value)); }

TEST(StructuralKey, HoldsTheValueAndItsHash) {
  Array<Any> value{1, Tree(2)};
  StructuralKey key(value);
  EXPECT_TRUE(key->key.same_as(value));
  EXPECT_EQ(static_cast<uint64_t>(key->hash_i64), StructuralHash::Hash(value));
  EXPECT_EQ(std::hash<StructuralKey>()(key), StructuralHash::Hash(value));
}

TEST(StructuralKey, IsEqualByStructure) {
  EXPECT_TRUE(Key(Tree(1)) == Key(Tree(1)));
  EXPECT_FALSE(Key(Tree(1)) != Key(Tree(1)));
  EXPECT_TRUE(Key(Tree(1)) != Key(Tree(2)));
  StructuralKey key(Var(1));
  EXPECT_TRUE(key == key);
  EXPECT_TRUE(key == Key(key->key));
  EXPECT_FALSE(key == Key(Var(1)));
}

// Keys with the same hash are still compared by their values; the test sets the hash to 7.
TEST(StructuralKey, ComparesTheValuesWhenTheHashesAreEqual) {
  Function make = Function::GetGlobalRequired("ffi.MakeObjectFromPackedArgs");
  auto forged = [&](Any value) {
    return make("ffi.StructuralKey", "key", value, "hash_i64", 7).cast<StructuralKey>();
  };
  EXPECT_TRUE(forged(Tree(1)) == forged(Tree(1)));
  EXPECT_FALSE(forged(Tree(1)) == forged(Tree(2)));
  EXPECT_FALSE(forged(Tree(1)) == Key(Tree(1)));
}

// spec: P08
TEST(StructuralKey, IsAKeyOfUnorderedMaps) {
  std::unordered_map<StructuralKey, int> map;
  map[Key(Array<Any>{1})] = 1;
  map[Key(Array<Any>{2})] = 2;
  map[Key(Array<Any>{1})] = 3;
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map[Key(Array<Any>{1})], 3);
}

// spec: P08
TEST(StructuralKey, IsAKeyOfMapsAndDicts) {
  Map<Any, Any> map;
  Dict<StructuralKey, int> dict;
  for (int i = 0; i < 20; ++i) {
    map.Set(Key(Tree(i)), i);
    dict.Set(Key(Tree(i)), i);
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(map[Key(Tree(i))].cast<int>(), i);
    EXPECT_EQ(dict[Key(Tree(i))], i);
  }
  map.Set(Key(Tree(3)), 33);
  EXPECT_EQ(map.size(), 20u);
  EXPECT_EQ(map.count(Key(Tree(20))), 0u);
  EXPECT_EQ(map.count(Tree(3)), 0u);
}

// To find a StructuralKey in a map, structural equality compares the values inside the keys.
TEST(StructuralKey, KeysOfMapsAreMatchedByStructure) {
  Map<Any, Any> lhs{{Key(Tree(1)), Array<Any>{1}}}, rhs{{Key(Tree(1)), Array<Any>{1}}};
  EXPECT_TRUE(StructuralEqual::Equal(lhs, rhs));
  rhs = Map<Any, Any>{{Key(Tree(1)), Array<Any>{2}}};
  EXPECT_FALSE(StructuralEqual::Equal(lhs, rhs));
  auto paths = StructuralEqual::GetFirstMismatch(lhs, Map<Any, Any>{{Key(Tree(2)), 1}});
  ASSERT_TRUE(paths.has_value());
  EXPECT_EQ((*(*paths).get<1>()->step)->kind, refl::AccessKind::kMapItemMissing);
}

TEST(StructuralKey, RefusesWhatHasNoHash) {
  EXPECT_TRUE(contains(ErrorOf([] { Key(Unsupported(1)); }), "TypeError: _type_s_eq_hash_kind"));
  // Structural hash does not support StructuralKey itself.
  EXPECT_TRUE(contains(ErrorOf([] { StructuralHash::Hash(Key(1)); }), "`ffi.StructuralKey`"));
}

TEST(StructuralKey, ErrorsOfTheComparisonComeThroughMaps) {
  hash_hook() = [](const Any&, int64_t init, const Hash&) { return init; };
  compare_hook() = [](const Any&, const Any&, const Compare&) -> bool {
    TVM_FFI_THROW(KeyError) << "from the hook";
    return true;
  };
  Map<Any, Any> map{{Key(Hooked(1)), 1}};
  EXPECT_EQ(ErrorOf([&] { map.count(Key(Hooked(1))); }), "KeyError: from the hook");
}

TEST(StructuralKey, GlobalFunctions) {
  Function make = Function::GetGlobalRequired("ffi.StructuralKey");
  Function equal = Function::GetGlobalRequired("ffi.StructuralKeyEqual");
  EXPECT_TRUE(equal(make(Tree(1)), make(Tree(1))).cast<bool>());
  EXPECT_FALSE(equal(make(Tree(1)), make(Tree(2))).cast<bool>());
  EXPECT_TRUE(contains(ErrorOf([&] { equal(1, make(1)); }), "TypeError"));
}

TEST(StructuralKey, FieldsAndAttributesAreRegistered) {
  int32_t index = StructuralKeyObj::RuntimeTypeIndex();
  EXPECT_EQ(refl::GetFieldInfo("ffi.StructuralKey", "key")->offset, 24);
  EXPECT_EQ(refl::GetFieldInfo("ffi.StructuralKey", "hash_i64")->offset, 40);
  EXPECT_EQ(sizeof(StructuralKeyObj), 48u);
  const TVMFFITypeMetadata* metadata = TVMFFIGetTypeInfo(index)->metadata;
  EXPECT_EQ(metadata->structural_eq_hash_kind, kTVMFFISEqHashKindUnsupported);
  EXPECT_NE(metadata->creator, nullptr);
  EXPECT_EQ(refl::TypeAttrColumn("__any_hash__")[index].type_index(), kTVMFFIOpaquePtr);
  EXPECT_EQ(refl::TypeAttrColumn("__any_equal__")[index].type_index(), kTVMFFIOpaquePtr);
  Function init = refl::GetMethod("ffi.StructuralKey", "__ffi_init__");
  EXPECT_TRUE(init(Tree(1)).cast<StructuralKey>() == Key(Tree(1)));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Test Variant: construction from alternatives only, reading, conversion order, use as a key.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/variant.h>

#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "caught.h"
#include "container_probe.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;  // NOLINT

// spec: K03
TEST(Variant, OnlyFromAlternatives) {
  using V = Variant<int64_t, String>;
  EXPECT_TRUE((std::is_constructible_v<V, int64_t>));
  EXPECT_TRUE((std::is_constructible_v<V, String>));
  EXPECT_FALSE((std::is_constructible_v<V, const char*>));
  EXPECT_FALSE((std::is_constructible_v<V, double>));
  EXPECT_FALSE((std::is_default_constructible_v<V>));
  EXPECT_FALSE((std::is_base_of_v<ObjectRef, V>));
  EXPECT_TRUE(V::variant_contains_v<String>);
  EXPECT_FALSE(V::variant_contains_v<double>);
  EXPECT_EQ(sizeof(V), 16u);
  using Refs = Variant<ObjectRef, int64_t>;
  EXPECT_TRUE((std::is_constructible_v<Refs, sample::Int>));  // an Int is an ObjectRef
}

// spec: K03
TEST(Variant, AsAndGet) {
  Variant<int64_t, String, sample::Int> variant(int64_t{1});
  EXPECT_EQ(variant.as<int64_t>(), 1);
  EXPECT_FALSE(variant.as<String>().has_value());
  EXPECT_EQ(variant.get<int64_t>(), 1);
  EXPECT_EQ(variant.GetTypeKey(), "int");
  EXPECT_ERROR(variant.get<String>(), "TypeError", "Cannot convert from type `int` to `str`");
  variant = String("text");
  EXPECT_EQ(variant.get<String>(), "text");
  sample::Int object(7);
  variant = object;
  EXPECT_EQ(variant.as<sample::IntObj>()->value, 7);
  EXPECT_EQ(object.use_count(), 2);
  sample::Int moved = std::move(variant).get<sample::Int>();
  EXPECT_EQ(object.use_count(), 2);
  EXPECT_TRUE(moved.same_as(object));
  Variant<int64_t, double> number(int64_t{3});
  EXPECT_EQ(number.get<double>(), 3.0);  // converts the stored int64_t
}

TEST(Variant, SameAs) {
  sample::Int object(1);
  using V = Variant<sample::Int, int64_t>;
  EXPECT_TRUE(V(object).same_as(V(object)));
  EXPECT_FALSE(V(object).same_as(V(sample::Int(1))));
  EXPECT_TRUE(V(int64_t{2}).same_as(V(int64_t{2})));
}

// spec: K03
TEST(Variant, ConversionOrder) {
  using V = Variant<double, int64_t>;
  // An alternative of exactly the given type is used before the first alternative that converts.
  EXPECT_TRUE(Any(1).cast<V>().as<int64_t>().has_value());
  V from_bool = Any(true).cast<V>();
  EXPECT_TRUE(from_bool.as<double>().has_value());
  EXPECT_EQ((Any(true).cast<Variant<String, int64_t, double>>().GetTypeKey()), "int");
  EXPECT_ERROR((Any("x").cast<V>()), "TypeError",
               "Cannot convert from type `ffi.SmallStr` to `Variant<float, int>`");
  EXPECT_FALSE(Any(true).as<V>().has_value());
  EXPECT_TRUE((Any(nullptr).cast<Variant<Any, int64_t>>().GetTypeKey() == "None"));
}

// spec: K03
TEST(Variant, UpcastAndContainers) {
  EXPECT_TRUE((type_subsumes_v<Variant<ObjectRef, int64_t>, sample::Int>));
  EXPECT_FALSE((type_subsumes_v<Variant<String, int64_t>, double>));
  Array<int64_t> ints{1, 2};
  Array<Variant<int64_t, String>> variants = ints;
  EXPECT_TRUE(variants.same_as(ints));
  variants.push_back(String("x"));
  EXPECT_EQ(variants[2].get<String>(), "x");
  Map<String, Variant<int64_t, String>> map{{"a", int64_t{1}}};
  EXPECT_EQ(map.at("a").get<int64_t>(), 1);
  Array<Any> anys{1, "x", 2.5};
  EXPECT_FALSE((Any(anys).try_cast<Array<Variant<int64_t, String>>>().has_value()));
}

// spec: C24, K04
TEST(Variant, RefsAsKeysByIdentity) {
  using V = Variant<sample::Int, sample::Float>;
  sample::Int one(1);
  std::unordered_map<V, int, ObjectPtrHash, ObjectPtrEqual> map;
  map[V(one)] = 5;
  map[V(sample::Float(1))] = 6;
  EXPECT_EQ(map.at(V(one)), 5);
  EXPECT_EQ(map.count(V(sample::Int(1))), 0u);
  EXPECT_EQ(map.size(), 2u);
}

TEST(Variant, NamesAndSchema) {
  EXPECT_EQ((details::Type2Str<Variant<int, Array<String>>>::v()), "Variant<int, Array<str>>");
  EXPECT_EQ((details::TypeSchema<Variant<int, String>>::v()),
            R"({"type":"Variant","args":[{"type":"int"},{"type":"ffi.String"}]})");
  EXPECT_EQ((TypeTraits<Variant<int, String>>::field_static_type_index), -1);
}

}  // namespace

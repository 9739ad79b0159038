// SPDX-License-Identifier: Apache-2.0
// Test Tuple: construction, moving elements out of a unique tuple, copy-on-write, conversion.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/tuple.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "caught.h"
#include "container_probe.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using probe::Element;
using probe::TakeReleased;

// spec: K01
TEST(Tuple, DefaultsAndArguments) {
  Tuple<int64_t, String> empty;
  EXPECT_EQ(empty.get<0>(), 0);
  EXPECT_EQ(empty.get<1>(), "");
  Tuple<int64_t, double, Any> tuple(1, 2, "three");
  EXPECT_EQ(tuple.get<0>(), 1);
  EXPECT_EQ(tuple.get<1>(), 2.0);
  EXPECT_EQ(tuple.get<2>().cast<String>(), "three");
  EXPECT_EQ(tuple.type_index(), 71);
  EXPECT_EQ(Any(tuple).as<ArrayObj>()->capacity(), 3u);
  EXPECT_EQ(Any(Tuple<>()).as<ArrayObj>()->size(), 0u);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Tuple<int>>);
  EXPECT_FALSE((std::is_constructible_v<Tuple<int, int>, int>));
}

// spec: K01
TEST(Tuple, DeductionAndStructuredBindings) {
  const int one = 1;
  String text("a");
  Tuple tuple{one, text, 2.5};
  EXPECT_TRUE((std::is_same_v<decltype(tuple), Tuple<int, String, double>>));
  auto [first, second, third] = tuple;
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, "a");
  EXPECT_EQ(third, 2.5);
  EXPECT_EQ(get<1>(tuple), "a");
  EXPECT_EQ((std::tuple_size<Tuple<int, String>>::value), 2u);
  EXPECT_TRUE((std::is_same_v<std::tuple_element_t<1, Tuple<int, String>>, String>));
}

// spec: K01
TEST(Tuple, ATupleOfOneTuple) {
  Tuple<int> inner(1);
  Tuple<Tuple<int>> outer(inner);
  EXPECT_FALSE(outer.same_as(inner));
  EXPECT_TRUE(outer.get<0>().same_as(inner));
  Tuple<Tuple<int>> copy(outer);
  EXPECT_TRUE(copy.same_as(outer));
  Tuple<Tuple<int>> moved(std::move(copy));
  EXPECT_TRUE(moved.same_as(outer));
  Tuple<Any> any(inner);  // every Tuple<int> is a Tuple<Any>
  EXPECT_TRUE(any.same_as(inner));
}

// spec: K01
TEST(Tuple, MovingOutOfAUniqueOne) {
  TakeReleased();
  Tuple<Element, int> tuple(Element(1), 2);
  Tuple<Element, int> other = tuple;
  Element copied = std::move(tuple).get<0>();
  EXPECT_EQ(copied.use_count(), 2);
  EXPECT_TRUE(tuple.get<0>().same_as(copied));  // NOLINT(bugprone-use-after-move)
  other = Tuple<Element, int>(Element(5), 6);
  copied = Element();
  Element moved = std::move(tuple).get<0>();
  EXPECT_TRUE(moved.unique());
  Element through_function = get<0>(std::move(other));
  EXPECT_TRUE(through_function.unique());
}

// spec: K01
TEST(Tuple, SetCopiesASharedOne) {
  Tuple<int64_t, String> tuple(1, "a");
  const void* before = probe::AddressOf(tuple);
  tuple.Set<0>(2);
  EXPECT_EQ(probe::AddressOf(tuple), before);
  Tuple<int64_t, String> other = tuple;
  tuple.Set<1>("b");
  EXPECT_EQ(other.get<1>(), "a");
  EXPECT_EQ(tuple.get<1>(), "b");
  EXPECT_EQ(tuple.get<0>(), 2);
}

TEST(Tuple, ReleasesWhatItReplaces) {
  TakeReleased();
  {
    Tuple<Element, Element> tuple(Element(1), Element(2));
    tuple.Set<0>(Element(3));
    EXPECT_EQ(TakeReleased(), std::vector<int>{1});
  }
  EXPECT_EQ(TakeReleased(), (std::vector<int>{3, 2}));
}

TEST(Tuple, Upcasts) {
  Tuple<sample::Int, String> tuple(sample::Int(1), "a");
  Tuple<ObjectRef, Any> up = tuple;
  EXPECT_TRUE(up.same_as(tuple));
  up = Tuple<sample::Float, int>(sample::Float(2), 3);
  EXPECT_EQ(up.get<1>().cast<int>(), 3);
  EXPECT_TRUE((type_subsumes_v<Tuple<Any, Any>, Tuple<int, String>>));
  EXPECT_FALSE((type_subsumes_v<Tuple<int, Any>, Tuple<Any, int>>));
  EXPECT_FALSE((type_subsumes_v<Tuple<Any>, Tuple<int, int>>));
  EXPECT_FALSE((std::is_convertible_v<Tuple<Any>, Tuple<int>>));
}

// spec: K02
TEST(Tuple, Conversion) {
  Array<Any> array{1, "a"};
  EXPECT_TRUE((Any(array).cast<Tuple<int64_t, String>>().same_as(array)));
  EXPECT_TRUE((Any(array).as<Tuple<int64_t, String>>()->same_as(array)));
  Tuple<double, String> converted = Any(array).cast<Tuple<double, String>>();
  EXPECT_FALSE(converted.same_as(array));
  EXPECT_EQ(converted.get<0>(), 1.0);
  EXPECT_FALSE((Any(array).as<Tuple<double, String>>().has_value()));
  EXPECT_ERROR((Any(array).cast<Tuple<int64_t>>()), "TypeError",
               "Cannot convert from type `Array[size=2]` to `Tuple<int>`");
  EXPECT_ERROR((Any(array).cast<Tuple<int64_t, int64_t>>()), "TypeError",
               "Cannot convert from type `Array[index 1: ffi.SmallStr]` to `Tuple<int, int>`");
  EXPECT_ERROR((Any(List<Any>{1, 2}).cast<Tuple<int64_t, int64_t>>()), "TypeError",
               "Cannot convert from type `ffi.List` to `Tuple<int, int>`");
  EXPECT_ERROR((Any(Array<Any>{true, 2}).as_or_throw<Tuple<int64_t, int64_t>>()), "TypeError",
               "Cannot treat type `Array[index 0: bool]` as type `Tuple<int, int>`");
  EXPECT_ERROR((Any(nullptr).cast<Tuple<int64_t>>()), "TypeError",
               "Cannot convert from type `None` to `Tuple<int>`");
}

TEST(Tuple, NamesAndSchema) {
  EXPECT_EQ((details::Type2Str<Tuple<int, Array<String>>>::v()), "Tuple<int, Array<str>>");
  EXPECT_EQ((details::TypeSchema<Tuple<int, String>>::v()),
            R"({"type":"Tuple","args":[{"type":"int"},{"type":"ffi.String"}]})");
  EXPECT_EQ((TypeTraits<Tuple<int>>::field_static_type_index), 64);
  EXPECT_ERROR(Tuple<int>(ObjectPtr<ArrayObj>(nullptr)), "InternalError",
               "Check not null: data_.get() ");
}

}  // namespace

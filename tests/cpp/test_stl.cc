// SPDX-License-Identifier: Apache-2.0
// Test types of the standard library as arguments and results.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using sample::Int;
using sample::IntObj;

template <typename T>
T Cast(const Any& value) {
  return value.cast<T>();
}

/*! \brief Return the message of the failed conversion of a value to T. */
template <typename T>
std::string Refusal(const Any& value) {
  try {
    value.cast<T>();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    return error.message();
  }
  return "accepted";
}

std::string CannotConvert(const std::string& from, const std::string& to) {
  return "Cannot convert from type `" + from + "` to `" + to + "`";
}

template <typename T>
void ExpectNames(const std::string& type, const std::string& schema, bool is_storable) {
  EXPECT_EQ(TypeTraits<T>::TypeStr(), type);
  EXPECT_EQ(TypeTraits<T>::TypeSchema(), schema);
  EXPECT_EQ(TypeTraits<T>::storage_enabled, is_storable);
}

TEST(Stl, Names) {
  ExpectNames<std::vector<int>>("std::vector<int>",
                                R"({"type":"std::vector","args":[{"type":"int"}]})", false);
  ExpectNames<std::array<double, 3>>("std::array<float, 3>",
                                     R"({"type":"std::array","args":[{"type":"float"},3]})", false);
  ExpectNames<std::tuple<int, String>>(
      "std::tuple<int, str>",
      R"({"type":"std::tuple","args":[{"type":"int"}, {"type":"ffi.String"}]})", false);
  ExpectNames<std::pair<int, String>>(
      "std::pair<int, str>",
      R"({"type":"std::tuple","args":[{"type":"int"}, {"type":"ffi.String"}]})", false);
  ExpectNames<std::map<String, int>>(
      "std::map<str, int>", R"({"type":"std::map","args":[{"type":"ffi.String"},{"type":"int"}]})",
      false);
  ExpectNames<std::unordered_map<String, std::vector<int>>>(
      "std::unordered_map<str, std::vector<int>>",
      R"({"type":"std::unordered_map","args":[{"type":"ffi.String"},)"
      R"({"type":"std::vector","args":[{"type":"int"}]}]})",
      false);
  ExpectNames<std::optional<int>>("std::optional<int>",
                                  R"({"type":"std::optional","args":[{"type":"int"}]})", true);
  ExpectNames<std::variant<int, String>>(
      "std::variant<int, str>",
      R"({"type":"std::variant","args":[{"type":"int"}, {"type":"ffi.String"}]})", true);
  ExpectNames<std::function<int(double, String)>>(
      "std::function<int(float, str)>",
      R"({"type":"std::function","named_args":{"return":[{"type":"int"}],)"
      R"("params":[{"type":"float"}, {"type":"ffi.String"}]}})",
      false);
  ExpectNames<std::function<void()>>(
      "std::function<void()>",
      R"({"type":"std::function","named_args":{"return":[{"type":"None"}],"params":[]}})", false);
}

// spec: R07
TEST(Stl, VectorOfArrayOrList) {
  std::vector<int> numbers = {1, 2, 3};
  Any value = numbers;
  EXPECT_EQ(value.type_index(), kTVMFFIArray);
  EXPECT_EQ(Cast<std::vector<int>>(value), numbers);
  EXPECT_EQ(Cast<std::vector<double>>(List<int>{1, 2}), (std::vector<double>{1, 2}));
  EXPECT_EQ(Cast<std::vector<bool>>(std::vector<bool>{true, false}),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(Cast<std::vector<std::string>>(Array<String>{"a", "a longer text"}),
            (std::vector<std::string>{"a", "a longer text"}));
  EXPECT_EQ(Cast<std::vector<Any>>(Array<Any>{1, "x"}).size(), 2u);
  EXPECT_TRUE(Cast<std::vector<int>>(Array<int>()).empty());
  EXPECT_EQ(Refusal<std::vector<int>>(Array<Any>{1, "x"}),
            CannotConvert("Array[index 1: ffi.SmallStr]", "std::vector<int>"));
  EXPECT_EQ(Refusal<std::vector<int>>(nullptr), CannotConvert("None", "std::vector<int>"));
}

// spec: R07
TEST(Stl, ArrayAndTupleOfAnArrayOfThatSize) {
  std::array<int, 2> pair = {1, 2};
  EXPECT_EQ((Cast<std::array<int, 2>>(pair)), pair);
  EXPECT_EQ((Refusal<std::array<int, 2>>(Array<int>{1})),
            CannotConvert("Array[size=1]", "std::array<int, 2>"));
  EXPECT_EQ((Refusal<std::array<int, 2>>(List<int>{1, 2})),
            CannotConvert("ffi.List", "std::array<int, 2>"));
  EXPECT_EQ((Refusal<std::array<int, 1>>(Array<Any>{"x"})),
            CannotConvert("Array[index 0: ffi.SmallStr]", "std::array<int, 1>"));
  EXPECT_EQ((Cast<std::array<int, 0>>(Array<int>()).size()), 0u);
  // The elements have no default constructor.
  EXPECT_EQ((Cast<std::array<Arc<IntObj>, 1>>(Array<Any>{Int(5)})[0]->value), 5);

  std::tuple<int, String> mixed(1, "x");
  Any value = mixed;
  EXPECT_EQ(value.type_index(), kTVMFFIArray);
  EXPECT_EQ((Cast<std::tuple<int, String>>(value)), mixed);
  EXPECT_EQ((std::get<0>(Cast<std::tuple<double, Any>>(value))), 1.0);
  EXPECT_EQ((Refusal<std::tuple<int, int>>(Array<int>{1, 2, 3})),
            CannotConvert("Array[size=3]", "std::tuple<int, int>"));
  EXPECT_EQ((Refusal<std::tuple<int, int>>(List<int>{1, 2})),
            CannotConvert("ffi.List", "std::tuple<int, int>"));
  EXPECT_EQ((Refusal<std::tuple<int, int>>(value)),
            CannotConvert("Array[index 1: ffi.SmallStr]", "std::tuple<int, int>"));
}

// spec: R07
TEST(Stl, MapsOfMap) {
  std::map<std::string, int> ordered = {{"a", 1}, {"b", 2}};
  Any value = ordered;
  EXPECT_EQ(value.type_index(), kTVMFFIMap);
  EXPECT_EQ((Cast<std::map<std::string, int>>(value)), ordered);
  std::unordered_map<String, double> hashed = {{"a", 1}, {"b", 2}};
  EXPECT_EQ((Cast<std::unordered_map<String, double>>(value)), hashed);
  EXPECT_EQ((Cast<std::map<String, Any>>(Any(hashed)).size()), 2u);
  EXPECT_EQ((Refusal<std::map<String, int>>(Dict<String, int>{{"a", 1}})),
            CannotConvert("ffi.Dict", "std::map<str, int>"));
  EXPECT_EQ((Refusal<std::map<String, int>>(Map<String, Any>{{"a", "x"}})),
            CannotConvert("Map[K, some value is ffi.SmallStr at key \"a\"]", "std::map<str, int>"));
  EXPECT_EQ((Refusal<std::map<int, int>>(Map<String, int>{{"a", 1}})),
            CannotConvert("Map[some key is ffi.SmallStr, V]", "std::map<int, int>"));
  // The conversion makes the keys 1 and true equal; the first entry is kept.
  auto first = Cast<std::map<int, int>>(Map<Any, int>{{1, 10}, {true, 20}});
  EXPECT_EQ(first, (std::map<int, int>{{1, 10}}));
}

// spec: R07
TEST(Stl, OptionalIsNoneOrTheValue) {
  EXPECT_EQ(Any(std::optional<int>()), nullptr);
  EXPECT_EQ(Any(std::optional<int>(3)).type_index(), kTVMFFIInt);
  EXPECT_EQ(Cast<std::optional<int>>(nullptr), std::nullopt);
  EXPECT_EQ(Cast<std::optional<int>>(3), 3);
  EXPECT_EQ(Cast<std::optional<double>>(3), 3.0);
  EXPECT_EQ(Refusal<std::optional<int>>("x"), CannotConvert("ffi.SmallStr", "std::optional<int>"));
  // The inner optional is empty, but the outer one has a value.
  std::optional<std::optional<int>> none = Any().as<std::optional<int>>();
  ASSERT_TRUE(none.has_value());
  EXPECT_FALSE(none->has_value());
  EXPECT_FALSE(Any("x").as<std::optional<int>>().has_value());
}

// spec: R07
TEST(Stl, VariantIsTheFirstAlternativeThatConverts) {
  using IntOrText = std::variant<int, String>;
  EXPECT_EQ(Any(IntOrText(3)).type_index(), kTVMFFIInt);
  EXPECT_EQ(Any(IntOrText(String("a longer text"))).type_index(), kTVMFFIStr);
  EXPECT_EQ(std::get<String>(Cast<IntOrText>("x")), "x");
  EXPECT_EQ(std::get<int>(Cast<IntOrText>(true)), 1);
  EXPECT_EQ((Cast<std::variant<double, int>>(1).index()), 0u);
  EXPECT_EQ((Cast<std::variant<std::vector<int>, int>>(Array<int>{1}).index()), 0u);
  EXPECT_EQ(Refusal<IntOrText>(1.5), CannotConvert("float", "std::variant<int, str>"));
  // With `as`, the alternative must have the stored type.
  EXPECT_EQ((Any(1).as<std::variant<double, int>>()->index()), 1u);
}

// spec: R07
TEST(Stl, FunctionBothWays) {
  std::function<int(int)> add = [](int x) { return x + 1; };
  Any value = add;
  EXPECT_EQ(value.type_index(), kTVMFFIFunction);
  EXPECT_EQ(value.cast<Function>()(3).cast<int>(), 4);
  EXPECT_EQ(Cast<std::function<int(int)>>(value)(3), 4);
  EXPECT_EQ(Refusal<std::function<void()>>(1.5), CannotConvert("float", "std::function<void()>"));
  EXPECT_EQ(Any(std::function<int(int)>()), nullptr);
  EXPECT_FALSE(static_cast<bool>(Cast<std::function<void()>>(nullptr)));
  EXPECT_THROW(Cast<std::function<int(String)>>(value)("x"), Error);
}

TEST(Stl, ReferencesAreCountedOnce) {
  Int object(1);
  EXPECT_EQ(object.use_count(), 1u);
  {
    Any value = std::vector<Int>{object, object};
    EXPECT_EQ(object.use_count(), 3u);
    auto back = Cast<std::vector<Int>>(value);
    EXPECT_EQ(object.use_count(), 5u);
    EXPECT_TRUE(back[0].same_as(object));
    Any pair = std::make_tuple(object, std::optional<Int>(object));
    EXPECT_EQ(object.use_count(), 7u);
    Any choice = std::variant<int, Int>(object);
    EXPECT_EQ(object.use_count(), 8u);
    auto taken = std::move(choice).as_or_throw<std::variant<int, Int>>();
    EXPECT_EQ(object.use_count(), 8u);
    Any maybe = std::optional<Int>(object);
    auto moved = std::move(maybe).as_or_throw<std::optional<Int>>();
    EXPECT_EQ(object.use_count(), 9u);
    EXPECT_FALSE((value.try_cast<std::tuple<Int, int>>().has_value()));
    EXPECT_FALSE(value.try_cast<std::vector<int>>().has_value());
    EXPECT_EQ(object.use_count(), 9u);
  }
  EXPECT_EQ(object.use_count(), 1u);
}

TEST(Stl, ArgumentsAreHeldByTheCall) {
  Int object(1);
  Any kept;
  Function keep = Function::FromPacked([&](const AnyView* args, int32_t num_args, Any* result) {
    EXPECT_EQ(args[0].type_index(), kTVMFFIArray);
    kept = args[0];
    *result = num_args;
  });
  EXPECT_EQ(keep(std::vector<Int>{object}, 5).cast<int>(), 2);
  EXPECT_EQ(object.use_count(), 2u);
  EXPECT_EQ(kept.as<Object>()->use_count(), 1);
  kept = nullptr;
  EXPECT_EQ(object.use_count(), 1u);

  const std::vector<int> numbers = {1, 2, 3};
  Function size = Function::FromTyped([](const Array<int>& array) { return array.size(); });
  EXPECT_EQ(size(numbers).cast<int>(), 3);
  EXPECT_EQ(size.CallExpected<int>(numbers).value(), 3);
  TypedFunction<int(std::vector<int>)> typed = size;
  EXPECT_EQ(typed(numbers), 3);
  auto safe_call = [](void*, const TVMFFIAny* args, int32_t, TVMFFIAny* result) -> int {
    *result = args[0];
    return TVMFFIAnyViewToOwnedAny(args, result);
  };
  EXPECT_EQ(Function::InvokeExternC(nullptr, safe_call, numbers).cast<Array<int>>().size(), 3u);
  EXPECT_EQ(size(std::optional<std::vector<int>>(numbers)).cast<int>(), 3);
  EXPECT_EQ((size(std::variant<int, std::vector<int>>(numbers)).cast<int>()), 3);
  EXPECT_EQ(size(Optional<std::vector<int>>(numbers)).cast<int>(), 3);
}

TEST(Stl, AViewCannotOwn) {
  std::vector<int> numbers;
  try {
    AnyView view(numbers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "RuntimeError");
    EXPECT_EQ(error.message(),
              "An AnyView cannot own the value made of `std::vector<int>`; make an Any of it");
  }
  std::optional<String> text = String("a text that is borrowed");
  AnyView view(text);
  EXPECT_EQ(view.cast<String>(), text.value());
}

// spec: R07
TEST(Stl, NestedSignature) {
  using Table = std::map<std::string, int>;
  Function merge = Function::FromTyped(
      [](const std::vector<std::optional<Table>>& tables) {
        Table all;
        for (const auto& table : tables) {
          if (table.has_value()) all.insert(table->begin(), table->end());
        }
        return all;
      },
      "merge");
  std::vector<std::optional<Table>> tables = {Table{{"a", 1}}, std::nullopt, Table{{"b", 2}}};
  EXPECT_EQ(merge(tables).cast<Table>(), (Table{{"a", 1}, {"b", 2}}));
  try {
    merge(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        error.message(),
        "Mismatched type on argument #0 when calling: `merge(0: "
        "std::vector<std::optional<std::map<std::string, int>>>) -> std::map<std::string, int>`. "
        "Expected `std::vector<std::optional<std::map<std::string, int>>>` but got `int`");
  }
}

TEST(Stl, RefusalsNameTheElement) {
  auto message_of = [](const Function& function, const Any& argument) -> std::string {
    try {
      function(argument);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  Function sum = Function::FromTyped([](std::vector<int64_t> values) { return values.size(); });
  EXPECT_NE(
      message_of(sum, Array<Any>{1, String("a")}).find("but got `Array[index 1: ffi.SmallStr]`"),
      std::string::npos);
  EXPECT_NE(message_of(sum, List<Any>{String("a")}).find("but got `List[index 0: ffi.SmallStr]`"),
            std::string::npos);
  Function pair = Function::FromTyped([](std::array<int64_t, 2> values) { return values[0]; });
  EXPECT_NE(
      message_of(pair, Array<Any>{1, String("a")}).find("but got `Array[index 1: ffi.SmallStr]`"),
      std::string::npos);
  EXPECT_NE(message_of(pair, Array<Any>{1}).find("but got `Array[size=1]`"), std::string::npos);
  using Pairs = std::vector<std::optional<std::tuple<int, String>>>;
  EXPECT_EQ(Refusal<Pairs>(Array<Any>{nullptr, Array<Any>{1, 2}}),
            CannotConvert("Array[index 1: Array[index 1: int]]",
                          "std::vector<std::optional<std::tuple<int, str>>>"));
}

TEST(Stl, PairConvertsLikeATupleOfTwo) {
  std::pair<int, String> pair(1, "x");
  Any value = pair;
  EXPECT_EQ(value.type_index(), kTVMFFIArray);
  EXPECT_EQ((Cast<std::pair<int, String>>(value)), pair);
  EXPECT_EQ((Cast<std::tuple<int, String>>(value)), std::make_tuple(1, String("x")));
  EXPECT_EQ((Refusal<std::pair<int, int>>(value)),
            CannotConvert("Array[index 1: ffi.SmallStr]", "std::pair<int, int>"));
  EXPECT_EQ((Refusal<std::pair<int, int>>(Array<int>{1})),
            CannotConvert("Array[size=1]", "std::pair<int, int>"));
  Function swap = Function::FromTyped(
      [](std::pair<int, String> given) { return std::make_pair(given.second, given.first); });
  EXPECT_EQ((swap(pair).cast<std::pair<String, int>>()), std::make_pair(String("x"), 1));
  using Nested = std::map<String, std::vector<std::pair<int, std::optional<std::pair<int, int>>>>>;
  Nested nested = {{"a", {{1, std::nullopt}, {2, std::make_pair(3, 4)}}}};
  EXPECT_EQ(Cast<Nested>(Any(nested)), nested);
  using Choice = std::variant<int, std::pair<int, int>>;
  EXPECT_EQ(Cast<Choice>(Any(std::make_pair(1, 2))), Choice(std::make_pair(1, 2)));
  EXPECT_FALSE((Cast<Optional<std::pair<int, int>>>(nullptr).has_value()));
  EXPECT_EQ((Cast<Optional<std::pair<int, int>>>(Array<int>{1, 2}).value()), std::make_pair(1, 2));
}

TEST(Stl, OptionalAndVariantAsElements) {
  Array<std::optional<int>> array = {1, std::nullopt};
  EXPECT_EQ(array[0], 1);
  EXPECT_EQ(array[1], std::nullopt);
  Map<String, std::variant<int, String>> map = {{"a", 1}, {"b", String("x")}};
  EXPECT_EQ(std::get<int>(map["a"]), 1);
  EXPECT_EQ(std::get<String>(map["b"]), "x");
  EXPECT_EQ((Cast<Array<std::optional<int>>>(Array<Any>{nullptr, 2})[1]), 2);
}

}  // namespace

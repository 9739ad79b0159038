// SPDX-License-Identifier: Apache-2.0
// Test numbers of less than 64 bits: every conversion of a value out of range must throw an
// OverflowError that names the range and the position.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/big_int.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/reflection/registry.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

constexpr int64_t kWide = int64_t{1} << 40;
constexpr const char* kOverflow = "OverflowError";

enum class Tiny : int8_t { kOne = 1 };
enum Plain : uint16_t { kPlainOne = 1 };
enum class Flag : bool { kOff, kOn };

/*!
 * \brief Expect that all conversions to T accept `first` and `last`, and reject numbers outside of
 * this range.
 */
template <typename T>
void ExpectRange(int64_t first, int64_t last) {
  for (int64_t value : {first, last, int64_t{0}}) {
    EXPECT_EQ(static_cast<int64_t>(Any(value).cast<T>()), value);
    EXPECT_EQ(static_cast<int64_t>(*Any(value).as<T>()), value);
    EXPECT_EQ(static_cast<int64_t>(Any(value).as_or_throw<T>()), value);
  }
  for (int64_t value : {first - 1, last + 1, kWide, -kWide}) {
    EXPECT_FALSE(Any(value).as<T>().has_value()) << value;
    EXPECT_FALSE(Any(value).try_cast<T>().has_value()) << value;
    EXPECT_EQ(Caught([&] { Any(value).cast<T>(); }).kind(), kOverflow) << value;
    EXPECT_EQ(Caught([&] { AnyView(value).cast<T>(); }).kind(), kOverflow) << value;
    EXPECT_EQ(Caught([&] { Any(value).as_or_throw<T>(); }).kind(), kOverflow) << value;
  }
  EXPECT_EQ(static_cast<int64_t>(Any(true).cast<T>()), 1);
}

// spec: D02
TEST(IntRange, EveryNarrowTypeHasItsOwn) {
  ExpectRange<int8_t>(-128, 127);
  ExpectRange<uint8_t>(0, 255);
  ExpectRange<int16_t>(-32768, 32767);
  ExpectRange<uint16_t>(0, 65535);
  ExpectRange<int32_t>(INT32_MIN, INT32_MAX);
  ExpectRange<uint32_t>(0, UINT32_MAX);
  ExpectRange<char>(std::numeric_limits<char>::min(), std::numeric_limits<char>::max());
}

TEST(IntRange, EnumsHaveTheRangeOfTheirType) {
  ExpectRange<Tiny>(-128, 127);
  ExpectRange<Plain>(0, 65535);
  EXPECT_EQ(Any(1).cast<Flag>(), Flag::kOn);
  EXPECT_ERROR(Any(2).cast<Flag>(), kOverflow,
               "Cannot convert to `int`: integer 2 out of bool range [0, 1]");
}

// spec: D02
TEST(IntRange, SixtyFourBitsKeepTheBitPattern) {
  EXPECT_EQ(Any(-1).cast<uint64_t>(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(Any(-1).as<size_t>(), std::numeric_limits<size_t>::max());
  EXPECT_EQ(Any(INT64_MIN).cast<int64_t>(), INT64_MIN);
}

TEST(IntRange, TextsNameValueAndRange) {
  EXPECT_ERROR(Any(kWide).cast<int32_t>(), kOverflow,
               "Cannot convert to `int`: integer 1099511627776 out of int32 range [-2147483648, "
               "2147483647]");
  EXPECT_ERROR(Any(-1).as_or_throw<uint8_t>(), kOverflow,
               "Cannot treat as type `int`: integer -1 out of uint8 range [0, 255]");
  EXPECT_ERROR(Any("x").cast<int32_t>(), "TypeError",
               "Cannot convert from type `ffi.SmallStr` to `int`");
}

TEST(IntRange, BigIntsAreOutOfRangeOfEveryInteger) {
  Any big = BigInt(1e25);
  EXPECT_ERROR(big.cast<int32_t>(), kOverflow,
               "Cannot convert to `int`: integer of more than 64 bits out of int32 range "
               "[-2147483648, 2147483647]");
  EXPECT_ERROR(big.cast<uint64_t>(), kOverflow,
               "Cannot convert to `int`: integer of more than 64 bits out of int64 range "
               "[-9223372036854775808, 9223372036854775807], in which a uint64 is passed");
  EXPECT_EQ(Caught([&] { big.cast<int64_t>(); }).kind(), kOverflow);
  EXPECT_EQ(Caught([&] { big.cast<double>(); }).kind(), kOverflow);
}

// spec: D02
TEST(IntRange, ArgumentsAreNamedByNumber) {
  Function f = Function::FromTyped([](int64_t, int32_t x) { return x; }, "f");
  EXPECT_EQ(f(0, INT32_MAX).cast<int64_t>(), INT32_MAX);
  EXPECT_ERROR(f(0, kWide), kOverflow,
               "Value out of range on argument #1 when calling: `f(0: int, 1: int) -> int`. "
               "integer 1099511627776 out of int32 range [-2147483648, 2147483647]");
}

TEST(IntRange, OptionalsAndVariants) {
  EXPECT_EQ(Caught([] { Any(kWide).cast<Optional<int32_t>>(); }).kind(), kOverflow);
  EXPECT_FALSE(Any().cast<Optional<int32_t>>().has_value());
  using IntOrText = Variant<int32_t, String>;
  EXPECT_EQ(Caught([] { Any(kWide).cast<IntOrText>(); }).kind(), kOverflow);
  EXPECT_EQ(Any("x").cast<IntOrText>().get<String>(), "x");
  // A value out of range for one alternative may be accepted by another alternative.
  EXPECT_EQ((Any(300).cast<Variant<int8_t, int64_t>>().get<int64_t>()), 300);
  EXPECT_EQ((Any(300).cast<Variant<int8_t, double>>().get<double>()), 300.0);
  EXPECT_EQ(Caught([] { Any(kWide).cast<Expected<int32_t>>(); }).kind(), kOverflow);
  EXPECT_EQ(Caught([] { Any(kWide).cast<std::optional<int32_t>>(); }).kind(), kOverflow);
  EXPECT_EQ((std::get<int64_t>(Any(300).cast<std::variant<int8_t, int64_t>>())), 300);
}

TEST(IntRange, ElementsAreNamedByIndex) {
  Array<Any> array{1, 2, 300};
  constexpr const char* kText =
      "Cannot convert to `Array<int>`: index 2: integer 300 out of int8 range [-128, 127]";
  EXPECT_ERROR(Any(array).cast<Array<int8_t>>(), kOverflow, kText);
  EXPECT_FALSE(Any(array).as<Array<int8_t>>().has_value());
  EXPECT_FALSE(Any(array).try_cast<Array<int8_t>>().has_value());
  EXPECT_TRUE(Any(array).cast<Array<int16_t>>().same_as(array));
  EXPECT_ERROR(Any(Array<Any>{Array<Any>{5}, Array<Any>{6, -1}}).cast<Array<Array<uint8_t>>>(),
               kOverflow,
               "Cannot convert to `Array<Array<int>>`: index 1: index 1: integer -1 out of "
               "uint8 range [0, 255]");
  // The first element that does not convert determines the error.
  EXPECT_EQ(Caught([] { Any(Array<Any>{"x", 300}).cast<Array<int8_t>>(); }).kind(), "TypeError");
}

// spec: D02
TEST(IntRange, ElementsOfEveryContainer) {
  auto kind = [](auto&& read) { return Caught(read).kind(); };
  Array<Any> pair{1, 300};
  EXPECT_EQ(kind([&] { Any(List<Any>{300}).cast<List<int8_t>>(); }), kOverflow);
  EXPECT_EQ(kind([&] { Any(pair).cast<Tuple<int64_t, int8_t>>(); }), kOverflow);
  EXPECT_EQ(kind([&] { Any(pair).cast<std::vector<int8_t>>(); }), kOverflow);
  EXPECT_EQ(kind([&] { (void)Any(pair).cast<std::array<int8_t, 2>>(); }), kOverflow);
  EXPECT_EQ(kind([&] { Any(pair).cast<std::tuple<int64_t, int8_t>>(); }), kOverflow);
  Map<Any, Any> map{{300, 1}};
  EXPECT_EQ(kind([&] { Any(map).cast<Map<int8_t, int64_t>>(); }), kOverflow);
  EXPECT_EQ(kind([&] { Any(map).cast<Dict<int8_t, int64_t>>(); }), kOverflow);
  EXPECT_EQ(kind([&] { Any(map).cast<std::map<int8_t, int64_t>>(); }), kOverflow);
  EXPECT_ERROR((Any(Map<Any, Any>{{1, 300}}).cast<Map<int64_t, int8_t>>()), kOverflow,
               "Cannot convert to `Map<int, int>`: some value at key 1: integer 300 out "
               "of int8 range [-128, 127]");
}

TEST(IntRange, ElementsThatChangeLaterAreCheckedWhenRead) {
  List<int8_t> narrow{1, 2};
  Any(narrow).cast<List<Any>>().Set(1, 300);
  EXPECT_EQ(narrow[0], 1);
  EXPECT_ERROR(narrow[1], kOverflow, "integer 300 out of int8 range [-128, 127]");
}

// spec: D02
TEST(IntRange, ResultsOfCallbacks) {
  TypedFunction<int32_t()> callback = Function::FromTyped([]() { return kWide; });
  EXPECT_ERROR(callback(), kOverflow,
               "Cannot convert the result of a call to `int`: integer 1099511627776 out of int32 "
               "range [-2147483648, 2147483647]");
  Function f = Function::FromTyped([]() { return kWide; });
  EXPECT_EQ(f.CallExpected<int32_t>().error().kind(), kOverflow);
  EXPECT_EQ(f.CallExpected<int64_t>().value(), kWide);
  TypedFunction<int32_t()> text = Function::FromTyped([]() { return String("x"); });
  EXPECT_EQ(Caught([&] { text(); }).kind(), "TypeError");
}

class RangesObj : public Object {
 public:
  uint8_t small = 0;
  Array<int32_t> many;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.int_range.Ranges", RangesObj, Object);
};

// spec: D02
TEST(IntRange, FieldsAreNamed) {
  refl::ObjectDef<RangesObj>().def_rw("small", &RangesObj::small).def_rw("many", &RangesObj::many);
  ObjectPtr<RangesObj> object = make_object<RangesObj>();
  refl::FieldSetter set_small("test.int_range.Ranges", "small");
  set_small(object, 255);
  EXPECT_EQ(object->small, 255);
  EXPECT_ERROR(set_small(object, -1), kOverflow,
               "field `small`: Cannot convert to `int`: integer -1 out of uint8 range [0, 255]");
  EXPECT_EQ(object->small, 255);
  refl::FieldSetter set_many("test.int_range.Ranges", "many");
  EXPECT_ERROR(set_many(object, Array<Any>{kWide}), kOverflow,
               "field `many`: Cannot convert to `Array<int>`: index 0: integer 1099511627776 "
               "out of int32 range [-2147483648, 2147483647]");
  EXPECT_EQ(Caught([&] { set_small(object, "x"); }).kind(), "TypeError");
}

constexpr const char* kFloatRange = "out of float32 range [-3.40282347e+38, 3.40282347e+38]";

// A test for a fixed bug: a finite double became an infinite float.
// spec: D02
TEST(IntRange, FloatsOfLessThan64BitsAreChecked) {
  EXPECT_EQ(Any(0.1).cast<float>(), 0.1f);
  EXPECT_ERROR(Any(1e300).cast<float>(), kOverflow,
               std::string("Cannot convert to `float`: float 1e+300 ") + kFloatRange);
  EXPECT_ERROR(Any(-1e300).cast<float>(), kOverflow,
               std::string("Cannot convert to `float`: float -1e+300 ") + kFloatRange);
  EXPECT_EQ(Any(1e300).cast<double>(), 1e300);
  EXPECT_EQ(Any(1e300).as<float>(), std::nullopt);
  Function half = Function::FromTyped([](float x) { return x / 2; }, "half");
  EXPECT_ERROR(half(1e300), kOverflow,
               std::string("Value out of range on argument #0 when calling: "
                           "`half(0: float) -> float`. float 1e+300 ") +
                   kFloatRange);
  Function first = Function::FromTyped([](Array<float> x) { return x[0]; }, "first");
  EXPECT_ERROR(first(Array<Any>{1e300}), kOverflow,
               std::string("Value out of range on argument #0 when calling: "
                           "`first(0: Array<float>) -> float`. index 0: float 1e+300 ") +
                   kFloatRange);
}

// spec: D02
TEST(IntRange, FloatsAtTheEndOfTheRange) {
  double largest = FLT_MAX;
  EXPECT_EQ(Any(largest).cast<float>(), FLT_MAX);
  double midpoint = 3.4028235677973366e+38;
  EXPECT_EQ(Any(std::nextafter(midpoint, 0.0)).cast<float>(), FLT_MAX);
  EXPECT_EQ(Caught([&] { Any(midpoint).cast<float>(); }).kind(), "OverflowError");
  EXPECT_EQ(Any(HUGE_VAL).cast<float>(), HUGE_VALF);
  EXPECT_EQ(Any(-HUGE_VAL).cast<float>(), -HUGE_VALF);
  EXPECT_TRUE(std::isnan(Any(std::nan("")).cast<float>()));
  EXPECT_EQ(Any(1e-300).cast<float>(), 0.0f);
}

// An element that is replaced after the list was checked must be checked again.
TEST(IntRange, FloatsOfAListAreCheckedWhenRead) {
  List<Any> list{1.0};
  List<float> typed = Any(list).cast<List<float>>();
  list.Set(0, 1e300);
  EXPECT_ERROR(typed[0], kOverflow, std::string("float 1e+300 ") + kFloatRange);
}

}  // namespace

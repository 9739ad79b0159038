// SPDX-License-Identifier: Apache-2.0
// Test UnchangedOr and its marker: states, conversions, values as Any, and the macros that use
// them.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using tvm::ffi::detail::UnchangedOrUnsafe;

// Return a string that is too long for the inline form.
String LongText() { return String("a text that is too long for sixteen bytes"); }

template <typename T, typename U, typename = void>
inline constexpr bool can_as_v = false;
template <typename T, typename U>
inline constexpr bool can_as_v<T, U, std::void_t<decltype(std::declval<T>().template as<U>())>> =
    true;

TEST(UnchangedMarker, IsAValueOfItsOwnType) {
  Any value = Unchanged();
  EXPECT_EQ(value.type_index(), TypeIndex::kTVMFFIUnchanged);
  EXPECT_EQ(value.GetTypeKey(), "ffi.Unchanged");
  TVMFFIAny raw = Unchanged().CopyToTVMFFIAny();
  EXPECT_EQ(raw.type_index, 13);
  EXPECT_EQ(raw.zero_padding, 0u);
  EXPECT_EQ(raw.v_int64, 0);
  EXPECT_ERROR(value.cast<int>(), "TypeError", "Cannot convert from type `ffi.Unchanged` to `int`");
}

TEST(UnchangedOr, TellsItsStates) {
  UnchangedOr<int> changed = 3;
  UnchangedOr<int> unchanged = Unchanged();
  EXPECT_FALSE(changed.IsUnchanged());
  EXPECT_TRUE(unchanged.IsUnchanged());
  UnchangedOr<Any> none = Any(nullptr);
  EXPECT_FALSE(none.IsUnchanged());
  UnchangedOr<Any> adopted = Any(Unchanged());
  EXPECT_TRUE(adopted.IsUnchanged());
  UnchangedOr<Optional<int>> empty = Optional<int>();
  EXPECT_FALSE(empty.IsUnchanged());
}

TEST(UnchangedOr, HasTheLayoutOfAny) {
  EXPECT_EQ(sizeof(UnchangedOr<int>), sizeof(TVMFFIAny));
  EXPECT_EQ(sizeof(UnchangedOr<String>), sizeof(TVMFFIAny));
  static_assert(std::is_nothrow_move_constructible_v<UnchangedOr<String>>);
  static_assert(!std::is_default_constructible_v<UnchangedOr<Any>>);
}

// spec: P15
TEST(UnchangedOr, ConvertsFromWhatTIsMadeOf) {
  static_assert(std::is_convertible_v<Unchanged, UnchangedOr<int>>);
  static_assert(std::is_convertible_v<const char*, UnchangedOr<String>>);
  static_assert(std::is_convertible_v<AnyView, UnchangedOr<Any>>);
  static_assert(std::is_convertible_v<String, UnchangedOr<Any>>);
  static_assert(std::is_convertible_v<UnchangedOr<String>, UnchangedOr<Any>>);
  static_assert(!std::is_convertible_v<UnchangedOr<Any>, UnchangedOr<String>>);
  static_assert(!std::is_convertible_v<Error, UnchangedOr<Any>>);
  static_assert(!std::is_convertible_v<std::nullptr_t, UnchangedOr<ObjectRef>>);
  UnchangedOr<double> from_int = UnchangedOr<int>(2);
  EXPECT_EQ(std::move(from_int).ValueUnchecked(), 2.0);
  UnchangedOr<double> from_marker = UnchangedOr<int>(Unchanged());
  EXPECT_TRUE(from_marker.IsUnchanged());
  UnchangedOr<ObjectRef> base = UnchangedOr<Array<int>>(Array<int>{1});
  EXPECT_FALSE(base.IsUnchanged());
}

TEST(UnchangedOr, SubsumesCovariantly) {
  static_assert(type_subsumes_v<UnchangedOr<Any>, UnchangedOr<String>>);
  static_assert(type_subsumes_v<UnchangedOr<ObjectRef>, UnchangedOr<Array<int>>>);
  static_assert(!type_subsumes_v<UnchangedOr<String>, UnchangedOr<Any>>);
  static_assert(!type_subsumes_v<UnchangedOr<ObjectRef>, Array<int>>);
}

TEST(UnchangedOr, ComparesWithTheOriginalBitByBit) {
  EXPECT_TRUE(UnchangedOr<int>(3).UnchangedOrSameAs(3));
  EXPECT_FALSE(UnchangedOr<int>(3).UnchangedOrSameAs(4));
  EXPECT_TRUE(UnchangedOr<int>(Unchanged()).UnchangedOrSameAs(9));
  EXPECT_FALSE(UnchangedOr<double>(0.0).UnchangedOrSameAs(-0.0));
  double nan = std::nan("");
  EXPECT_TRUE(UnchangedOr<double>(nan).UnchangedOrSameAs(nan));
  String text = LongText();
  EXPECT_TRUE(UnchangedOr<String>(text).UnchangedOrSameAs(text));
  EXPECT_FALSE(UnchangedOr<String>(text).UnchangedOrSameAs(LongText()));
  EXPECT_TRUE(UnchangedOr<Any>(text).UnchangedOrSameAs(Any(text)));
  EXPECT_TRUE(UnchangedOr<Any>(text).UnchangedOrSameAs(AnyView(text)));
}

// spec: P15
TEST(UnchangedOr, GivesTheValueOrTheOriginal) {
  EXPECT_EQ(UnchangedOr<int>(3).ValueOrUnchanged(7), 3);
  EXPECT_EQ(UnchangedOr<int>(Unchanged()).ValueOrUnchanged(7), 7);
  const String original = LongText();
  String copied = UnchangedOr<String>(Unchanged()).ValueOrUnchanged(original);
  EXPECT_EQ(Any(copied).as<Object>(), Any(original).as<Object>());
  Array<int> array{1};
  const Object* address = array.get();
  Array<int> moved = UnchangedOr<Array<int>>(Unchanged()).ValueOrUnchanged(std::move(array));
  EXPECT_EQ(moved.get(), address);
  EXPECT_EQ(moved.use_count(), 1);
  EXPECT_EQ(UnchangedOr<Any>(1).ValueOrUnchanged(AnyView(original)).cast<int>(), 1);
  Any owned = UnchangedOr<Any>(Unchanged()).ValueOrUnchanged(AnyView(original));
  EXPECT_EQ(owned.cast<String>(), original);
  EXPECT_EQ(UnchangedOr<Any>(nullptr).ValueOrUnchanged(Any(3)), nullptr);
}

TEST(UnchangedOr, ReleasesItsValueOnce) {
  int destroyed = 0;
  {
    ObjectRef object(make_object<sample::CountedObj>(&destroyed));
    UnchangedOr<ObjectRef> first = object;
    UnchangedOr<Any> second = first;
    UnchangedOr<Any> third = std::move(first);
    EXPECT_EQ(object.use_count(), 3);
    ObjectRef taken = std::move(third).as_or_throw<ObjectRef>();
    EXPECT_EQ(object.use_count(), 3);
    Any value = std::move(second);
    EXPECT_EQ(object.use_count(), 3);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(UnchangedOr, LooksIntoItsValueOnlyWhenMoved) {
  static_assert(can_as_v<UnchangedOr<String>&&, String>);
  static_assert(!can_as_v<UnchangedOr<String>&, String>);
  static_assert(!can_as_v<const UnchangedOr<String>&, String>);
  EXPECT_TRUE(UnchangedOr<int>(3).as<int64_t>().has_value());
  EXPECT_FALSE(UnchangedOr<int>(Unchanged()).as<int64_t>().has_value());
  EXPECT_FALSE(UnchangedOr<Any>(3).as<String>().has_value());
  EXPECT_EQ(UnchangedOr<Any>(3).as_or_throw<int64_t>(), 3);
  EXPECT_ERROR(UnchangedOr<int>(Unchanged()).as_or_throw<int64_t>(), "TypeError",
               "Cannot treat type `ffi.Unchanged` as type `int`");
  EXPECT_ERROR(UnchangedOr<Any>(3).as_or_throw<String>(), "TypeError",
               "Cannot treat type `int` as type `str`");
}

TEST(UnchangedOr, IsAValueWithTraits) {
  using Traits = TypeTraits<UnchangedOr<int>>;
  EXPECT_EQ(Traits::TypeStr(), "UnchangedOr<int>");
  EXPECT_EQ(Traits::TypeSchema(), R"({"type":"UnchangedOr","args":[{"type":"int"}]})");
  EXPECT_EQ(TypeTraits<UnchangedOr<Any>>::TypeStr(), "UnchangedOr<Any>");
  EXPECT_EQ(TypeTraits<UnchangedOr<Any>>::TypeSchema(),
            R"({"type":"UnchangedOr","args":[{"type":"Any"}]})");
  static_assert(Traits::storage_enabled);
  static_assert(Traits::field_static_type_index == -1);
  EXPECT_TRUE(Any(Unchanged()).as<UnchangedOr<int>>()->IsUnchanged());
  EXPECT_FALSE(Any(3).as_or_throw<UnchangedOr<int>>().IsUnchanged());
  EXPECT_FALSE(Any(true).as<UnchangedOr<int>>().has_value());
  EXPECT_EQ(Any(true).cast<UnchangedOr<int>>().ValueOrUnchanged(7), 1);
  EXPECT_ERROR(Any("x").as_or_throw<UnchangedOr<int>>(), "TypeError",
               "Cannot treat type `ffi.SmallStr` as type `UnchangedOr<int>`");
}

TEST(UnchangedOr, PassesThroughFunctions) {
  Function half = Function::FromTyped([](int value) -> UnchangedOr<int> {
    if (value % 2 == 0) return value / 2;
    return Unchanged();
  });
  EXPECT_EQ(half(4).cast<int>(), 2);
  EXPECT_EQ(half(3).type_index(), TypeIndex::kTVMFFIUnchanged);
  Function is_unchanged =
      Function::FromTyped([](UnchangedOr<int> value) { return value.IsUnchanged(); });
  EXPECT_TRUE(is_unchanged(Any(Unchanged())).cast<bool>());
  EXPECT_FALSE(is_unchanged(2).cast<bool>());
}

TEST(UnchangedOr, FitsInExpected) {
  Expected<UnchangedOr<String>> marker = Unchanged();
  EXPECT_TRUE(marker.value().IsUnchanged());
  Expected<UnchangedOr<Any>> wider = Expected<UnchangedOr<String>>(UnchangedOr<String>("x"));
  EXPECT_EQ(wider.value().as_or_throw<String>(), "x");
  Expected<UnchangedOr<String>> failed = Error("ValueError", "no", "");
  Expected<UnchangedOr<Any>> still_failed = std::move(failed);
  EXPECT_TRUE(still_failed.is_err());
}

TEST(UnchangedOr, MovesThroughRawValues) {
  int destroyed = 0;
  {
    UnchangedOr<ObjectRef> value = ObjectRef(make_object<sample::CountedObj>(&destroyed));
    TVMFFIAny raw = UnchangedOrUnsafe::MoveToTVMFFIAny(std::move(value));
    auto back = UnchangedOrUnsafe::MoveFromTVMFFIAny<ObjectRef>(raw);
    EXPECT_FALSE(back.IsUnchanged());
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

// ---------------------------------------------------------------- macros

using Result = Expected<UnchangedOr<Any>>;

Result Assign(Result input) {
  TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN(String, text, std::move(input));
  return Any(text + "!");
}

Result AssignUnchangedOr(Result input) {
  TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN(UnchangedOr<String>, text, std::move(input));
  return Any(text.IsUnchanged());
}

Result AssignUnsafe(Result input) {
  TVM_FFI_UNSAFE_S_MUTATE_ASSIGN_OR_RETURN(UnchangedOr<String>, text, std::move(input));
  TVM_FFI_UNSAFE_S_MUTATE_ASSIGN_OR_RETURN(UnchangedOr<Any>, again, Result(UnchangedOr<Any>(1)));
  return Any(text.IsUnchanged() && !again.IsUnchanged());
}

Result EarlyReturn(const Result& input) {
  TVM_FFI_S_MUTATE_MAYBE_EARLY_RETURN(input);
  return Any("went on");
}

Result Changed(Any value) { return UnchangedOr<Any>(std::move(value)); }

TEST(MutateMacros, AssignTakesTheValue) {
  EXPECT_EQ(Assign(Changed("x")).value().as_or_throw<String>(), "x!");
  EXPECT_FALSE(AssignUnchangedOr(Changed("x")).value().as_or_throw<bool>());
  EXPECT_TRUE(AssignUnchangedOr(Result(Unchanged())).value().as_or_throw<bool>());
  EXPECT_TRUE(AssignUnsafe(Result(Unchanged())).value().as_or_throw<bool>());
}

// spec: P15
TEST(MutateMacros, AssignReturnsTheSameError) {
  Error error("ValueError", "broken", "");
  EXPECT_TRUE(Assign(Result(error)).error().same_as(error));
  EXPECT_TRUE(AssignUnsafe(Result(error)).error().same_as(error));
}

// spec: P15
TEST(MutateMacros, AssignRefusesAnotherType) {
  const char* message = "structural mutate result does not match the declared type";
  EXPECT_ERROR(Assign(Changed(3)).value(), "TypeError", message);
  EXPECT_ERROR(Assign(Result(Unchanged())).value(), "TypeError", message);
  EXPECT_ERROR(AssignUnchangedOr(Changed(3)).value(), "TypeError", message);
}

TEST(MutateMacros, EarlyReturnMindsErrorsAlone) {
  EXPECT_EQ(EarlyReturn(Changed(3)).value().as_or_throw<String>(), "went on");
  EXPECT_EQ(EarlyReturn(Result(Unchanged())).value().as_or_throw<String>(), "went on");
  EXPECT_ERROR(EarlyReturn(Result(Error("ValueError", "broken", ""))).value(), "ValueError",
               "broken");
}

}  // namespace

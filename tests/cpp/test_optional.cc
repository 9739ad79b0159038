// SPDX-License-Identifier: Apache-2.0
// Test Optional: storage forms, construction, assignment, reading, comparison, conversion.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using sample::Float;
using sample::Int;
using sample::IntObj;
using sample::NullableInt;
using sample::Number;
using sample::NumberObj;

/* ------------------------------------------------------------------ storage */

static_assert(sizeof(Optional<int>) == 16 && sizeof(Optional<bool>) == 16);
static_assert(sizeof(Optional<String>) == 16 && sizeof(Optional<DLDataType>) == 16);
static_assert(sizeof(Optional<Optional<int>>) == 16);
static_assert(sizeof(Optional<ObjectRef>) == 8 && sizeof(Optional<Int>) == 8);
static_assert(sizeof(Optional<Function>) == 8 && sizeof(Optional<Array<int>>) == 8);
static_assert(sizeof(Optional<ObjectPtr<IntObj>>) == 8 && sizeof(Optional<Arc<IntObj>>) == 8);
static_assert(sizeof(Optional<std::string>) == sizeof(std::optional<std::string>));
static_assert(sizeof(Optional<TensorView>) == sizeof(std::optional<TensorView>));
static_assert(sizeof(Optional<Any>) == sizeof(std::optional<Any>));
static_assert(std::is_base_of_v<ObjectPtr<IntObj>, Optional<ObjectPtr<IntObj>>>);
static_assert(std::is_base_of_v<ObjectPtr<IntObj>, Optional<Arc<IntObj>>>);
static_assert(std::is_standard_layout_v<Optional<int>> && std::is_standard_layout_v<Optional<Int>>);
static_assert(std::is_same_v<Optional<Int>::value_type, Int>);
static_assert(std::is_same_v<Optional<Int>::ContainerType, IntObj>);
static_assert(std::is_same_v<Optional<Arc<IntObj>>::ContainerType, IntObj>);
static_assert(is_optional_type_v<Optional<int>> && !is_optional_type_v<int>);
static_assert(use_object_ref_optional_v<Int> && !use_object_ref_optional_v<Optional<Int>>);
static_assert(use_object_ptr_optional_v<Arc<IntObj>> && !use_object_ptr_optional_v<int>);
static_assert(is_object_ptr_type_v<ObjectPtr<IntObj>> && !is_object_ptr_type_v<Arc<IntObj>>);
static_assert(is_arc_type_v<Arc<IntObj>> && !is_arc_type_v<ObjectPtr<IntObj>>);
static_assert(std::is_nothrow_move_constructible_v<Optional<Int>>);

/*!
 * \brief Test one storage form with the operations that all forms have; the two values are unequal.
 */
template <typename T>
void ExerciseForm(const T& value, const T& other) {
  Optional<T> empty;
  EXPECT_FALSE(empty.has_value());
  EXPECT_FALSE(static_cast<bool>(empty));
  EXPECT_TRUE(empty == std::nullopt);
  EXPECT_FALSE(empty != std::nullopt);
  Optional<T> from_nullopt = std::nullopt;
  EXPECT_FALSE(from_nullopt.has_value());

  Optional<T> full = value;
  EXPECT_TRUE(full.has_value());
  EXPECT_TRUE(static_cast<bool>(full));
  EXPECT_TRUE(full != std::nullopt);
  EXPECT_TRUE(full.value() == value);
  EXPECT_TRUE(*full == value);
  EXPECT_TRUE(full.value_or(other) == value);
  EXPECT_TRUE(empty.value_or(other) == other);

  Optional<T> from_std = std::optional<T>(value);
  EXPECT_TRUE(from_std == full);
  Optional<T> from_empty_std = std::optional<T>();
  EXPECT_FALSE(from_empty_std.has_value());
  std::optional<T> std_lvalue = value;
  Optional<T> from_lvalue(std_lvalue);
  EXPECT_TRUE(from_lvalue.has_value() && std_lvalue.has_value());

  Optional<T> copy = full;
  EXPECT_TRUE(copy == full);
  EXPECT_FALSE(copy != full);
  EXPECT_TRUE(copy == value);
  EXPECT_FALSE(copy != value);
  EXPECT_FALSE(copy == other);
  EXPECT_TRUE(copy != other);
  EXPECT_FALSE(empty == value);
  EXPECT_TRUE(empty != value);
  EXPECT_TRUE(empty == from_nullopt);
  EXPECT_FALSE(empty == full);
  EXPECT_TRUE(empty != full);
  EXPECT_TRUE(copy == std::optional<T>(value));
  EXPECT_TRUE(copy != std::optional<T>(other));
  EXPECT_TRUE(copy != std::optional<T>());
  EXPECT_TRUE(empty == std::optional<T>());

  copy = other;
  EXPECT_TRUE(copy == other);
  copy = full;
  EXPECT_TRUE(copy == value);
  copy = std::optional<T>(other);
  EXPECT_TRUE(copy == other);
  copy = std::optional<T>();
  EXPECT_FALSE(copy.has_value());
  copy = value;
  copy = std::nullopt;
  EXPECT_FALSE(copy.has_value());
  copy = value;
  Optional<T> moved = std::move(copy);
  EXPECT_TRUE(moved == value);
  copy = std::move(moved);
  EXPECT_TRUE(copy == value);
  T taken = std::move(copy).value();
  EXPECT_TRUE(taken == value);
  copy = value;
  T starred = *std::move(copy);
  EXPECT_TRUE(starred == value);
}

// spec: H03
TEST(Optional, EveryFormDoesTheSame) {
  ExerciseForm<int>(5, 6);
  ExerciseForm<double>(1.5, -1.5);
  ExerciseForm<bool>(false, true);
  ExerciseForm<String>("short", "a text that lives on the heap");
  ExerciseForm<DLDataType>({kDLFloat, 32, 1}, {kDLInt, 8, 1});
  ExerciseForm<std::string>("one", "two");
  ExerciseForm<ObjectRef>(Int(1), Int(1));
  ExerciseForm<Int>(Int(1), Int(2));
  ExerciseForm<ObjectPtr<IntObj>>(make_object<IntObj>(1), make_object<IntObj>(1));
  ExerciseForm<Arc<IntObj>>(make_arc<IntObj>(1), make_arc<IntObj>(1));
}

constexpr const char* kEmptyText =
    "Back optional access: this Optional has no value; test has_value() first, or use value_or()";
constexpr const char* kEmptyPtrText =
    "Bad optional access: this Optional has no value; test has_value() first, or use value_or()";

// spec: H02
TEST(Optional, EmptyAccessHasTheTextOfItsForm) {
  EXPECT_ERROR(Optional<std::string>().value(), "RuntimeError", kEmptyText);
  EXPECT_ERROR(Optional<int>().value(), "RuntimeError", kEmptyText);
  EXPECT_ERROR(Optional<Int>().value(), "RuntimeError", kEmptyText);
  EXPECT_ERROR(Optional<ObjectPtr<IntObj>>().value(), "RuntimeError", kEmptyPtrText);
  EXPECT_ERROR(Optional<Arc<IntObj>>().value(), "RuntimeError", kEmptyPtrText);
  const Optional<int> constant;
  EXPECT_ERROR(constant.value(), "RuntimeError", kEmptyText);
}

// spec: H03
TEST(Optional, MovedFromIsEmpty) {
  Optional<int> number = 5;
  EXPECT_EQ(std::move(number).value(), 5);
  EXPECT_FALSE(number.has_value());
  Optional<String> text = String("a text on the heap");
  Optional<String> taken = std::move(text);
  EXPECT_FALSE(text.has_value());
  Optional<Int> ref = Int(1);
  Int out = std::move(ref).value();
  EXPECT_FALSE(ref.has_value());
  EXPECT_TRUE(out.unique());
  Optional<Arc<IntObj>> arc = make_arc<IntObj>(1);
  Arc<IntObj> out_arc = *std::move(arc);
  EXPECT_FALSE(arc.has_value());
  EXPECT_TRUE(out_arc.unique());
}

// spec: H05
TEST(Optional, NullIsEmptyWhereBothLookTheSame) {
  EXPECT_FALSE(Optional<NullableInt>(NullableInt()).has_value());
  EXPECT_FALSE(Optional<ObjectPtr<IntObj>>(ObjectPtr<IntObj>()).has_value());
  EXPECT_FALSE(Optional<Optional<int>>(Optional<int>()).has_value());
  Optional<Optional<int>> nested = Optional<int>(4);
  ASSERT_TRUE(nested.has_value());
  EXPECT_EQ(nested.value().value(), 4);
}

// spec: H03
TEST(Optional, NullptrStandsForEmpty) {
  Optional<int> number = 3;
  EXPECT_TRUE(number != nullptr);
  number = nullptr;
  EXPECT_TRUE(number == nullptr);
  Optional<Int> ref = nullptr;
  EXPECT_TRUE(ref == nullptr);
  ref = Int(1);
  EXPECT_TRUE(ref != nullptr);
  ref = nullptr;
  EXPECT_FALSE(ref.has_value());
  Optional<Arc<IntObj>> arc = nullptr;
  EXPECT_TRUE(arc == nullptr);
  arc = make_arc<IntObj>(1);
  EXPECT_TRUE(arc != nullptr);
  arc = nullptr;
  EXPECT_TRUE(arc == nullptr);
  Optional<Function> function = nullptr;
  EXPECT_FALSE(function.has_value());
}

// spec: H01
TEST(Optional, ReferenceFormsArePointers) {
  Optional<Int> ref = Int(7);
  EXPECT_EQ(ref->value, 7);
  EXPECT_EQ(ref.get()->value, 7);
  EXPECT_TRUE(ref.unique());
  EXPECT_EQ(ref.use_count(), 1);
  static_assert(std::is_same_v<decltype(ref.get()), const IntObj*>);
  Int same = ref.value();
  EXPECT_EQ(ref.use_count(), 2);
  EXPECT_TRUE(ref.same_as(same));
  EXPECT_TRUE(ref.same_as(Optional<Int>(same)));
  EXPECT_FALSE(ref.same_as(Int(7)));
  EXPECT_TRUE(Optional<Int>().same_as(ObjectRef()));
  EXPECT_EQ(Optional<Int>().get(), nullptr);
  EXPECT_EQ(Optional<Int>().use_count(), 0);
  EXPECT_FALSE(Optional<Int>(UnsafeInit{}).has_value());
  // The Optional and a nullable reference have the same memory layout.
  NullableInt raw;
  static_assert(sizeof(raw) == sizeof(ref));
  std::memcpy(static_cast<void*>(&raw), &ref, sizeof(raw));
  EXPECT_EQ(raw.get(), ref.get());
  std::memset(static_cast<void*>(&raw), 0, sizeof(raw));
}

// spec: H01, H06
TEST(Optional, PointerFormsArePointers) {
  Optional<ObjectPtr<IntObj>> ptr = make_object<IntObj>(7);
  EXPECT_EQ(ptr->value, 7);
  ptr->value = 8;
  EXPECT_TRUE(ptr.unique());
  ObjectPtr<IntObj> same = *ptr;
  EXPECT_EQ(ptr.use_count(), 2);
  EXPECT_EQ(same.get(), ptr.get());
  EXPECT_TRUE(ptr == same);
  EXPECT_FALSE(ptr == make_object<IntObj>(8));
  static_assert(noexcept(ptr == same));
  EXPECT_TRUE(ptr.same_as(NullableInt(same)));
  EXPECT_TRUE(ptr.same_as(ptr));
}

// spec: H06
TEST(Optional, SameAsComparesBits) {
  Optional<int> a = 1, b = 1, c = 2;
  EXPECT_TRUE(a.same_as(b));
  EXPECT_FALSE(a.same_as(c));
  EXPECT_TRUE(Optional<int>().same_as(Optional<int>()));
  Optional<String> x = String("a text on the heap"), y = String("a text on the heap");
  EXPECT_FALSE(x.same_as(y));
  EXPECT_TRUE(x == y);
}

/*!
 * \brief An expression that a comparison operator returns instead of a bool, as in embedded
 * languages.
 */
struct Condition {
  bool known;
  Condition(bool known) : known(known) {}  // NOLINT(google-explicit-constructor)
};
class Symbol : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Symbol, ObjectRef, IntObj);
  Condition operator==(const Symbol&) const { return Condition(false); }
  Condition operator!=(const Symbol&) const { return Condition(false); }
};

// spec: H04
TEST(Optional, ComparisonGivesWhatTheElementsGive) {
  Symbol s(make_object<IntObj>(1)), t(make_object<IntObj>(1));
  Optional<Symbol> a = s, b = t, empty;
  static_assert(std::is_same_v<decltype(a == b), Condition>);
  static_assert(std::is_same_v<decltype(a != b), Condition>);
  static_assert(std::is_same_v<decltype(a == s), Condition>);
  EXPECT_TRUE((a == a).known) << "identity comes first";
  EXPECT_FALSE((a == b).known);
  EXPECT_FALSE((a != b).known);
  EXPECT_TRUE((empty == Optional<Symbol>()).known);
  EXPECT_FALSE((empty == s).known);
  EXPECT_TRUE((empty != s).known);
}

// spec: H04
TEST(Optional, ComparesWithWhatTheElementComparesWith) {
  Optional<String> text = String("abc");
  EXPECT_TRUE(text == "abc");
  EXPECT_TRUE(text != "abd");
  EXPECT_TRUE(text == std::string("abc"));
  Optional<int64_t> number = 3;
  EXPECT_TRUE(number == 3);
  EXPECT_TRUE(number != 3.5);
}

TEST(Optional, OfNotANumberEqualsItself) {
  Optional<double> nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(nan == Optional<double>(nan));
}

/* ------------------------------------------------------------------ as */

// spec: H07
TEST(Optional, AsReadsTheValueOrNone) {
  Optional<Number> ref = Number(Int(5));
  ASSERT_TRUE(ref.as<Int>().has_value());
  EXPECT_EQ((*ref.as<Int>())->value, 5);
  EXPECT_EQ(ref.as<IntObj>()->value, 5);
  EXPECT_FALSE(ref.as<Float>().has_value());
  EXPECT_FALSE(Optional<Number>().as<Int>().has_value());
  EXPECT_EQ(Optional<Number>().as<IntObj>(), nullptr);
  EXPECT_TRUE(Optional<Number>().as<NullableInt>().has_value());
  Optional<int> number = 5;
  EXPECT_EQ(number.as<int64_t>(), 5);
  EXPECT_FALSE(number.as<double>().has_value());
  Optional<Arc<NumberObj>> arc = Arc<NumberObj>(make_arc<IntObj>(6));
  EXPECT_EQ(arc.as<IntObj>()->value, 6);
  EXPECT_EQ((*arc.as<Arc<IntObj>>())->value, 6);
}

TEST(Optional, AsOfAnRvalueMovesOnMatchOnly) {
  Optional<Number> ref = Number(Int(5));
  EXPECT_FALSE(std::move(ref).as<Float>().has_value());
  EXPECT_TRUE(ref.has_value());
  EXPECT_TRUE(ref.unique());
  std::optional<Int> taken = std::move(ref).as<Int>();
  EXPECT_FALSE(ref.has_value());
  EXPECT_TRUE(taken->unique());
  Optional<Arc<NumberObj>> arc = Arc<NumberObj>(make_arc<IntObj>(6));
  EXPECT_FALSE(std::move(arc).as<Float>().has_value());
  EXPECT_TRUE(arc.has_value());
  EXPECT_TRUE((*std::move(arc).as<Int>()).unique());
  EXPECT_FALSE(arc.has_value());
  Optional<String> text = String("a text on the heap");
  EXPECT_FALSE(std::move(text).as<int>().has_value());
  EXPECT_TRUE(text.has_value());
  EXPECT_EQ(*std::move(text).as<String>(), "a text on the heap");
  EXPECT_FALSE(text.has_value());
}

// spec: H07
TEST(Optional, AsOrThrow) {
  Optional<Number> ref = Number(Int(5));
  EXPECT_EQ(ref.as_or_throw<Int>()->value, 5);
  EXPECT_ERROR(ref.as_or_throw<Float>(), "TypeError",
               "Cannot treat type `test.sample.Int` as type `test.sample.Float`");
  EXPECT_ERROR(Optional<Number>().as_or_throw<Int>(), "TypeError",
               "Cannot treat type `None` as type `test.sample.Int`");
  EXPECT_ERROR(std::move(ref).as_or_throw<Float>(), "TypeError",
               "Cannot treat type `test.sample.Int` as type `test.sample.Float`");
  EXPECT_TRUE(std::move(ref).as_or_throw<Int>().unique());
  EXPECT_ERROR(Optional<int>(1).as_or_throw<String>(), "TypeError",
               "Cannot treat type `int` as type `str`");
  EXPECT_EQ(Optional<int>(1).as_or_throw<int64_t>(), 1);
  Optional<Arc<NumberObj>> arc = Arc<NumberObj>(make_arc<IntObj>(6));
  EXPECT_EQ(arc.as_or_throw<Int>()->value, 6);
  EXPECT_THROW(std::move(arc).as_or_throw<Float>(), Error);
  EXPECT_TRUE(std::move(arc).as_or_throw<Int>().unique());
}

/* ------------------------------------------------------------------ conversion */

// spec: H05
TEST(OptionalTraits, NoneIsEmpty) {
  EXPECT_EQ(Any(Optional<int>()).type_index(), kTVMFFINone);
  EXPECT_EQ(Any(Optional<int>(4)).cast<int>(), 4);
  EXPECT_EQ(Any(Optional<Int>()).type_index(), kTVMFFINone);
  EXPECT_EQ(Any(Optional<Int>(Int(3))).cast<Int>()->value, 3);
  EXPECT_EQ(Any(Optional<Arc<IntObj>>()).type_index(), kTVMFFINone);
  EXPECT_EQ(Any(Optional<Arc<IntObj>>(make_arc<IntObj>(3))).cast<Int>()->value, 3);
  EXPECT_EQ(Any(Optional<std::string>()).type_index(), kTVMFFINone);
  EXPECT_EQ(Any(Optional<std::string>("text")).cast<String>(), "text");
  EXPECT_EQ(AnyView(Optional<int>()).type_index(), kTVMFFINone);
  EXPECT_FALSE(Any().cast<Optional<int>>().has_value());
  EXPECT_TRUE(Any().as<Optional<int>>().has_value());
  EXPECT_FALSE(Any().cast<Optional<Int>>().has_value());
  EXPECT_FALSE(AnyView().cast<Optional<std::string>>().has_value());
}

TEST(OptionalTraits, ViewsBorrow) {
  Optional<Int> ref = Int(3);
  AnyView view = ref;
  EXPECT_TRUE(ref.unique());
  EXPECT_EQ(view.cast<Int>()->value, 3);
  Optional<Arc<IntObj>> arc = make_arc<IntObj>(3);
  AnyView arc_view = arc;
  EXPECT_TRUE(arc.unique());
  EXPECT_EQ(arc_view.type_index(), IntObj::RuntimeTypeIndex());
  Optional<std::string> text = std::string("text");
  AnyView text_view = text;
  EXPECT_EQ(text_view.type_index(), kTVMFFIRawStr);
}

TEST(OptionalTraits, StrictAndConverting) {
  EXPECT_FALSE(Any(1).as<Optional<double>>().has_value());
  EXPECT_EQ(Any(1).cast<Optional<double>>().value(), 1.0);
  EXPECT_FALSE(Any(1.5).try_cast<Optional<int>>().has_value());
  EXPECT_EQ(Any(1).as<Optional<int>>()->value(), 1);
  EXPECT_ERROR(Any(1.5).cast<Optional<int>>(), "TypeError",
               "Cannot convert from type `float` to `Optional<int>`");
  EXPECT_ERROR(Any(Array<Any>{1, 2.5}).cast<Optional<Array<int>>>(), "TypeError",
               "Cannot convert from type `Array[index 1: float]` to `Optional<Array<int>>`");
}

TEST(OptionalTraits, MovesOutOfAnAny) {
  Any any = Int(3);
  Optional<Int> taken = std::move(any).cast<Optional<Int>>();
  EXPECT_TRUE(taken.unique());
  EXPECT_TRUE(any == nullptr);
}

// spec: H01
TEST(OptionalTraits, Names) {
  EXPECT_EQ(TypeTraits<Optional<int>>::TypeStr(), "Optional<int>");
  EXPECT_EQ(TypeTraits<Optional<int>>::TypeSchema(),
            R"({"type":"Optional","args":[{"type":"int"}]})");
  EXPECT_EQ(TypeTraits<Optional<Int>>::TypeStr(), "Optional<test.sample.Int>");
  EXPECT_EQ(TypeTraits<Optional<Optional<int>>>::TypeStr(), "Optional<Optional<int>>");
  static_assert(TypeTraits<Optional<int>>::storage_enabled);
  static_assert(!TypeTraits<Optional<std::string>>::storage_enabled);
  static_assert(TypeTraits<Optional<std::string>>::convert_enabled);
  static_assert(TypeToFieldStaticTypeIndex<Optional<int>>::value == kTVMFFIAny);
  static_assert(TypeToFieldStaticTypeIndex<Optional<Int>>::value == kTVMFFIAny);
}

// spec: H05
TEST(OptionalTraits, InContainersAndFunctions) {
  Array<Optional<int>> array{1, std::nullopt, 3};
  EXPECT_EQ(array[0].value(), 1);
  EXPECT_FALSE(array[1].has_value());
  Map<String, Optional<Int>> map{{"a", Int(1)}, {"b", std::nullopt}};
  EXPECT_EQ(map["a"]->value, 1);
  EXPECT_FALSE(map["b"].has_value());
  Array<Any> plain = Any(array).cast<Array<Any>>();
  EXPECT_TRUE(plain[1] == nullptr);
  Function f =
      Function::FromTyped([](Optional<int> number, Optional<std::string> text) -> Optional<String> {
        if (!number.has_value()) return std::nullopt;
        return String(text.value_or("none"));
      });
  EXPECT_TRUE(f(nullptr, nullptr) == nullptr);
  EXPECT_EQ(f(1, nullptr).cast<String>(), "none");
  EXPECT_EQ(f(1, "text").cast<String>(), "text");
  EXPECT_EQ(f(Optional<int>(1), Optional<String>()).cast<Optional<String>>().value(), "none");
}

TEST(Optional, DefaultsInBraces) {
  EXPECT_EQ((Optional<Map<String, int64_t>>().value_or({})).size(), 0u);
  EXPECT_EQ(Optional<Array<int64_t>>().value_or({1, 2}).size(), 2u);
  EXPECT_EQ(Optional<String>().value_or({}), "");
  EXPECT_EQ(Optional<int64_t>().value_or({}), 0);
  EXPECT_EQ(Optional<Any>().value_or({}), nullptr);
}

}  // namespace

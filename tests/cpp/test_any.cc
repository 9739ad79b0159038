// SPDX-License-Identifier: Apache-2.0
// Test Any and AnyView: ownership, the reading functions and raw access.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using detail::AnyUnsafe;
using sample::CountedObj;
using sample::Float;
using sample::FloatObj;
using sample::Int;
using sample::IntObj;
using sample::NullableInt;
using sample::NumberObj;

static_assert(sizeof(Any) == 16 && sizeof(AnyView) == 16 && sizeof(TVMFFIAny) == 16);
static_assert(alignof(Any) == alignof(TVMFFIAny));
// spec: A06
static_assert(std::is_trivially_copyable_v<AnyView> && std::is_standard_layout_v<AnyView>);
static_assert(std::is_standard_layout_v<Any>);
static_assert(std::is_nothrow_move_constructible_v<Any> && std::is_nothrow_move_assignable_v<Any>);
static_assert(!std::is_trivially_copyable_v<Any>);
// spec: A07
static_assert(std::is_same_v<tvm::Any, tvm::ffi::Any>);
static_assert(std::is_same_v<tvm::AnyView, tvm::ffi::AnyView>);

/* ------------------------------------------------------------------ AnyView */

TEST(AnyView, StartsAsNone) {
  AnyView view;
  EXPECT_EQ(view.type_index(), kTVMFFINone);
  EXPECT_TRUE(view == nullptr);
  EXPECT_FALSE(view != nullptr);
  EXPECT_EQ(view.GetTypeKey(), "None");
  EXPECT_EQ(view.CopyToTVMFFIAny().v_uint64, 0u);
}

TEST(AnyView, BorrowsObjects) {
  Int i(3);
  AnyView view = i;
  EXPECT_EQ(i.use_count(), 1);
  AnyView copy = view;
  EXPECT_EQ(i.use_count(), 1);
  EXPECT_TRUE(view.same_as(copy));
  Int read = copy.cast<Int>();
  EXPECT_EQ(i.use_count(), 2);
  EXPECT_EQ(view.as<IntObj>(), i.get());
  EXPECT_EQ(view.as<NumberObj>(), i.get());
  EXPECT_EQ(view.as<FloatObj>(), nullptr);
  EXPECT_EQ(AnyView(3).as<IntObj>(), nullptr);
}

TEST(AnyView, ReadsStrictlyOrConverting) {
  AnyView one = 1;
  EXPECT_EQ(one.as<int>(), 1);
  EXPECT_FALSE(one.as<double>().has_value());
  EXPECT_EQ(one.cast<double>(), 1.0);
  EXPECT_EQ(one.try_cast<double>(), 1.0);
  EXPECT_FALSE(one.try_cast<String>().has_value());
  EXPECT_EQ(one.as_or_throw<int64_t>(), 1);
  EXPECT_ERROR(one.as_or_throw<double>(), "TypeError", "Cannot treat type `int` as type `float`");
  EXPECT_ERROR(one.cast<String>(), "TypeError", "Cannot convert from type `int` to `str`");
}

TEST(AnyView, AssignsResetsSwaps) {
  AnyView a = 1, b = 2.5;
  a.swap(b);
  EXPECT_EQ(a.cast<double>(), 2.5);
  EXPECT_EQ(b.cast<int>(), 1);
  a = true;
  EXPECT_EQ(a.type_index(), kTVMFFIBool);
  a = "text";
  EXPECT_EQ(a.type_index(), kTVMFFIRawStr);
  a.reset();
  EXPECT_TRUE(a == nullptr);
}

// spec: D07
TEST(AnyView, OfRawTextIsRaw) {
  const char* text = "hello";
  AnyView view = text;
  EXPECT_EQ(view.type_index(), kTVMFFIRawStr);
  EXPECT_EQ(view.CopyToTVMFFIAny().v_c_str, text);
  EXPECT_EQ(AnyView("literal").type_index(), kTVMFFIRawStr);
}

TEST(AnyView, GoesThroughTheCStruct) {
  Int i(3);
  TVMFFIAny raw = AnyView(i).CopyToTVMFFIAny();
  EXPECT_EQ(raw.type_index, IntObj::RuntimeTypeIndex());
  AnyView back = AnyView::CopyFromTVMFFIAny(raw);
  EXPECT_TRUE(back.same_as(AnyView(i)));
  EXPECT_EQ(i.use_count(), 1);
}

/* ------------------------------------------------------------------ Any: ownership */

// spec: D08
TEST(Any, StartsAsNone) {
  Any any;
  EXPECT_TRUE(any == nullptr);
  EXPECT_TRUE(Any(nullptr) == nullptr);
  EXPECT_FALSE(any != nullptr);
  EXPECT_EQ(any.GetTypeKey(), "None");
}

// spec: D08
TEST(Any, OwnsObjects) {
  int destroyed = 0;
  {
    Any any = make_object<CountedObj>(&destroyed);
    Any copy = any;
    EXPECT_EQ(any.as<CountedObj>()->use_count(), 2u);
    Any moved = std::move(copy);
    EXPECT_TRUE(copy == nullptr);
    EXPECT_EQ(any.as<CountedObj>()->use_count(), 2u);
    copy = moved;
    EXPECT_EQ(any.as<CountedObj>()->use_count(), 3u);
    copy.reset();
    EXPECT_TRUE(copy == nullptr);
    moved = 3;
    EXPECT_EQ(any.as<CountedObj>()->use_count(), 1u);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(Any, SurvivesSelfAssignment) {
  Int i(1);
  Any any = i;
  Any& same = any;
  any = same;
  EXPECT_EQ(i.use_count(), 2);
  any = std::move(same);
  EXPECT_EQ(i.use_count(), 2);
  EXPECT_EQ(any.as<IntObj>(), i.get());
  any = AnyView(any);
  EXPECT_EQ(i.use_count(), 2);
}

class ResettingObj : public Object {
 public:
  Any* outside = nullptr;
  bool was_none = false;
  bool* report = nullptr;
  ~ResettingObj() { *report = *outside == nullptr; }
  TVM_FFI_DECLARE_OBJECT_INFO("test.any.Resetting", ResettingObj, Object);
};

TEST(Any, IsNoneWhenItsObjectIsDestroyed) {
  bool was_none = false;
  Any any;
  ObjectPtr<ResettingObj> object = make_object<ResettingObj>();
  object->outside = &any;
  object->report = &was_none;
  any = std::move(object);
  any.reset();
  EXPECT_TRUE(was_none);
}

TEST(Any, OwnsWhatAViewBorrows) {
  Int i(5);
  AnyView view = i;
  Any any = view;
  EXPECT_EQ(i.use_count(), 2);
  any = AnyView(2);
  EXPECT_EQ(i.use_count(), 1);
  AnyView of_any = any;
  EXPECT_EQ(of_any.cast<int>(), 2);
}

// spec: D07
TEST(Any, CopiesRawTextAndBytes) {
  Any small = AnyView("1234567");
  EXPECT_EQ(small.type_index(), kTVMFFISmallStr);
  EXPECT_EQ(small.cast<String>(), "1234567");
  Any large = AnyView("12345678");
  EXPECT_EQ(large.type_index(), kTVMFFIStr);
  EXPECT_EQ(large.cast<String>(), "12345678");
  Any literal = "abc";
  EXPECT_EQ(literal.type_index(), kTVMFFISmallStr);
  std::string content("a\0b", 3);
  TVMFFIByteArray array{content.data(), content.size()};
  Any bytes = AnyView(&array);
  EXPECT_EQ(bytes.type_index(), kTVMFFISmallBytes);
  EXPECT_EQ(static_cast<std::string>(bytes.cast<Bytes>()), content);
  Any direct = &array;
  EXPECT_EQ(direct.type_index(), kTVMFFISmallBytes);
}

TEST(Any, SwapExchanges) {
  Any a = 1, b = String("a longer text");
  a.swap(b);
  EXPECT_EQ(b.cast<int>(), 1);
  EXPECT_EQ(a.cast<String>(), "a longer text");
}

// spec: D17
TEST(Any, EqualBitsForEqualValues) {
  auto bits = [](const Any& any) {
    std::string result(sizeof(TVMFFIAny), '\0');
    std::memcpy(result.data(), AnyUnsafe::TVMFFIAnyPtrFromAny(any), sizeof(TVMFFIAny));
    return result;
  };
  Any garbage = String("something long enough");
  garbage = 7;
  EXPECT_EQ(bits(garbage), bits(Any(7)));
  garbage = "abc";
  EXPECT_EQ(bits(garbage), bits(Any(String("abc"))));
  garbage = false;
  EXPECT_EQ(bits(garbage), bits(Any(false)));
  garbage = DLDataType{kDLFloat, 32, 1};
  Any other = 1.5;
  other = DLDataType{kDLFloat, 32, 1};
  EXPECT_EQ(bits(garbage), bits(other));
  garbage = nullptr;
  EXPECT_EQ(bits(garbage), bits(Any()));
}

/* ------------------------------------------------------------------ Any: reading */

// spec: D06
TEST(Any, AsOfAnRvalueMovesOnMatchOnly) {
  Int i(5);
  Any any = i;
  EXPECT_FALSE(std::move(any).as<Float>().has_value());
  EXPECT_EQ(i.use_count(), 2);
  std::optional<Int> taken = std::move(any).as<Int>();
  EXPECT_TRUE(any == nullptr);
  EXPECT_EQ(i.use_count(), 2);
  Any number = 5;
  EXPECT_FALSE(std::move(number).as<double>().has_value());
  EXPECT_EQ(number.cast<int>(), 5);
  EXPECT_EQ(std::move(number).as<int>(), 5);
  EXPECT_TRUE(number == nullptr);
  Any text = String("long enough for the heap");
  EXPECT_EQ(*std::move(text).as<String>(), "long enough for the heap");
  EXPECT_TRUE(text == nullptr);
}

TEST(Any, AsOfAnLvalueCopies) {
  Int i(5);
  Any any = i;
  EXPECT_TRUE(any.as<Int>().has_value());
  EXPECT_EQ(i.use_count(), 2);
  EXPECT_EQ(any.as<IntObj>(), i.get());
  EXPECT_EQ(any.as<FloatObj>(), nullptr);
  EXPECT_EQ(Any(1).as<IntObj>(), nullptr);
  EXPECT_EQ(Any().as<Object>(), nullptr);
  EXPECT_FALSE(any.as<int>().has_value());
}

TEST(Any, ReadsItselfAsAny) {
  Int i(5);
  Any any = i;
  EXPECT_TRUE(any.as<Any>()->same_as(i));
  EXPECT_TRUE(any.try_cast<Any>()->same_as(i));
  EXPECT_TRUE(any.cast<Any>().same_as(i));
  EXPECT_TRUE(any.as_or_throw<Any>().same_as(i));
  EXPECT_TRUE(std::move(any).as<Any>()->same_as(i));
  EXPECT_TRUE(any == nullptr);
}

// spec: D06
TEST(Any, CastOfAnRvalueMovesWhenStrict) {
  Int i(5);
  Any any = i;
  Int taken = std::move(any).cast<Int>();
  EXPECT_EQ(i.use_count(), 2);
  EXPECT_TRUE(any == nullptr);
  Any number = 5;
  EXPECT_EQ(std::move(number).cast<double>(), 5.0);
  Any text = "abc";
  EXPECT_EQ(std::move(text).cast<std::string>(), "abc");
  Any wrong = 5;
  EXPECT_ERROR(std::move(wrong).cast<String>(), "TypeError",
               "Cannot convert from type `int` to `str`");
  EXPECT_EQ(wrong.cast<int>(), 5);
}

// spec: D05
TEST(Any, AsOrThrow) {
  Any any = Int(5);
  EXPECT_EQ(any.as_or_throw<Int>()->value, 5);
  EXPECT_ERROR(any.as_or_throw<Float>(), "TypeError",
               "Cannot treat type `test.sample.Int` as type `test.sample.Float`");
  EXPECT_ERROR(std::move(any).as_or_throw<int>(), "TypeError",
               "Cannot treat type `test.sample.Int` as type `int`");
  EXPECT_TRUE(any != nullptr);
  Int taken = std::move(any).as_or_throw<Int>();
  EXPECT_TRUE(taken.unique());
  EXPECT_TRUE(any == nullptr);
  EXPECT_ERROR(Any(1).as_or_throw<bool>(), "TypeError", "Cannot treat type `int` as type `bool`");
}

// spec: D05
TEST(Any, MismatchNamesTheElement) {
  Any array = Array<Any>{1, 2.5};
  EXPECT_ERROR(array.cast<Array<int>>(), "TypeError",
               "Cannot convert from type `Array[index 1: float]` to `Array<int>`");
  EXPECT_ERROR(Any().cast<int>(), "TypeError", "Cannot convert from type `None` to `int`");
}

// spec: D09
TEST(Any, SameAs) {
  EXPECT_TRUE(Any(1).same_as(Any(1)));
  EXPECT_FALSE(Any(1).same_as(Any(1.0)));
  EXPECT_FALSE(Any(1).same_as(Any(true)));
  Int i(1);
  EXPECT_TRUE(Any(i).same_as(Any(i)));
  EXPECT_TRUE(Any(i).same_as(i));
  EXPECT_FALSE(Any(i).same_as(Int(1)));
  EXPECT_TRUE(Any().same_as(ObjectRef()));
  EXPECT_FALSE(Any(0).same_as(ObjectRef()));
  EXPECT_EQ(i.use_count(), 1);
  EXPECT_TRUE(Any("abc").same_as(Any("abc")));
  EXPECT_FALSE(Any("abcdefgh").same_as(Any("abcdefgh")));
}

TEST(Any, HoldsErrors) {
  Error error("ValueError", "text", "");
  Any any = error;
  EXPECT_EQ(any.type_index(), kTVMFFIError);
  EXPECT_TRUE(any.as<Error>()->same_as(error));
}

/* ------------------------------------------------------------------ AnyUnsafe */

TEST(AnyUnsafe, MovesThroughTheCStruct) {
  Int i(1);
  Any any = i;
  TVMFFIAny raw = AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any));
  EXPECT_TRUE(any == nullptr);
  EXPECT_EQ(i.use_count(), 2);
  Any back = AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
  EXPECT_EQ(raw.type_index, kTVMFFINone);
  EXPECT_EQ(raw.v_uint64, 0u);
  EXPECT_EQ(i.use_count(), 2);
  Any again = AnyUnsafe::MoveTVMFFIAnyRawToAny(AnyUnsafe::MoveAnyToTVMFFIAny(std::move(back)));
  EXPECT_EQ(i.use_count(), 2);
  EXPECT_EQ(AnyUnsafe::RawObjectPtrFromAnyAfterCheck<IntObj>(again), i.get());
  EXPECT_EQ(AnyUnsafe::RawObjectPtrFromAnyViewAfterCheck(again), i.get());
  EXPECT_EQ(AnyUnsafe::TVMFFIAnyPtrFromAny(again)->type_index, IntObj::RuntimeTypeIndex());
}

TEST(AnyUnsafe, ChecksAndReads) {
  Any any = Int(1);
  EXPECT_TRUE(AnyUnsafe::CheckAnyStrict<Int>(any));
  EXPECT_TRUE(AnyUnsafe::CheckAnyStrict<Any>(any));
  EXPECT_FALSE(AnyUnsafe::CheckAnyStrict<int>(any));
  EXPECT_TRUE(AnyUnsafe::CheckAnyViewStrict<Int>(any));
  EXPECT_TRUE(AnyUnsafe::CheckAnyViewStrict<Any>(AnyView(1)));
  EXPECT_EQ(AnyUnsafe::CopyFromAnyViewAfterCheck<Int>(any)->value, 1);
  EXPECT_EQ(AnyUnsafe::GetMismatchTypeInfo<int>(any), "test.sample.Int");
  EXPECT_EQ(AnyUnsafe::GetMismatchTypeInfo<Any>(any), "test.sample.Int");
  Int taken = AnyUnsafe::MoveFromAnyAfterCheck<Int>(std::move(any));
  EXPECT_TRUE(taken.unique());
  EXPECT_TRUE(any == nullptr);
}

TEST(InplaceConvert, TakesAReferenceOrCopies) {
  Int i(1);
  TVMFFIAny raw = AnyView(i).CopyToTVMFFIAny();
  detail::InplaceConvertAnyViewToAny(&raw);
  EXPECT_EQ(i.use_count(), 2);
  AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
  EXPECT_EQ(i.use_count(), 1);
  raw = AnyView("some text of length").CopyToTVMFFIAny();
  detail::InplaceConvertAnyViewToAny(&raw, 3);
  EXPECT_EQ(raw.type_index, kTVMFFIStr);
  AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
}

TEST(InplaceConvert, AgreesWithTheCFunction) {
  Int i(1);
  std::string content = "bytes, more than seven";
  TVMFFIByteArray array{content.data(), content.size()};
  for (AnyView view : {AnyView(), AnyView(1), AnyView(2.5), AnyView("x"),
                       AnyView("long enough text"), AnyView(&array), AnyView(i)}) {
    TVMFFIAny source = view.CopyToTVMFFIAny(), owned;
    ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&source, &owned), 0);
    Any from_c = AnyUnsafe::MoveTVMFFIAnyToAny(&owned);
    EXPECT_TRUE(AnyEqual()(Any(view), from_c));
  }
  EXPECT_EQ(i.use_count(), 1);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Test TypeTraits: conversions between all pairs of value types and object pointers; type names and
// schemas.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
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
using sample::FloatObj;
using sample::Int;
using sample::IntObj;
using sample::NullableInt;
using sample::Number;
using sample::NumberObj;

template <typename T>
TVMFFIAny ViewOf(const T& value) {
  return AnyView(value).CopyToTVMFFIAny();
}

/* ------------------------------------------------------------------ matrix: plain types */

// spec: D01
TEST(ConversionMatrix, None) {
  EXPECT_EQ(AnyView(nullptr).type_index(), kTVMFFINone);
  EXPECT_EQ(Any(nullptr).type_index(), kTVMFFINone);
  EXPECT_TRUE(Any().as<std::nullptr_t>().has_value());
  EXPECT_TRUE(Any().cast<std::nullptr_t>() == nullptr);
  EXPECT_FALSE(Any(0).as<std::nullptr_t>().has_value());
  EXPECT_FALSE(Any(0).try_cast<std::nullptr_t>().has_value());
}

// spec: D01
TEST(ConversionMatrix, Bool) {
  EXPECT_EQ(ViewOf(true).type_index, kTVMFFIBool);
  EXPECT_EQ(ViewOf(true).v_int64, 1);
  EXPECT_EQ(ViewOf(false).v_int64, 0);
  EXPECT_EQ(Any(true).as<bool>(), true);
  EXPECT_FALSE(Any(1).as<bool>().has_value());
  EXPECT_EQ(Any(1).cast<bool>(), true);
  EXPECT_EQ(Any(0).cast<bool>(), false);
  EXPECT_EQ(Any(int64_t{1} << 40).cast<bool>(), true);
  EXPECT_FALSE(Any(1.0).try_cast<bool>().has_value());
  EXPECT_FALSE(Any().try_cast<bool>().has_value());
}

// spec: D02
TEST(ConversionMatrix, StrictBool) {
  EXPECT_EQ(ViewOf(StrictBool(true)).type_index, kTVMFFIBool);
  EXPECT_TRUE(static_cast<bool>(*Any(true).as<StrictBool>()));
  EXPECT_FALSE(static_cast<bool>(*Any(false).try_cast<StrictBool>()));
  EXPECT_FALSE(Any(1).try_cast<StrictBool>().has_value());
  EXPECT_FALSE(Any(1).as<StrictBool>().has_value());
}

// spec: D01, D02
TEST(ConversionMatrix, Integers) {
  EXPECT_EQ(ViewOf(int8_t{-5}).type_index, kTVMFFIInt);
  EXPECT_EQ(ViewOf(int8_t{-5}).v_int64, -5);
  EXPECT_EQ(ViewOf(uint32_t{0xffffffff}).v_int64, 0xffffffffLL);
  EXPECT_EQ(ViewOf('a').v_int64, 97);
  EXPECT_EQ(Any(7).as<int64_t>(), 7);
  EXPECT_EQ(Any(7).as<uint8_t>(), 7);
  EXPECT_FALSE(Any(true).as<int>().has_value());
  EXPECT_EQ(Any(true).cast<int>(), 1);
  EXPECT_FALSE(Any(7.0).try_cast<int>().has_value());
  EXPECT_FALSE(Any().try_cast<int>().has_value());
  EXPECT_FALSE(Any(String("7")).try_cast<int>().has_value());
}

// spec: D03
TEST(ConversionMatrix, UnsignedBeyondInt64IsAnOverflowError) {
  uint64_t largest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Any(largest).cast<uint64_t>(), largest);
  const char* message =
      "Integer value 9223372036854775808 is too large to fit in int64_t. Consider explicitly "
      "casting to int64_t first if this is intentional.";
  EXPECT_ERROR(Any(largest + 1), "OverflowError", message);
  EXPECT_ERROR(AnyView(largest + 1), "OverflowError", message);
  EXPECT_ERROR(Any(static_cast<unsigned long long>(largest + 1)), "OverflowError", message);
  Any kept = 5;
  EXPECT_THROW(kept = std::numeric_limits<uint64_t>::max(), Error);
  EXPECT_EQ(kept.cast<int>(), 5);
}

enum class Color : int8_t { kRed = 1, kBlue = -2 };
enum Plain : uint16_t { kPlainOne = 1, kPlainLast = 65535 };

// spec: D04
TEST(ConversionMatrix, EnumsAreIntegers) {
  static_assert(is_integeral_enum_v<Color> && is_integeral_enum_v<Plain>);
  static_assert(!is_integeral_enum_v<int> && !is_integeral_enum_v<IntObj>);
  EXPECT_EQ(ViewOf(Color::kBlue).type_index, kTVMFFIInt);
  EXPECT_EQ(ViewOf(Color::kBlue).v_int64, -2);
  EXPECT_EQ(ViewOf(kPlainLast).v_int64, 65535);
  EXPECT_EQ(Any(-2).cast<Color>(), Color::kBlue);
  EXPECT_EQ(Any(Color::kRed).as<Color>(), Color::kRed);
  EXPECT_FALSE(Any(1.0).try_cast<Color>().has_value());
  EXPECT_EQ(TypeTraits<Color>::TypeStr(), "int");
}

// spec: D01, D02
TEST(ConversionMatrix, Floats) {
  EXPECT_EQ(ViewOf(2.5).type_index, kTVMFFIFloat);
  EXPECT_EQ(ViewOf(2.5f).v_float64, 2.5);
  EXPECT_EQ(Any(2.5).as<double>(), 2.5);
  EXPECT_EQ(Any(2.5).as<float>(), 2.5f);
  EXPECT_FALSE(Any(2).as<double>().has_value());
  EXPECT_EQ(Any(2).cast<double>(), 2.0);
  EXPECT_EQ(Any(true).cast<float>(), 1.0f);
  EXPECT_FALSE(Any().try_cast<double>().has_value());
}

// spec: D01
TEST(ConversionMatrix, OpaquePointers) {
  int x = 0;
  void* p = &x;
  EXPECT_EQ(ViewOf(p).type_index, kTVMFFIOpaquePtr);
  EXPECT_EQ(Any(p).as<void*>(), p);
  EXPECT_EQ(Any(p).cast<void*>(), p);
  EXPECT_EQ(Any(nullptr).cast<void*>(), nullptr);
  EXPECT_FALSE(Any(nullptr).as<void*>().has_value());
  EXPECT_FALSE(Any(0).try_cast<void*>().has_value());
  void* null = nullptr;
  EXPECT_EQ(Any(null).type_index(), kTVMFFIOpaquePtr);
}

// spec: D15
TEST(ConversionMatrix, DLTensorPointers) {
  DLTensor tensor{};
  EXPECT_EQ(ViewOf(&tensor).type_index, kTVMFFIDLTensorPtr);
  EXPECT_EQ(AnyView(&tensor).cast<DLTensor*>(), &tensor);
  EXPECT_EQ(AnyView(&tensor).as<DLTensor*>(), &tensor);
  EXPECT_FALSE(AnyView(nullptr).try_cast<DLTensor*>().has_value());
  EXPECT_ERROR(
      Any(&tensor), "RuntimeError",
      "DLTensor* cannot be held in Any as it does not retain ownership, use Tensor instead");
  DLTensor* null = nullptr;
  EXPECT_ERROR(AnyView(null), "InternalError", "Check not null: src ");
  static_assert(!TypeTraits<DLTensor*>::storage_enabled);
}

TEST(ConversionMatrix, StringsAndNumbersDoNotMix) {
  EXPECT_FALSE(Any(3).try_cast<String>().has_value());
  EXPECT_FALSE(AnyView("3").try_cast<int>().has_value());
  EXPECT_FALSE(AnyView("3").try_cast<double>().has_value());
}

// spec: D17
TEST(ConversionMatrix, UnusedBytesAreZero) {
  auto head_and_payload = [](const TVMFFIAny& value) { return value.zero_padding == 0; };
  EXPECT_TRUE(head_and_payload(ViewOf(nullptr)));
  EXPECT_EQ(ViewOf(nullptr).v_uint64, 0u);
  EXPECT_TRUE(head_and_payload(ViewOf(true)));
  EXPECT_TRUE(head_and_payload(ViewOf(1.5f)));
  EXPECT_TRUE(head_and_payload(ViewOf(int8_t{1})));
  EXPECT_TRUE(head_and_payload(ViewOf(Int(1))));
  // The conversion must write all 16 bytes.
  TVMFFIAny garbage;
  std::memset(&garbage, 0xee, sizeof(garbage));
  TypeTraits<bool>::CopyToAnyView(true, &garbage);
  TVMFFIAny clean{};
  TypeTraits<bool>::CopyToAnyView(true, &clean);
  EXPECT_EQ(std::memcmp(&garbage, &clean, sizeof(clean)), 0);
}

/* ------------------------------------------------------------------ matrix: objects */

// spec: D01
TEST(ConversionMatrix, NullableReferences) {
  NullableInt null;
  EXPECT_EQ(Any(null).type_index(), kTVMFFINone);
  EXPECT_TRUE(Any().as<NullableInt>().has_value());
  EXPECT_FALSE(Any().cast<NullableInt>().defined());
  NullableInt one(make_object<IntObj>(1));
  Any any = one;
  EXPECT_EQ(any.type_index(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(one.use_count(), 2);
  EXPECT_TRUE(any.cast<NullableInt>().same_as(one));
  EXPECT_FALSE(Any(Float(1)).try_cast<NullableInt>().has_value());
  EXPECT_FALSE(Any(1).try_cast<NullableInt>().has_value());
}

// spec: D01
TEST(ConversionMatrix, NotNullableReferences) {
  EXPECT_FALSE(Any().as<Int>().has_value());
  EXPECT_FALSE(Any().try_cast<Int>().has_value());
  Any any = Int(4);
  EXPECT_EQ(any.cast<Int>()->value, 4);
  EXPECT_TRUE(any.as<Number>().has_value());
  EXPECT_FALSE(any.as<Float>().has_value());
  Int moved_from(1);
  Int taken = std::move(moved_from);
  EXPECT_EQ(Any(moved_from).type_index(), kTVMFFINone);
}

// spec: D16
TEST(ConversionMatrix, ObjectPtr) {
  ObjectPtr<IntObj> p = make_object<IntObj>(6);
  Any any = p;
  EXPECT_EQ(p.use_count(), 2);
  EXPECT_EQ(any.cast<ObjectPtr<NumberObj>>(), ObjectPtr<NumberObj>(p));
  EXPECT_FALSE(any.try_cast<ObjectPtr<FloatObj>>().has_value());
  EXPECT_EQ(Any(ObjectPtr<IntObj>()).type_index(), kTVMFFINone);
  EXPECT_EQ(Any().cast<ObjectPtr<IntObj>>(), nullptr);
  ObjectPtr<IntObj> moved = std::move(any).cast<ObjectPtr<IntObj>>();
  EXPECT_EQ(p.use_count(), 2);
  EXPECT_EQ(any.type_index(), kTVMFFINone);
}

// spec: D16
TEST(ConversionMatrix, Arc) {
  Arc<IntObj> a = make_arc<IntObj>(6);
  Any any = a;
  EXPECT_EQ(any.cast<Arc<NumberObj>>().get(), a.get());
  EXPECT_FALSE(any.try_cast<Arc<FloatObj>>().has_value());
  EXPECT_FALSE(Any().try_cast<Arc<IntObj>>().has_value());
  EXPECT_FALSE(Any().as<Arc<IntObj>>().has_value());
  EXPECT_TRUE(std::move(any).as<Arc<IntObj>>().has_value());
  EXPECT_EQ(any.type_index(), kTVMFFINone);
}

// spec: D14
TEST(ConversionMatrix, BorrowedObjectPointers) {
  ObjectPtr<IntObj> p = make_object<IntObj>(8);
  const FloatObj* nothing = nullptr;
  EXPECT_EQ(AnyView(p.get()).type_index(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(p.use_count(), 1);
  Any any = static_cast<const IntObj*>(p.get());
  EXPECT_EQ(p.use_count(), 2);
  EXPECT_EQ(any.cast<const IntObj*>(), p.get());
  EXPECT_EQ(any.cast<IntObj*>(), p.get());
  EXPECT_EQ(any.cast<const NumberObj*>(), p.get());
  EXPECT_FALSE(any.try_cast<const FloatObj*>().has_value());
  EXPECT_FALSE(Any().try_cast<const IntObj*>().has_value());
  EXPECT_EQ(Any(nothing).type_index(), kTVMFFINone);
  EXPECT_EQ(p.use_count(), 2);
  // Reading a borrowed pointer from an rvalue does not move the object out of the Any.
  const IntObj* borrowed = std::move(any).cast<const IntObj*>();
  EXPECT_EQ(borrowed, p.get());
  EXPECT_EQ(p.use_count(), 2);
}

struct PlainBase {
  double before = 0;
};
class OffsetObj : public PlainBase, public Object {
 public:
  int64_t value = 3;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.traits.Offset", OffsetObj, Object);
};
class Offset : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Offset, ObjectRef, OffsetObj);
};

// spec: C19
TEST(ConversionMatrix, HeaderNeedNotComeFirst) {
  ObjectPtr<OffsetObj> p = make_object<OffsetObj>();
  Any any = Offset(p);
  EXPECT_EQ(any.cast<Offset>().get(), p.get());
  EXPECT_EQ(any.as<OffsetObj>(), p.get());
  EXPECT_EQ(any.cast<OffsetObj*>(), p.get());
  EXPECT_EQ(any.cast<ObjectPtr<OffsetObj>>()->value, 3);
  EXPECT_EQ(Any(p.get()).cast<Offset>()->value, 3);
  EXPECT_EQ(any.cast<ObjectRef>().as<OffsetObj>(), p.get());
}

/* ------------------------------------------------------------------ names and schemas */

template <typename T>
void ExpectNames(const std::string& type_str, const std::string& schema, int32_t field_index,
                 bool storable) {
  EXPECT_EQ(TypeTraits<T>::TypeStr(), type_str);
  EXPECT_EQ(TypeTraits<T>::TypeSchema(), schema);
  EXPECT_EQ(detail::TypeSchema<const T&>::v(), schema);
  EXPECT_EQ(TypeToFieldStaticTypeIndex<T>::value, field_index) << type_str;
  EXPECT_EQ(TypeTraits<T>::storage_enabled, storable) << type_str;
  EXPECT_TRUE(TypeTraits<T>::convert_enabled);
}

TEST(Names, OfPlainTypes) {
  ExpectNames<std::nullptr_t>("None", R"({"type":"None"})", 0, true);
  ExpectNames<bool>("bool", R"({"type":"bool"})", 2, true);
  ExpectNames<StrictBool>("bool", R"({"type":"bool"})", 2, true);
  ExpectNames<int>("int", R"({"type":"int"})", 1, true);
  ExpectNames<uint64_t>("int", R"({"type":"int"})", 1, true);
  ExpectNames<Color>("int", R"({"type":"int"})", 1, true);
  ExpectNames<float>("float", R"({"type":"float"})", 3, true);
  ExpectNames<double>("float", R"({"type":"float"})", 3, true);
  ExpectNames<void*>("void*", R"({"type":"void*"})", 4, true);
  ExpectNames<DLTensor*>("DLTensor*", R"({"type":"DLTensor*"})", 7, false);
}

TEST(Names, OfObjects) {
  ExpectNames<ObjectRef>("ffi.Object", R"({"type":"ffi.Object"})", 64, true);
  ExpectNames<Int>("test.sample.Int", R"({"type":"test.sample.Int"})", 64, true);
  ExpectNames<ObjectPtr<IntObj>>(
      "test.sample.Int", R"({"type":"Optional","args":[{"type":"test.sample.Int"}]})", 64, true);
  ExpectNames<Arc<IntObj>>("test.sample.Int", R"({"type":"test.sample.Int"})", 64, true);
  ExpectNames<const IntObj*>("test.sample.Int", R"({"type":"test.sample.Int"})", -1, true);
  ExpectNames<IntObj*>("test.sample.Int", R"({"type":"test.sample.Int"})", -1, true);
}

TEST(Names, OfAnyAndVoid) {
  EXPECT_EQ(detail::Type2Str<Any>::v(), "Any");
  EXPECT_EQ(detail::Type2Str<const Any&>::v(), "Any");
  EXPECT_EQ(detail::Type2Str<Any&&>::v(), "Any");
  EXPECT_EQ(detail::Type2Str<AnyView>::v(), "AnyView");
  EXPECT_EQ(detail::Type2Str<const AnyView&>::v(), "AnyView");
  EXPECT_EQ(detail::Type2Str<AnyView&&>::v(), "AnyView");
  EXPECT_EQ(detail::Type2Str<void>::v(), "void");
  EXPECT_EQ(detail::Type2Str<const int&>::v(), "int");
  EXPECT_EQ(detail::TypeSchemaImpl<Any>::v(), R"({"type":"Any"})");
  EXPECT_EQ(detail::TypeSchemaImpl<const Any&>::v(), R"({"type":"Any"})");
  EXPECT_EQ(detail::TypeSchemaImpl<Any&&>::v(), R"({"type":"Any"})");
  EXPECT_EQ(detail::TypeSchemaImpl<AnyView>::v(), R"({"type":"Any"})");
  EXPECT_EQ(detail::TypeSchemaImpl<const AnyView&>::v(), R"({"type":"Any"})");
  EXPECT_EQ(detail::TypeSchemaImpl<AnyView&&>::v(), R"({"type":"Any"})");
  EXPECT_EQ(detail::TypeSchemaImpl<void>::v(), R"({"type":"None"})");
  static_assert(!TypeTraits<Any>::convert_enabled && !TypeTraits<AnyView>::convert_enabled);
  static_assert(TypeToFieldStaticTypeIndex<Any>::value == kTVMFFIAny);
}

TEST(Names, RuntimeTypeIndex) {
  EXPECT_EQ(TypeToRuntimeTypeIndex<Int>::v(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(TypeToRuntimeTypeIndex<ObjectPtr<IntObj>>::v(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(TypeToRuntimeTypeIndex<Arc<IntObj>>::v(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(TypeToRuntimeTypeIndex<int>::v(), kTVMFFIInt);
  EXPECT_EQ(TypeToRuntimeTypeIndex<Any>::v(), kTVMFFIAny);
}

TEST(Names, StaticTypeKeysAreTheRegistryKeys) {
  auto expect = [](int32_t index, const char* key) { EXPECT_EQ(TypeIndexToTypeKey(index), key); };
  expect(kTVMFFINone, StaticTypeKey::kTVMFFINone);
  expect(kTVMFFIInt, StaticTypeKey::kTVMFFIInt);
  expect(kTVMFFIBool, StaticTypeKey::kTVMFFIBool);
  expect(kTVMFFIFloat, StaticTypeKey::kTVMFFIFloat);
  expect(kTVMFFIOpaquePtr, StaticTypeKey::kTVMFFIOpaquePtr);
  expect(kTVMFFIDataType, StaticTypeKey::kTVMFFIDataType);
  expect(kTVMFFIDevice, StaticTypeKey::kTVMFFIDevice);
  expect(kTVMFFIDLTensorPtr, StaticTypeKey::kTVMFFIDLTensorPtr);
  expect(kTVMFFIRawStr, StaticTypeKey::kTVMFFIRawStr);
  expect(kTVMFFIByteArrayPtr, StaticTypeKey::kTVMFFIByteArrayPtr);
  expect(kTVMFFIObjectRValueRef, StaticTypeKey::kTVMFFIObjectRValueRef);
  expect(kTVMFFISmallStr, StaticTypeKey::kTVMFFISmallStr);
  expect(kTVMFFISmallBytes, StaticTypeKey::kTVMFFISmallBytes);
  expect(kTVMFFIUnchanged, StaticTypeKey::kTVMFFIUnchanged);
  expect(kTVMFFIObject, StaticTypeKey::kTVMFFIObject);
  expect(kTVMFFIStr, StaticTypeKey::kTVMFFIStr);
  expect(kTVMFFIBytes, StaticTypeKey::kTVMFFIBytes);
  expect(kTVMFFIError, StaticTypeKey::kTVMFFIError);
  expect(kTVMFFIFunction, StaticTypeKey::kTVMFFIFunction);
  expect(kTVMFFIShape, StaticTypeKey::kTVMFFIShape);
  expect(kTVMFFITensor, StaticTypeKey::kTVMFFITensor);
  expect(kTVMFFIArray, StaticTypeKey::kTVMFFIArray);
  expect(kTVMFFIMap, StaticTypeKey::kTVMFFIMap);
  expect(kTVMFFIModule, StaticTypeKey::kTVMFFIModule);
  expect(kTVMFFIOpaquePyObject, StaticTypeKey::kTVMFFIOpaquePyObject);
  expect(kTVMFFIList, StaticTypeKey::kTVMFFIList);
  expect(kTVMFFIDict, StaticTypeKey::kTVMFFIDict);
  expect(kTVMFFIBigInt, StaticTypeKey::kTVMFFIBigInt);
}

/* ------------------------------------------------------------------ types that do not convert */

struct NoTraits {};

TEST(NoTraits, AreRefusedAtCompileTime) {
  static_assert(!TypeTraits<NoTraits>::convert_enabled);
  static_assert(!TypeTraits<NoTraits>::storage_enabled);
  static_assert(!std::is_constructible_v<Any, NoTraits>);
  static_assert(!std::is_constructible_v<AnyView, NoTraits>);
  static_assert(TypeTraitsNoCR<const int&>::convert_enabled);
  static_assert(TypeToFieldStaticTypeIndex<NoTraits>::value == kTVMFFIAny);
}

}  // namespace

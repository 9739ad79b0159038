// SPDX-License-Identifier: Apache-2.0
// Test NativeFunctionView and NativeFunction: hooks that are C++ functions or Function
// objects, errors, ownership, conversion to Any.
#include <gtest/gtest.h>
#include <tvm/ffi/reflection/native_function.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
using reflection::NativeFunction;
using reflection::NativeFunctionView;

using Hash = int64_t(const Any&);
using View = NativeFunctionView<Hash>;
using Owner = NativeFunction<Hash>;

int64_t PlainHash(const Any& value) {
  int64_t x = value.cast<int64_t>();
  if (x == 0) TVM_FFI_THROW(ValueError) << "zero";
  if (x == 1) throw std::runtime_error("one");
  return 10 * x;
}

Expected<int64_t> ExpectedHash(const Any& value) noexcept {
  auto x = value.as<int64_t>();
  if (!x.has_value()) return Error("TypeError", "no int", "");
  return *x + 1;
}

int void_calls = 0;
void PlainVoid(int64_t) { ++void_calls; }

static_assert(sizeof(View) == 16 && std::is_trivially_copyable_v<View>);
static_assert(sizeof(Owner) == 16);
static_assert(!std::is_default_constructible_v<View> && !std::is_default_constructible_v<Owner>);
static_assert(!std::is_constructible_v<View, std::nullptr_t>);
static_assert(!std::is_constructible_v<View, TypedFunction<Hash>>, "an rvalue would dangle");
static_assert(std::is_convertible_v<const TypedFunction<Hash>&, View>);
static_assert(std::is_convertible_v<const TypedFunction<Hash>&, Owner>);
static_assert(std::is_constructible_v<Owner, View> && !std::is_convertible_v<View, Owner>);

// spec: L21
TEST(NativeFunctionView, CallsAPlainFunction) {
  View view = View::FromNative<&PlainHash>();
  EXPECT_EQ(view(Any(4)), 40);
  EXPECT_EQ(view.CallExpected(Any(5)).value(), 50);
  EXPECT_EQ(AnyView(view).type_index(), kTVMFFIOpaquePtr);
}

TEST(NativeFunctionView, ErrorsOfAPlainFunctionKeepTheirKind) {
  View view = View::FromNative<&PlainHash>();
  EXPECT_EQ(ErrorOf([&] { view(Any(0)); }), "ValueError: zero");
  EXPECT_EQ(ErrorOf([&] { view(Any(1)); }), "InternalError: one");
  EXPECT_EQ(view.CallExpected(Any(0)).error().message(), "zero");
}

TEST(NativeFunctionView, CallsAFunctionThatReturnsExpected) {
  View view = View::FromNative<&ExpectedHash>();
  EXPECT_EQ(view(Any(4)), 5);
  EXPECT_EQ(ErrorOf([&] { view(Any(2.5)); }), "TypeError: no int");
}

TEST(NativeFunctionView, CallsAVoidFunction) {
  using VoidView = NativeFunctionView<void(int64_t)>;
  VoidView native = VoidView::FromNative<&PlainVoid>();
  native(1);
  EXPECT_TRUE(native.CallExpected(1).is_ok());
  EXPECT_EQ(void_calls, 2);
  TypedFunction<void(int64_t)> packed = [](int64_t x) {
    if (x == 0) TVM_FFI_THROW(ValueError) << "zero";
  };
  VoidView view = packed;
  view(1);
  EXPECT_EQ(ErrorOf([&] { view(0); }), "ValueError: zero");
}

// spec: L21
TEST(NativeFunctionView, CallsATypedFunction) {
  TypedFunction<Hash> function = [](const Any& value) {
    if (value == nullptr) TVM_FFI_THROW(KeyError) << "none";
    return value.cast<int64_t>() + 2;
  };
  View view = function;
  EXPECT_EQ(view(Any(1)), 3);
  EXPECT_EQ(ErrorOf([&] { view(Any()); }), "KeyError: none");
  EXPECT_EQ(function.packed().use_count(), 1);
}

TEST(NativeFunctionView, AReturnedErrorObjectIsAnError) {
  TypedFunction<Expected<int64_t>(const Any&)> function = [](const Any&) -> Expected<int64_t> {
    return Error("ValueError", "returned", "");
  };
  View view = function;
  EXPECT_EQ(view.CallExpected(Any()).error().message(), "returned");
}

TEST(NativeFunctionView, AResultOfAnotherTypeIsATypeError) {
  TypedFunction<Hash> function = Function::FromTyped([](Any) { return String("text"); });
  View view = function;
  EXPECT_EQ(ErrorOf([&] { view(Any()); }), "TypeError: Packed hook result type mismatch");
}

// spec: L21
TEST(NativeFunctionView, AnEmptyTypedFunctionIsRefused) {
  TypedFunction<Hash> empty;
  EXPECT_EQ(ErrorOf([&] { View view(empty); }),
            "ValueError: NativeFunctionView requires a non-null typed function");
  EXPECT_EQ(ErrorOf([&] { Owner owner(empty); }),
            "ValueError: NativeFunctionView requires a non-null typed function");
}

// spec: L21
TEST(NativeFunction, KeepsItsFunctionAlive) {
  TypedFunction<Hash> function = [](const Any& value) { return value.cast<int64_t>(); };
  Function watch = function;
  {
    Owner owner = function;
    function = nullptr;
    EXPECT_EQ(watch.use_count(), 2);
    EXPECT_EQ(owner(Any(8)), 8);
    Owner copy = owner;
    EXPECT_EQ(watch.use_count(), 3);
    EXPECT_EQ(copy.CallExpected(Any(9)).value(), 9);
  }
  EXPECT_EQ(watch.use_count(), 1);
}

TEST(NativeFunction, IsMadeFromAViewOrANativeFunction) {
  EXPECT_EQ(Owner::FromNative<&PlainHash>()(Any(3)), 30);
  View view = View::FromNative<&PlainHash>();
  EXPECT_EQ(Owner(view)(Any(3)), 30);
  EXPECT_EQ(Owner::From(view)(Any(3)), 30);
}

// spec: L21
TEST(NativeFunction, RoundTripsThroughAny) {
  Any native = View::FromNative<&PlainHash>();
  EXPECT_EQ(native.type_index(), kTVMFFIOpaquePtr);
  EXPECT_EQ(native.cast<View>()(Any(2)), 20);
  EXPECT_EQ(native.as<Owner>().value()(Any(2)), 20);

  TypedFunction<Hash> function = [](const Any& value) { return value.cast<int64_t>(); };
  Function watch = function;
  {
    Any packed = View(function);
    EXPECT_EQ(packed.type_index(), kTVMFFIFunction);
    EXPECT_EQ(watch.use_count(), 3);
    Owner owner = packed.cast<Owner>();
    EXPECT_EQ(watch.use_count(), 4);
    Any moved = std::move(owner);
    EXPECT_EQ(watch.use_count(), 4);
    Owner back = std::move(moved).as<Owner>().value();
    EXPECT_EQ(watch.use_count(), 4);
    EXPECT_EQ(moved, nullptr);  // NOLINT(bugprone-use-after-move): moved out
  }
  EXPECT_EQ(watch.use_count(), 2);
  EXPECT_FALSE(Any(static_cast<void*>(nullptr)).as<View>().has_value());
  EXPECT_FALSE(Any().try_cast<View>().has_value());
  EXPECT_FALSE(Any(1).try_cast<Owner>().has_value());
}

TEST(NativeFunction, TypeTexts) {
  EXPECT_EQ(TypeTraits<View>::TypeStr(), "Variant<void*, (0: Any) -> int>");
  EXPECT_EQ(TypeTraits<View>::TypeSchema(),
            R"({"type":"Variant","args":[{"type":"void*"},{"type":"ffi.Function","named_args":)"
            R"({"return":[{"type":"int"}],"params":[{"type":"Any"}]}}]})");
  EXPECT_EQ(TypeTraits<Owner>::TypeSchema(), TypeTraits<View>::TypeSchema());
  EXPECT_EQ(TypeToFieldStaticTypeIndex<View>::value, kTVMFFIAny);
}

}  // namespace

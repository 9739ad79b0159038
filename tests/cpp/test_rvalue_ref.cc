// SPDX-License-Identifier: Apache-2.0
// Test RValueRef: an argument that the callee may take over.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/rvalue_ref.h>

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

static_assert(sizeof(RValueRef<Int>) == 8);
static_assert(!TypeTraits<RValueRef<Int>>::storage_enabled);
static_assert(std::is_same_v<RValueRef<Int>::ContainerType, IntObj>);
static_assert(!std::is_constructible_v<RValueRef<Int>, const Int&>);

TEST(RValueRef, HandsItsObjectOver) {
  Int i(3);
  RValueRef<Int> ref(std::move(i));
  EXPECT_FALSE(i.defined());
  Int out = *std::move(ref);
  EXPECT_TRUE(out.unique());
  EXPECT_FALSE((*std::move(ref)).defined());
}

// spec: C21
TEST(RValueRef, CalleeHoldsTheOnlyReference) {
  Function f = Function::FromTyped([](RValueRef<Int> arg) {
    Int taken = *std::move(arg);
    EXPECT_TRUE(taken.unique());
    taken->value += 1;
    return taken;
  });
  Int i(3);
  const IntObj* address = i.get();
  Int result = f(RValueRef<Int>(std::move(i))).cast<Int>();
  EXPECT_EQ(result.get(), address);
  EXPECT_EQ(result->value, 4);
  EXPECT_TRUE(result.unique());
}

// spec: C21
TEST(RValueRef, CallerIsEmptied) {
  Function f = Function::FromTyped([](RValueRef<Int> arg) { return (*std::move(arg))->value; });
  RValueRef<Int> ref(Int(3));
  EXPECT_EQ(f(ref).cast<int>(), 3);
  EXPECT_FALSE((*std::move(ref)).defined());
}

// spec: C21
TEST(RValueRef, OrdinaryArgumentsAreCopied) {
  Function f = Function::FromTyped([](RValueRef<Int> arg) {
    Int taken = *std::move(arg);
    EXPECT_FALSE(taken.unique());
    return taken->value;
  });
  Int i(3);
  EXPECT_EQ(f(i).cast<int>(), 3);
  EXPECT_TRUE(i.unique());
}

TEST(RValueRef, ConvertedArgumentsAreNotTaken) {
  Function f = Function::FromTyped([](RValueRef<Array<int>> arg) { return *std::move(arg); });
  Array<Any> loose{true, 2};
  RValueRef<Array<Any>> ref(std::move(loose));
  Array<int> converted = f(ref).cast<Array<int>>();
  EXPECT_EQ(converted[0], 1);
  EXPECT_EQ((*std::move(ref)).size(), 2u) << "a copy was made, so the source stays";
}

// spec: C21
TEST(RValueRef, WrongTypesAreNamed) {
  Function f = Function::FromTyped([](RValueRef<Int> arg) { return (*std::move(arg))->value; });
  RValueRef<Float> ref(Float(1));
  EXPECT_ERROR(
      f(ref), "TypeError",
      "Mismatched type on argument #0 when calling: `(0: RValueRef<test.sample.Int>) -> int`. "
      "Expected `RValueRef<test.sample.Int>` but got `RValueRef<test.sample.Float>`");
  EXPECT_TRUE((*std::move(ref)).defined()) << "a refused object stays with the caller";
  EXPECT_THROW(f(1), Error);
  EXPECT_THROW(f(nullptr), Error);
}

TEST(RValueRef, TakenOnceOnly) {
  Function f = Function::FromTyped([](RValueRef<Int> arg) { return (*std::move(arg))->value; });
  RValueRef<Int> ref(Int(3));
  f(ref);
  Error error = Caught([&] { f(ref); });
  EXPECT_EQ(error.kind(), "TypeError");
  EXPECT_NE(error.message().find("but got `RValueRef<None>`"), std::string::npos);
}

TEST(RValueRef, PlainParametersDoNotTakeIt) {
  Function f = Function::FromTyped([](Int arg) { return arg->value; });
  RValueRef<Int> ref(Int(3));
  Error error = Caught([&] { f(ref); });
  EXPECT_NE(error.message().find("but got `ObjectRValueRef`"), std::string::npos);
}

TEST(RValueRef, BaseClassesAndNull) {
  Function f =
      Function::FromTyped([](RValueRef<Number> arg) { return (*std::move(arg)).unique(); });
  EXPECT_TRUE(f(RValueRef<Int>(Int(1))).cast<bool>());
  Function g =
      Function::FromTyped([](RValueRef<NullableInt> arg) { return (*std::move(arg)).defined(); });
  EXPECT_FALSE(g(RValueRef<NullableInt>(NullableInt())).cast<bool>());
  EXPECT_FALSE(g(nullptr).cast<bool>());
}

TEST(RValueRef, AnOwnedValueTakesTheObject) {
  Int i(3);
  const IntObj* address = i.get();
  RValueRef<Int> ref(std::move(i));
  AnyView view = ref;
  EXPECT_EQ(view.type_index(), kTVMFFIObjectRValueRef);
  Any any = view;
  EXPECT_EQ(any.as<IntObj>(), address);
  EXPECT_TRUE(any.cast<Int>()->use_count() == 2u);
  Error error = Caught([&] { Any again(view); });
  EXPECT_EQ(error.kind(), "InternalError");
  std::string tail = "RValueRef already moved";
  ASSERT_GE(error.message().size(), tail.size());
  EXPECT_EQ(error.message().substr(error.message().size() - tail.size()), tail);
}

TEST(RValueRef, TakesTheObjectThroughTheCFunction) {
  RValueRef<Int> ref(Int(3));
  TVMFFIAny view = AnyView(ref).CopyToTVMFFIAny(), owned;
  ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), 0);
  Any any = detail::AnyUnsafe::MoveTVMFFIAnyToAny(&owned);
  EXPECT_TRUE(any.as<IntObj>()->unique());
  EXPECT_FALSE((*std::move(ref)).defined());
}

TEST(RValueRef, Names) {
  EXPECT_EQ(TypeTraits<RValueRef<Int>>::TypeStr(), "RValueRef<test.sample.Int>");
  EXPECT_EQ(TypeTraits<RValueRef<Int>>::TypeSchema(),
            R"({"type":"ObjectRValueRef","args":[{"type":"test.sample.Int"}]})");
  static_assert(TypeToFieldStaticTypeIndex<RValueRef<Int>>::value == kTVMFFIAny);
}

}  // namespace

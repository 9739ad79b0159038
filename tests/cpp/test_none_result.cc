// SPDX-License-Identifier: Apache-2.0
// Callers through the C ABI must pass a result slot that holds None, since the called function may
// overwrite the slot without releasing a value. Test each way to call a function.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/enum_entry.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdlib>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

int num_calls = 0;
int num_bad = 0;

void Check(const TVMFFIAny* result) {
  ++num_calls;
  bool is_none =
      result->type_index == kTVMFFINone && result->zero_padding == 0 && result->v_int64 == 0;
  if (!is_none) ++num_bad;
}

// The functions below check the result slot that they get, and then return a value or fail. Two of
// the functions return objects. A caller that does not read the slot would leak these objects.

int ReturnFirst(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  Check(result);
  return num_args == 0 ? 0 : TVMFFIAnyViewToOwnedAny(args, result);
}

int ReturnText(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  Check(result);
  TVMFFIByteArray text{"a text that needs the heap", 26};
  return TVMFFIStringFromByteArray(&text, result);
}

int ReturnNumber(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  Check(result);
  result->type_index = kTVMFFIInt;
  result->v_int64 = 1;
  return 0;
}

int ReturnTrue(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  Check(result);
  result->type_index = kTVMFFIBool;
  result->v_int64 = 1;
  return 0;
}

int Fail(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  Check(result);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "refused");
  return -1;
}

Function Of(TVMFFISafeCallType callee) { return Function::FromExternC(nullptr, callee, nullptr); }

class NoneResult : public ::testing::Test {
 protected:
  void SetUp() override { num_calls = num_bad = 0; }
  void TearDown() override {
    EXPECT_GT(num_calls, 0);
    EXPECT_EQ(num_bad, 0);
  }
};

TEST_F(NoneResult, OfFunctionCallsOfEveryShape) {
  Function first = Of(ReturnFirst);
  Array<int> array{1};
  EXPECT_TRUE(first(array).same_as(array));
  EXPECT_EQ(first(), nullptr);
  EXPECT_TRUE(first.CallExpected<Array<int>>(array).value().same_as(array));
  EXPECT_TRUE(TypedFunction<Array<int>(Array<int>)>(first)(array).same_as(array));
  Any slot = String("a text that needs the heap");
  AnyView args[] = {array};
  first.CallPacked(args, 1, &slot);
  EXPECT_TRUE(slot.same_as(array));
  slot = String("a text that needs the heap");
  first.CallPacked(PackedArgs(args, 1), &slot);
  EXPECT_TRUE(slot.same_as(array));
  EXPECT_TRUE(Function::InvokeExternC(nullptr, ReturnFirst, array).same_as(array));
  EXPECT_THROW(Of(Fail)(array), Error);
  EXPECT_TRUE(Of(Fail).CallExpected<Any>(array).is_err());
  slot.reset();
  EXPECT_EQ(array.use_count(), 1);
}

TEST_F(NoneResult, OfFunctionsInsideFunctions) {
  Function outer = Function::FromTyped([](const Function& f, Any value) { return f(value); });
  Array<int> array{1};
  EXPECT_TRUE(outer(Of(ReturnFirst), array).same_as(array));
  // A Function that FromPacked made calls the C function ReturnFirst, which checks the result slot
  // that it gets.
  Function packed = Function::FromPacked(
      [](PackedArgs args, Any* result) { *result = args[0].cast<Function>()(args[1]); });
  EXPECT_TRUE(packed(Of(ReturnFirst), array).same_as(array));
  EXPECT_EQ(outer(Of(ReturnText), 1).cast<String>(), "a text that needs the heap");
}

TEST_F(NoneResult, OfNativeHooksThatAreFunctions) {
  using Hash = refl::NativeFunction<int64_t(const Any&)>;
  Hash hash(TypedFunction<int64_t(const Any&)>(Of(ReturnNumber)));
  Any key = 5;
  EXPECT_EQ(hash(key), 1);
  EXPECT_EQ(hash.CallExpected(key).value(), 1);
  Hash wrong(TypedFunction<int64_t(const Any&)>(Of(ReturnText)));
  EXPECT_TRUE(wrong.CallExpected(key).is_err());
}

class HookedObj : public Object {
 public:
  Any value;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_none_result.Hooked", HookedObj, Object);
};

TEST_F(NoneResult, OfHooksDefaultsAndSettersOfTypes) {
  int32_t index = HookedObj::RuntimeTypeIndex();
  refl::ObjectDef<HookedObj>()
      .def_rw("value", &HookedObj::value, refl::DefaultFactory(Of(ReturnText)))
      .def_type_attr("__ffi_repr__", Of(ReturnText))
      .def_type_attr("__ffi_hash__", Of(ReturnNumber))
      .def_type_attr("__ffi_eq__", Of(ReturnTrue))
      .def_type_attr("__ffi_compare__", Of(ReturnNumber))
      .def_type_attr("__data_to_json__", Of(ReturnText))
      .def_type_attr("__data_from_json__", Of(ReturnFirst));
  // The setter of the field is a Function object.
  TVMFFIFieldInfo info = *refl::GetFieldInfo("test_none_result.Hooked", "value");
  Function setter = Of(ReturnText);
  info.setter = const_cast<FunctionObj*>(setter.get());
  info.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
  ObjectRef object(make_object<HookedObj>());
  refl::FieldSetter set(&info);
  set(object, 1);

  Any made = refl::TypeAttrColumn("__ffi_init__")[index].cast<Function>()();
  EXPECT_EQ(made.as<HookedObj>()->value.cast<String>(), "a text that needs the heap");
  EXPECT_EQ(ReprPrint(object), "a text that needs the heap");
  EXPECT_EQ(RecursiveHash(object), RecursiveHash(made));
  EXPECT_TRUE(RecursiveEq(object, made));
  EXPECT_FALSE(RecursiveLt(object, made));
  EXPECT_EQ(FromJSONGraph(ToJSONGraph(object)).cast<String>(), "a text that needs the heap");
  EXPECT_EQ(num_calls, 9);
}

TEST_F(NoneResult, WhateverTheCallerHeldBefore) {
  std::srand(7);
  Function callees[] = {Of(ReturnFirst), Of(ReturnText), Of(ReturnNumber), Of(ReturnTrue)};
  Array<Any> kept;
  Any slot;
  for (int i = 0; i < 2000; ++i) {
    AnyView args[] = {kept};
    callees[std::rand() % 4].CallPacked(args, std::rand() % 2, &slot);
    if (std::rand() % 8 == 0) kept = Array<Any>{slot};
  }
  EXPECT_EQ(num_calls, 2000);
}

}  // namespace

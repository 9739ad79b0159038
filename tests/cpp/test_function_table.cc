// SPDX-License-Identifier: Apache-2.0
// Test functions made and called from C, and the table of global functions.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "c_api_support.h"

namespace {

int AddOne(void*, const TVMFFIAny* args, int32_t, TVMFFIAny* result) {
  *result = IntValue(args[0].v_int64 + 1);
  return 0;
}
int GiveHandle(void* handle, const TVMFFIAny*, int32_t num_args, TVMFFIAny* result) {
  result->type_index = kTVMFFIOpaquePtr;
  result->v_ptr = handle;
  return num_args == 0 ? 0 : num_args;
}
int g_deleted = 0;
void CountDeleted(void* self) { g_deleted += *static_cast<int*>(self); }

TVMFFIObjectHandle Make(TVMFFISafeCallType call, void* self = nullptr,
                        void (*deleter)(void*) = nullptr) {
  TVMFFIObjectHandle function = nullptr;
  EXPECT_EQ(TVMFFIFunctionCreate(self, call, deleter, &function), 0);
  return function;
}

TVMFFIObjectHandle Find(std::string_view name) {
  TVMFFIByteArray bytes = BytesOf(name);
  TVMFFIObjectHandle function = nullptr;
  EXPECT_EQ(TVMFFIFunctionGetGlobal(&bytes, &function), 0);
  return function;
}

int SetGlobal(std::string_view name, TVMFFIObjectHandle function, int allow_override = 0) {
  TVMFFIByteArray bytes = BytesOf(name);
  return TVMFFIFunctionSetGlobal(&bytes, function, allow_override);
}

TEST(CFunction, WithoutContextGetsItsOwnHandle) {
  TVMFFIObjectHandle function = Make(GiveHandle);
  const TVMFFIFunctionCell* cell = TVMFFIFunctionGetCellPtr(function);
  EXPECT_EQ(reinterpret_cast<void*>(cell->safe_call), reinterpret_cast<void*>(GiveHandle));
  EXPECT_EQ(cell->cpp_call, nullptr);
  TVMFFIAny result{};
  EXPECT_EQ(TVMFFIFunctionCall(function, nullptr, 0, &result), 0);
  EXPECT_EQ(result.v_ptr, function);
  TVMFFIObjectDecRef(function);
}

TEST(CFunction, ContextIsPassedAndDeletedOnce) {
  int context = 1;
  g_deleted = 0;
  TVMFFIObjectHandle function = Make(GiveHandle, &context, CountDeleted);
  TVMFFIAny result{};
  EXPECT_EQ(TVMFFIFunctionCall(function, nullptr, 0, &result), 0);
  EXPECT_EQ(result.v_ptr, &context);
  TVMFFIObjectIncRef(function);
  TVMFFIObjectDecRef(function);
  EXPECT_EQ(g_deleted, 0);
  TVMFFIObjectDecRef(function);
  EXPECT_EQ(g_deleted, 1);
}

// spec: Y6
TEST(CFunction, StatusIsPassedThroughUnchanged) {
  TVMFFIObjectHandle function = Make(GiveHandle);
  TVMFFIAny args[3] = {};
  TVMFFIAny result{};
  EXPECT_EQ(TVMFFIFunctionCall(function, args, 3, &result), 3);
  EXPECT_FALSE(TakeRaised().is_there);
  TVMFFIObjectDecRef(function);
}

// spec: Y6
TEST(CFunction, NullAndForeignHandlesGiveErrors) {
  TVMFFIAny result{};
  EXPECT_EQ(TVMFFIFunctionCall(nullptr, nullptr, 0, &result), -1);
  EXPECT_RAISED("ValueError", "`func` must not be NULL");
  TVMFFIObjectHandle box = nullptr;
  ASSERT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, &box), 0);
  EXPECT_EQ(TVMFFIFunctionCall(box, nullptr, 0, &result), -1);
  EXPECT_RAISED("TypeError", "Cannot convert from type `ffi.OpaquePyObject` to `ffi.Function`");
  EXPECT_EQ(SetGlobal("function.box", box), -1);
  EXPECT_RAISED("TypeError", "Cannot convert from type `ffi.OpaquePyObject` to `ffi.Function`");
  TVMFFIObjectDecRef(box);
  EXPECT_EQ(TVMFFIFunctionCreate(nullptr, nullptr, nullptr, &box), -1);
  EXPECT_RAISED("ValueError", "`safe_call` must not be NULL");
  EXPECT_EQ(TVMFFIFunctionCreate(nullptr, AddOne, nullptr, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
}

// spec: Y13
TEST(GlobalFunction, UnknownNameIsNotAnError) {
  TVMFFIByteArray name = BytesOf("function.unknown");
  TVMFFIObjectHandle function = &name;
  EXPECT_EQ(TVMFFIFunctionGetGlobal(&name, &function), 0);
  EXPECT_EQ(function, nullptr);
  EXPECT_FALSE(TakeRaised().is_there);
}

TEST(GlobalFunction, TableAndFinderHoldOneReferenceEach) {
  TVMFFIObjectHandle function = Make(AddOne);
  ASSERT_EQ(SetGlobal("function.counts", function), 0);
  TVMFFIObjectDecRef(function);
  EXPECT_EQ(Find("function.counts"), function);
  EXPECT_EQ(CountsOf(function), 0x100000002u);
  ASSERT_EQ(SetGlobal("function.counts.again", function), 0);
  EXPECT_EQ(CountsOf(function), 0x100000003u);
  TVMFFIObjectDecRef(function);
}

// spec: E05
TEST(GlobalFunction, TakenNamesNeedTheOverrideFlag) {
  int context = 1;
  g_deleted = 0;
  TVMFFIObjectHandle first = Make(AddOne, &context, CountDeleted);
  TVMFFIObjectHandle second = Make(AddOne);
  ASSERT_EQ(SetGlobal("function.taken", first), 0);
  TVMFFIObjectDecRef(first);
  EXPECT_EQ(SetGlobal("function.taken", second), -1);
  EXPECT_RAISED("RuntimeError", "Global Function `function.taken` is already registered");
  EXPECT_EQ(CountsOf(second), 0x100000001u);
  EXPECT_EQ(g_deleted, 0);
  EXPECT_EQ(SetGlobal("function.taken", second, 1), 0);
  EXPECT_EQ(g_deleted, 1) << "the one before is released";
  EXPECT_EQ(Find("function.taken"), second);
  TVMFFIObjectDecRef(second);
  TVMFFIObjectDecRef(second);
}

// spec: Y13
TEST(GlobalFunction, MethodInfoVariant) {
  TVMFFIMethodInfo info{};
  std::string name = "function.info";
  info.name = BytesOf(name);
  info.doc = BytesOf("doc");
  info.metadata = BytesOf("{}");
  info.method = IntValue(1);
  EXPECT_EQ(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0), -1);
  EXPECT_RAISED("TypeError", "Cannot convert from type `int` to `ffi.Function`");
  TVMFFIObjectHandle function = Make(AddOne);
  info.method = ObjectValue(function);
  ASSERT_EQ(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0), 0);
  EXPECT_EQ(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0), -1);
  Raised raised = TakeRaised();
  EXPECT_EQ(raised.kind, "RuntimeError");
  EXPECT_TRUE(StartsWith(
      raised.message, "Global Function `function.info` is already registered, possible causes:"));
  EXPECT_EQ(CountsOf(function), 0x100000002u);
  EXPECT_EQ(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1), 0);
  EXPECT_EQ(CountsOf(function), 0x100000002u);
  name[0] = 'X';
  EXPECT_EQ(Find("function.info"), function);
  TVMFFIObjectDecRef(function);
  TVMFFIObjectDecRef(function);
  info.method.v_obj = nullptr;
  EXPECT_EQ(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1), -1);
  EXPECT_RAISED("ValueError", "`method_info->method` must not be NULL");
}

TEST(GlobalFunction, NamesOfAllLengthsAndWithNuls) {
  TVMFFIObjectHandle function = Make(AddOne);
  std::vector<std::string> names;
  std::string name = "n";
  for (int i = 0; i < 40; ++i) names.push_back(name += static_cast<char>('a' + i % 26));
  names.push_back(std::string("n\0a", 3));
  names.push_back(std::string("n\0b", 3));
  names.push_back("");
  for (const std::string& each : names) ASSERT_EQ(SetGlobal(each, function), 0) << each;
  for (const std::string& each : names) {
    EXPECT_EQ(Find(each), function) << each;
    TVMFFIObjectDecRef(function);
  }
  EXPECT_EQ(Find(std::string("n\0c", 3)), nullptr);
  TVMFFIObjectDecRef(function);
}

TEST(GlobalFunction, NullArguments) {
  TVMFFIObjectHandle function = nullptr;
  EXPECT_EQ(TVMFFIFunctionGetGlobal(nullptr, &function), -1);
  EXPECT_RAISED("ValueError", "`name` must not be NULL");
  TVMFFIByteArray broken{nullptr, 1};
  EXPECT_EQ(TVMFFIFunctionGetGlobal(&broken, &function), -1);
  EXPECT_RAISED("ValueError", "name has a size but its data is NULL");
  TVMFFIByteArray name = BytesOf("x");
  EXPECT_EQ(TVMFFIFunctionGetGlobal(&name, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  EXPECT_EQ(TVMFFIFunctionSetGlobal(nullptr, nullptr, 0), -1);
  EXPECT_RAISED("ValueError", "`name` must not be NULL");
  EXPECT_EQ(TVMFFIFunctionSetGlobal(&name, nullptr, 0), -1);
  EXPECT_RAISED("ValueError", "`f` must not be NULL");
  EXPECT_EQ(TVMFFIFunctionSetGlobalFromMethodInfo(nullptr, 0), -1);
  EXPECT_RAISED("ValueError", "`method_info` must not be NULL");
}

}  // namespace

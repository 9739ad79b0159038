// SPDX-License-Identifier: Apache-2.0
// Test every C function with invalid arguments. The function must fail with a raised error, without
// printing, changing state or ending the process.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_env_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "c_api_support.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

struct Case {
  const char* what;
  std::function<int()> call;
};

// Expect that each call fails with an error of one of the kinds, and has no other effect.
void ExpectRefused(const std::vector<Case>& cases, const std::string& kinds) {
  for (const Case& one : cases) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int status = one.call();
    std::string printed = testing::internal::GetCapturedStdout();
    printed += testing::internal::GetCapturedStderr();
    Raised raised = TakeRaised();
    EXPECT_NE(status, 0) << one.what;
    EXPECT_TRUE(raised.is_there) << one.what;
    EXPECT_NE((" " + kinds + " ").find(" " + raised.kind + " "), std::string::npos)
        << one.what << ": " << raised.kind << ": " << raised.message;
    EXPECT_FALSE(raised.message.empty()) << one.what;
    EXPECT_EQ(printed, "") << one.what;
    EXPECT_FALSE(TakeRaised().is_there) << one.what;
  }
}

const TVMFFIByteArray kName{"bad_input.name", 14};
// A byte array that has a size but a null pointer.
const TVMFFIByteArray kNoBytes{nullptr, 5};

int Nothing(void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return 0; }

TVMFFIObjectHandle HandleOf(const ObjectRef& object) {
  return details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(object);
}

// ---------------------------------------------------------------- null pointers

// spec: Y8
TEST(BadInput, NullPointersToValues) {
  TVMFFIAny value{};
  TVMFFIObjectHandle out = nullptr;
  DLDataType dtype{kDLInt, 32, 1};
  ExpectRefused(
      {{"IncRef", [] { return TVMFFIObjectIncRef(nullptr); }},
       {"CreateOpaque", [] { return TVMFFIObjectCreateOpaque(nullptr, 74, nullptr, nullptr); }},
       {"ToOwned from", [&] { return TVMFFIAnyViewToOwnedAny(nullptr, &value); }},
       {"ToOwned out", [&] { return TVMFFIAnyViewToOwnedAny(&value, nullptr); }},
       {"String from", [&] { return TVMFFIStringFromByteArray(nullptr, &value); }},
       {"String bytes", [&] { return TVMFFIStringFromByteArray(&kNoBytes, &value); }},
       {"String out", [] { return TVMFFIStringFromByteArray(&kName, nullptr); }},
       {"Bytes from", [&] { return TVMFFIBytesFromByteArray(nullptr, &value); }},
       {"Bytes bytes", [&] { return TVMFFIBytesFromByteArray(&kNoBytes, &value); }},
       {"Bytes out", [] { return TVMFFIBytesFromByteArray(&kName, nullptr); }},
       {"BigInt from", [&] { return TVMFFIBigIntFromByteArray(nullptr, &value); }},
       {"BigInt out", [] { return TVMFFIBigIntFromByteArray(&kName, nullptr); }},
       {"InitOnce handle", [] { return TVMFFIHandleInitOnce(nullptr, nullptr); }},
       {"InitOnce function", [&] { return TVMFFIHandleInitOnce(&out, nullptr); }},
       {"DeinitOnce handle", [] { return TVMFFIHandleDeinitOnce(nullptr, nullptr); }},
       {"DType text", [&] { return TVMFFIDataTypeFromString(nullptr, &dtype); }},
       {"DType bytes", [&] { return TVMFFIDataTypeFromString(&kNoBytes, &dtype); }},
       {"DType out", [] { return TVMFFIDataTypeFromString(&kName, nullptr); }},
       {"DType value", [&] { return TVMFFIDataTypeToString(nullptr, &value); }},
       {"DType text out", [&] { return TVMFFIDataTypeToString(&dtype, nullptr); }}},
      "ValueError");
  EXPECT_EQ(value.type_index, kTVMFFINone);
  EXPECT_EQ(out, nullptr);
}

// spec: Y8
TEST(BadInput, NullPointersToFunctions) {
  TVMFFIObjectHandle out = nullptr;
  TVMFFIAny result{};
  TVMFFIMethodInfo info{};
  Function function = Function::FromTyped([] {});
  ExpectRefused(
      {{"Create call", [&] { return TVMFFIFunctionCreate(nullptr, nullptr, nullptr, &out); }},
       {"Create out", [] { return TVMFFIFunctionCreate(nullptr, Nothing, nullptr, nullptr); }},
       {"GetGlobal name", [&] { return TVMFFIFunctionGetGlobal(nullptr, &out); }},
       {"GetGlobal bytes", [&] { return TVMFFIFunctionGetGlobal(&kNoBytes, &out); }},
       {"GetGlobal out", [] { return TVMFFIFunctionGetGlobal(&kName, nullptr); }},
       {"SetGlobal name", [&] { return TVMFFIFunctionSetGlobal(nullptr, HandleOf(function), 0); }},
       {"SetGlobal function", [] { return TVMFFIFunctionSetGlobal(&kName, nullptr, 0); }},
       {"Info", [] { return TVMFFIFunctionSetGlobalFromMethodInfo(nullptr, 0); }},
       {"Info without name", [&] { return TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0); }},
       {"Call function", [&] { return TVMFFIFunctionCall(nullptr, nullptr, 0, &result); }},
       {"Call args", [&] { return TVMFFIFunctionCall(HandleOf(function), nullptr, 2, &result); }},
       {"Call count", [&] { return TVMFFIFunctionCall(HandleOf(function), nullptr, -1, &result); }},
       {"Call result",
        [&] { return TVMFFIFunctionCall(HandleOf(function), nullptr, 0, nullptr); }}},
      "ValueError TypeError InternalError");
  EXPECT_EQ(out, nullptr);
  EXPECT_FALSE(Function::GetGlobal("bad_input.name").has_value());
}

// spec: Y8
TEST(BadInput, NullPointersToTheTypeTable) {
  int32_t index = -7;
  TVMFFIFieldInfo field{};
  TVMFFIAny value = IntValue(1);
  ExpectRefused(
      {{"KeyToIndex key", [&] { return TVMFFITypeKeyToIndex(nullptr, &index); }},
       {"KeyToIndex bytes", [&] { return TVMFFITypeKeyToIndex(&kNoBytes, &index); }},
       {"KeyToIndex out", [] { return TVMFFITypeKeyToIndex(&kName, nullptr); }},
       {"Field", [] { return TVMFFITypeRegisterField(64, nullptr); }},
       {"Field name", [&] { return TVMFFITypeRegisterField(9999, &field); }},
       {"Method", [] { return TVMFFITypeRegisterMethod(64, nullptr); }},
       {"Metadata", [] { return TVMFFITypeRegisterMetadata(65, nullptr); }},
       {"Attr name", [&] { return TVMFFITypeRegisterAttr(64, nullptr, &value); }},
       {"Attr value", [] { return TVMFFITypeRegisterAttr(64, &kName, nullptr); }},
       {"Column", [] { return TVMFFIGetTypeAttrColumn(nullptr) == nullptr; }},
       {"Alloc key", [] { return TVMFFITypeGetOrAllocIndex(nullptr, -1, 1, 0, 1, 64); }},
       {"Alloc bytes", [] { return TVMFFITypeGetOrAllocIndex(&kNoBytes, -1, 1, 0, 1, 64); }},
       {"Info", [] { return TVMFFIGetTypeInfo(1 << 30) == nullptr; }},
       {"Info below", [] { return TVMFFIGetTypeInfo(-1) == nullptr; }}},
      "ValueError InternalError");
  EXPECT_EQ(index, -7);
}

// spec: Y8
TEST(BadInput, NullPointersToTensorsAndTheEnvironment) {
  TVMFFIObjectHandle out = nullptr;
  DLManagedTensor* managed = nullptr;
  DLManagedTensorVersioned* versioned = nullptr;
  DLTensor prototype{};
  String text("a text of the heap");
  ExpectRefused(
      {{"FromDLPack", [&] { return TVMFFITensorFromDLPack(nullptr, 0, 0, &out); }},
       {"FromVersioned", [&] { return TVMFFITensorFromDLPackVersioned(nullptr, 0, 0, &out); }},
       {"ToDLPack", [&] { return TVMFFITensorToDLPack(nullptr, &managed); }},
       {"ToVersioned", [&] { return TVMFFITensorToDLPackVersioned(nullptr, &versioned); }},
       {"View source", [&] { return TVMFFITensorCreateUnsafeView(nullptr, &prototype, &out); }},
       {"TensorAlloc", [&] { return TVMFFIEnvTensorAlloc(nullptr, &out); }},
       {"RegisterCAPI", [] { return TVMFFIEnvRegisterCAPI(nullptr, nullptr); }},
       {"Lookup context", [&] { return TVMFFIEnvModLookupFromImports(nullptr, "f", &out); }},
       {"Context symbol", [] { return TVMFFIEnvModRegisterContextSymbol(nullptr, nullptr); }},
       {"System symbol", [] { return TVMFFIEnvModRegisterSystemLibSymbol(nullptr, nullptr); }}},
      "ValueError TypeError RuntimeError InternalError");
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(managed, nullptr);
  EXPECT_EQ(versioned, nullptr);
}

// Functions that do not return a status either ignore NULL or raise an error.
TEST(BadInput, NullPointersWithoutAStatus) {
  EXPECT_EQ(TVMFFIObjectDecRef(nullptr), 0);
  TVMFFIGetVersion(nullptr);
  TVMFFIErrorMoveFromRaised(nullptr);
  TVMFFIErrorSetRaised(nullptr);
  (void)TakeRaised();
  TVMFFIErrorSetRaisedFromCStr(nullptr, nullptr);
  EXPECT_TRUE(TakeRaised().is_there);
  TVMFFIErrorSetRaisedFromCStrParts(nullptr, nullptr, -5);
  EXPECT_TRUE(TakeRaised().is_there);
  EXPECT_EQ(TVMFFIErrorCreate(nullptr, nullptr, nullptr, nullptr), -1);
  EXPECT_NE(TVMFFIBacktrace(nullptr, -1, nullptr, 0), nullptr);
  EXPECT_EQ(TVMFFIBigIntGetContentByteArray(nullptr).size, 0u);
  (void)TakeRaised();
}

// ---------------------------------------------------------------- objects of another type

// spec: Y8
TEST(BadInput, HandlesOfAnotherType) {
  Array<int64_t> array{1, 2};
  TVMFFIObjectHandle handle = HandleOf(array), out = nullptr;
  TVMFFIAny result{};
  DLManagedTensor* managed = nullptr;
  DLManagedTensorVersioned* versioned = nullptr;
  TVMFFIMethodInfo info{};
  info.name = kName;
  info.method = ObjectValue(handle);
  ExpectRefused({{"Call", [&] { return TVMFFIFunctionCall(handle, nullptr, 0, &result); }},
                 {"SetGlobal", [&] { return TVMFFIFunctionSetGlobal(&kName, handle, 1); }},
                 {"Info", [&] { return TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1); }},
                 {"ToDLPack", [&] { return TVMFFITensorToDLPack(handle, &managed); }},
                 {"ToVersioned", [&] { return TVMFFITensorToDLPackVersioned(handle, &versioned); }},
                 {"Lookup", [&] { return TVMFFIEnvModLookupFromImports(nullptr, nullptr, &out); }},
                 {"Opaque", [&] { return TVMFFIObjectCreateOpaque(nullptr, 71, nullptr, &out); }}},
                "ValueError TypeError RuntimeError InternalError");
  EXPECT_EQ(array.use_count(), 1);
  EXPECT_FALSE(Function::GetGlobal("bad_input.name").has_value());
  TVMFFIErrorSetRaised(handle);
  EXPECT_NE(TakeRaised().kind, "");
  EXPECT_EQ(array.use_count(), 1);
}

// spec: Y8
TEST(BadInput, TagsThatMeanNothing) {
  Function identity = Function::FromTyped([](int64_t value) { return value; });
  for (int32_t tag : {-1, -100, 14, 40, 63, 1 << 20, std::numeric_limits<int32_t>::max()}) {
    TVMFFIAny argument{}, result{};
    argument.type_index = tag;
    EXPECT_NE(TVMFFIFunctionCall(HandleOf(identity), &argument, 1, &result), 0) << tag;
    std::string kind = TakeRaised().kind;
    EXPECT_TRUE(kind == "TypeError" || kind == "InternalError") << tag << ": " << kind;
    EXPECT_EQ(result.type_index, kTVMFFINone) << tag;
  }
}

TEST(BadInput, ObjectTagsWithoutAnObject) {
  for (int32_t tag : {kTVMFFIObject, kTVMFFIStr, kTVMFFIFunction, kTVMFFIArray}) {
    TVMFFIAny view{}, owned{};
    view.type_index = tag;
    EXPECT_NE(TVMFFIAnyViewToOwnedAny(&view, &owned), 0) << tag;
    EXPECT_TRUE(TakeRaised().is_there) << tag;
    EXPECT_EQ(owned.type_index, kTVMFFINone) << tag;
  }
}

TEST(BadInput, SmallTextLongerThanItsValue) {
  for (int32_t tag : {kTVMFFISmallStr, kTVMFFISmallBytes}) {
    for (uint32_t length : {8u, 100u, 0xffffffffu}) {
      TVMFFIAny view{}, owned{};
      view.type_index = tag;
      view.small_str_len = length;
      TVMFFIByteArray name{"bad_input.small", 15};
      ExpectRefused({{"ToOwned", [&] { return TVMFFIAnyViewToOwnedAny(&view, &owned); }},
                     {"Attr", [&] { return TVMFFITypeRegisterAttr(kTVMFFIObject, &name, &view); }}},
                    "ValueError");
      EXPECT_EQ(owned.type_index, kTVMFFINone);
    }
  }
}

TEST(BadInput, RawPointersThatAreNull) {
  TVMFFIByteArray no_data{nullptr, 3};
  for (int32_t tag : {kTVMFFIRawStr, kTVMFFIByteArrayPtr, kTVMFFIObjectRValueRef}) {
    TVMFFIAny view{}, owned{};
    view.type_index = tag;
    ExpectRefused({{"ToOwned", [&] { return TVMFFIAnyViewToOwnedAny(&view, &owned); }}},
                  "ValueError");
    if (tag != kTVMFFIByteArrayPtr) continue;
    view.v_ptr = &no_data;
    ExpectRefused({{"data", [&] { return TVMFFIAnyViewToOwnedAny(&view, &owned); }}}, "ValueError");
  }
}

TEST(BadInput, NegativeCountOfArguments) {
  Function function = Function::FromTyped([] {});
  TVMFFIAny argument{}, result{};
  ExpectRefused(
      {{"Call", [&] { return TVMFFIFunctionCall(HandleOf(function), &argument, -1, &result); }}},
      "ValueError");
}

// ---------------------------------------------------------------- counts and indices

std::string KindOf(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.kind();
  } catch (const std::exception&) {
    return "std::exception";
  }
  return "";
}

template <typename... Args>
std::string KindOf(const char* name, const Args&... args) {
  return KindOf([&] { (void)Function::GetGlobalRequired(name)(args...); });
}

TEST(BadInput, CountsAndIndicesOfLists) {
  List<Any> list{1, 2, 3};
  for (int64_t at : {kLowest, int64_t{-1}, int64_t{4}, kHighest}) {
    EXPECT_EQ(KindOf("ffi.ListGetItem", list, at), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListSetItem", list, at, 0), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListErase", list, at), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListPop", list, at), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListInsert", list, at, 0), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListEraseRange", list, 1, at), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListEraseRange", list, at, 2), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ListReplaceSlice", list, at, kHighest, list), "IndexError") << at;
    EXPECT_EQ(KindOf("ffi.ArrayGetItem", Array<Any>{1}, at), "IndexError") << at;
  }
  EXPECT_NE(KindOf("ffi.ListReserve", list, kHighest), "");
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(list[2].cast<int>(), 3);
}

TEST(BadInput, CountsOfArraysInCpp) {
  for (int64_t count : {int64_t{-1}, kLowest, kHighest, int64_t{1} << 60}) {
    EXPECT_NE(KindOf([count] { Array<String> made(count, String("x")); }), "") << count;
    EXPECT_NE(KindOf([count] { Array<int64_t>{1}.resize(count); }), "") << count;
    EXPECT_NE(KindOf([count] { List<int64_t>{1}.resize(count); }), "") << count;
  }
  for (int64_t count : {kHighest, int64_t{1} << 60}) {
    EXPECT_NE(KindOf([count] { Array<int64_t>{1}.reserve(count); }), "") << count;
  }
}

TEST(BadInput, OddAndWrongArgumentsOfMakers) {
  EXPECT_NE(KindOf("ffi.Map", 1), "");
  EXPECT_NE(KindOf("ffi.Dict", 1, 2, 3), "");
  EXPECT_NE(KindOf("ffi.Shape", "text"), "");
  EXPECT_NE(KindOf("ffi.MakeObjectFromPackedArgs"), "");
  EXPECT_NE(KindOf("ffi.MakeObjectFromPackedArgs", "no.such.type"), "");
  EXPECT_NE(KindOf("ffi.MakeObjectFromPackedArgs", 1 << 30), "");
  EXPECT_NE(KindOf("ffi.MakeFieldSetter", 1, 0, 0), "");
  EXPECT_NE(KindOf("ffi._RegisterFFIInit", -5), "");
  EXPECT_NE(KindOf("ffi._PyClassRegisterTypeAttrColumns", 1 << 30, -1), "");
  EXPECT_NE(KindOf("ffi.ModuleLoadFromFile", ""), "");
}

// ---------------------------------------------------------------- types

// spec: Y8
TEST(BadInput, TypesThatCannotBe) {
  TVMFFIByteArray key = BytesOf("bad_input.Type"), object = BytesOf("ffi.Object");
  auto refused = [](int32_t index) { return index < 0 ? -1 : 0; };
  ExpectRefused(
      {{"unknown parent",
        [&] { return refused(TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, 1 << 30)); }},
       {"wrong depth", [&] { return refused(TVMFFITypeGetOrAllocIndex(&key, -1, 5, 0, 1, 64)); }},
       {"negative depth",
        [&] { return refused(TVMFFITypeGetOrAllocIndex(&key, -1, -1, 0, 1, 64)); }},
       {"taken index", [&] { return refused(TVMFFITypeGetOrAllocIndex(&key, 65, 1, 0, 1, 64)); }},
       {"index beyond all",
        [&] {
          return refused(TVMFFITypeGetOrAllocIndex(&key, kTVMFFIDynObjectBegin, 1, 0, 1, 64));
        }},
       {"negative slots",
        [&] { return refused(TVMFFITypeGetOrAllocIndex(&key, -1, 1, -3, 1, 64)); }},
       {"too many slots",
        [&] {
          return refused(
              TVMFFITypeGetOrAllocIndex(&key, -1, 1, std::numeric_limits<int32_t>::max(), 1, 64));
        }},
       {"plain parent", [&] { return refused(TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, 1)); }}},
      "ValueError InternalError RuntimeError TypeError");
  // The rejected calls did not register the key.
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, -2), -2);
  // For a registered key the call returns its type, whatever the other arguments are.
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&object, 99, 7, -1, 0, 1 << 30), kTVMFFIObject);
}

// ---------------------------------------------------------------- user code that fails

int64_t live = 0;

class FragileObj : public Object {
 public:
  int64_t number = 0;
  String text;
  FragileObj() { ++live; }
  FragileObj(const FragileObj& other) : Object(other), number(other.number), text(other.text) {
    if (number == 13) TVM_FFI_THROW(ValueError) << "copies are unlucky";
    ++live;
  }
  explicit FragileObj(int64_t number) : number(number) {
    if (number < 0) TVM_FFI_THROW(ValueError) << "negative";
    ++live;
  }
  ~FragileObj() { --live; }
  TVM_FFI_DECLARE_OBJECT_INFO("bad_input.Fragile", FragileObj, Object);
};

class BrokenObj : public Object {
 public:
  int64_t number = 0;
  BrokenObj() { TVM_FFI_THROW(RuntimeError) << "cannot be made"; }
  TVM_FFI_DECLARE_OBJECT_INFO("bad_input.Broken", BrokenObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<FragileObj>()
      .def_rw("number", &FragileObj::number)
      .def_rw("text", &FragileObj::text, refl::DefaultFactory(Function::FromTyped([]() -> String {
                TVM_FFI_THROW(KeyError) << "no default today";
                return "";
              })));
  refl::ObjectDef<BrokenObj>().def_rw("number", &BrokenObj::number, refl::DefaultValue(1));
}

// spec: C02
TEST(BadInput, ConstructorsThatThrow) {
  EXPECT_EQ(KindOf("ffi.MakeObjectFromPackedArgs", "bad_input.Broken"), "RuntimeError");
  EXPECT_THROW(make_object<FragileObj>(-1), Error);
  EXPECT_EQ(live, 0);
}

// spec: L08
TEST(BadInput, FactoriesAndSettersThatThrow) {
  const char* key = "bad_input.Fragile";
  EXPECT_EQ(KindOf("ffi.MakeObjectFromPackedArgs", key, "number", 1), "KeyError");
  EXPECT_EQ(KindOf("ffi.MakeObjectFromPackedArgs", key, "number", "text", "text", "x"),
            "TypeError");
  EXPECT_EQ(KindOf("ffi.MakeObjectFromPackedArgs", key, "number", 1, "text"), "InternalError");
  EXPECT_EQ(KindOf("ffi.MakeObjectFromPackedArgs", key, "nothing", 1, "text", "x"), "TypeError");
  EXPECT_EQ(live, 0);
}

TEST(BadInput, CopiesThatThrow) {
  {
    ObjectPtr<FragileObj> fragile = make_object<FragileObj>(13);
    EXPECT_EQ(KindOf("ffi.DeepCopy", Array<Any>{make_object<FragileObj>(1), fragile}),
              "ValueError");
    EXPECT_EQ(fragile.use_count(), 1);
  }
  EXPECT_EQ(live, 0);
}

TEST(BadInput, FunctionsThatThrowOtherThanExceptions) {
  Function odd = Function::FromTyped([]() -> void { throw 5; });
  EXPECT_THROW(odd(), int);
}

}  // namespace

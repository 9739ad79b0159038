// SPDX-License-Identifier: Apache-2.0
// Test the global functions of the runtime: names, type schemas and flags as in the golden facts,
// and the behaviour of each function (docs/reference/global-functions.md).
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

template <typename... Args>
Any Call(const char* name, Args&&... args) {
  return Function::GetGlobalRequired(name)(std::forward<Args>(args)...);
}

template <typename... Args>
Error CallError(const char* name, const Args&... args) {
  return Caught([&] { Call(name, args...); });
}

// ---------------------------------------------------------------- names, schemas, flags

// Return the quoted string that begins at `*position`, with its quotes and escapes.
std::string QuotedAt(const std::string& text, size_t* position) {
  size_t begin = *position;
  for (++*position; text[*position] != '"'; ++*position) {
    if (text[*position] == '\\') ++*position;
  }
  ++*position;
  return text.substr(begin, *position - begin);
}

// Return the section `global_functions` of abi_facts.json: a map from names to quoted schemas.
std::map<std::string, std::string> GoldenSchemas() {
  std::stringstream content;
  content << std::ifstream(TVM_FFI_TEST_FIXTURE_DIR "/abi_facts.json").rdbuf();
  std::string text = content.str();
  std::map<std::string, std::string> schemas;
  size_t position = text.find("\"global_functions\"");
  if (position == std::string::npos) return schemas;
  position = text.find('{', position);
  while (text[position] != '}') {
    if (text[position] != '"') {
      ++position;
      continue;
    }
    std::string name = QuotedAt(text, &position);
    position = text.find('"', position);
    schemas[name.substr(1, name.size() - 2)] = QuotedAt(text, &position);
  }
  return schemas;
}

// spec: E16, L24
TEST(GlobalFunctions, NamesAndSchemasAreTheGoldenOnes) {
  std::map<std::string, std::string> golden = GoldenSchemas();
  ASSERT_EQ(golden.size(), 100u);
  for (const auto& [name, schema] : golden) {
    ASSERT_TRUE(Function::GetGlobal(name).has_value()) << name << " is missing";
    EXPECT_EQ(Call("ffi.GetGlobalFuncMetadata", name).cast<std::string>(),
              "{\"type_schema\":" + schema + "}")
        << name;
  }
}

// spec: L24
TEST(GlobalFunctions, OurAdditions) {
  std::pair<const char*, const char*> additions[] = {
      {"ffi.TypeAttrSet", "(int, str, Any) -> None"},
      {"ffi.TypeAttrGet", "(str, int) -> Any"},
      {"ffi.TypeAttrMap", "(str) -> void*"},
      {"ffi.GetGlobalFuncFlags", "(str) -> int"},
      {"ffi.GetGlobalFuncCallInfo", "(str) -> Any"},
      {"ffi.GetGlobalFuncDoc", "(str) -> str"},
      {"ffi.EnumMark", "(int) -> ffi.EnumState"},
      {"ffi.EnumFindState", "(int) -> Optional[ffi.EnumState]"},
      {"ffi.EnumSetAttr", "(int, str, str, Any) -> None"},
      {"ffi.EnumTrySetAttr", "(int, str, Object, Any) -> bool"},
      {"ffi.EnumNameOf", "(Object) -> Optional[str]"},
  };
  auto schema = [](const std::string& type) { return "{\\\"type\\\":\\\"" + type + "\\\"}"; };
  auto optional = [&](const std::string& type) {
    return "{\\\"type\\\":\\\"Optional\\\",\\\"args\\\":[" + schema(type) + "]}";
  };
  auto metadata = [&](const std::string& result, const std::string& params) {
    return "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"named_args\\\":{"
           "\\\"return\\\":[" +
           result + "],\\\"params\\\":[" + params + "]}}\"}";
  };
  std::map<std::string, std::string> expected = {
      {"ffi.TypeAttrSet",
       metadata(schema("None"), schema("int") + "," + schema("ffi.String") + "," + schema("Any"))},
      {"ffi.TypeAttrGet", metadata(schema("Any"), schema("ffi.String") + "," + schema("int"))},
      {"ffi.TypeAttrMap", metadata(schema("void*"), schema("ffi.String"))},
      {"ffi.GetGlobalFuncFlags", metadata(schema("int"), schema("ffi.String"))},
      {"ffi.GetGlobalFuncCallInfo", metadata(schema("Any"), schema("ffi.String"))},
      {"ffi.GetGlobalFuncDoc", metadata(schema("ffi.String"), schema("ffi.String"))},
      {"ffi.EnumMark", metadata(schema("ffi.EnumState"), schema("int"))},
      {"ffi.EnumFindState", metadata(optional("ffi.EnumState"), schema("int"))},
      {"ffi.EnumSetAttr",
       metadata(schema("None"), schema("int") + "," + schema("ffi.String") + "," +
                                    schema("ffi.String") + "," + schema("Any"))},
      {"ffi.EnumTrySetAttr",
       metadata(schema("bool"), schema("int") + "," + schema("ffi.String") + "," +
                                    schema("ffi.Object") + "," + schema("Any"))},
      {"ffi.EnumNameOf", metadata(optional("ffi.String"), schema("ffi.Object"))},
  };
  for (const auto& [name, type] : additions) {
    EXPECT_EQ(Call("ffi.GetGlobalFuncMetadata", name).cast<std::string>(), expected[name])
        << name << " should be " << type;
  }
}

TEST(GlobalFunctions, AllAreShortCallsButTheLoaders) {
  std::set<std::string> loaders = {"ffi.ModuleLoadFromFile",
                                   "ffi.Module.load_from_file.so",
                                   "ffi.Module.load_from_file.tfs",
                                   "ffi.SystemLib",
                                   "ffi.schema.LoadImage",
                                   "ffi.schema.LoadImageFile",
                                   "ffi.schema.AddDefinitions",
                                   "ffi._ModuleLoadVersion",
                                   "ffi._LoadBegin",
                                   "ffi._LoadEnd",
                                   "ffi._LoadForgetCode"};
  for (const String& name : Function::ListGlobalNames()) {
    if (!name.starts_with("ffi.")) continue;
    int64_t flags = Call("ffi.GetGlobalFuncFlags", name).cast<int64_t>();
    EXPECT_NE(flags & kTVMFFIFieldFlagBitMaskIsStaticMethod, 0) << name;
    bool is_short = (flags & kTVMFFIMethodFlagBitMaskShortCall) != 0;
    EXPECT_EQ(is_short, loaders.count(std::string(name)) == 0) << name;
  }
}

TEST(GlobalFunctions, CallInfoIsMetadataOfNamedParametersElseFlags) {
  namespace refl = reflection;
  refl::GlobalDef()
      .def(
          "test_global.named", [](int x) { return x; }, refl::arg_names("x"))
      .def("test_global.unnamed", [](int x) { return x; }, refl::short_call());
  EXPECT_EQ(Call("ffi.GetGlobalFuncCallInfo", "test_global.named").cast<std::string>(),
            Call("ffi.GetGlobalFuncMetadata", "test_global.named").cast<std::string>());
  EXPECT_EQ(Call("ffi.GetGlobalFuncCallInfo", "test_global.unnamed").cast<int64_t>(),
            Call("ffi.GetGlobalFuncFlags", "test_global.unnamed").cast<int64_t>());
}

TEST(GlobalFunctions, AFunctionIsDescribedByItsAddress) {
  namespace refl = reflection;
  auto function = Function::FromTyped([](int x) { return x; });
  auto describe = [&](const char* hint) {
    std::vector<std::string> texts;
    for (const String& text : Call("ffi._FunctionDescribe", function, hint).cast<Array<String>>()) {
      texts.push_back(text);
    }
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(describe("test_global.described"), Texts());
  refl::GlobalDef().def_packed("test_global.described", function, "Doc.");
  refl::GlobalDef().def_packed("test_global.again", function, "Doc 2.");
  std::string metadata = R"({"type_schema":"{\"type\":\"ffi.Function\"}"})";
  Texts first{"global", "", "test_global.described", metadata, "Doc."};
  Texts second{"global", "", "test_global.again", metadata, "Doc 2."};
  EXPECT_EQ(describe("test_global.described"), first);
  EXPECT_EQ(describe("test_global.again"), second);
  EXPECT_EQ(describe("another"), second);
  EXPECT_EQ(Call("ffi.GetGlobalFuncDoc", "test_global.described").cast<std::string>(), "Doc.");
  Function::RemoveGlobal("test_global.again");
  EXPECT_EQ(describe("test_global.again"), first);
  Function::SetGlobal("test_global.described", Function::FromTyped([] { return 1; }), true);
  EXPECT_EQ(describe("test_global.described"), Texts());
  for (const char* name : {"test_global.described", "test_global.named", "test_global.unnamed"}) {
    Function::RemoveGlobal(name);
  }
}

// spec: E17
TEST(GlobalFunctions, MetadataAndFlagsOfUnknownName) {
  for (const char* function : {"ffi.GetGlobalFuncMetadata", "ffi.GetGlobalFuncFlags",
                               "ffi.GetGlobalFuncCallInfo", "ffi.GetGlobalFuncDoc"}) {
    Error error = CallError(function, "no such function");
    EXPECT_EQ(error.kind(), "RuntimeError");
    EXPECT_EQ(error.message(),
              "Global Function is not found: no such function; load the library that registers it "
              "first");
  }
}

TEST(GlobalFunctions, ListAndRemove) {
  Function::SetGlobal("test_global.listed", Function::FromTyped([]() { return 1; }));
  Function names = Call("ffi.FunctionListGlobalNamesFunctor").cast<Function>();
  int64_t count = names(-1).cast<int64_t>();
  std::vector<std::string> listed;
  for (int64_t i = 0; i < count; ++i) listed.push_back(names(i).cast<std::string>());
  EXPECT_NE(std::find(listed.begin(), listed.end(), "test_global.listed"), listed.end());
  EXPECT_EQ(Caught([&] { names(count); }).kind(), "IndexError");
  EXPECT_EQ(Caught([&] { names(-2); }).kind(), "IndexError");
  EXPECT_TRUE(Call("ffi.FunctionRemoveGlobal", "test_global.listed").cast<bool>());
  EXPECT_FALSE(Call("ffi.FunctionRemoveGlobal", "test_global.listed").cast<bool>());
  EXPECT_FALSE(Function::GetGlobal("test_global.listed").has_value());
}

int extern_deletions = 0;

TEST(GlobalFunctions, FunctionFromExternC) {
  static int64_t offset = 40;
  auto add = +[](void* self, const TVMFFIAny* args, int32_t, TVMFFIAny* result) -> int {
    result->type_index = kTVMFFIInt;
    result->v_int64 = args[0].v_int64 + *static_cast<int64_t*>(self);
    return 0;
  };
  auto remove = +[](void*) { ++extern_deletions; };
  {
    Function function = Call("ffi.FunctionFromExternC", static_cast<void*>(&offset),
                             reinterpret_cast<void*>(add), reinterpret_cast<void*>(remove))
                            .cast<Function>();
    EXPECT_EQ(function(2).cast<int64_t>(), 42);
  }
  EXPECT_EQ(extern_deletions, 1);
  EXPECT_EQ(CallError("ffi.FunctionFromExternC", nullptr, nullptr, nullptr).kind(), "ValueError");
}

// ---------------------------------------------------------------- objects

TEST(GlobalFunctions, Sentinels) {
  ObjectRef missing = Call("ffi.GetInvalidObject").cast<ObjectRef>();
  ObjectRef kwargs = Call("ffi.GetKwargsObject").cast<ObjectRef>();
  EXPECT_EQ(missing.type_index(), kTVMFFIObject);
  EXPECT_FALSE(missing.same_as(kwargs));
  EXPECT_TRUE(missing.same_as(Call("ffi.GetInvalidObject").cast<ObjectRef>()));
}

TEST(GlobalFunctions, RegisteredTypeKeys) {
  Array<String> keys = Call("ffi.GetRegisteredTypeKeys").cast<Array<String>>();
  std::set<std::string> all;
  for (const String& key : keys) all.insert(std::string(key));
  EXPECT_EQ(all.size(), keys.size());
  for (const char* key : {"None", "int", "ffi.Object", "ffi.Array", "ffi.Module"}) {
    EXPECT_EQ(all.count(key), 1u) << key;
  }
}

TEST(GlobalFunctions, StringBytesShape) {
  EXPECT_EQ(Call("ffi.String", "abc").cast<String>(), "abc");
  EXPECT_EQ(CallError("ffi.String", Bytes("abc", 3)).kind(), "TypeError");
  EXPECT_EQ(Call("ffi.Bytes", Bytes("abc", 3)).type_index(), kTVMFFISmallBytes);
  EXPECT_EQ(CallError("ffi.Bytes", "abc").kind(), "TypeError");
  Shape shape = Call("ffi.Shape", 1, true, -3).cast<Shape>();
  ASSERT_EQ(shape.size(), 3u);
  EXPECT_EQ(shape[1], 1);
  EXPECT_EQ(shape[2], -3);
  EXPECT_EQ(Call("ffi.Shape").cast<Shape>().size(), 0u);
  for (const Any& wrong : {Any("a"), Any(1.5), Any(nullptr)}) {
    Error error = CallError("ffi.Shape", 1, wrong);
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_EQ(error.message(), "Expect shape to take list of int arguments");
  }
}

// ---------------------------------------------------------------- sequences

TEST(GlobalFunctions, ArrayFunctions) {
  Array<Any> array = Call("ffi.Array", 1, "two", 3.0).cast<Array<Any>>();
  EXPECT_EQ(Call("ffi.Array").cast<Array<Any>>().size(), 0u);
  EXPECT_EQ(Call("ffi.ArraySize", array).cast<int64_t>(), 3);
  EXPECT_EQ(Call("ffi.ArrayGetItem", array, 1).cast<String>(), "two");
  EXPECT_TRUE(Call("ffi.ArrayContains", array, "two").cast<bool>());
  EXPECT_FALSE(Call("ffi.ArrayContains", array, 1.0).cast<bool>());
  EXPECT_EQ(CallError("ffi.ArrayGetItem", array, 3).message(), "Index 3 out of bounds 3");
  EXPECT_EQ(CallError("ffi.ArrayGetItem", array, -1).kind(), "IndexError");
  EXPECT_EQ(CallError("ffi.ArraySize", List<Any>()).message(),
            "Mismatched type on argument #0 when calling: `ffi.ArraySize(0: ffi.Array) -> int`. "
            "Expected `ffi.Array` but got `ffi.List`");
}

List<Any> Numbers(std::initializer_list<int> numbers) {
  List<Any> list;
  for (int number : numbers) list.push_back(number);
  return list;
}

std::vector<int> ToVector(const List<Any>& list) {
  std::vector<int> numbers;
  for (const Any& element : list) numbers.push_back(element.cast<int>());
  return numbers;
}

TEST(GlobalFunctions, ListReading) {
  List<Any> list = Call("ffi.List", 1, 2).cast<List<Any>>();
  EXPECT_EQ(Call("ffi.ListSize", list).cast<int64_t>(), 2);
  EXPECT_EQ(Call("ffi.ListGetItem", list, 1).cast<int>(), 2);
  EXPECT_TRUE(Call("ffi.ListContains", list, 2).cast<bool>());
  EXPECT_EQ(CallError("ffi.ListGetItem", list, 2).message(), "Index 2 out of bounds 2");
}

TEST(GlobalFunctions, ListChanging) {
  List<Any> list = Numbers({1, 2, 3});
  Call("ffi.ListAppend", list, 4);
  Call("ffi.ListInsert", list, 0, 0);
  Call("ffi.ListSetItem", list, 1, 10);
  EXPECT_EQ(ToVector(list), (std::vector<int>{0, 10, 2, 3, 4}));
  EXPECT_EQ(Call("ffi.ListPop", list, 1).cast<int>(), 10);
  Call("ffi.ListErase", list, 0);
  Call("ffi.ListReverse", list);
  EXPECT_EQ(ToVector(list), (std::vector<int>{4, 3, 2}));
  Call("ffi.ListEraseRange", list, 0, 2);
  EXPECT_EQ(ToVector(list), (std::vector<int>{2}));
  Call("ffi.ListReserve", list, 100);
  EXPECT_GE(list.capacity(), 100u);
  Call("ffi.ListReserve", list, -1);
  Call("ffi.ListClear", list);
  EXPECT_TRUE(list.empty());
}

TEST(GlobalFunctions, ListErrorsChangeNothing) {
  List<Any> list = Numbers({1, 2, 3});
  std::pair<Error, const char*> errors[] = {
      {CallError("ffi.ListInsert", list, 5, 0), "Index 5 out of bounds [0, 3]"},
      {CallError("ffi.ListInsert", list, -1, 0), "Index -1 out of bounds [0, 3]"},
      {CallError("ffi.ListSetItem", list, 3, 0), "Index 3 out of bounds 3"},
      {CallError("ffi.ListPop", list, -1), "Index -1 out of bounds 3"},
      {CallError("ffi.ListErase", list, 3), "Index 3 out of bounds 3"},
      {CallError("ffi.ListEraseRange", list, 0, 5), "Erase range [0, 5) out of bounds 3"},
      {CallError("ffi.ListEraseRange", list, 2, 1), "Erase range [2, 1) out of bounds 3"},
      {CallError("ffi.ListReplaceSlice", list, 0, 5, list), "Erase range [0, 5) out of bounds 3"},
      {CallError("ffi.ListReplaceSlice", list, 2, 1, list), "Erase range [2, 1) out of bounds 3"},
      {CallError("ffi.ListReplaceSlice", list, -1, 1, list), "Erase range [-1, 1) out of bounds 3"},
      {CallError("ffi.ListReplaceSlice", list, 4, 4, list), "Index 4 out of bounds [0, 3]"},
  };
  for (const auto& [error, message] : errors) {
    EXPECT_EQ(error.kind(), "IndexError");
    EXPECT_EQ(error.message(), message);
  }
  Call("ffi.ListEraseRange", list, 7, 7);
  EXPECT_EQ(ToVector(list), (std::vector<int>{1, 2, 3}));
}

TEST(GlobalFunctions, ListReplaceSlice) {
  List<Any> list = Numbers({1, 2, 3, 4});
  Call("ffi.ListReplaceSlice", list, 1, 3, Numbers({7, 8, 9}));
  EXPECT_EQ(ToVector(list), (std::vector<int>{1, 7, 8, 9, 4}));
  Call("ffi.ListReplaceSlice", list, 0, 5, List<Any>());
  EXPECT_TRUE(list.empty());
  list = Numbers({1, 2, 3});
  Call("ffi.ListReplaceSlice", list, 1, 2, list);
  EXPECT_EQ(ToVector(list), (std::vector<int>{1, 1, 2, 3, 3}));
}

// ---------------------------------------------------------------- mappings

TEST(GlobalFunctions, MapFunctions) {
  Map<Any, Any> map = Call("ffi.Map", "a", 1, 2, "b").cast<Map<Any, Any>>();
  EXPECT_EQ(Call("ffi.MapSize", map).cast<int64_t>(), 2);
  EXPECT_EQ(Call("ffi.MapGetItem", map, "a").cast<int>(), 1);
  EXPECT_EQ(Call("ffi.MapCount", map, 2).cast<int64_t>(), 1);
  EXPECT_EQ(Call("ffi.MapCount", map, 2.0).cast<int64_t>(), 0);
  Error missing = CallError("ffi.MapGetItem", map, "z");
  EXPECT_EQ(missing.kind(), "KeyError");
  EXPECT_EQ(missing.message(), "key is not in Map: a Map with 2 keys does not contain 'z'");
  EXPECT_TRUE(Call("ffi.MapGetItemOrMissing", map, "z").same_as(Call("ffi.GetInvalidObject")));
  EXPECT_EQ(Call("ffi.MapGetItemOrMissing", map, "a").cast<int>(), 1);
  EXPECT_EQ(CallError("ffi.Map", 1).message(), "Check failed: args.size() % 2 == 0 (1 vs. 0) : ");
  EXPECT_EQ(CallError("ffi.MapSize", Dict<Any, Any>()).kind(), "TypeError");
}

TEST(GlobalFunctions, MapIterationKeepsTheMapAlive) {
  Function iterate =
      Call("ffi.MapForwardIterFunctor", Call("ffi.Map", 1, "one", 2, "two")).cast<Function>();
  EXPECT_EQ(iterate(0).cast<int>(), 1);
  EXPECT_EQ(iterate(1).cast<String>(), "one");
  EXPECT_TRUE(iterate(2).cast<bool>());
  EXPECT_EQ(iterate(0).cast<int>(), 2);
  EXPECT_FALSE(iterate(2).cast<bool>());
  EXPECT_FALSE(iterate(2).cast<bool>());
  EXPECT_EQ(Caught([&] { iterate(0); }).kind(), "IndexError");
  Function empty = Call("ffi.MapForwardIterFunctor", Map<Any, Any>()).cast<Function>();
  EXPECT_EQ(Caught([&] { empty(1); }).kind(), "IndexError");
}

TEST(GlobalFunctions, DictFunctions) {
  Dict<Any, Any> dict = Call("ffi.Dict", "a", 1).cast<Dict<Any, Any>>();
  Call("ffi.DictSetItem", dict, 2, "b");
  EXPECT_EQ(Call("ffi.DictSize", dict).cast<int64_t>(), 2);
  EXPECT_EQ(Call("ffi.DictGetItem", dict, 2).cast<String>(), "b");
  EXPECT_EQ(CallError("ffi.DictGetItem", dict, 3).message(),
            "key is not in Map: a Dict with 2 keys does not contain 3");
  EXPECT_TRUE(Call("ffi.DictGetItemOrMissing", dict, 3).same_as(Call("ffi.GetInvalidObject")));
  Call("ffi.DictErase", dict, "a");
  Call("ffi.DictErase", dict, "a");
  EXPECT_EQ(Call("ffi.DictCount", dict, "a").cast<int64_t>(), 0);
  Call("ffi.DictClear", dict);
  EXPECT_EQ(dict.size(), 0u);
  EXPECT_EQ(CallError("ffi.Dict", 1, 2, 3).kind(), "InternalError");
}

TEST(GlobalFunctions, DictMayChangeDuringIteration) {
  Dict<Any, Any> dict;
  for (int i = 0; i < 20; ++i) dict.Set(i, i);
  Function iterate = Call("ffi.DictForwardIterFunctor", dict).cast<Function>();
  for (int i = 100; i < 1000; ++i) dict.Set(i, i);  // the dict allocates new storage
  for (int i = 1; i < 19; ++i) dict.erase(Any(i));
  EXPECT_EQ(iterate(0).cast<int>(), 0);
  EXPECT_TRUE(iterate(2).cast<bool>());
  EXPECT_EQ(iterate(0).cast<int>(), 19);
  EXPECT_EQ(iterate(1).cast<int>(), 19);
  dict.clear();
  EXPECT_EQ(Caught([&] { iterate(1); }).kind(), "KeyError");
  EXPECT_FALSE(iterate(2).cast<bool>());
}

// ---------------------------------------------------------------- the search for a device

struct NoData {
  void AllocData(DLTensor* tensor) { tensor->data = nullptr; }
  void FreeData(DLTensor*) {}
};

Tensor TensorOn(DLDeviceType type, int index) {
  return Tensor::FromNDAlloc(NoData(), Shape({1}), DLDataType{kDLFloat, 32, 1},
                             DLDevice{type, index});
}

DLDevice Search(const Any& value) {
  return Call("ffi.ContainerFindFirstNonCPUDevice", value).cast<DLDevice>();
}

TEST(DeviceSearch, FirstInDepthFirstOrder) {
  Any cpu = TensorOn(kDLCPU, 0);
  Array<Any> inner{cpu, TensorOn(kDLCUDA, 2)};
  Map<Any, Any> map{{TensorOn(kDLVulkan, 7), inner}};
  Dict<Any, Any> dict{{1, map}};
  List<Any> outer{1, "x", dict, TensorOn(kDLCUDA, 3)};
  DLDevice device = Search(outer);
  EXPECT_EQ(device.device_type, kDLCUDA);
  EXPECT_EQ(device.device_id, 2);  // device 7 is only in a key, and device 3 comes later
}

TEST(DeviceSearch, NothingFoundIsCpu) {
  for (const Any& value : {Any(1), Any(nullptr), Any(Array<Any>{1, 2}), Any(TensorOn(kDLCPU, 0))}) {
    EXPECT_EQ(Search(value).device_type, kDLCPU);
    EXPECT_EQ(Search(value).device_id, 0);
  }
  EXPECT_EQ(Search(TensorOn(kDLROCM, 1)).device_type, kDLROCM);
}

TEST(DeviceSearch, CyclesAndDepthEnd) {
  List<Any> self;
  self.push_back(self);
  EXPECT_EQ(Search(self).device_type, kDLCPU);
  self.clear();
  std::vector<List<Any>> chain{List<Any>{TensorOn(kDLCUDA, 1)}};
  for (int i = 0; i < 100000; ++i) chain.push_back(List<Any>{chain.back()});
  EXPECT_EQ(Search(chain.back()).device_type, kDLCUDA);
  while (!chain.empty()) {
    chain.back().clear();
    chain.pop_back();
  }
}

// ---------------------------------------------------------------- fields

TEST(FieldAccess, GettersByTypeIndex) {
  auto get = [](int64_t type_index, void* field) {
    auto getter = reinterpret_cast<TVMFFIFieldGetter>(
        Call("ffi.MakeFieldGetter", type_index).cast<int64_t>());
    TVMFFIAny result{};
    EXPECT_EQ(getter(field, &result), 0);
    return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&result);
  };
  int64_t integer = -5;
  double number = 2.5;
  bool truth = true;
  void* pointer = &integer;
  DLDataType dtype{kDLInt, 8, 4};
  DLDevice device{kDLCUDA, 3};
  Any any = String("a text of some length");
  ObjectRef object = Array<Any>{1};
  ObjectRef null;
  EXPECT_EQ(get(kTVMFFIInt, &integer).cast<int64_t>(), -5);
  EXPECT_EQ(get(kTVMFFIFloat, &number).cast<double>(), 2.5);
  EXPECT_EQ(get(kTVMFFIBool, &truth).type_index(), kTVMFFIBool);
  EXPECT_EQ(get(kTVMFFIOpaquePtr, &pointer).cast<void*>(), pointer);
  EXPECT_EQ(get(kTVMFFIDataType, &dtype).cast<DLDataType>(), dtype);
  EXPECT_EQ(get(kTVMFFIDevice, &device).cast<DLDevice>().device_id, 3);
  EXPECT_TRUE(get(kTVMFFIAny, &any).same_as(any));
  EXPECT_TRUE(get(kTVMFFIObject, &object).same_as(object));
  EXPECT_EQ(get(kTVMFFIArray, &object).type_index(), kTVMFFIArray);
  EXPECT_EQ(get(kTVMFFIObject, &null), nullptr);
  EXPECT_EQ(object.use_count(), 1);
  for (int64_t wrong : {7, 8, 11, 13, -5, 63}) {
    Error error = CallError("ffi.MakeFieldGetter", wrong);
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_EQ(error.message(), "Unsupported field type index for getter: " + std::to_string(wrong));
  }
}

// The settings of the function `Convert`, which adds 1 to ints and keeps other values. If `status`
// is not 0, the function fails with this status.
struct Conversion {
  int status = 0;
  bool raises = false;
};

int Convert(void* context, const TVMFFIAny* value, TVMFFIAny* result) {
  auto* conversion = static_cast<Conversion*>(context);
  if (conversion->status != 0) {
    if (conversion->raises) TVMFFIErrorSetRaisedFromCStr("OverflowError", "too large");
    return conversion->status;
  }
  if (TVMFFIAnyViewToOwnedAny(value, result) != 0) return -1;
  if (result->type_index == kTVMFFIInt) ++result->v_int64;
  return 0;
}

Function Setter(int64_t type_index, Conversion* conversion) {
  return Call("ffi.MakeFieldSetter", type_index, reinterpret_cast<int64_t>(conversion),
              reinterpret_cast<int64_t>(&Convert))
      .cast<Function>();
}

TEST(FieldAccess, SettersConvertAndStore) {
  Conversion conversion;
  int64_t integer = 0;
  Setter(kTVMFFIInt, &conversion)(static_cast<void*>(&integer), 41);
  EXPECT_EQ(integer, 42);
  bool truth[3] = {false, false, false};
  Setter(kTVMFFIBool, &conversion)(static_cast<void*>(&truth[1]), true);
  EXPECT_TRUE(truth[1]);
  EXPECT_FALSE(truth[0] || truth[2]);
  DLDataType dtypes[2] = {};
  Setter(kTVMFFIDataType, &conversion)(static_cast<void*>(&dtypes[0]), DLDataType{kDLInt, 8, 1});
  EXPECT_EQ(dtypes[0].bits, 8);
  EXPECT_EQ(dtypes[1].bits, 0);
  Any any = String("the old content goes");
  Setter(kTVMFFIAny, &conversion)(static_cast<void*>(&any), "the new content comes");
  EXPECT_EQ(any.cast<String>(), "the new content comes");
  ObjectRef old_object = Array<Any>();
  ObjectRef field = old_object;
  Function set_object = Setter(kTVMFFIObject, &conversion);
  set_object(static_cast<void*>(&field), List<Any>());
  EXPECT_EQ(field.type_index(), kTVMFFIList);
  EXPECT_EQ(old_object.use_count(), 1);
  EXPECT_EQ(field.use_count(), 1);
  set_object(static_cast<void*>(&field), nullptr);
  EXPECT_FALSE(field.defined());
}

TEST(FieldAccess, SetterErrors) {
  Conversion conversion;
  int64_t integer = 7;
  ObjectRef object;
  Function set_int = Setter(kTVMFFIInt, &conversion);
  void* address = &integer;
  EXPECT_EQ(Caught([&] { set_int(address, 1.5); }).message(),
            "Cannot convert from type `float` to `int`");
  EXPECT_EQ(
      Caught([&] { Setter(kTVMFFIObject, &conversion)(static_cast<void*>(&object), 1); }).message(),
      "Cannot convert from type `int` to `ffi.Object`");
  EXPECT_EQ(Caught([&] { set_int(address); }).kind(), "TypeError");
  EXPECT_EQ(Caught([&] { set_int(1, 1); }).kind(), "TypeError");
  EXPECT_EQ(Caught([&] { set_int(static_cast<void*>(nullptr), 1); }).kind(), "TypeError");
  conversion = Conversion{-1, true};
  EXPECT_EQ(Caught([&] { set_int(address, 1); }).kind(), "OverflowError");
  // The setter returns the status of the converter; -2 means that the interpreter of the
  // language binding has a pending exception.
  conversion = Conversion{-2, false};
  TVMFFIAny args[2] = {AnyView(address).CopyToTVMFFIAny(), AnyView(1).CopyToTVMFFIAny()};
  TVMFFIAny result{};
  EXPECT_EQ(
      TVMFFIFunctionCall(tvm::ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(set_int),
                         args, 2, &result),
      -2);
  EXPECT_EQ(integer, 7);
  EXPECT_EQ(CallError("ffi.MakeFieldSetter", 7, 0, 1).message(),
            "Unsupported field type index for setter: 7");
  EXPECT_EQ(CallError("ffi.MakeFieldSetter", 1, 0, 0).kind(), "ValueError");
}

// ---------------------------------------------------------------- type attributes

TEST(TypeAttributes, SetGetAndMap) {
  EXPECT_EQ(Call("ffi.TypeAttrGet", "test_global.attr", kTVMFFIArray), nullptr);
  Call("ffi.TypeAttrSet", static_cast<int>(kTVMFFIArray), "test_global.attr", 1);
  Call("ffi.TypeAttrSet", static_cast<int>(kTVMFFIArray), "test_global.attr", "again");
  EXPECT_EQ(
      Call("ffi.TypeAttrGet", "test_global.attr", static_cast<int>(kTVMFFIArray)).cast<String>(),
      "again");
  EXPECT_EQ(Call("ffi.TypeAttrGet", "test_global.attr", static_cast<int>(kTVMFFIList)), nullptr);
  void* map = Call("ffi.TypeAttrMap", "test_global.attr").cast<void*>();
  EXPECT_NE(map, nullptr);
  EXPECT_EQ(Call("ffi.TypeAttrMap", "test_global.attr").cast<void*>(), map);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Test the library of src/testing: the results of its functions and the layout of its types.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/tvm_ffi.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "caught.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class Fixtures : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    SharedLibrary library(TestingLibraryPath());
    ASSERT_TRUE(library.IsLoaded()) << library.Error();
  }
};

template <typename... Args>
Any Call(const std::string& name, Args&&... args) {
  return Function::GetGlobalRequired("testing." + name)(std::forward<Args>(args)...);
}

// ---------------------------------------------------------------- functions

TEST_F(Fixtures, Calls) {
  EXPECT_EQ(Call("nop", 1, 2, 3), nullptr);
  EXPECT_EQ(Call("echo", 5).cast<int>(), 5);
  EXPECT_EQ(Caught([] { Call("echo"); }).kind(), "TypeError");
  EXPECT_EQ(Call("add_one", 41).cast<int>(), 42);
  Function sub = Function::FromTyped([](int a, int b) { return a - b; });
  EXPECT_EQ(Call("apply", sub, 5, 3).cast<int>(), 2);
  EXPECT_EQ(Caught([] { Call("apply"); }).kind(), "TypeError");
  EXPECT_EQ(Caught([] { Call("apply", 1); }).message(),
            "Cannot convert from type `int` to `ffi.Function`");
}

TEST_F(Fixtures, AreOrdinaryCalls) {
  Function flags = Function::GetGlobalRequired("ffi.GetGlobalFuncFlags");
  for (const String& name : Function::ListGlobalNames()) {
    if (!name.starts_with("testing.")) continue;
    EXPECT_EQ(flags(name).cast<int64_t>() & kTVMFFIMethodFlagBitMaskShortCall, 0) << name;
  }
}

TEST_F(Fixtures, RaisedErrorHasItsKindAndPlace) {
  Error error = Caught([] { Call("test_raise_error", "KeyError", "no such thing"); });
  EXPECT_EQ(error.kind(), "KeyError");
  EXPECT_EQ(error.message(), "no such thing");
  EXPECT_NE(error.backtrace().find("TestRaiseError"), std::string::npos);
  Function raise = Function::GetGlobalRequired("testing.test_raise_error");
  Error through = Caught([&] { Call("apply", raise, "ValueError", "x"); });
#if !defined(_WIN32)  // whose backtraces have one line
  EXPECT_NE(through.backtrace().find("TestApply"), std::string::npos);
#endif
}

int pending_signals = 0;

TEST_F(Fixtures, RunCheckSignal) {
  Call("run_check_signal", 0);
  auto attach = +[]() -> void* { return nullptr; };
  auto detach = +[](void*) {};
  auto check = +[]() -> int { return pending_signals; };
  TVMFFIEnvRegisterCAPI("PyGILState_Ensure", reinterpret_cast<void*>(attach));
  TVMFFIEnvRegisterCAPI("PyGILState_Release", reinterpret_cast<void*>(detach));
  TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", reinterpret_cast<void*>(check));
  pending_signals = 1;
  EXPECT_EQ(Caught([] { Call("run_check_signal", 1000); }).kind(), "EnvErrorAlreadySet");
  TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", nullptr);
}

TEST_F(Fixtures, CSymbols) {
  auto safe_call =
      reinterpret_cast<TVMFFISafeCallType>(Call("get_add_one_c_symbol").cast<int64_t>());
  TVMFFIAny arg{};
  arg.type_index = kTVMFFIInt;
  arg.v_int64 = 41;
  TVMFFIAny result{};
  ASSERT_EQ(safe_call(nullptr, &arg, 1, &result), 0);
  EXPECT_EQ(result.v_int64, 42);
  EXPECT_EQ(safe_call(nullptr, &arg, 0, &result), -1);
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "TypeError");

  auto mlir = reinterpret_cast<void (*)(void**)>(Call("get_mlir_add_one_c_symbol").cast<int64_t>());
  void* handle = nullptr;
  TVMFFIAny* args = &arg;
  int32_t num_args = 1;
  result = TVMFFIAny{};
  TVMFFIAny* result_address = &result;
  int status = 99;
  void* packed[] = {&handle, &args, &num_args, &result_address, &status};
  mlir(packed);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(result.v_int64, 42);
}

TEST_F(Fixtures, Exports) {
  Module library = Module::LoadFromFile(TestingLibraryPath());
  EXPECT_EQ((*library->GetFunction("testing_dll_schema_id_int"))(3).cast<int>(), 3);
  EXPECT_EQ((*library->GetFunction("testing_dll_test_add_with_docstring"))(3, 4).cast<int>(), 7);
  std::string doc = *library->GetFunctionDoc("testing_dll_test_add_with_docstring");
  EXPECT_EQ(doc.substr(0, doc.find('\n')), "Add two integers and return the sum.");
  for (const char* name : {"\na : int\n", "\nb : int\n", "\nresult : int\n"}) {
    EXPECT_NE(doc.find(name), std::string::npos) << name;
  }
  EXPECT_TRUE(library->GetFunctionMetadata("testing_dll_schema_id_int").has_value());
  EXPECT_FALSE(library->GetFunctionDoc("testing_dll_schema_id_int").has_value());
  Module system = Function::GetGlobalRequired("ffi.SystemLib")("testing.").cast<Module>();
  EXPECT_EQ((*system->GetFunction("add_one"))(1).cast<int>(), 2);
}

TEST_F(Fixtures, UseCountAndUnregisteredObject) {
  ObjectRef object = Call("make_unregistered_object").cast<ObjectRef>();
  EXPECT_EQ(Call("object_use_count", object).cast<int64_t>(), 1);
  ObjectRef second = object;
  EXPECT_EQ(Call("object_use_count", object).cast<int64_t>(), 2);
  EXPECT_EQ(object.GetTypeKey(), "testing.TestUnregisteredObject");
  EXPECT_EQ(
      refl::GetMethod("testing.TestUnregisteredBaseObject", "get_v1_plus_one")(object).cast<int>(),
      42);
  EXPECT_EQ(
      refl::GetMethod("testing.TestUnregisteredObject", "get_v2_plus_two")(object).cast<int>(), 44);
}

TEST_F(Fixtures, SchemaFunctionsAreIdentities) {
  EXPECT_EQ(Call("schema_id_int", 1).type_index(), kTVMFFIInt);
  EXPECT_EQ(Call("schema_id_float", 1).type_index(), kTVMFFIFloat);
  EXPECT_EQ(Call("schema_id_device", "cuda:1").cast<DLDevice>().device_id, 1);
  EXPECT_EQ(Call("schema_id_dtype", "int8").cast<DLDataType>().bits, 8);
  EXPECT_EQ(Call("schema_id_opt_int", nullptr), nullptr);
  Array<Any> numbers{1, 2};
  EXPECT_TRUE(Call("schema_id_arr_int", numbers).same_as(Any(numbers)));
  EXPECT_EQ(Call("schema_variant_mix", numbers).type_index(), kTVMFFIArray);
  EXPECT_EQ(Call("schema_no_args").cast<int>(), 1);
  EXPECT_EQ(Call("schema_no_return", 1), nullptr);
  Error error = Caught([] {
    DLTensor tensor{};
    Call("schema_id_dltensor", &tensor);
  });
  EXPECT_EQ(error.kind(), "RuntimeError");
  EXPECT_EQ(error.message(),
            "DLTensor* cannot be held in Any as it does not retain ownership, use Tensor instead");
}

TEST_F(Fixtures, ArrMapOpt) {
  Map<String, Array<int64_t>> map{{"a", {3}}};
  Array<Optional<int64_t>> numbers{1, std::nullopt, 2};
  using Result = Map<String, Array<int64_t>>;
  Result with_key = Call("schema_arr_map_opt", numbers, map, "k").cast<Result>();
  EXPECT_EQ(with_key.size(), 2u);
  ASSERT_EQ(with_key["k"].size(), 2u);
  EXPECT_EQ(with_key["k"][1], 2);
  EXPECT_EQ(Call("schema_arr_map_opt", numbers, map, nullptr).cast<Result>().size(), 1u);
  EXPECT_EQ(map.size(), 1u);
}

// Compare one schema of each kind with that of the peer's testing library.
// spec: E16
TEST_F(Fixtures, SchemaTexts) {
  std::pair<const char*, const char*> schemas[] = {
      {"testing.echo", R"({"type":"ffi.Function"})"},
      {"testing.add_one",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"int"}],"params":[{"type":"int"}]}})"},
      {"testing.schema_no_args_no_return",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"None"}],"params":[]}})"},
      {"testing.object_use_count",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"int"}],"params":[{"type":"ffi.Object"}]}})"},
      {"testing.schema_id_arr",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"ffi.Array"}],"params":[{"type":"ffi.Array"}]}})"},
      {"testing.schema_tensor_view_input",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"None"}],"params":[{"type":"DLTensor*"}]}})"},
      {"testing.schema_id_func_typed",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"ffi.Function","named_args":{"return":[{"type":"None"}],"params":[{"type":"int"},{"type":"float"},{"type":"ffi.Function"}]}}],"params":[{"type":"ffi.Function","named_args":{"return":[{"type":"None"}],"params":[{"type":"int"},{"type":"float"},{"type":"ffi.Function"}]}}]}})"},
      {"testing.make_map_with_tensor",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"ffi.Map","args":[{"type":"ffi.String"},{"type":"Any"}]}],"params":[{"type":"ffi.Tensor"}]}})"},
      {"testing.TestIntPairSum",
       R"({"type":"ffi.Function","named_args":{"return":[{"type":"int"}],"params":[{"type":"testing.TestIntPair"}]}})"},
  };
  for (const auto& [name, schema] : schemas) {
    std::string metadata =
        Function::GetGlobalRequired("ffi.GetGlobalFuncMetadata")(name).cast<std::string>();
    EXPECT_EQ(metadata, "{\"type_schema\":" + std::string(EscapeStringJSON(String(schema))) + "}")
        << name;
  }
  std::string extra =
      Function::GetGlobalRequired("ffi.GetGlobalFuncMetadata")("testing.schema_id_int")
          .cast<std::string>();
  std::string end = R"(,"bool_attr":true,"int_attr":1,"str_attr":"hello"})";
  ASSERT_GT(extra.size(), end.size());
  EXPECT_EQ(extra.substr(extra.size() - end.size()), end);
}

struct NoData {
  void AllocData(DLTensor* tensor) { tensor->data = nullptr; }
  void FreeData(DLTensor*) {}
};

TEST_F(Fixtures, ContainersWithTensors) {
  Tensor t =
      Tensor::FromNDAlloc(NoData(), Shape({2}), DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  EXPECT_TRUE(Call("make_array_with_tensor", t).cast<Array<Any>>()[0].same_as(Any(t)));
  Array<Any> mixed = Call("make_array_with_mixed", t, 5).cast<Array<Any>>();
  EXPECT_EQ(mixed[1].cast<int>(), 5);
  EXPECT_EQ(mixed[2].cast<String>(), "hello");
  Array<Any> nested = Call("make_nested_array_with_tensor", t).cast<Array<Any>>();
  EXPECT_EQ(nested[0].cast<Array<Any>>()[1].cast<int>(), 42);
  EXPECT_TRUE(nested[1].same_as(Any(t)));
  EXPECT_EQ(Call("make_list_with_tensor", t, 5).type_index(), kTVMFFIList);
  auto map = Call("make_map_with_tensor", t).cast<Map<String, Any>>();
  EXPECT_EQ(map["value"].cast<int>(), 42);
  EXPECT_EQ(map["name"].cast<String>(), "test");
  auto dict = Call("make_dict_with_tensor", t).cast<Dict<String, Any>>();
  EXPECT_TRUE(dict["tensor"].same_as(Any(t)));
  EXPECT_TRUE(Call("make_empty_array_with_tensor_input", t).cast<Array<Any>>().empty());
  auto outer = Call("make_nested_map_with_tensor", t, t).cast<Map<String, Any>>();
  EXPECT_EQ(outer["scalar"].cast<int>(), 99);
  EXPECT_EQ(outer["array"].cast<Array<Any>>().size(), 2u);
  EXPECT_TRUE((outer["map"].cast<Map<String, Any>>())["t"].same_as(Any(t)));
  EXPECT_TRUE(Call("optional_tensor_view_has_value", t).cast<bool>());
  EXPECT_FALSE(Call("optional_tensor_view_has_value", nullptr).cast<bool>());
}

// ---------------------------------------------------------------- types

bool HasAttribute(const char* name, int32_t type_index) {
  return refl::TypeAttrColumn(name)[type_index] != nullptr;
}

// Compare the types with those of the peer's testing library; only testing.TestFrozenCxx is an
// addition of this project. A field has a name, an offset, a size, flags and a static type index.
TEST_F(Fixtures, TypesAreTheGoldenOnes) {
  std::stringstream content;
  content << std::ifstream(TVM_FFI_TEST_FIXTURE_DIR "/testing_types.json").rdbuf();
  auto golden = json::Parse(content.str()).cast<Map<String, Map<String, Any>>>();
  ASSERT_EQ(golden.size(), 29U);
  for (const auto& [key, expected] : golden) {
    SCOPED_TRACE(key);
    int32_t type_index = TypeKeyToIndex(key.c_str());
    const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(type_index);
    ASSERT_NE(type->metadata, nullptr);
    EXPECT_EQ(type->metadata->total_size, expected["size"].cast<int>());
    Array<String> has;
    if (type->metadata->creator != nullptr) has.push_back("creator");
    if (HasAttribute("__ffi_init__", type_index)) has.push_back("init");
    if (HasAttribute("__ffi_shallow_copy__", type_index)) has.push_back("shallow_copy");
    if (refl::TypeAttrColumn("__ffi_type_final__")[type_index].cast<bool>()) has.push_back("final");
    EXPECT_TRUE(RecursiveEq(has, expected["has"]));
    Array<Any> fields;
    for (int32_t i = 0; i < type->num_fields; ++i) {
      const TVMFFIFieldInfo& field = type->fields[i];
      fields.push_back(Array<Any>{String(field.name), field.offset, field.size, field.flags,
                                  field.field_static_type_index});
    }
    EXPECT_TRUE(RecursiveEq(fields, expected["fields"])) << ReprPrint(fields);
  }
}

TEST_F(Fixtures, DocsAndMethods) {
  auto field_doc = [](const char* key, const char* name) {
    return std::string(ToStringView(refl::GetFieldInfo(key, name)->doc));
  };
  auto method_doc = [](const char* key, const char* name) {
    return std::string(ToStringView(refl::GetMethodInfo(key, name)->doc));
  };
  EXPECT_EQ(field_doc("testing.TestObjectBase", "v_i64"), "i64 field");
  EXPECT_EQ(method_doc("testing.TestObjectBase", "add_i64"), "add_i64 method");
  EXPECT_EQ(field_doc("testing.TestIntPair", "a"), "Field `a`");
  EXPECT_EQ(method_doc("testing.TestUnregisteredObject", "get_v2_plus_two"),
            "Get (v2 + 2) from TestUnregisteredObject");
  EXPECT_EQ(method_doc("testing.SchemaAllTypes", "make_with"), "Constructor with subset of fields");
  ObjectRef all =
      refl::GetMethod("testing.SchemaAllTypes", "make_with")(1, 2.5, "s").cast<ObjectRef>();
  EXPECT_EQ(refl::GetMethod("testing.SchemaAllTypes", "add_int")(all, 4).cast<int>(), 5);
  Function concat = refl::GetMethod("testing.SchemaAllTypes", "maybe_concat");
  EXPECT_EQ(concat(all, "a", "b").cast<String>(), "ab");
  EXPECT_EQ(concat(all, nullptr, "b").cast<String>(), "b");
  EXPECT_EQ(concat(all, nullptr, nullptr), nullptr);
}

TEST_F(Fixtures, ConstructorsAndHooks) {
  auto init = [](const char* key) {
    return refl::TypeAttrColumn("__ffi_init__")[TypeKeyToIndex(key)].cast<Function>();
  };
  Any pair = init("testing.TestIntPair")(3, 4);
  EXPECT_EQ(Call("TestIntPairSum", pair).cast<int>(), 7);
  EXPECT_EQ(refl::GetMethod("testing.TestIntPair", "sum")(pair).cast<int>(), 7);
  Any off = init("testing.TestCxxAutoInitAllInitOff")();
  refl::FieldGetter z("testing.TestCxxAutoInitAllInitOff", "z");
  EXPECT_EQ(z(off.cast<ObjectRef>()).cast<int>(), 1234);
  Any polymorphic = init("testing.TestCxxClassPolymorphic")(9);
  refl::FieldGetter v("testing.TestCxxClassPolymorphic", "v_i64");
  EXPECT_EQ(v(polymorphic.cast<ObjectRef>()).cast<int>(), 9);
  Any holder = init("testing.TestObjectPtrHolder")(init("testing.TestObjectBase")());
  refl::FieldGetter optional("testing.TestObjectPtrHolder", "optional_value");
  EXPECT_EQ(optional(holder.cast<ObjectRef>()), nullptr);
  EXPECT_EQ(Caught([&] { init("testing.TestObjectPtrHolder")(nullptr); }).kind(), "TypeError");

  Any left = init("testing.TestCustomCompare")(1, "left");
  Any right = init("testing.TestCustomCompare")(2, "left");
  int32_t index = TypeKeyToIndex("testing.TestCustomCompare");
  Function compare_ints = Function::FromTyped([](int a, int b) { return a < b ? -1 : a > b; });
  Function compare = refl::TypeAttrColumn("__ffi_compare__")[index].cast<Function>();
  EXPECT_EQ(compare(left, right, compare_ints).cast<int>(), -1);
  EXPECT_TRUE(HasAttribute("__ffi_eq__", index));
  EXPECT_TRUE(HasAttribute("__ffi_hash__", index));
  int32_t without = TypeKeyToIndex("testing.TestEqWithoutHash");
  EXPECT_TRUE(HasAttribute("__ffi_eq__", without));
  EXPECT_FALSE(HasAttribute("__ffi_hash__", without));
}

// ---------------------------------------------------------------- structural visits

TEST_F(Fixtures, RegionGraphIsVisitedInItsRegions) {
  using Visited = std::vector<std::string>;
  auto visited = [](bool with_hook) {
    Visited result;
    StructuralWalk<WalkOrder::kPostOrder>(Call("make_visit_region_graph", with_hook),
                                          [&](AnyView value, TVMFFIDefRegionKind region) {
                                            std::string name = value.GetTypeKey();
                                            if (auto number = value.as<int>()) {
                                              name = std::to_string(*number);
                                            }
                                            result.push_back(name + "/" + std::to_string(region));
                                            return WalkResult::Advance();
                                          });
    return result;
  };
  EXPECT_EQ(visited(false), (Visited{"1/2", "2/1", "3/0", "testing.TestVisitRegions/0"}));
  EXPECT_EQ(visited(true), (Visited{"1/2", "2/1", "3/2", "testing.TestVisitRegions/2", "4/0",
                                    "testing.TestVisitHook/0"}));
  EXPECT_EQ(refl::GetFieldInfo("testing.TestVisitRegions", "ordinary")->offset, 40);
  EXPECT_EQ(refl::GetFieldInfo("testing.TestVisitHook", "child")->flags, 0);
}

TEST_F(Fixtures, TheVisitHookIsAFunction) {
  Call("make_visit_region_graph", true);
  int32_t index = TypeKeyToIndex("testing.TestVisitHook");
  EXPECT_EQ(refl::TypeAttrColumn("__s_visit__")[index].type_index(), kTVMFFIFunction);
}

}  // namespace

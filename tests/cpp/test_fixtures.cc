// SPDX-License-Identifier: Apache-2.0
// Test the library of src/testing: the results of its functions and the layout of its types.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/tvm_ffi.h>

#include <map>
#include <string>
#include <vector>

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

template <typename F>
Error Thrown(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error("none", "none", "");
}

// ---------------------------------------------------------------- functions

TEST_F(Fixtures, Calls) {
  EXPECT_EQ(Call("nop", 1, 2, 3), nullptr);
  EXPECT_EQ(Call("echo", 5).cast<int>(), 5);
  EXPECT_EQ(Thrown([] { Call("echo"); }).kind(), "TypeError");
  EXPECT_EQ(Call("add_one", 41).cast<int>(), 42);
  Function sub = Function::FromTyped([](int a, int b) { return a - b; });
  EXPECT_EQ(Call("apply", sub, 5, 3).cast<int>(), 2);
  EXPECT_EQ(Thrown([] { Call("apply"); }).kind(), "TypeError");
  EXPECT_EQ(Thrown([] { Call("apply", 1); }).message(),
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
  Error error = Thrown([] { Call("test_raise_error", "KeyError", "no such thing"); });
  EXPECT_EQ(error.kind(), "KeyError");
  EXPECT_EQ(error.message(), "no such thing");
  EXPECT_NE(error.backtrace().find("TestRaiseError"), std::string::npos);
  Function raise = Function::GetGlobalRequired("testing.test_raise_error");
  Error through = Thrown([&] { Call("apply", raise, "ValueError", "x"); });
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
  Error error = Thrown([] { Call("run_check_signal", 1000); });
  EXPECT_EQ(error.kind(), "EnvErrorAlreadySet");
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
  Error error = Thrown([] {
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

struct Field {
  const char* name;
  int64_t offset;
  int64_t size;
  int64_t flags;
  int32_t static_type_index;
};

struct Type {
  const char* key;
  int32_t size;
  bool has_creator;
  bool has_init;
  bool has_shallow_copy;
  bool is_final;
  std::vector<Field> fields;
};

// Layouts observed in the peer's testing library; only testing.TestFrozenCxx is an addition of this
// project.
std::vector<Type> GoldenTypes() {
  return {
      {"testing.TestObjectBase",
       56,
       true,
       true,
       true,
       false,
       {{"v_i64", 24, 8, 3, 1}, {"v_f64", 32, 8, 2, 3}, {"v_str", 40, 16, 3, -1}}},
      {"testing.TestObjectDerived",
       72,
       true,
       true,
       true,
       true,
       {{"v_map", 56, 8, 1, 64}, {"v_array", 64, 8, 1, 71}}},
      {"testing.TestObjectPtrHolder",
       40,
       true,
       true,
       true,
       false,
       {{"value", 24, 8, 1, 64}, {"optional_value", 32, 8, 3, 64}}},
      {"testing.TestIntPair", 40, true, true, true, true, {{"a", 24, 8, 0, 1}, {"b", 32, 8, 0, 1}}},
      {"testing.TestFrozenCxx",
       48,
       true,
       true,
       true,
       false,
       {{"value", 24, 8, 1, 1}, {"tag", 32, 16, 1, -1}}},
      {"testing.TestNonCopyable", 32, false, true, false, false, {{"value", 24, 8, 0, 1}}},
      {"testing.TestDeepCopyEdges",
       48,
       true,
       true,
       true,
       false,
       {{"v_any", 24, 16, 1, -1}, {"v_obj", 40, 8, 1, 64}}},
      {"testing.TestCompare",
       56,
       true,
       true,
       true,
       true,
       {{"key", 24, 8, 0, 1}, {"name", 32, 16, 0, -1}, {"ignored_field", 48, 8, 128, 1}}},
      {"testing.TestHash",
       56,
       true,
       true,
       true,
       true,
       {{"key", 24, 8, 0, 1}, {"name", 32, 16, 0, -1}, {"hash_ignored", 48, 8, 256, 1}}},
      {"testing.TestCustomHash",
       48,
       true,
       true,
       true,
       true,
       {{"key", 24, 8, 0, 1}, {"label", 32, 16, 0, -1}}},
      {"testing.TestCustomCompare",
       48,
       true,
       true,
       true,
       true,
       {{"key", 24, 8, 0, 1}, {"label", 32, 16, 0, -1}}},
      {"testing.TestEqWithoutHash",
       48,
       true,
       true,
       true,
       true,
       {{"key", 24, 8, 0, 1}, {"label", 32, 16, 0, -1}}},
      {"testing.TestCxxClassBase",
       40,
       true,
       true,
       true,
       false,
       {{"v_i64", 24, 8, 65, 1}, {"v_i32", 32, 4, 65, 1}}},
      {"testing.TestCxxClassDerived",
       56,
       true,
       true,
       true,
       false,
       {{"v_f64", 40, 8, 1, 3}, {"v_f32", 48, 4, 3, 3}}},
      {"testing.TestCxxClassDerivedDerived",
       80,
       true,
       true,
       true,
       false,
       {{"v_str", 56, 16, 3, -1}, {"v_bool", 72, 1, 1, 2}}},
      {"testing.TestCxxClassHiddenField",
       48,
       true,
       true,
       true,
       true,
       {{"v_i64", 24, 8, 1, 1}, {"v_i32", 40, 4, 1, 1}}},
      {"testing.TestCxxClassPolymorphic", 40, true, true, true, true, {{"v_i64", 24, 8, 1, 1}}},
      {"testing.TestCxxInitSubset",
       56,
       true,
       true,
       true,
       false,
       {{"required_field", 24, 8, 1, 1},
        {"optional_field", 32, 8, 515, 1},
        {"note", 40, 16, 515, -1}}},
      {"testing.TestCxxKwOnly",
       56,
       true,
       true,
       true,
       false,
       {{"x", 24, 8, 1025, 1},
        {"y", 32, 8, 1025, 1},
        {"z", 40, 8, 1025, 1},
        {"w", 48, 8, 1027, 1}}},
      {"testing.TestCxxAutoInit",
       56,
       true,
       true,
       true,
       false,
       {{"a", 24, 8, 1, 1}, {"b", 32, 8, 515, 1}, {"c", 40, 8, 1025, 1}, {"d", 48, 8, 3, 1}}},
      {"testing.TestCxxAutoInitSimple",
       40,
       true,
       true,
       true,
       false,
       {{"x", 24, 8, 1, 1}, {"y", 32, 8, 1, 1}}},
      {"testing.TestCxxAutoInitAllInitOff",
       48,
       true,
       true,
       true,
       false,
       {{"x", 24, 8, 515, 1}, {"y", 32, 8, 515, 1}, {"z", 40, 8, 513, 1}}},
      {"testing.TestCxxAutoInitKwOnlyDefaults",
       64,
       true,
       true,
       true,
       false,
       {{"p_required", 24, 8, 1, 1},
        {"p_default", 32, 8, 3, 1},
        {"k_required", 40, 8, 1025, 1},
        {"k_default", 48, 8, 1027, 1},
        {"hidden", 56, 8, 515, 1}}},
      {"testing.TestCxxNoAutoInit",
       40,
       true,
       false,
       true,
       false,
       {{"x", 24, 8, 1, 1}, {"y", 32, 8, 1, 1}}},
      {"testing.TestCxxAutoInitParent",
       40,
       true,
       true,
       true,
       false,
       {{"parent_required", 24, 8, 1, 1}, {"parent_default", 32, 8, 3, 1}}},
      {"testing.TestCxxAutoInitChild",
       56,
       true,
       true,
       true,
       true,
       {{"child_required", 40, 8, 1, 1}, {"child_kw_only", 48, 8, 1025, 1}}},
      {"testing.TestUnregisteredBaseObject", 32, false, true, true, false, {{"v1", 24, 8, 0, 1}}},
      {"testing.TestUnregisteredObject", 40, false, true, true, false, {{"v2", 32, 8, 0, 1}}},
      {"testing.SchemaAllTypes",
       184,
       false,
       false,
       true,
       false,
       {{"v_bool", 24, 1, 1, 2},
        {"v_int", 32, 8, 3, 1},
        {"v_float", 40, 8, 3, 3},
        {"v_device", 48, 8, 1, 6},
        {"v_dtype", 56, 4, 1, 5},
        {"v_string", 64, 16, 3, -1},
        {"v_bytes", 80, 16, 1, -1},
        {"v_opt_int", 96, 16, 1, -1},
        {"v_opt_str", 112, 16, 1, -1},
        {"v_arr_int", 128, 8, 1, 71},
        {"v_arr_str", 136, 8, 1, 71},
        {"v_map_str_int", 144, 8, 1, 64},
        {"v_map_str_arr_int", 152, 8, 1, 64},
        {"v_variant", 160, 16, 1, -1},
        {"v_opt_arr_variant", 176, 8, 1, -1}}},
  };
}

bool HasAttribute(const char* name, int32_t type_index) {
  return refl::TypeAttrColumn(name)[type_index] != nullptr;
}

void ExpectType(const Type& expected) {
  SCOPED_TRACE(expected.key);
  int32_t type_index = TypeKeyToIndex(expected.key);
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(type_index);
  ASSERT_NE(type->metadata, nullptr);
  EXPECT_EQ(type->metadata->total_size, expected.size);
  EXPECT_EQ(type->metadata->creator != nullptr, expected.has_creator);
  EXPECT_EQ(HasAttribute("__ffi_init__", type_index), expected.has_init);
  EXPECT_EQ(HasAttribute("__ffi_shallow_copy__", type_index), expected.has_shallow_copy);
  EXPECT_EQ(refl::TypeAttrColumn("__ffi_type_final__")[type_index].cast<bool>(), expected.is_final);
  ASSERT_EQ(static_cast<size_t>(type->num_fields), expected.fields.size());
  for (int32_t i = 0; i < type->num_fields; ++i) {
    const TVMFFIFieldInfo& field = type->fields[i];
    const Field& golden = expected.fields[static_cast<size_t>(i)];
    SCOPED_TRACE(golden.name);
    EXPECT_EQ(ToStringView(field.name), golden.name);
    EXPECT_EQ(field.offset, golden.offset);
    EXPECT_EQ(field.size, golden.size);
    EXPECT_EQ(field.flags, golden.flags);
    EXPECT_EQ(field.field_static_type_index, golden.static_type_index);
  }
}

TEST_F(Fixtures, TypesAreTheGoldenOnes) {
  for (const Type& type : GoldenTypes()) ExpectType(type);
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
  EXPECT_EQ(Thrown([&] { init("testing.TestObjectPtrHolder")(nullptr); }).kind(), "TypeError");

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

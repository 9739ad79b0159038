// SPDX-License-Identifier: Apache-2.0
// Test modules written in C++, and libraries loaded as modules.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// ---------------------------------------------------------------- modules in C++

int live_modules = 0;

// A module in which each function returns one number.
class NumbersObj : public ModuleObj {
 public:
  explicit NumbersObj(std::map<std::string, int64_t> numbers) : numbers_(std::move(numbers)) {
    ++live_modules;
  }
  ~NumbersObj() { --live_modules; }

  const char* kind() const final { return "numbers"; }

  Optional<Function> GetFunction(const String& name) final {
    ++lookups;
    auto it = numbers_.find(name);
    if (it == numbers_.end()) return std::nullopt;
    return Function::FromTyped([number = it->second]() { return number; });
  }

  Optional<String> GetFunctionDoc(const String& name) final {
    if (numbers_.count(name) == 0) return std::nullopt;
    return String("doc of " + std::string(name));
  }

  Optional<String> GetFunctionMetadata(const String& name) final {
    if (numbers_.count(name) == 0) return std::nullopt;
    return String("metadata of " + std::string(name));
  }

  int lookups = 0;

 private:
  std::map<std::string, int64_t> numbers_;
};

Module Numbers(std::map<std::string, int64_t> numbers) {
  return Module(make_object<NumbersObj>(std::move(numbers)));
}

int64_t CallNoArgs(const Optional<Function>& function) { return (*function)().cast<int64_t>(); }

// spec: SY2
TEST(Module, LayoutIsVtableThenHeader) {
  static_assert(sizeof(ModuleObj) == 48);
  Module module = Numbers({});
  auto* header = tvm::ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(module);
  EXPECT_EQ(reinterpret_cast<char*>(header) - reinterpret_cast<char*>(module.get()), 8);
  EXPECT_EQ(header->type_index, kTVMFFIModule);
  const TVMFFIFieldInfo* field = reflection::GetFieldInfo("ffi.Module", "imports_");
  EXPECT_EQ(field->offset, 24);
  EXPECT_EQ(field->flags & kTVMFFIFieldFlagBitMaskWritable, 0);
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(kTVMFFIModule);
  ASSERT_NE(type->metadata, nullptr);
  EXPECT_EQ(type->metadata->total_size, 48);
  EXPECT_EQ(type->metadata->creator, nullptr);
}

// spec: R01
TEST(Module, LookupInItselfAndImports) {
  Module root = Numbers({{"a", 1}});
  Module left = Numbers({{"b", 2}, {"c", 3}});
  Module right = Numbers({{"c", 4}, {"d", 5}});
  Module below_left = Numbers({{"d", 6}});
  left->ImportModule(below_left);
  root->ImportModule(left);
  root->ImportModule(right);
  EXPECT_EQ(CallNoArgs(root->GetFunction("a")), 1);
  EXPECT_FALSE(root->GetFunction("b").has_value());
  EXPECT_FALSE(root->GetFunction("b", false).has_value());
  EXPECT_EQ(CallNoArgs(root->GetFunction("b", true)), 2);
  EXPECT_EQ(CallNoArgs(root->GetFunction("c", true)), 3);
  // The search is depth first: the imports of `left` come before `right`.
  EXPECT_EQ(CallNoArgs(root->GetFunction("d", true)), 6);
  EXPECT_FALSE(root->GetFunction("e", true).has_value());
  EXPECT_TRUE(root->ImplementsFunction("d", true));
  EXPECT_FALSE(root->ImplementsFunction("d", false));
  EXPECT_FALSE(root->ImplementsFunction("d"));
  EXPECT_EQ(*root->GetFunctionDoc("b", true), "doc of b");
  EXPECT_FALSE(root->GetFunctionDoc("b", false).has_value());
  EXPECT_EQ(*root->GetFunctionMetadata("d", true), "metadata of d");
  EXPECT_FALSE(root->GetFunctionMetadata("e", true).has_value());
}

// spec: R01
TEST(Module, CyclicImportIsRefused) {
  Module a = Numbers({});
  Module b = Numbers({});
  Module c = Numbers({});
  a->ImportModule(b);
  b->ImportModule(c);
  for (const Module& back : {a, b, c}) {
    EXPECT_ERROR(c->ImportModule(back), "RuntimeError", "Cyclic dependency detected during import");
  }
  EXPECT_EQ(c->imports().size(), 0u);
  // Importing the same module twice does not make a cycle.
  a->ImportModule(c);
  a->ImportModule(c);
  EXPECT_EQ(a->imports().size(), 3u);
}

TEST(Module, LongChainOfImports) {
  constexpr int kLength = 2000;
  Module last = Numbers({{"deep", 7}});
  Module first = last;
  // the modules are released one by one, so that destructors are not nested
  std::vector<Module> chain{last};
  for (int i = 0; i < kLength; ++i) {
    Module next = Numbers({});
    next->ImportModule(first);
    first = next;
    chain.push_back(next);
  }
  EXPECT_EQ(CallNoArgs(first->GetFunction("deep", true)), 7);
  EXPECT_THROW(last->ImportModule(first), Error);
  first = last;
  while (!chain.empty()) {
    chain.back()->ClearImports();
    chain.pop_back();
  }
}

TEST(Module, SharedImportsAreAskedOnce) {
  // Each of 40 levels imports the next level through two modules: 81 modules, but 2^40 paths.
  Module bottom = Numbers({});
  Module top = bottom;
  for (int i = 0; i < 40; ++i) {
    Module left = Numbers({});
    Module right = Numbers({});
    Module above = Numbers({});
    left->ImportModule(top);
    right->ImportModule(top);
    above->ImportModule(left);
    above->ImportModule(right);
    top = above;
  }
  EXPECT_FALSE(top->GetFunction("nothing", true).has_value());
  EXPECT_EQ(static_cast<NumbersObj*>(bottom.get())->lookups, 1);
}

// spec: R01
TEST(Module, ClearImportsReleases) {
  int before = live_modules;
  Module root = Numbers({});
  root->ImportModule(Numbers({{"x", 1}}));
  EXPECT_EQ(live_modules, before + 2);
  root->ClearImports();
  EXPECT_EQ(live_modules, before + 1);
  EXPECT_EQ(root->imports().size(), 0u);
}

// spec: R01
TEST(Module, DefaultsOfTheVirtualFunctions) {
  Module module = Numbers({});
  EXPECT_EQ(module->GetPropertyMask(), 0);
  EXPECT_EQ(module->GetWriteFormats().size(), 0u);
  EXPECT_EQ(module->InspectSource("any"), "");
  EXPECT_ERROR(module->WriteToFile("f", "x"), "RuntimeError",
               "Module[numbers] does not support WriteToFile");
  EXPECT_EQ(Caught([&] { module->SaveToBytes(); }).message(),
            "Module[numbers] does not support SaveToBytes");
}

TEST(Module, NullIsRefused) {
  EXPECT_EQ(Caught([] { Module module{ObjectPtr<ModuleObj>()}; }).kind(), "InternalError");
  Module moved_from = Numbers({});
  Module module = std::move(moved_from);
  EXPECT_EQ(Caught([&] { module->ImportModule(moved_from); }).kind(), "ValueError");
}

TEST(Module, DiesWithItsLastReference) {
  int before = live_modules;
  {
    Any any = Numbers({});
    EXPECT_EQ(live_modules, before + 1);
    EXPECT_EQ(any.type_index(), kTVMFFIModule);
    EXPECT_STREQ(any.cast<Module>()->kind(), "numbers");
  }
  EXPECT_EQ(live_modules, before);
}

TEST(ModuleGlobals, KeepsAliveUntilRemoved) {
  Function add = Function::GetGlobalRequired("ffi.ModuleGlobalsAdd");
  Function remove = Function::GetGlobalRequired("ffi.ModuleGlobalsRemove");
  int before = live_modules;
  Module module = Numbers({});
  add(module);
  add(module);
  EXPECT_EQ(module.use_count(), 2);
  Module::ContainerType* raw = module.get();
  module = Numbers({});
  EXPECT_EQ(live_modules, before + 2);
  remove(GetRef<Module>(raw));
  EXPECT_EQ(live_modules, before + 1);
  remove(module);  // the module was never added
}

TEST(ModuleFunctions, MirrorTheMembers) {
  Module module = Numbers({{"a", 1}});
  module->ImportModule(Numbers({{"b", 2}}));
  auto call = [](const char* name, auto&&... args) {
    return Function::GetGlobalRequired(name)(std::forward<decltype(args)>(args)...);
  };
  EXPECT_EQ(call("ffi.ModuleGetKind", module).cast<String>(), "numbers");
  EXPECT_EQ(call("ffi.ModuleGetPropertyMask", module).cast<int>(), 0);
  EXPECT_EQ(call("ffi.ModuleGetFunction", module, "a", false).cast<Function>()().cast<int>(), 1);
  EXPECT_EQ(call("ffi.ModuleGetFunction", module, "b", false), nullptr);
  EXPECT_TRUE(call("ffi.ModuleImplementsFunction", module, "b", true).cast<bool>());
  EXPECT_EQ(call("ffi.ModuleGetFunctionDoc", module, "b", true).cast<String>(), "doc of b");
  EXPECT_EQ(call("ffi.ModuleGetFunctionMetadata", module, "b", false), nullptr);
  EXPECT_EQ(call("ffi.ModuleGetWriteFormats", module).cast<Array<String>>().size(), 0u);
  EXPECT_EQ(call("ffi.ModuleInspectSource", module, "").cast<String>(), "");
  EXPECT_EQ(Caught([&] { call("ffi.ModuleImportModule", module, module); }).message(),
            "Cyclic dependency detected during import");
  EXPECT_EQ(Caught([&] { call("ffi.ModuleWriteToFile", module, "f", "x"); }).message(),
            "Module[numbers] does not support WriteToFile");
  call("ffi.ModuleClearImports", module);
  EXPECT_EQ(module->imports().size(), 0u);
  EXPECT_EQ(Caught([&] { call("ffi.ModuleGetKind", 1); }).kind(), "TypeError");
}

// ---------------------------------------------------------------- lookup in imported modules

TVMFFIObjectHandle LookUp(const Module& module, const char* name) {
  TVMFFIObjectHandle function = nullptr;
  // The context is the address of the ModuleObj, not that of its object header.
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvModLookupFromImports(module.get(), name, &function));
  return function;
}

int64_t CallHandle(TVMFFIObjectHandle function) {
  TVMFFIAny result{};
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(function, nullptr, 0, &result));
  return result.v_int64;
}

// spec: Y22
TEST(ImportLookup, FirstImportThenDeeperThenGlobalAndCached) {
  Module root = Numbers({{"own", 0}});
  Module first = Numbers({{"f", 1}});
  Module second = Numbers({{"f", 2}, {"g", 3}});
  Module deep = Numbers({{"h", 4}});
  second->ImportModule(deep);
  root->ImportModule(first);
  root->ImportModule(second);
  TVMFFIObjectHandle f = LookUp(root, "f");
  EXPECT_EQ(CallHandle(f), 1);
  EXPECT_EQ(CallHandle(LookUp(root, "g")), 3);
  EXPECT_EQ(CallHandle(LookUp(root, "h")), 4);
  // The second lookup does not call the module, and returns the same borrowed object.
  int lookups = static_cast<NumbersObj*>(first.get())->lookups;
  EXPECT_EQ(LookUp(root, "f"), f);
  EXPECT_EQ(static_cast<NumbersObj*>(first.get())->lookups, lookups);
  EXPECT_EQ(static_cast<TVMFFIObject*>(f)->combined_ref_count & 0xffffffffu, 1u);
  // The cache keeps the function after the imports were removed.
  root->ClearImports();
  EXPECT_EQ(LookUp(root, "f"), f);

  Function::SetGlobal("test_module.global", Function::FromTyped([]() { return 9; }));
  EXPECT_EQ(CallHandle(LookUp(root, "test_module.global")), 9);
  Function::RemoveGlobal("test_module.global");
  EXPECT_EQ(CallHandle(LookUp(root, "test_module.global")), 9);
}

// spec: Y22
TEST(ImportLookup, Errors) {
  Module root = Numbers({{"own", 0}});
  // The lookup does not find functions of the module itself.
  EXPECT_ERROR(
      LookUp(root, "own"), "RuntimeError",
      "Cannot find function own in the imported modules or global registry. Load the library "
      "that registers it first.");
  TVMFFIObjectHandle function = nullptr;
  EXPECT_EQ(TVMFFIEnvModLookupFromImports(nullptr, "f", &function), -1);
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "ValueError");
  EXPECT_EQ(TVMFFIEnvModLookupFromImports(root.get(), nullptr, &function), -1);
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "ValueError");
  EXPECT_EQ(TVMFFIEnvModLookupFromImports(root.get(), "f", nullptr), -1);
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "ValueError");
}

// ---------------------------------------------------------------- loading files

String Fixture(const std::string& name) { return String(FixturePath(name)); }

// spec: Y23
TEST(LoadFile, CLibrary) {
  Module library = Module::LoadFromFile(Fixture("c_library"));
  EXPECT_STREQ(library->kind(), "library");
  EXPECT_EQ(library->GetPropertyMask(), 3);
  Function add_one = *library->GetFunction("c_add_one");
  EXPECT_EQ(add_one(41).cast<int64_t>(), 42);
  EXPECT_EQ(Caught([&] { add_one("x"); }).kind(), "TypeError");
  EXPECT_FALSE(library->GetFunction("nothing").has_value());
  EXPECT_TRUE(library->ImplementsFunction("c_add_one"));
  EXPECT_FALSE(library->ImplementsFunction("nothing"));
  EXPECT_EQ(*library->GetFunctionMetadata("c_add_one"), "{\"type_schema\":\"{}\"}");
  EXPECT_EQ(*library->GetFunctionDoc("c_add_one"), "Adds one.");
  EXPECT_FALSE(library->GetFunctionDoc("c_status").has_value());
  EXPECT_FALSE(library->GetFunctionMetadata("c_status").has_value());
}

TEST(LoadFile, StatusIsPassedOnUnchanged) {
  Module library = Module::LoadFromFile(Fixture("c_library"));
  Function function = *library->GetFunction("c_status");
  TVMFFIAny result{};
  auto* handle = tvm::ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(function);
  EXPECT_EQ(TVMFFIFunctionCall(handle, nullptr, 0, &result), -2);
}

// spec: R02
TEST(LoadFile, CxxLibrary) {
  Module library = Module::LoadFromFile(Fixture("cxx_library"));
  EXPECT_EQ((*library->GetFunction("cxx_add"))(40, 2).cast<int64_t>(), 42);
  EXPECT_EQ((*library->GetFunction("main"))(1, 2).cast<int64_t>(), 3);
  Array<String> greeting = (*library->GetFunction("cxx_greet"))("you").cast<Array<String>>();
  ASSERT_EQ(greeting.size(), 2u);
  EXPECT_EQ(greeting[1], "you");
  EXPECT_ERROR((*library->GetFunction("cxx_fail"))("bad"), "ValueError", "bad");
  EXPECT_TRUE(Contains(*library->GetFunctionMetadata("cxx_add"), "type_schema"));
  EXPECT_EQ(*library->GetFunctionDoc("cxx_add"), "Adds two numbers.");
}

// spec: R02
TEST(LoadFile, FunctionOutlivesTheModuleReference) {
  Optional<Function> function;
  {
    Module library = Module::LoadFromFile(Fixture("cxx_library"));
    function = library->GetFunction("cxx_add");
    EXPECT_EQ(library.use_count(), 2);
  }
  EXPECT_EQ((*function)(1, 2).cast<int64_t>(), 3);
}

TEST(LoadFile, TwiceGivesTwoModules) {
  Module first = Module::LoadFromFile(Fixture("c_library"));
  Module second = Module::LoadFromFile(Fixture("c_library"));
  EXPECT_FALSE(first.same_as(second));
}

// spec: Y22
TEST(LoadFile, ContextIsTheModuleAndIsForgotten) {
  Module first = Module::LoadFromFile(Fixture("c_library"));
  Function context = *first->GetFunction("c_context");
  EXPECT_EQ(context().cast<void*>(), static_cast<void*>(first.get()));
  {
    Module second = Module::LoadFromFile(Fixture("c_library"));
    EXPECT_EQ(context().cast<void*>(), static_cast<void*>(second.get()));
  }
  // The library is still loaded. The module whose address its context variable held is destroyed,
  // so the variable is null.
  EXPECT_EQ(context().cast<void*>(), nullptr);
}

// spec: R03
TEST(LoadFile, ImportsAreReachedFromInside) {
  Module library = Module::LoadFromFile(Fixture("c_library"));
  Error error = Caught([&] { (*library->GetFunction("c_call_imported"))(); });
  EXPECT_EQ(
      error.message(),
      "Cannot find function imported in the imported modules or global registry. Load the library "
      "that registers it first.");
  library->ImportModule(Numbers({{"imported", 11}}));
  EXPECT_EQ((*library->GetFunction("c_call_imported"))().cast<int64_t>(), 11);
}

// spec: R03
TEST(LoadFile, ContextSymbolsAreWrittenAndVisited) {
  int first = 0;
  int second = 0;
  ASSERT_EQ(TVMFFIEnvModRegisterContextSymbol("tvm_ffi_test_context_symbol", &first), 0);
  ASSERT_EQ(TVMFFIEnvModRegisterContextSymbol("tvm_ffi_test_elsewhere", &first), 0);
  ASSERT_EQ(TVMFFIEnvModRegisterContextSymbol("tvm_ffi_test_context_symbol", &second), 0);
  std::vector<std::pair<std::string, void*>> visited;
  Module::VisitContextSymbols(
      [&](String name, void* address) { visited.emplace_back(std::string(name), address); });
  std::vector<std::pair<std::string, void*>> expected = {{"tvm_ffi_test_context_symbol", &first},
                                                         {"tvm_ffi_test_elsewhere", &first},
                                                         {"tvm_ffi_test_context_symbol", &second}};
  EXPECT_EQ(visited, expected);
  Module library = Module::LoadFromFile(Fixture("c_library"));
  // If two symbols have one name, the later one is used.
  EXPECT_EQ((*library->GetFunction("c_context_symbol"))().cast<void*>(),
            static_cast<void*>(&second));
  EXPECT_EQ(TVMFFIEnvModRegisterContextSymbol(nullptr, nullptr), -1);
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "ValueError");
}

TEST(LoadFile, OtherSpellingsOfTheExtension) {
  for (const char* extension : {"dll", "dylib", "dso"}) {
    std::string path = "/nowhere/lib." + std::string(extension);
    Error error = Caught([&] { Module::LoadFromFile(path); });
    EXPECT_EQ(error.kind(), "LibraryNotFoundError");
    EXPECT_TRUE(Contains(error.message(), "Failed to load dynamic shared library " + path));
  }
}

// spec: R02, Y23
TEST(LoadFile, MissingFile) {
  Error error = Caught([] { Module::LoadFromFile("/nowhere/lib.so"); });
  EXPECT_EQ(error.kind(), "LibraryNotFoundError");
  std::string message = error.message();
#if defined(__GLIBC__)
  EXPECT_EQ(message,
            "Failed to load dynamic shared library /nowhere/lib.so: cannot open shared object "
            "file: No such file or directory; there is no directory /nowhere/");
#else
  EXPECT_TRUE(Contains(message, "Failed to load dynamic shared library /nowhere/lib.so: "));
  EXPECT_TRUE(Contains(message, "; there is no directory /nowhere/")) << message;
#endif
}

// spec: Y23
TEST(LoadFile, TextFile) {
  std::string path = std::string(TVM_FFI_TEST_FIXTURE_DIR) + "/not_a_library.so";
  std::ofstream(path) << "This is not a library.\n";
  Error error = Caught([&] { Module::LoadFromFile(path); });
  EXPECT_EQ(error.kind(), "InternalError");
  EXPECT_TRUE(Contains(error.message(), "Failed to load dynamic shared library " + path));
  std::remove(path.c_str());
}

// spec: R02
TEST(LoadFile, NoFormatAndUnknownFormat) {
  EXPECT_ERROR(
      Module::LoadFromFile("abc"), "RuntimeError",
      "Failed to get file format from abc; the name of a library ends in .so, .dylib or .dll");
  Error unknown = Caught([] { Module::LoadFromFile("abc.xyz"); });
  EXPECT_EQ(unknown.kind(), "RuntimeError");
  std::string start =
      "Loader for `.xyz` files is not registered, resolved to (ffi.Module.load_from_file.xyz) in "
      "the global registry.";
  EXPECT_EQ(unknown.message().substr(0, start.size()), start);
}

TEST(LoadFile, LibrariesWithAVersionAreLibraries) {
  for (const char* path : {"absent.so.6", "./absent.so.1.2.3"}) {
    Error error = Caught([&] { Module::LoadFromFile(path); });
    EXPECT_TRUE(Contains(error.message(), "Failed to load dynamic shared library")) << path;
  }
  for (const char* path : {"absent.so..6", "absent.so6.1", "absent.6", ".6", "6.6"}) {
    Error error = Caught([&] { Module::LoadFromFile(path); });
    EXPECT_TRUE(Contains(error.message(), "Loader for `.")) << path;
  }
}

TEST(LoadFile, PathWithNul) {
  EXPECT_EQ(Caught([] { Module::LoadFromFile(String("a\0b.so", 6)); }).kind(), "ValueError");
}

TEST(LoadFile, RegisteredFormatsAreUsed) {
  Function::SetGlobal("ffi.Module.load_from_file.test_format",
                      Function::FromTyped([](String path, String format) {
                        EXPECT_EQ(path, "some.test_format");
                        EXPECT_EQ(format, "test_format");
                        return Numbers({{"loaded", 1}});
                      }));
  Module module = Module::LoadFromFile("some.test_format");
  EXPECT_TRUE(module->ImplementsFunction("loaded"));
  Module again =
      Function::GetGlobalRequired("ffi.ModuleLoadFromFile")("some.test_format").cast<Module>();
  EXPECT_TRUE(again->ImplementsFunction("loaded"));
}

// spec: Y23
TEST(AbiVersion, OtherMajorOrMinorIsRefused) {
  std::string mine =
      std::to_string(TVM_FFI_VERSION_MAJOR) + "." + std::to_string(TVM_FFI_VERSION_MINOR);
  std::pair<const char*, std::string> cases[] = {
      {"abi_other_minor", "0.999"},
      {"abi_other_major", "7." + std::to_string(TVM_FFI_VERSION_MINOR)},
  };
  for (const auto& [name, version] : cases) {
    String path = Fixture(name);
    EXPECT_ERROR(Module::LoadFromFile(path), "RuntimeError",
                 std::string(path) + " was built for TVM-FFI ABI " + version +
                     ", this runtime implements " + mine);
  }
}

TEST(AbiVersion, OtherPatchIsTaken) {
  EXPECT_STREQ(Module::LoadFromFile(Fixture("abi_other_patch"))->kind(), "library");
}

// ---------------------------------------------------------------- embedded import trees

class ImportTree : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Function::SetGlobal("ffi.Module.load_from_bytes.test_blob",
                        Function::FromTyped([](const Bytes& content) {
                          return Numbers({{std::string(content), 1}});
                        }),
                        true);
  }
};

// spec: Y23
TEST_F(ImportTree, WithTheLibraryInside) {
  Module root = Module::LoadFromFile(Fixture("blob_with_library"));
  EXPECT_STREQ(root->kind(), "numbers");
  EXPECT_TRUE(root->ImplementsFunction("r"));
  ASSERT_EQ(root->imports().size(), 2u);
  Module library = root->imports()[0].cast<Module>();
  EXPECT_STREQ(library->kind(), "library");
  EXPECT_TRUE(root->imports()[1].cast<Module>()->ImplementsFunction("i"));
  EXPECT_TRUE((*root->GetFunction("has_context", true))().cast<bool>());
}

// spec: Y23
TEST_F(ImportTree, WithoutTheLibrary) {
  Module root = Module::LoadFromFile(Fixture("blob_without_library"));
  EXPECT_TRUE(root->ImplementsFunction("x"));
  EXPECT_EQ(root->imports().size(), 0u);
}

// spec: Y23
TEST_F(ImportTree, MalformedTreesAreRefused) {
  int before = live_modules;
#if defined(__GLIBC__)
  const char* truncated = "is malformed: it is shorter than it says";
#else
  // Only glibc tells the size of a symbol (docs/platforms.md).
  const char* truncated = "is malformed: it ends too early";
#endif
  std::pair<const char*, const char*> cases[] = {
      {"blob_truncated", truncated},
      {"blob_short_text", "is malformed: a text reaches past the end"},
      {"blob_bad_import", "is malformed: an import is not among the modules"},
      {"blob_cyclic", "Cyclic dependency detected during import"},
      {"blob_unknown_kind",
       "Library binary was created using {no_kind} but a loader of that name is not registered"},
  };
  for (const auto& [name, text] : cases) {
    Error error = Caught([name = name] { Module::LoadFromFile(Fixture(name)); });
    EXPECT_EQ(error.kind(), "RuntimeError") << name;
    EXPECT_TRUE(Contains(error.message(), text)) << error.message();
  }
  // The modules of blob_cyclic are destroyed too, since the import that would close the cycle
  // fails.
  EXPECT_EQ(live_modules, before);
}

// ---------------------------------------------------------------- the system library

int ReturnsSeven(void* handle, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = handle == nullptr ? 7 : -1;
  return 0;
}
int ReturnsEight(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = 8;
  return 0;
}
int ReturnsText(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  TVMFFIByteArray text{"text", 4};
  return TVMFFIStringFromByteArray(&text, result);
}

void AddSymbol(const char* name, void* address) {
  ASSERT_EQ(TVMFFIEnvModRegisterSystemLibSymbol(name, address), 0);
}

template <typename F>
void* Address(F* function) {
  return reinterpret_cast<void*>(function);
}

Module SystemLib(const char* prefix) {
  return Function::GetGlobalRequired("ffi.SystemLib")(prefix).cast<Module>();
}

TEST(SystemLib, OneModulePerPrefix) {
  Function system_lib = Function::GetGlobalRequired("ffi.SystemLib");
  Module plain = system_lib().cast<Module>();
  EXPECT_TRUE(plain.same_as(SystemLib("")));
  EXPECT_TRUE(SystemLib("same.").same_as(SystemLib("same.")));
  EXPECT_FALSE(SystemLib("same.").same_as(plain));
  EXPECT_STREQ(plain->kind(), "library");
  EXPECT_EQ(plain->GetPropertyMask(), 3);
}

// spec: Y23
TEST(SystemLib, PrefixedNamesComeFirst) {
  AddSymbol("__tvm_ffi_p1.f", Address(ReturnsSeven));
  AddSymbol("__tvm_ffi_f", Address(ReturnsEight));
  AddSymbol("__tvm_ffi_g", Address(ReturnsEight));
  Module module = SystemLib("p1.");
  EXPECT_EQ(CallNoArgs(module->GetFunction("f")), 7);
  EXPECT_EQ(CallNoArgs(module->GetFunction("g")), 8);
  EXPECT_EQ(CallNoArgs(module->GetFunction("p1.f")), 7);
  EXPECT_FALSE(module->GetFunction("h").has_value());
  EXPECT_EQ(CallNoArgs(SystemLib("")->GetFunction("f")), 8);
}

TEST(SystemLib, LaterSymbolReplaces) {
  AddSymbol("__tvm_ffi_replaced", Address(ReturnsSeven));
  AddSymbol("__tvm_ffi_replaced", Address(ReturnsEight));
  EXPECT_EQ(CallNoArgs(SystemLib("")->GetFunction("replaced")), 8);
}

TEST(SystemLib, ContextMetadataAndDoc) {
  void* context = nullptr;
  AddSymbol("p2.__tvm_ffi__library_ctx", &context);
  AddSymbol("p2.__tvm_ffi__metadata_f", Address(ReturnsText));
  AddSymbol("__tvm_ffi__doc_p2.f", Address(ReturnsText));
  Module module = SystemLib("p2.");
  EXPECT_EQ(context, static_cast<void*>(module.get()));
  EXPECT_EQ(*module->GetFunctionMetadata("f"), "text");
  EXPECT_EQ(*module->GetFunctionDoc("f"), "text");
  EXPECT_FALSE(module->GetFunctionDoc("g").has_value());
}

TEST(SystemLib, FailedLoadCanBeTriedAgain) {
  static const std::vector<unsigned char> blob = [] {
    std::vector<unsigned char> bytes;
    auto number = [&](unsigned char n) {
      bytes.push_back(n);
      bytes.insert(bytes.end(), 7, 0);
    };
    for (int n : {50, 2, 0, 0, 0, 2}) number(static_cast<unsigned char>(n));
    bytes.insert(bytes.end(), {'p', '3'});
    number(0);
    return bytes;
  }();
  AddSymbol("p3.__tvm_ffi__library_bin", const_cast<unsigned char*>(blob.data()));
  Error error = Caught([] { SystemLib("p3."); });
  EXPECT_TRUE(Contains(error.message(), "{p3}")) << error.message();
  Function::SetGlobal("ffi.Module.load_from_bytes.p3", Function::FromTyped([](const Bytes&) {
                        // A loader cannot load the library for which it is running.
                        EXPECT_EQ(Caught([] { SystemLib("p3."); }).kind(), "RuntimeError");
                        return Numbers({{"late", 1}});
                      }));
  EXPECT_TRUE(SystemLib("p3.")->ImplementsFunction("late"));
}

TEST(SystemLib, WrongArguments) {
  Function system_lib = Function::GetGlobalRequired("ffi.SystemLib");
  EXPECT_EQ(Caught([&] { system_lib(1); }).kind(), "TypeError");
  EXPECT_EQ(Caught([&] { system_lib("a", "b"); }).kind(), "TypeError");
  EXPECT_EQ(TVMFFIEnvModRegisterSystemLibSymbol(nullptr, nullptr), -1);
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "ValueError");
}

}  // namespace

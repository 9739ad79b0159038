// SPDX-License-Identifier: Apache-2.0
// Test libraries whose initialisers fail: the loader throws the error and removes what the
// libraries registered.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "environment.h"
#include "on_threads.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

std::string Fixture(const std::string& name) { return FixturePath(name); }

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool IsKnownType(const std::string& key) {
  Array<String> keys =
      Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys")().cast<Array<String>>();
  for (const String& known : keys) {
    if (known == key) return true;
  }
  return false;
}

// Load the library while TVM_FFI_TEST_CASE names a case; return the error, if there is one.
std::optional<Error> LoadCase(const char* name, const std::string& library = "static_init_cases") {
  SetVariable("TVM_FFI_TEST_CASE", name);
  std::optional<Error> error;
  try {
    Module::LoadFromFile(Fixture(library));
  } catch (const Error& caught) {
    error = caught;
  }
  UnsetVariable("TVM_FFI_TEST_CASE");
  return error;
}

std::vector<std::string> AllNames() {
  std::vector<std::string> names;
  for (const String& name : Function::ListGlobalNames()) names.emplace_back(name);
  auto keys = Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys")().cast<Array<String>>();
  for (const String& key : keys) names.emplace_back(key);
  return names;
}

struct FailingCase {
  const char* name;
  const char* kind;
  const char* message;
};

class StaticInit : public testing::TestWithParam<FailingCase> {};

TEST_P(StaticInit, ErrorIsThrownByTheLoaderAndNothingStays) {
  std::vector<std::string> before = AllNames();
  std::optional<Error> error = LoadCase(GetParam().name);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind(), GetParam().kind);
  EXPECT_TRUE(Contains(error->message(), GetParam().message)) << error->message();
  EXPECT_TRUE(Contains(error->message(), LibraryFileName("static_init_cases"))) << error->message();
  EXPECT_TRUE(Contains(error->message(), "static_init_cases.cc:")) << error->message();
  EXPECT_EQ(AllNames(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Causes, StaticInit,
    testing::Values(
        FailingCase{"throw", "ValueError", "thrown by the test"},
        FailingCase{"std", "InternalError", "a standard exception"},
        FailingCase{"unknown", "InternalError", "not a std::exception"},
        // A library with its own C++ runtime, whose exception the runtime library cannot see.
        FailingCase{"unseen", "InternalError", "not a std::exception"},
        FailingCase{"function twice", "RuntimeError", "`static_init.first` is already registered"},
        FailingCase{"type twice", "RuntimeError", "Overriding static_init.Case"},
        FailingCase{"entry twice", "ValueError",
                    "Duplicate enum index for type `static_init.Color`"},
        FailingCase{"field", "RuntimeError", "`wieght`"},
        FailingCase{"attribute twice", "RuntimeError", "`__ffi_repr__` is already registered"},
        FailingCase{"packed null", "ValueError", "`static_init.null`: the function is null"},
        FailingCase{"typed null", "ValueError", "`static_init.null`: the function is null"},
        FailingCase{"attribute null", "ValueError", "the function is null"}));

// Load the library with TVM_FFI_TEST_CASE set to `throw`, then without this variable. Exit with 0
// if all checks pass. The library stays loaded.
[[noreturn]] void LoadAgainWithoutTheCause() {
  bool is_good = LoadCase("throw").has_value();
  static auto* module = new Module(Module::LoadFromFile(Fixture("static_init_cases")));
  is_good = is_good && Function::GetGlobalRequired("static_init.last")().cast<int>() == 3;
  ObjectRef object = (*(*module)->GetFunction("make_case"))().cast<ObjectRef>();
  is_good = is_good && object.GetTypeKey() == "static_init.Case" && IsKnownType("static_init.Case");
  Any value = reflection::FieldGetter("static_init.Case", "value")(object);
  is_good = is_good && value.cast<int64_t>() == 0;
  Any method = reflection::GetMethod("static_init.Case", "get")(object);
  is_good = is_good && method.cast<int64_t>() == 0;
  // The file is already loaded: loading it again does not run the initialisers, and must not fail.
  Module::LoadFromFile(Fixture("static_init_cases"));
  std::_Exit(is_good ? 0 : 1);
}

TEST(StaticInitLoad, LibraryLoadsOnceTheCauseIsGone) {
  EXPECT_EXIT(LoadAgainWithoutTheCause(), testing::ExitedWithCode(0), "");
}

TEST(StaticInitLoad, ChangesOfWhatWasThereAreUndone) {
  Function before = Function::FromTyped([]() { return 1; });
  Function::SetGlobal("static_init.replaced", before);
  std::optional<Error> error = LoadCase("existing type");
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(Function::GetGlobalRequired("static_init.replaced").same_as(before));
  EXPECT_TRUE(reflection::TypeAttrColumn("static_init.on_module")[ModuleObj::RuntimeTypeIndex()] ==
              nullptr);
  EXPECT_EQ(before.use_count(), 2);
  Function::RemoveGlobal("static_init.replaced");
}

TEST(StaticInitLoad, NestedLoadThatSucceededStays) {
  Function::SetGlobal("static_init.load_nested", Function::FromTyped([](const String& path) {
                        // Only the outer library shall read this variable.
                        UnsetVariable("TVM_FFI_TEST_CASE");
                        static Module* kept = new Module(Module::LoadFromFile(path));
                        Function::SetGlobal("static_init.in_block",
                                            Function::FromTyped([]() { return 1; }));
                        return (*kept)->kind() != nullptr;
                      }));
  SetVariable("TVM_FFI_TEST_NESTED", Fixture("enum_extension").c_str());
  std::optional<Error> error = LoadCase("nested");
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(Contains(error->message(), "after a nested load")) << error->message();
  EXPECT_TRUE(Contains(error->message(), LibraryFileName("static_init_cases"))) << error->message();
  EXPECT_FALSE(Function::GetGlobal("static_init.in_block").has_value());
  Function::RemoveGlobal("static_init.load_nested");
}

// ThreadSanitizer does not notice that the dynamic linker unmaps one library before it maps another
// at the same address, and treats the variables of both libraries as the same.
#if !defined(__SANITIZE_THREAD__)
TEST(StaticInitLoad, ThreadsThatLoadConcurrentlyGetTheirOwnErrors) {
  SetVariable("TVM_FFI_TEST_CASE", "throw");
  std::vector<std::string> messages(8);
  OnThreads(static_cast<int>(messages.size()), [&messages](int i) {
    bool overflows = i % 2 == 0;
    try {
      Module::LoadFromFile(Fixture(overflows ? "static_init_overflow" : "static_init_cases"));
    } catch (const Error& error) {
      messages[i] = error.message();
    }
  });
  UnsetVariable("TVM_FFI_TEST_CASE");
  for (size_t i = 0; i < messages.size(); ++i) {
    bool overflows = i % 2 == 0;
    EXPECT_TRUE(Contains(messages[i], overflows ? "RootSecond" : "thrown by the test"))
        << messages[i];
  }
}
#endif

TEST(StaticInitLoad, OverflowOfChildSlotsIsAnError) {
  for (int i = 0; i < 2; ++i) {
    std::optional<Error> error = LoadCase("none", "static_init_overflow");
    ASSERT_TRUE(error.has_value());
    EXPECT_TRUE(Contains(error->message(), "static_init.RootSecond")) << error->message();
    EXPECT_TRUE(Contains(error->message(), LibraryFileName("static_init_overflow")))
        << error->message();
    EXPECT_FALSE(IsKnownType("static_init.Root"));
    EXPECT_FALSE(Function::GetGlobal("static_init.after_overflow").has_value());
  }
}

}  // namespace

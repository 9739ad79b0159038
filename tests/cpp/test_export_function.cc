// SPDX-License-Identifier: Apache-2.0
// Test the export macros: symbols of this program and of loaded libraries, metadata, ABI version.
#include <gtest/gtest.h>
#include <tvm/ffi/function.h>

#include <string>

#include "caught.h"
#include "shared_library.h"

static int64_t Multiply(int64_t a, int64_t b) { return a * b; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(test_export_multiply, Multiply)

// A test for a fixed bug: the macro declared variables with the names of these functions, so the
// compiler did not find the functions.
static int64_t Info(int64_t value) { return value + 1; }
static int64_t args(int64_t value) { return value + 2; }
static int64_t num_args(int64_t value) { return value + 3; }
static int64_t result(int64_t value) { return value + 4; }
static int64_t self(int64_t value) { return value + 5; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(test_export_info, Info)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(test_export_args, args)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(test_export_num_args, num_args)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(test_export_result, result)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(test_export_self, self)

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

// The library is never closed, since objects that it made may outlive a test.
class Library : public SharedLibrary {
 public:
  explicit Library(const char* name) : SharedLibrary(FixturePath(name)) {}
  template <typename... Args>
  Any Call(const char* name, Args&&... args) const {
    auto call = reinterpret_cast<TVMFFISafeCallType>(Symbol(name));
    return Function::InvokeExternC(nullptr, call, std::forward<Args>(args)...);
  }
};

// spec: E08
TEST(ExportFunction, CanBeCalledInTheSameProgram) {
  EXPECT_EQ(Function::InvokeExternC(nullptr, __tvm_ffi_test_export_multiply, 6, 7).cast<int>(), 42);
  Function f = Function::FromExternC(nullptr, __tvm_ffi_test_export_multiply, nullptr);
  EXPECT_EQ(f(2, 3).cast<int>(), 6);
}

TEST(ExportFunction, FunctionsMayHaveNamesOfTheGeneratedParameters) {
  TVMFFISafeCallType calls[] = {__tvm_ffi_test_export_info, __tvm_ffi_test_export_args,
                                __tvm_ffi_test_export_num_args, __tvm_ffi_test_export_result,
                                __tvm_ffi_test_export_self};
  int expected = 10;
  for (TVMFFISafeCallType call : calls) {
    EXPECT_EQ(Function::InvokeExternC(nullptr, call, 10).cast<int>(), ++expected);
  }
}

// spec: E15
TEST(ExportFunction, ErrorsUseTheExportedName) {
  EXPECT_ERROR(Function::InvokeExternC(nullptr, __tvm_ffi_test_export_multiply, 6), "TypeError",
               "Mismatched number of arguments when calling: "
               "`test_export_multiply(0: int, 1: int) -> int`. Expected 2 but got 1 arguments");
}

// spec: E15
TEST(ExportFunction, FunctionsMethodsAndLambdasAreExportedUnmangled) {
  Library library("typed_exports");
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  EXPECT_EQ(library.Call("__tvm_ffi_add_one", 1).cast<int>(), 2);
  EXPECT_EQ(library.Call("__tvm_ffi_greet", "you").cast<String>(), "hello you");
  Function add_five = library.Call("__tvm_ffi_make_adder", 5).cast<Function>();
  EXPECT_EQ(add_five(1).cast<int>(), 6);
}

TEST(ExportFunction, ErrorsCrossLibraries) {
  Library library("typed_exports");
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  for (int how : {0, 1}) {
    EXPECT_ERROR(library.Call("__tvm_ffi_fail", how), how == 0 ? "ValueError" : "InternalError",
                 how == 0 ? "how 0" : "plain");
  }
}

// spec: E15
TEST(ExportFunction, MetadataIsExportedUnlessItIsSwitchedOff) {
  Library plain("typed_exports"), with("typed_exports_with_metadata");
  ASSERT_TRUE(plain.IsLoaded() && with.IsLoaded()) << plain.Error() << with.Error();
  EXPECT_EQ(plain.Symbol("__tvm_ffi__metadata_add_one"), nullptr);
  EXPECT_EQ(plain.Symbol("__tvm_ffi__doc_add_one"), nullptr);
  EXPECT_EQ(with.Call("__tvm_ffi__metadata_length").cast<String>(),
            R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
            R"([{\"type\":\"int\"}],\"params\":[{\"type\":\"ffi.String\"},)"
            R"({\"type\":\"bool\"}]}}"})");
  EXPECT_EQ(with.Call("__tvm_ffi__doc_length").cast<String>(), "Bytes of \"text\".");
  EXPECT_EQ(with.Call("__tvm_ffi_length", "abc", true).cast<int>(), 3);
}

TEST(ExportFunction, FurtherArgumentsOfTheMacroAreInTheMetadata) {
  Library library("typed_exports_with_metadata");
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  std::string schema = R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
                       R"([{\"type\":\"int\"}],\"params\":[{\"type\":\"int\"})";
  EXPECT_EQ(library.Call("__tvm_ffi__metadata_scale").cast<String>(),
            schema + R"(,{\"type\":\"int\"}]}}","arg_names":"x,by","arg_defaults":"[10]",)" +
                R"("doc":"Multiply \"x\"."})");
  EXPECT_EQ(library.Call("__tvm_ffi__metadata_scale_lambda").cast<String>(),
            schema + R"(]}}","arg_names":"x"})");
  EXPECT_EQ(library.Call("__tvm_ffi_scale", 4, 5).cast<int>(), 20);
  EXPECT_EQ(library.Call("__tvm_ffi_scale_lambda", 4).cast<int>(), 8);
  EXPECT_EQ(library.Symbol("__tvm_ffi__doc_scale"), nullptr);
}

TEST(ExportFunction, AnErrorWhileDocumentationIsMadeIsRaised) {
  Library library("typed_exports_with_metadata");
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  EXPECT_ERROR(library.Call("__tvm_ffi__doc_failing"), "ValueError", "no documentation");
}

// spec: E15
TEST(ExportFunction, DocumentationArrivesByteForByte) {
  Library library("typed_exports_with_metadata");
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  auto doc = [&](const std::string& name) {
    return std::string(library.Call(("__tvm_ffi__doc_" + name).c_str()).cast<String>());
  };
  EXPECT_EQ(doc("spaces"), " \n\ttext \r\n\n ");
  EXPECT_EQ(doc("nuls"), std::string("a\0b\xff\0", 5));
  EXPECT_EQ(doc("raw"), "\n  \"raw\" \\n, a comma\n");
  EXPECT_EQ(doc("made"), std::string("made\0here", 9));
  EXPECT_EQ(doc("pointer"), " pointer ");
  EXPECT_EQ(doc("buffer"), "buffer");
  EXPECT_EQ(doc("empty"), "");
}

TEST(ExportFunction, LibrariesCarryTheAbiVersionOfTheirHeaders) {
  Library library("typed_exports");
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  auto* version = static_cast<const TVMFFIVersion*>(library.Symbol("__tvm_ffi__abi_version"));
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(version->major, TVM_FFI_VERSION_MAJOR);
  EXPECT_EQ(version->minor, TVM_FFI_VERSION_MINOR);
  EXPECT_EQ(version->patch, TVM_FFI_VERSION_PATCH);
}

}  // namespace

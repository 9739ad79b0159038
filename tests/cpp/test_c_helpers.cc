// SPDX-License-Identifier: Apache-2.0
// Test the inline C functions of extra/c_value.h, c_error.h and c_function.h: all forms of a value,
// NULL as each argument, results after a failure, and ownership.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_error.h>
#include <tvm/ffi/extra/c_function.h>
#include <tvm/ffi/extra/c_value.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "libstdcxx.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;

std::string_view View(TVMFFIByteArray text) { return {text.data, text.size}; }

/*! \brief Take and release the raised error; return `Kind: message`. */
std::string Raised() {
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  std::string text(View(tvm_ffi_error_kind(error)));
  text += ": ";
  text += View(tvm_ffi_error_message(error));
  tvm_ffi_object_release(&error);
  return text;
}

TVMFFIAny Borrowed(const Any& value) { return *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value); }

TEST(CValue, NumbersAndNone) {
  EXPECT_EQ(tvm_ffi_any_none().type_index, kTVMFFINone);
  EXPECT_EQ(AnyView::CopyFromTVMFFIAny(tvm_ffi_any_int(-7)).cast<int64_t>(), -7);
  EXPECT_EQ(AnyView::CopyFromTVMFFIAny(tvm_ffi_any_float(0.5)).cast<double>(), 0.5);
  EXPECT_TRUE(AnyView::CopyFromTVMFFIAny(tvm_ffi_any_bool(4)).cast<bool>());
  EXPECT_EQ(tvm_ffi_any_bool(4).v_int64, 1);
  EXPECT_EQ(tvm_ffi_any_str(nullptr).type_index, kTVMFFINone);
  EXPECT_EQ(tvm_ffi_any_dltensor(nullptr).type_index, kTVMFFINone);
  EXPECT_EQ(tvm_ffi_any_object(nullptr).type_index, kTVMFFINone);
}

TEST(CValue, TextInEveryForm) {
  std::string with_nul("a\0b, longer than a short string", 30);
  for (const std::string& text : {std::string(), std::string("short"), with_nul}) {
    for (const Any& value : {Any(String(text)), Any(Bytes(text))}) {
      TVMFFIAny raw = Borrowed(value);
      EXPECT_EQ(View(tvm_ffi_any_get_text(&raw)), text) << raw.type_index;
      EXPECT_NE(tvm_ffi_any_get_text(&raw).data, nullptr) << raw.type_index;
    }
  }
  TVMFFIAny view = tvm_ffi_any_str("text");
  EXPECT_EQ(View(tvm_ffi_any_get_text(&view)), "text");
  view.v_c_str = nullptr;
  EXPECT_EQ(tvm_ffi_any_get_text(&view).data, nullptr);
  TVMFFIByteArray bytes{nullptr, 0};
  view.type_index = kTVMFFIByteArrayPtr;
  view.v_ptr = &bytes;
  EXPECT_NE(tvm_ffi_any_get_text(&view).data, nullptr);
  TVMFFIAny number = tvm_ffi_any_int(1);
  EXPECT_EQ(tvm_ffi_any_get_text(&number).data, nullptr);
  EXPECT_EQ(tvm_ffi_any_get_text(nullptr).data, nullptr);
}

TEST(CValue, ElementsOfSequences) {
  int64_t size = -1;
  for (const Any& value : {Any(Array<int>{3, 4}), Any(List<int>{3, 4})}) {
    TVMFFIAny raw = Borrowed(value);
    const TVMFFIAny* elements = tvm_ffi_any_get_elements(&raw, &size);
    ASSERT_EQ(size, 2);
    EXPECT_EQ(elements[1].v_int64, 4);
    EXPECT_EQ(tvm_ffi_any_get_elements(&raw, nullptr), elements);
  }
  Any empty(Array<int>{});
  TVMFFIAny raw = Borrowed(empty);
  EXPECT_EQ(tvm_ffi_any_get_elements(&raw, &size), nullptr);
  EXPECT_EQ(size, 0);
  TVMFFIAny number = tvm_ffi_any_int(1);
  EXPECT_EQ(tvm_ffi_any_get_elements(&number, &size), nullptr);
  EXPECT_EQ(tvm_ffi_any_get_elements(nullptr, &size), nullptr);
}

TEST(CValue, TensorsAndObjects) {
  DLTensor tensor{};
  TVMFFIAny view = tvm_ffi_any_dltensor(&tensor);
  EXPECT_EQ(tvm_ffi_any_get_dltensor(&view), &tensor);
  EXPECT_EQ(tvm_ffi_any_get_object(&view), nullptr);
  Any text(String("longer than seven bytes"));
  TVMFFIAny raw = Borrowed(text);
  EXPECT_EQ(tvm_ffi_any_get_object(&raw), raw.v_obj);
  EXPECT_EQ(tvm_ffi_any_get_dltensor(&raw), nullptr);
  EXPECT_EQ(tvm_ffi_any_get_dltensor(nullptr), nullptr);
  EXPECT_EQ(tvm_ffi_any_get_object(nullptr), nullptr);
  EXPECT_EQ(tvm_ffi_object_body(nullptr), nullptr);
}

TEST(CValue, ReleaseTwice) {
  Array<int> array{1};
  Any copy(array);
  EXPECT_EQ(array.use_count(), 2);
  TVMFFIAny owned = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(copy));
  TVMFFIObjectHandle object = tvm_ffi_any_get_object(&owned);
  TVMFFIObjectIncRef(object);
  tvm_ffi_any_release(&owned);
  tvm_ffi_any_release(&owned);
  EXPECT_EQ(owned.type_index, kTVMFFINone);
  EXPECT_EQ(array.use_count(), 2);
  tvm_ffi_object_release(&object);
  tvm_ffi_object_release(&object);
  EXPECT_EQ(object, nullptr);
  EXPECT_EQ(array.use_count(), 1);
  tvm_ffi_any_release(nullptr);
  tvm_ffi_object_release(nullptr);
}

TEST(CError, PartsOfAnError) {
  Error cause("KeyError", "k", "");
  Error error("ValueError", "bad", "  File \"f\", line 1, in g\n", cause, std::nullopt);
  TVMFFIObjectHandle handle = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error);
  EXPECT_EQ(View(tvm_ffi_error_kind(handle)), "ValueError");
  EXPECT_EQ(View(tvm_ffi_error_message(handle)), "bad");
  EXPECT_EQ(View(tvm_ffi_error_backtrace(handle)), "  File \"f\", line 1, in g\n");
  EXPECT_EQ(tvm_ffi_error_cause(handle), detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(cause));
  EXPECT_EQ(tvm_ffi_error_cause(tvm_ffi_error_cause(handle)), nullptr);
  EXPECT_EQ(tvm_ffi_error_context(handle), nullptr);
  Error with_context("ValueError", "bad", "", std::nullopt, cause);
  EXPECT_EQ(tvm_ffi_error_context(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(with_context)),
            detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(cause));
}

TEST(CError, OtherObjectsHaveEmptyParts) {
  Array<int> array{1};
  TVMFFIObjectHandle handle = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(array);
  for (TVMFFIObjectHandle other : {handle, TVMFFIObjectHandle(nullptr)}) {
    EXPECT_EQ(tvm_ffi_error_cell(other), nullptr);
    EXPECT_EQ(View(tvm_ffi_error_kind(other)), "");
    EXPECT_NE(tvm_ffi_error_kind(other).data, nullptr);
    EXPECT_EQ(View(tvm_ffi_error_message(other)), "");
    EXPECT_EQ(View(tvm_ffi_error_backtrace(other)), "");
    EXPECT_EQ(tvm_ffi_error_cause(other), nullptr);
  }
}

// A test for a fixed bug: the error cell of releases up to 0.1.7 has only 56 bytes, and the strings
// behind it were read as the cause.
TEST(CError, CellOfOldReleasesHasNoCause) {
  SKIP_WITHOUT_LIBSTDCXX();
  struct OldError {
    TVMFFIObject header;
    TVMFFIByteArray kind, message, backtrace;
    void (*update_backtrace)();
    std::string kind_text;
  };
  static_assert(offsetof(OldError, kind_text) == sizeof(TVMFFIObject) + 56);
  OldError old{};
  old.header.type_index = kTVMFFIError;
  for (const char* kind : {"ValueError", "AnErrorOfALibraryWithALongName"}) {
    old.kind_text = kind;
    old.kind = {old.kind_text.data(), old.kind_text.size()};
    EXPECT_EQ(View(tvm_ffi_error_kind(&old)), kind);
    EXPECT_EQ(tvm_ffi_error_has_links(tvm_ffi_error_cell(&old)), 0);
    EXPECT_EQ(tvm_ffi_error_cause(&old), nullptr);
    EXPECT_EQ(tvm_ffi_error_context(&old), nullptr);
  }
}

TEST(CFunction, CallsAGlobalFunction) {
  Function::SetGlobal("test.c_helpers.twice", Function::FromTyped([](int64_t x) { return 2 * x; }),
                      true);
  TVMFFIAny arg = tvm_ffi_any_int(4), result;
  ASSERT_EQ(tvm_ffi_call_global("test.c_helpers.twice", &arg, 1, &result), 0);
  EXPECT_EQ(result.v_int64, 8);
  TVMFFIAny wrong = tvm_ffi_any_str("x");
  EXPECT_EQ(tvm_ffi_call_global("test.c_helpers.twice", &wrong, 1, &result), -1);
  EXPECT_EQ(result.type_index, kTVMFFINone);
  EXPECT_NE(Raised().find("TypeError: Mismatched type on argument #0"), std::string::npos);
}

TEST(CFunction, NullIsRefusedWithItsName) {
  TVMFFIAny result = tvm_ffi_any_int(1);
  TVMFFIObjectHandle function = &result;
  EXPECT_EQ(tvm_ffi_call(nullptr, nullptr, 0, &result), -1);
  EXPECT_EQ(result.type_index, kTVMFFINone);
  EXPECT_EQ(Raised(), "ValueError: `function` must not be NULL");
  EXPECT_EQ(tvm_ffi_call(nullptr, nullptr, 0, nullptr), -1);
  EXPECT_EQ(Raised(), "ValueError: `result` must not be NULL");
  EXPECT_EQ(tvm_ffi_get_global(nullptr, &function), -1);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(Raised(), "ValueError: `name` must not be NULL");
  EXPECT_EQ(tvm_ffi_get_global("ffi.Array", nullptr), -1);
  EXPECT_EQ(Raised(), "ValueError: `out` must not be NULL");
  EXPECT_EQ(tvm_ffi_get_global("test.c_helpers.none", &function), -1);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(Raised(),
            "ValueError: Function test.c_helpers.none not found: load the library that registers "
            "it first");
}

TEST(CFunction, ModulesAndTheirFunctions) {
  std::string path = std::string(TVM_FFI_TEST_FIXTURE_DIR) + "/" + "no_such_library.so";
  TVMFFIAny module = tvm_ffi_any_int(1);
  TVMFFIObjectHandle function = &module;
  EXPECT_EQ(tvm_ffi_load_module(path.c_str(), &module), -1);
  EXPECT_EQ(module.type_index, kTVMFFINone);
  EXPECT_NE(Raised().find("no_such_library.so"), std::string::npos);
  EXPECT_EQ(tvm_ffi_get_function(&module, "f", &function), -1);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(Raised(), "TypeError: expected a module, made by tvm_ffi_load_module");
  path = FixturePath("c_library");
  ASSERT_EQ(tvm_ffi_load_module(path.c_str(), &module), 0);
  ASSERT_EQ(tvm_ffi_get_function(&module, "c_add_one", &function), 0);
  TVMFFIAny arg = tvm_ffi_any_int(4), result;
  ASSERT_EQ(tvm_ffi_call(function, &arg, 1, &result), 0);
  EXPECT_EQ(result.v_int64, 5);
  tvm_ffi_object_release(&function);
  EXPECT_EQ(tvm_ffi_get_function(&module, "c_add_two", &function), -1);
  EXPECT_EQ(Raised(),
            "AttributeError: Module has no function 'c_add_two': its library must export "
            "`__tvm_ffi_` and that name");
  tvm_ffi_any_release(&module);
  EXPECT_EQ(tvm_ffi_load_module(nullptr, &module), -1);
  EXPECT_EQ(Raised(), "ValueError: `path` must not be NULL");
  EXPECT_EQ(tvm_ffi_load_module("x", nullptr), -1);
  EXPECT_EQ(Raised(), "ValueError: `module` must not be NULL");
}

}  // namespace

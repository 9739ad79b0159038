// SPDX-License-Identifier: Apache-2.0
// Global functions about library loads in progress, for the initializers of libraries and for
// language bindings (such as the Python extension) that open libraries themselves.
#include "core/load_scope.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/backtrace.h"
#include "core/type_change.h"
#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

Error error_of(const std::exception_ptr& exception, std::optional<const char*> what) {
  constexpr const char* kUnknown = "a C++ exception that is not a std::exception";
  if (exception == nullptr) return Error("InternalError", what.value_or(kUnknown), "");
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error("InternalError", error.what(), "");
  } catch (...) {
    return Error("InternalError", kUnknown, "");
  }
}

// Called when a static-init block begins; returns whether to skip the block.
bool static_init_begin(void* block, const char* file, int line) {
  LoadScope* scope = LoadScope::current();
  return scope != nullptr && scope->begin_block(block, file, line);
}

// Ends the process, because no caller can receive the error of a library that is linked to the
// program. Throws a runtime_error instead of the Error, because std::terminate shows the text of
// a runtime_error. The text contains the kind and the source position of the error.
[[noreturn]] void end_process(const Error& error) noexcept {
  std::string text = "a library failed while the program was starting:\n" + error.FullMessage();
  std::rethrow_exception(std::make_exception_ptr(std::runtime_error(text)));
}

// Reports that a static-init block failed; returns whether a load in progress stores the error.
// C++ code calls this function in a catch block, with the text of the exception, or with None if
// the exception is not a std::exception. If the library has its own C++ runtime, this function
// cannot see the exception itself. Then the type of the exception may be unknown to the library
// too, which passes None. Other languages pass an Error, and must handle the Error themselves if
// this function returns false.
void static_init_failed(PackedArgs args, Any* result) {
  LoadScope* scope = LoadScope::current();
  if (std::optional<Error> given = args[0].try_cast<Error>()) {
    *result = scope != nullptr;
    if (scope != nullptr) scope->fail(*std::move(given));
    return;
  }
  std::optional<const char*> what = args[0].try_cast<const char*>();
  std::exception_ptr exception = std::current_exception();
  *result = scope != nullptr;
  if (scope != nullptr) return scope->fail(error_of(exception, what));
  bool is_known = exception != nullptr || what.has_value();
  if (is_known) end_process(error_of(exception, what));
}

void* load_begin(const String& library, const String& origin) {
  std::string name = "the library `" + std::string(library) + "`";
  return new LoadScope(name, origin.empty() ? name : std::string(origin));
}

// Ends the innermost load of the thread, and raises its error.
void load_end(void* begun, bool is_loaded) {
  LoadScope* scope = LoadScope::current();
  if (scope == nullptr || scope != begun) {
    TVM_FFI_THROW(RuntimeError) << "No such load is in progress on this thread";
  }
  std::unique_ptr<LoadScope> owner(scope);
  if (!is_loaded) return;
  if (std::optional<Error> error = scope->finish()) throw *std::move(error);
}

}  // namespace

void register_load_scope_functions() {
  reflection::GlobalDef()
      .def("ffi.StaticInitBegin", static_init_begin, reflection::short_call())
      .def_packed("ffi.StaticInitFailed", static_init_failed, reflection::short_call())
      .def("ffi._LoadBegin", load_begin)
      .def("ffi._LoadEnd", load_end)
      .def("ffi._LoadForgetCode", forget_code_addresses)
      .def("ffi._TakeChangedType", take_changed_type, reflection::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

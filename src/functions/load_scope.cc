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
#include "core/class_record.h"
#include "core/kept_load_errors.h"
#include "core/type_change.h"
#include "functions/functions.h"

namespace tvm::ffi::runtime {
namespace {

Error error_of(const std::exception_ptr& exception, std::optional<const char*> what) {
  constexpr const char* kUnknown = "a C++ exception that is not a std::exception";
  if (exception == nullptr) return Error("InternalError", what.value_or(kUnknown), "");
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception&) {
    return detail::CurrentExceptionAsError();
  } catch (...) {
    return Error("InternalError", kUnknown, "");
  }
}

/*! \brief The block that began last on this thread while the runtime did not load a library. */
struct BlockOutsideLoad {
  const void* code;
  const char* file;
  int line;
};
__thread BlockOutsideLoad block_outside_load = {};

std::string place_outside_load(const void* code) {
  const BlockOutsideLoad& block = block_outside_load;
  if (code == nullptr || code != block.code) return {};
  return std::string(block.file) + ":" + std::to_string(block.line);
}

// Called when a static-init block begins. Returns whether the caller must not run the block: an
// earlier block failed, or the runtime calls `run(block)` after the dynamic linker has returned.
// `run` may be NULL; the runtime then does not call it.
bool static_init_begin(void* block, const char* file, int line, void* run) {
  if (LoadScope* scope = LoadScope::current()) {
    return scope->begin_block({block, file, line, reinterpret_cast<void (*)(const void*)>(run)});
  }
  block_outside_load = {block, file, line};
  return has_kept_load_error(block);
}

// Ends the process, because no caller can receive the error of a library that is linked to the
// program. Throws a runtime_error instead of the Error, because std::terminate shows the text of
// a runtime_error. The text contains the kind and the source position of the error.
[[noreturn]] void end_process(const Error& error) noexcept {
  std::string text = "a library failed while the program was starting:\n" + error.FullMessage();
  std::rethrow_exception(std::make_exception_ptr(std::runtime_error(text)));
}

// Reports that load-time code failed; returns whether the runtime accepts the error: a load in
// progress raises it, or the runtime keeps it (kept_load_errors.h). C++ code calls this function in
// a catch block, with the text of the exception, or with None if the exception is not a
// std::exception. If the library has its own C++ runtime, this function cannot see the exception
// itself. Then the type of the exception may be unknown to the library too, which passes None.
// Other languages pass an Error; if this function returns false, they must keep the Error
// themselves. The second argument is the address of the code that failed.
void static_init_failed(PackedArgs args, Any* result) {
  LoadScope* scope = LoadScope::current();
  const void* code = args.size() > 1 ? args[1].try_cast<void*>().value_or(nullptr) : nullptr;
  std::optional<Error> given = args[0].try_cast<Error>();
  std::optional<const char*> what = args[0].try_cast<const char*>();
  std::exception_ptr exception = std::current_exception();
  *result = scope != nullptr;
  if (scope != nullptr) {
    return scope->fail(given.has_value() ? *std::move(given) : error_of(exception, what), code);
  }
  if (keeps_load_errors()) {
    Error error = given.has_value() ? *given : error_of(exception, what);
    keep_load_error(code, place_outside_load(code), error);
    *result = !given.has_value();
  } else if (!given.has_value() && (exception != nullptr || what.has_value())) {
    end_process(error_of(exception, what));
  }
}

void check_class_of(int32_t type_index, void* record) {
  if (record == nullptr) TVM_FFI_THROW(ValueError) << "The address of the record is NULL";
  check_class(type_index, static_cast<const tvm::ffi::detail::ClassRecordHead*>(record));
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
      .def("ffi.CheckClass", check_class_of, reflection::short_call())
      .def("ffi.StaticInitBegin", static_init_begin, reflection::short_call())
      .def_packed("ffi.StaticInitFailed", static_init_failed, reflection::short_call())
      .def("ffi._LoadBegin", load_begin)
      .def("ffi._LoadEnd", load_end)
      .def("ffi._LoadForgetCode", forget_code_addresses)
      .def("ffi._TakeChangedType", take_changed_type, reflection::short_call());
}

}  // namespace tvm::ffi::runtime

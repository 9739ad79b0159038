// SPDX-License-Identifier: Apache-2.0
// Loads a library: records its registrations, and checks its version.
#include "module/library.h"

#include <cstring>
#include <optional>
#include <utility>

#include "core/kept_load_errors.h"
#include "core/load_scope.h"
#include "module/file_system.h"
#include "module/opened_library.h"

namespace tvm::ffi::runtime {
namespace {

// Throws an error for a library of another ABI version. A library without the symbol is accepted:
// it was built with other headers of this ABI.
void check_abi_version(Library* library) {
  auto* built_for = static_cast<const TVMFFIVersion*>(library->find(symbol::tvm_ffi_abi_version));
  if (built_for == nullptr) return;
  if (built_for->major == TVM_FFI_VERSION_MAJOR && built_for->minor == TVM_FFI_VERSION_MINOR)
    return;
  TVM_FFI_THROW(RuntimeError) << library->name() << " was built for TVM-FFI ABI "
                              << built_for->major << "." << built_for->minor
                              << ", this runtime implements " << TVM_FFI_VERSION_MAJOR << "."
                              << TVM_FFI_VERSION_MINOR;
}

/*! \brief Origin of the next library that this thread opens, in the current LoadOrigin; NULL or
 * empty means its file. */
__thread std::string* next_origin = nullptr;

}  // namespace

LoadOrigin::LoadOrigin(std::string origin)
    : origin_(std::move(origin)), outer_(std::exchange(next_origin, &origin_)) {}
LoadOrigin::~LoadOrigin() { next_origin = outer_; }

std::unique_ptr<Library> open_library(const String& path) {
  if (std::strlen(path.c_str()) != path.size()) {
    TVM_FFI_THROW(ValueError) << "The path of a library contains a NUL byte";
  }
  std::string name = "the library `" + real_path(path) + "`";
  // Clear the origin, because it must not apply to libraries that the initializers of this library
  // load.
  std::string origin;
  if (next_origin != nullptr) origin.swap(*next_origin);
  if (origin.empty()) origin = name;
  LoadScope scope(name, origin);
  std::unique_ptr<OpenedLibrary> library = open_with_linker(path, origin);
  if (std::optional<Error> error = kept_load_error(library->handle())) throw *std::move(error);
  try {
    if (!scope.has_failed()) check_abi_version(library.get());
    if (std::optional<Error> error = scope.finish()) throw *std::move(error);
    library->note_success(origin);
  } catch (const Error& error) {
    library->note_failure(error);
    scope.undo();  // Undo while the code of the registrations is still loaded.
    throw;
  } catch (...) {
    scope.undo();
    throw;
  }
  return library;
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// Shared libraries opened through the POSIX dynamic linker.
#include <dlfcn.h>
#if defined(__GLIBC__)
#include <link.h>
#endif

#include <cstring>

#include "core/backtrace.h"
#include "module/library.h"
#include "module/library_extent.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

class PosixLibrary : public Library {
 public:
  explicit PosixLibrary(const String& path) : path_(path) {
    if (std::strlen(path.c_str()) != path.size()) {
      TVM_FFI_THROW(ValueError) << "The path of a library contains a NUL byte";
    }
    TVM_FFI_ICHECK(!is_truncated_library(path.c_str()))
        << "Failed to load dynamic shared library " << path << " the file is truncated";
    // Lazily, so that symbols which are never called may be missing; locally, so that two modules
    // may export the same names. Runs the library's initialisers.
    lib_handle_ = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    TVM_FFI_ICHECK(lib_handle_ != nullptr)
        << "Failed to load dynamic shared library " << path << " " << dlerror();
  }

  ~PosixLibrary() override {
    dlclose(lib_handle_);
    forget_code_addresses();
  }

  std::string name() const override { return path_; }

  void* find(const std::string& symbol) override { return dlsym(lib_handle_, symbol.c_str()); }

  size_t size_of(void* address) const override {
#if defined(__GLIBC__)
    Dl_info info;
    void* entry = nullptr;
    if (dladdr1(address, &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) return 0;
    return info.dli_saddr == address ? static_cast<const ElfW(Sym)*>(entry)->st_size : 0;
#else
    return 0;
#endif
  }

 private:
  std::string path_;
  void* lib_handle_ = nullptr;
};

// A library without the symbol was built with other headers of this ABI and is taken.
void check_abi_version(PosixLibrary* library) {
  auto* built_for = static_cast<const TVMFFIVersion*>(library->find(symbol::tvm_ffi_abi_version));
  if (built_for == nullptr) return;
  if (built_for->major == TVM_FFI_VERSION_MAJOR && built_for->minor == TVM_FFI_VERSION_MINOR)
    return;
  TVM_FFI_THROW(RuntimeError) << library->name() << " was built for TVM-FFI ABI "
                              << built_for->major << "." << built_for->minor
                              << ", this runtime implements " << TVM_FFI_VERSION_MAJOR << "."
                              << TVM_FFI_VERSION_MINOR;
}

}  // namespace

std::unique_ptr<Library> open_library(const String& path) {
  auto library = std::make_unique<PosixLibrary>(path);
  check_abi_version(library.get());
  return library;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

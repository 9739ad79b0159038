// SPDX-License-Identifier: Apache-2.0
// Asks the dynamic linker which library contains an address.
#if !defined(_WIN32)

#include <dlfcn.h>

#include "core/loaded_library.h"

namespace tvm::ffi::runtime {

const void* library_base(const void* address) noexcept {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0) return nullptr;
  return info.dli_fbase;
}

void* keep_library_loaded(const void* address) noexcept {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);  // never closed
}

std::string library_path(const void* address) {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32

// SPDX-License-Identifier: Apache-2.0
// Asks the dynamic linker which library contains an address.
#if !defined(_WIN32)

#include <dlfcn.h>

#include "core/loaded_library.h"

namespace tvm {
namespace ffi {
namespace runtime {

const void* library_base(const void* address) noexcept {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0) return nullptr;
  return info.dli_fbase;
}

bool keep_library_loaded(const void* address) noexcept {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0) return false;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) != nullptr;  // never closed
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // !_WIN32

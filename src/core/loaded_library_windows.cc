// SPDX-License-Identifier: Apache-2.0
// Asks Windows which library contains an address.
#if defined(_WIN32)

#include "core/loaded_library.h"
#include "core/windows_api.h"

namespace tvm::ffi::runtime {

namespace {

HMODULE module_at(const void* address, DWORD flags) noexcept {
  HMODULE module = nullptr;
  if (address == nullptr) return nullptr;
  flags |= GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
  if (!GetModuleHandleExW(flags, static_cast<LPCWSTR>(address), &module)) return nullptr;
  return module;
}

}  // namespace

const void* library_base(const void* address) noexcept {
  return module_at(address, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
}

void* keep_library_loaded(const void* address) noexcept {
  return module_at(address, GET_MODULE_HANDLE_EX_FLAG_PIN);
}

std::string library_path(const void* address) {
  HMODULE module = module_at(address, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
  if (module == nullptr) return {};
  wchar_t path[MAX_PATH];
  return utf8_of(std::wstring(path, GetModuleFileNameW(module, path, MAX_PATH)));
}

}  // namespace tvm::ffi::runtime

#endif  // _WIN32

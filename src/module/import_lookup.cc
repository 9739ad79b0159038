// SPDX-License-Identifier: Apache-2.0
// Looks up functions for code of a library: in the imports of the library's module, then in the
// global functions.
#include <tvm/ffi/c_env_api.h>
#include <tvm/ffi/extra/module.h>

#include <mutex>
#include <utility>

#include "core/name_hints.h"
#include "module/module_internal.h"

namespace tvm::ffi::runtime {
namespace {

// Returns the lock that guards the import lookup cache of every module.
std::mutex& cache_mutex() {
  static std::mutex* mutex = new std::mutex();  // never destroyed: static destructors may call
  return *mutex;
}

std::optional<Function> find_cached(ModuleObj* module, const String& name) {
  std::lock_guard<std::mutex> lock(cache_mutex());
  return ModuleObj::InternalUnsafe::import_lookup_cache(module).Get(name);
}

// Adds a function to the cache and returns it. If another thread has added a function under this
// name, returns that function instead.
Function add_to_cache(ModuleObj* module, const String& name, Function found) {
  std::lock_guard<std::mutex> lock(cache_mutex());
  Map<String, Function>& cache = ModuleObj::InternalUnsafe::import_lookup_cache(module);
  if (std::optional<Function> first = cache.Get(name)) return *std::move(first);
  cache.Set(name, found);
  return found;
}

Function find_in_imports_or_global(ModuleObj* module, const String& name) {
  const Array<Any> imports = module->imports();
  for (const Any& element : imports) {
    Module imported = element.cast<Module>();
    Optional<Function> found = imported->GetFunction(name, true);  // runs code of the module
    if (found.has_value()) return *std::move(found);
  }
  std::optional<Function> global = Function::GetGlobal(name);
  if (!global.has_value()) {
    TVM_FFI_THROW(RuntimeError) << "Cannot find function " << name
                                << " in the imported modules or global registry."
                                << hint_sentence(global_function_hint(detail::TextView(name)));
  }
  return *std::move(global);
}

}  // namespace
}  // namespace tvm::ffi::runtime

extern "C" int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name,
                                             TVMFFIObjectHandle* out) {
  using namespace tvm::ffi;           // NOLINT(build/namespaces)
  using namespace tvm::ffi::runtime;  // NOLINT(build/namespaces)
  TVM_FFI_SAFE_CALL_BEGIN();
  if (library_ctx == nullptr) {
    TVM_FFI_THROW(ValueError) << "The library context is NULL: its module was not loaded by the "
                                 "module loader, or is gone";
  }
  if (func_name == nullptr) TVM_FFI_THROW(ValueError) << "The function name is NULL";
  if (out == nullptr) TVM_FFI_THROW(ValueError) << "The place for the function is NULL";
  // `library_ctx` is the address of the ModuleObj, not of the object header inside it.
  ModuleObj* module = static_cast<ModuleObj*>(library_ctx);
  String name(func_name);
  std::optional<Function> function = find_cached(module, name);
  if (!function.has_value()) {
    function = add_to_cache(module, name, find_in_imports_or_global(module, name));
  }
  // The result is borrowed: the cache, which never shrinks, holds the reference.
  *out = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(*function);
  TVM_FFI_SAFE_CALL_END();
}

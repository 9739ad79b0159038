// SPDX-License-Identifier: Apache-2.0
// The system library: symbols that are linked into the program and registered one by one.
#include <tvm/ffi/c_env_api.h>

#include <mutex>
#include <unordered_map>
#include <utility>

#include "module/library.h"

namespace tvm::ffi::runtime {
namespace {

struct SymbolTable {
  std::mutex mutex;
  std::unordered_map<std::string, void*> addresses;  // guarded by `mutex`
};

SymbolTable& symbol_table() {
  static auto* instance = new SymbolTable();  // never destroyed: static destructors may call
  return *instance;
}

class SystemLibrary : public Library {
 public:
  explicit SystemLibrary(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string name() const override { return "system library \"" + prefix_ + "\""; }

  void* find(const std::string& symbol) override { return find_either(prefix_ + symbol, symbol); }

  // Looks up the symbol `name`; `prefix` gives the kind of symbol, and LIB is the prefix of this
  // library. Tries `prefix + LIB + name`, `prefix + name` and `LIB + prefix + name`, in this order.
  // Symbols for metadata and documentation have the last form.
  void* find(const char* prefix, const std::string& name) override {
    void* found = find_either(prefix + prefix_ + name, prefix + name);
    return found != nullptr ? found : find_either(prefix_ + prefix + name, std::string());
  }

 private:
  static void* find_either(const std::string& first, const std::string& second) {
    SymbolTable& table = symbol_table();
    std::lock_guard<std::mutex> lock(table.mutex);
    auto it = table.addresses.find(first);
    if (it == table.addresses.end()) it = table.addresses.find(second);
    return it == table.addresses.end() ? nullptr : it->second;
  }

  std::string prefix_;
};

struct ModuleTable {
  // Held while a module is made, so that there is one module per prefix. The lock is recursive: a
  // loader of an embedded import tree may request another prefix.
  std::recursive_mutex mutex;
  std::unordered_map<std::string, std::optional<Module>> by_prefix;  // nullopt while being made
};

ModuleTable& module_table() {
  static auto* instance = new ModuleTable();  // never destroyed, so that the modules are kept
  return *instance;
}

}  // namespace

Module system_library_module(const String& prefix) {
  ModuleTable& table = module_table();
  std::lock_guard<std::recursive_mutex> lock(table.mutex);
  auto [it, is_new] = table.by_prefix.try_emplace(prefix);
  std::optional<Module>& module = it->second;  // still valid when loaders add other modules
  if (module.has_value()) return *module;
  if (!is_new) {
    TVM_FFI_THROW(RuntimeError) << "The system library \"" << prefix
                                << "\" is asked for while it is being loaded";
  }
  try {
    module = make_library_module(std::make_shared<SystemLibrary>(prefix));  // may run loaders
  } catch (...) {
    table.by_prefix.erase(prefix);
    throw;
  }
  return *module;
}

}  // namespace tvm::ffi::runtime

extern "C" int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (name == nullptr) TVM_FFI_THROW(ValueError) << "The symbol name is NULL";
  auto& table = tvm::ffi::runtime::symbol_table();
  std::lock_guard<std::mutex> lock(table.mutex);
  table.addresses[name] = symbol;
  TVM_FFI_SAFE_CALL_END();
}

// SPDX-License-Identifier: Apache-2.0
// The table of context symbols.
#include "module/context_symbols.h"

#include <tvm/ffi/c_env_api.h>
#include <tvm/ffi/extra/module.h>

#include <mutex>

namespace tvm::ffi {
namespace runtime {
namespace {

struct ContextSymbolTable {
  std::mutex mutex;
  // Guarded by `mutex`. A name may occur several times; the last address takes effect because it is
  // written last.
  std::vector<std::pair<std::string, void*>> symbols;
};

ContextSymbolTable& table() {
  static auto* instance = new ContextSymbolTable();  // never destroyed: clients may call at exit
  return *instance;
}

}  // namespace

std::vector<std::pair<std::string, void*>> context_symbols() {
  std::lock_guard<std::mutex> lock(table().mutex);
  return table().symbols;
}

}  // namespace runtime

void Module::VisitContextSymbols(const TypedFunction<void(String, void*)>& callback) {
  for (const auto& [name, address] : runtime::context_symbols()) callback(name, address);
}

}  // namespace tvm::ffi

extern "C" int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (name == nullptr) TVM_FFI_THROW(ValueError) << "The symbol name is NULL";
  auto& table = tvm::ffi::runtime::table();
  std::lock_guard<std::mutex> lock(table.mutex);
  table.symbols.emplace_back(name, symbol);
  TVM_FFI_SAFE_CALL_END();
}

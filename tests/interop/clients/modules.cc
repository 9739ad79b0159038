// SPDX-License-Identifier: Apache-2.0
// A client with a module class. It imports modules of the other side (side.h), and uses context
// symbols and the system library.
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/module.h>

#include <string>
#include <utility>

#include "side.h"

// The loader sets the first variable to the module of this library, the second to a context symbol.
extern "C" TVM_FFI_DLL_EXPORT void* __tvm_ffi__library_ctx;
void* __tvm_ffi__library_ctx = nullptr;
extern "C" TVM_FFI_DLL_EXPORT void* __interop_context_symbol;
void* __interop_context_symbol = nullptr;

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

class NamesObj : public ModuleObj {
 public:
  explicit NamesObj(String known) : known_(std::move(known)) {}
  const char* kind() const final { return "names_" INTEROP_SIDE; }
  int GetPropertyMask() const final { return 2; }
  Optional<Function> GetFunction(const String& name) final {
    if (name != known_) return std::nullopt;
    return Function::FromTyped([name] { return name + " of " INTEROP_SIDE; });
  }
  Optional<String> GetFunctionDoc(const String& name) final {
    if (name != known_) return std::nullopt;
    return String("doc of ") + name;
  }
  Bytes SaveToBytes() const final { return Bytes(std::string(known_)); }
  String InspectSource(const String& format) const final { return format + ":" + known_; }

 private:
  String known_;
};

Module make_module(const String& known) { return Module(make_object<NamesObj>(known)); }

// Call all virtual members of a module; the class of the module is from the other side.
Array<Any> look_at(const Module& module) {
  Array<Any> seen{String(module->kind()), module->GetPropertyMask(),
                  static_cast<int64_t>(module->imports().size()), module->InspectSource("fmt"),
                  static_cast<int64_t>(module->GetWriteFormats().size())};
  try {
    module->WriteToFile("nowhere", "none");
  } catch (const Error& error) {
    seen.push_back(String(error.message()));
  }
  try {
    seen.push_back(module->SaveToBytes());
  } catch (const Error& error) {
    seen.push_back(String(error.message()));
  }
  return seen;
}

void import_into(const Module& module, const Module& imported) { module->ImportModule(imported); }
void clear(const Module& module) { module->ClearImports(); }

Any call_of(const Module& module, const String& name, bool query_imports) {
  Optional<Function> function = module->GetFunction(name, query_imports);
  if (!function.has_value()) return nullptr;
  return (*function)();
}

Optional<String> doc_of(const Module& module, const String& name) {
  return module->GetFunctionDoc(name, true);
}
bool implements(const Module& module, const String& name) {
  return module->ImplementsFunction(name, true);
}

// Call an imported function; the lookup uses the library context, as in compiled code.
Any call_import(const String& name) {
  TVMFFIObjectHandle function = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(
      TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, name.c_str(), &function));
  Any result;
  TVM_FFI_CHECK_SAFE_CALL(
      TVMFFIFunctionCall(function, nullptr, 0, reinterpret_cast<TVMFFIAny*>(&result)));
  return result;
}

Module load(const String& path) { return Module::LoadFromFile(path); }

void* context_symbol() { return __interop_context_symbol; }
void register_context_symbol(void* value) {
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvModRegisterContextSymbol("__interop_context_symbol", value));
}
bool visits_context_symbol(void* value) {
  bool seen = false;
  Module::VisitContextSymbols([&](String name, void* symbol) {
    seen = seen || (name == "__interop_context_symbol" && symbol == value);
  });
  return seen;
}

int SystemFunction(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = 77;
  return 0;
}

void register_system_function(const String& name) {
  std::string symbol = "__tvm_ffi_" + std::string(name);
  TVM_FFI_CHECK_SAFE_CALL(
      TVMFFIEnvModRegisterSystemLibSymbol(symbol.c_str(), reinterpret_cast<void*>(SystemFunction)));
}
Any call_system_function(const String& prefix, const String& name) {
  Module library = Function::GetGlobalRequired("ffi.SystemLib")(prefix).cast<Module>();
  return call_of(library, name, false);
}

}  // namespace

INTEROP_EXPORT(make_module);
INTEROP_EXPORT(look_at);
INTEROP_EXPORT(import_into);
INTEROP_EXPORT(clear);
INTEROP_EXPORT(call_of);
INTEROP_EXPORT(doc_of);
INTEROP_EXPORT(implements);
INTEROP_EXPORT(call_import);
INTEROP_EXPORT(load);
INTEROP_EXPORT(context_symbol);
INTEROP_EXPORT(register_context_symbol);
INTEROP_EXPORT(visits_context_symbol);
INTEROP_EXPORT(register_system_function);
INTEROP_EXPORT(call_system_function);

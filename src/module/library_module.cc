// SPDX-License-Identifier: Apache-2.0
// The module of a library: functions are its exported symbols.
#include <tvm/ffi/c_env_api.h>
#include <tvm/ffi/cast.h>

#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "module/context_symbols.h"
#include "module/library.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// The address tells modules of this class from others of the same kind.
constexpr char kLibraryKind[] = "library";

// A function whose code is in a library and which keeps that library loaded.
class LibraryFunctionObj final : public FunctionObj {
 public:
  LibraryFunctionObj(TVMFFISafeCallType code, Module library)
      : code_(code), library_(std::move(library)) {
    this->safe_call = call;
    this->cpp_call = nullptr;
  }

 private:
  // Exported symbols are called without a handle.
  static int call(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
    auto* header = static_cast<TVMFFIObject*>(handle);
    auto* self = detail::ObjectUnsafe::RawObjectPtrFromUnowned<LibraryFunctionObj>(header);
    return self->code_(nullptr, args, num_args, result);
  }

  TVMFFISafeCallType code_;
  Module library_;
};

class LibraryModuleObj final : public ModuleObj {
 public:
  explicit LibraryModuleObj(std::shared_ptr<Library> library) : library_(std::move(library)) {
    context_ = static_cast<void**>(library_->find(symbol::tvm_ffi_library_ctx));
    if (context_ != nullptr) *context_ = static_cast<ModuleObj*>(this);
  }

  // If the library stays loaded through another module, a lookup must not find a stale address.
  ~LibraryModuleObj() {
    if (context_ != nullptr && *context_ == static_cast<ModuleObj*>(this)) *context_ = nullptr;
  }

  const char* kind() const override { return kLibraryKind; }

  int GetPropertyMask() const override { return Module::kBinarySerializable | Module::kRunnable; }

  Optional<Function> GetFunction(const String& name) override {
    void* code = library_->find(symbol::tvm_ffi_symbol_prefix, name);
    if (code == nullptr) return std::nullopt;
    return Function(make_object<LibraryFunctionObj>(reinterpret_cast<TVMFFISafeCallType>(code),
                                                    GetRef<Module>(this)));
  }

  bool ImplementsFunction(const String& name) override {
    return library_->find(symbol::tvm_ffi_symbol_prefix, name) != nullptr;
  }

  Optional<String> GetFunctionDoc(const String& name) override {
    return text_of(symbol::tvm_ffi_doc_prefix, name);
  }

  Optional<String> GetFunctionMetadata(const String& name) override {
    return text_of(symbol::tvm_ffi_metadata_prefix, name);
  }

  const Library* library() const { return library_.get(); }

 private:
  // What the exported function `prefix` + `name`, which takes no arguments, returns.
  Optional<String> text_of(const char* prefix, const String& name) {
    void* code = library_->find(prefix, name);
    if (code == nullptr) return std::nullopt;
    return Function::InvokeExternC(nullptr, reinterpret_cast<TVMFFISafeCallType>(code))
        .cast<String>();
  }

  std::shared_ptr<Library> library_;
  // The library's variable that holds this module's address; NULL when it has none.
  void** context_;
};

void write_context_symbols(Library* library) {
  for (const auto& [name, address] : context_symbols()) {
    void* variable = library->find(name);
    if (variable != nullptr) *static_cast<void**>(variable) = address;
  }
}

// The name of the function for which a library exports this symbol; empty for other symbols.
std::string function_name_of(const std::string& exported) {
  auto begins_with = [&exported](std::string_view prefix) {
    return exported.compare(0, prefix.size(), prefix) == 0;
  };
  bool is_function = begins_with(symbol::tvm_ffi_symbol_prefix) &&
                     !begins_with(symbol::tvm_ffi_metadata_prefix) &&
                     !begins_with(symbol::tvm_ffi_doc_prefix);
  return is_function ? exported.substr(std::strlen(symbol::tvm_ffi_symbol_prefix)) : std::string();
}

}  // namespace

const Library* library_of(const Module& module) {
  if (module->kind() != kLibraryKind) return nullptr;
  return static_cast<const LibraryModuleObj*>(module.operator->())->library();
}

Optional<Array<String>> function_names_of(const Module& module) {
  const Library* library = library_of(module);
  std::optional<std::vector<std::string>> exported;
  if (library != nullptr) exported = library->functions();
  if (!exported.has_value()) return std::nullopt;
  std::set<std::string> names;
  for (const std::string& name : *exported) names.insert(function_name_of(name));
  names.erase(std::string());
  Array<String> result;
  for (const std::string& name : names) result.push_back(name);
  return result;
}

Module make_plain_library_module(std::shared_ptr<Library> library) {
  return Module(make_object<LibraryModuleObj>(std::move(library)));
}

Module make_library_module(std::shared_ptr<Library> library) {
  write_context_symbols(library.get());
  void* blob = library->find(symbol::tvm_ffi_library_bin);
  if (blob != nullptr) return load_import_tree(library, blob);
  return make_plain_library_module(std::move(library));
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

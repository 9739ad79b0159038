// SPDX-License-Identifier: Apache-2.0
// The module of a library: its functions are the symbols that the library exports.
#include <tvm/ffi/c_env_api.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/json.h>

#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "module/context_symbols.h"
#include "module/library.h"

namespace tvm::ffi::runtime {
namespace {

class LibraryModuleObj;
// The address of this text identifies modules of this class. The content does not, because another
// class may have the same kind.
constexpr char kLibraryKind[] = "library";

// A function whose code is in a library. The function keeps the library loaded.
class LibraryFunctionObj final : public FunctionObj {
 public:
  LibraryFunctionObj(TVMFFISafeCallType code, Module library)
      : code_(code), library_(std::move(library)) {
    this->safe_call = call;
    this->cpp_call = nullptr;
  }

  // Returns NULL for functions of other classes, because their safe_call differs.
  static const LibraryFunctionObj* cast(const FunctionObj* function) {
    bool is_own = function != nullptr && function->safe_call == call;
    return is_own ? static_cast<const LibraryFunctionObj*>(function) : nullptr;
  }
  static void* shared_safe_call() { return reinterpret_cast<void*>(&call); }
  void* code() const { return reinterpret_cast<void*>(code_); }
  LibraryModuleObj* library() const;

 private:
  // Calls the exported symbol, which gets NULL instead of the function object.
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

  // Clears the library's pointer to this module, because another module may keep the library
  // loaded.
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
    Optional<String> doc = text_of(symbol::tvm_ffi_doc_prefix, name);
    return doc.has_value() ? doc : doc_in_metadata(GetFunctionMetadata(name));
  }

  Optional<String> GetFunctionMetadata(const String& name) override {
    return text_of(symbol::tvm_ffi_metadata_prefix, name);
  }

  // Returns the name under which the library exports a function. The name is `hint` if that is
  // correct.
  std::string name_of(void* code, const String& hint) {
    if (library_->find(symbol::tvm_ffi_symbol_prefix, hint) == code) return hint;
    constexpr std::string_view kPrefix = symbol::tvm_ffi_symbol_prefix;
    std::string symbol = library_->symbol_at(code);
    if (symbol.compare(0, kPrefix.size(), kPrefix) != 0) return std::string();
    return symbol.substr(kPrefix.size());
  }

  std::string library_name() const { return library_->name(); }
  const Library* library() const { return library_.get(); }

 private:
  // Returns the entry `doc` of the metadata. An export macro that gets a docstring stores it there
  // (detail/export_text.h).
  static Optional<String> doc_in_metadata(const Optional<String>& metadata) {
    if (!metadata.has_value()) return std::nullopt;
    std::string_view text = detail::TextView(*metadata);
    if (text.find("\"doc\"") == text.npos) return std::nullopt;
    String error;
    auto entries = json::Parse(*metadata, &error).as<Map<Any, Any>>();
    if (!entries.has_value() || entries->count(String("doc")) == 0) return std::nullopt;
    return entries->at(String("doc")).as<String>();
  }

  // Calls the exported function `prefix` + `name` without arguments, and returns its result.
  Optional<String> text_of(const char* prefix, const String& name) {
    void* code = library_->find(prefix, name);
    if (code == nullptr) return std::nullopt;
    return Function::InvokeExternC(nullptr, reinterpret_cast<TVMFFISafeCallType>(code))
        .cast<String>();
  }

  std::shared_ptr<Library> library_;
  // The library's variable for the address of this module; NULL if the library has none.
  void** context_;
};

LibraryModuleObj* LibraryFunctionObj::library() const {
  return static_cast<LibraryModuleObj*>(library_.get());
}

void write_context_symbols(Library* library) {
  for (const auto& [name, address] : context_symbols()) {
    void* variable = library->find(name);
    if (variable != nullptr) *static_cast<void**>(variable) = address;
  }
}

// Returns the function name for an exported symbol; empty if the symbol is not a function of the
// library.
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

void* library_safe_call() { return LibraryFunctionObj::shared_safe_call(); }

bool describe_library_function(const Function& function, const String& name, bool with_doc,
                               LibraryFunctionTexts* out) {
  const LibraryFunctionObj* self = LibraryFunctionObj::cast(function.get());
  if (self == nullptr) return false;
  LibraryModuleObj* library = self->library();
  out->library = library->library_name();
  out->name = library->name_of(self->code(), name);
  if (out->name.empty()) return true;
  out->metadata = library->GetFunctionMetadata(out->name);
  if (with_doc) out->doc = library->GetFunctionDoc(out->name);
  return true;
}

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

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// The members of ModuleObj and Module that are compiled into the library: traversal of imports, and
// selection of the loader of a file.
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/registry.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/start_up.h"
#include "module/file_system.h"
#include "module/module_internal.h"

namespace tvm::ffi {
namespace {

// Pushes the imports in reverse order, so that the first one is popped next.
void push_imports(const ModuleObj* module, std::vector<Module>* pending) {
  const Array<Any> imports = module->imports();
  for (int64_t i = static_cast<int64_t>(imports.size()) - 1; i >= 0; --i) {
    pending->push_back(imports[i].cast<Module>());
  }
}

// Calls `visit` once for `root` and for each module that it imports, directly or indirectly, until
// `visit` returns true. A module comes before its imports, which are visited in order. Returns
// whether `visit` returned true. The stack is on the heap, because chains of imports may be long.
// The stack owns the modules, because `visit` runs their code, which may change their imports.
template <typename Visit>
bool walk_imports(ModuleObj* root, Visit visit) {
  if (visit(root)) return true;
  std::vector<Module> pending;
  push_imports(root, &pending);
  std::unordered_set<const ModuleObj*> seen{root};
  while (!pending.empty()) {
    Module module = std::move(pending.back());
    pending.pop_back();
    if (!seen.insert(module.get()).second) continue;
    if (visit(module.get())) return true;
    push_imports(module.get(), &pending);
  }
  return false;
}

// Calls `query(module)` in the order of walk_imports; returns the first result that has a value.
template <typename Result, typename Query>
Result first_in_imports(ModuleObj* root, Query query) {
  Result result;
  walk_imports(root, [&](ModuleObj* module) {
    result = query(module);
    return result.has_value();
  });
  return result;
}

// Returns the format of a file extension; `dll`, `dylib` and `dso` are treated as `so`.
std::string loader_format(std::string_view extension) {
  if (extension == "dll" || extension == "dylib" || extension == "dso") return "so";
  return std::string(extension);
}

// Returns whether a path is that of a shared library with a version: `libm.so.6`, `lib.so.1.2.3`.
bool is_versioned_library(std::string_view path) {
  size_t last = path.find_last_not_of(".0123456789");
  if (last == std::string_view::npos || last + 2 >= path.size()) return false;
  std::string_view name = path.substr(0, last + 1), version = path.substr(last + 1);
  constexpr std::string_view kSuffix = ".so";
  return name.size() >= kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix &&
         version.front() == '.' && version.back() != '.' &&
         version.find("..") == std::string_view::npos;
}

}  // namespace

void ModuleObj::ImportModule(const Module& other) {
  if (!other.defined()) TVM_FFI_THROW(ValueError) << "Cannot import a null module";
  if (walk_imports(other.get(), [this](ModuleObj* module) { return module == this; })) {
    TVM_FFI_THROW(RuntimeError) << "Cyclic dependency detected during import";
  }
  imports_.push_back(other);
}

void ModuleObj::ClearImports() {
  // Release the modules after imports_ is empty, because their deleters may read imports_.
  Array<Any> released = std::exchange(imports_, Array<Any>());
}

Optional<Function> ModuleObj::GetFunction(const String& name, bool query_imports) {
  if (!query_imports) return GetFunction(name);
  return first_in_imports<Optional<Function>>(
      this, [&](ModuleObj* module) { return module->GetFunction(name); });
}

bool ModuleObj::ImplementsFunction(const String& name, bool query_imports) {
  if (!query_imports) return ImplementsFunction(name);
  return walk_imports(this, [&](ModuleObj* module) { return module->ImplementsFunction(name); });
}

Optional<String> ModuleObj::GetFunctionDoc(const String& name, bool query_imports) {
  if (!query_imports) return GetFunctionDoc(name);
  return first_in_imports<Optional<String>>(
      this, [&](ModuleObj* module) { return module->GetFunctionDoc(name); });
}

Optional<String> ModuleObj::GetFunctionMetadata(const String& name, bool query_imports) {
  if (!query_imports) return GetFunctionMetadata(name);
  return first_in_imports<Optional<String>>(
      this, [&](ModuleObj* module) { return module->GetFunctionMetadata(name); });
}

namespace {

// Returns whether files with this suffix are source code of C, C++ or CUDA.
bool is_source_suffix(std::string_view suffix) {
  constexpr std::string_view kSuffixes[] = {"c", "cc", "cpp", "cxx", "cu", "h", "hpp"};
  return std::find(std::begin(kSuffixes), std::end(kSuffixes), suffix) != std::end(kSuffixes);
}

}  // namespace

Module Module::LoadFromFile(const String& file_name) {
  std::string_view path(file_name.data(), file_name.size());
  size_t slash = path.find_last_of("/\\");
  size_t dot = path.find_last_not_of('.') == std::string_view::npos ? std::string_view::npos
                                                                    : path.rfind('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) {
    TVM_FFI_THROW(RuntimeError) << "Failed to get file format from "
                                << (path.empty() ? "an empty path" : path)
                                << "; the name of a library ends in .so, .dylib or .dll";
  }
  std::string format = is_versioned_library(path) ? "so" : loader_format(path.substr(dot + 1));
  std::string loader_name = "ffi.Module.load_from_file." + format;
  std::optional<Function> loader = Function::GetGlobal(loader_name);
  if (!loader.has_value()) {
    TVM_FFI_THROW(RuntimeError) << "Loader for `." << format
                                << "` files is not registered, resolved to (" << loader_name
                                << ") in the global registry. "
                                << (is_source_suffix(format)
                                        ? "The file is source code: compile it first, or use "
                                          "tvm_ffi.cpp.load in Python."
                                        : "Load the library that registers it first, and check "
                                          "that the file suits this machine.");
  }
  // Opening a pipe blocks, and reading a device may never end.
  if (runtime::kind_of_file(std::string(path)) == runtime::FileKind::kOther) {
    TVM_FFI_THROW(RuntimeError) << "Failed to load " << path
                                << ": a regular file is expected, not a device, pipe or socket";
  }
  return (*loader)(file_name, format).cast<Module>();
}

namespace runtime {

void register_module_type() {
  namespace refl = reflection;
  refl::ObjectDef<ModuleObj>().def_ro("imports_", ModuleObj::InternalUnsafe::imports_member());
}

}  // namespace runtime
}  // namespace tvm::ffi

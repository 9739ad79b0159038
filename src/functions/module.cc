// SPDX-License-Identifier: Apache-2.0
// Global functions of modules.
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/registry.h>

#include <mutex>
#include <unordered_set>
#include <utility>

#include "core/class_record.h"
#include "core/start_up.h"
#include "functions/functions.h"
#include "module/library.h"

namespace tvm::ffi::runtime {
namespace {

// Owns references to modules, so that the modules stay loaded without other references.
class KeptModules {
 public:
  static KeptModules& instance() {
    static auto* kept = new KeptModules();  // never destroyed, so that the modules stay loaded
    return *kept;
  }

  void add(Module module) {
    std::lock_guard<std::mutex> lock(mutex_);
    modules_.insert(std::move(module));
  }

  // Releases the reference after unlocking, because the release may unload a library.
  void remove(const Module& module) {
    std::unique_lock<std::mutex> lock(mutex_);
    auto removed = modules_.extract(module);
    lock.unlock();
  }

 private:
  std::mutex mutex_;
  std::unordered_set<Module, ObjectPtrHash, ObjectPtrEqual> modules_;  // guarded by mutex_
};

void register_lookups() {
  ShortDef()
      .def("ffi.ModuleGetFunction",
           [](const Module& module, const String& name, bool query_imports) {
             return module->GetFunction(name, query_imports);
           })
      .def("ffi.ModuleImplementsFunction",
           [](const Module& module, const String& name, bool query_imports) {
             return module->ImplementsFunction(name, query_imports);
           })
      .def("ffi.ModuleGetFunctionDoc",
           [](const Module& module, const String& name, bool query_imports) {
             return module->GetFunctionDoc(name, query_imports);
           })
      .def("ffi.ModuleGetFunctionMetadata",
           [](const Module& module, const String& name, bool query_imports) {
             return module->GetFunctionMetadata(name, query_imports);
           });
}

void register_properties() {
  ShortDef()
      .def("ffi.ModuleGetKind", [](const Module& module) { return String(module->kind()); })
      .def("ffi.ModuleGetPath",
           [](const Module& module) -> Optional<String> {
             const Library* library = library_of(module);
             if (library == nullptr || library->path().empty()) return std::nullopt;
             return String(library->path());
           })
      .def("ffi.ModuleGetFunctionNames", function_names_of)
      .def("ffi.ModuleGetPropertyMask",
           [](const Module& module) { return module->GetPropertyMask(); })
      .def("ffi.ModuleGetWriteFormats",
           [](const Module& module) { return module->GetWriteFormats(); })
      .def("ffi.ModuleInspectSource",
           [](const Module& module, const String& format) { return module->InspectSource(format); })
      .def("ffi.ModuleWriteToFile",
           [](const Module& module, const String& file_name, const String& format) {
             module->WriteToFile(file_name, format);
           });
}

void register_imports() {
  ShortDef()
      .def("ffi.ModuleImportModule",
           [](const Module& module, const Module& other) { module->ImportModule(other); })
      .def("ffi.ModuleClearImports", [](const Module& module) { module->ClearImports(); })
      .def("ffi.ModuleGlobalsAdd",
           [](const Module& module) { KeptModules::instance().add(module); })
      .def("ffi.ModuleGlobalsRemove",
           [](const Module& module) { KeptModules::instance().remove(module); });
}

// These functions run code of the library that they load, so they are not declared as short calls
// (during which the Python extension would keep the GIL).
void register_loaders() {
  reflection::GlobalDef()
      .def("ffi.ModuleLoadFromFile",
           [](const String& file_name) { return Module::LoadFromFile(file_name); })
      .def("ffi._ModuleLoadVersion",
           [](const String& file_name, const String& origin) {
             LoadOrigin guard(origin);
             return Module::LoadFromFile(file_name);
           })
      .def("ffi.Module.load_from_file.so",
           [](const String& file_name, const String& /*format*/) {
             return make_library_module(open_library(file_name));
           })
      .def_packed("ffi.SystemLib", [](PackedArgs args, Any* result) {
        if (args.size() > 1) {
          TVM_FFI_THROW(TypeError) << "ffi.SystemLib takes at most one symbol prefix, but "
                                   << args.size() << " arguments were given";
        }
        *result = system_library_module(args.size() == 0 ? String() : args[0].cast<String>());
      });
}

}  // namespace

void register_module_functions() {
  register_lookups();
  register_properties();
  register_imports();
  register_loaders();
  check_class(kTVMFFIModule, ModuleObj::_ClassRecord());
}

}  // namespace tvm::ffi::runtime

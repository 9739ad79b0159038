// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/module.h>

#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Array;
using ffi::Function;
using ffi::Module;
using ffi::ModuleObj;
using ffi::Optional;
using ffi::String;

HOLDS(std::is_base_of_v<ffi::Object, ModuleObj>&& std::is_polymorphic_v<ModuleObj>);
HOLDS(ModuleObj::_type_index == kTVMFFIModule && ModuleObj::_type_mutable);
HAS_TYPE(The<const ModuleObj>().kind(), const char*);
HAS_TYPE(The<const ModuleObj>().GetPropertyMask(), int);
HAS_TYPE(The<ModuleObj>().GetFunction(The<const String>()), Optional<Function>);
HAS_TYPE(The<ModuleObj>().GetFunction(The<const String>(), true), Optional<Function>);
HAS_TYPE(The<ModuleObj>().ImplementsFunction(The<const String>()), bool);
HAS_TYPE(The<ModuleObj>().ImplementsFunction(The<const String>(), true), bool);
HAS_TYPE(The<ModuleObj>().GetFunctionDoc(The<const String>()), Optional<String>);
HAS_TYPE(The<ModuleObj>().GetFunctionDoc(The<const String>(), true), Optional<String>);
HAS_TYPE(The<ModuleObj>().GetFunctionMetadata(The<const String>()), Optional<String>);
HAS_TYPE(The<ModuleObj>().GetFunctionMetadata(The<const String>(), true), Optional<String>);
HAS_TYPE(The<const ModuleObj>().WriteToFile(The<const String>(), The<const String>()), void);
HAS_TYPE(The<const ModuleObj>().GetWriteFormats(), Array<String>);
HAS_TYPE(The<const ModuleObj>().SaveToBytes(), ffi::Bytes);
HAS_TYPE(The<const ModuleObj>().InspectSource(The<const String>()), String);
HAS_TYPE(The<ModuleObj>().ImportModule(The<const Module>()), void);
HAS_TYPE(The<ModuleObj>().ClearImports(), void);
HAS_TYPE(The<const ModuleObj>().imports(), const Array<ffi::Any>&);
class UserModule : public ModuleObj {
 public:
  const char* kind() const final { return "names"; }
  Optional<Function> GetFunction(const String&) final { return std::nullopt; }
  size_t CountImports() const { return imports_.size(); }
};
using Internal = ModuleObj::InternalUnsafe;
HOLDS(std::is_class_v<Internal>);

HOLDS(!Module::_type_is_nullable && std::is_constructible_v<Module, ffi::ObjectPtr<ModuleObj>>);
HOLDS(!std::is_convertible_v<ffi::ObjectPtr<ModuleObj>, Module>);
HOLDS(Module::ModulePropertyMask::kBinarySerializable == 1 && Module::kRunnable == 2);
HOLDS(Module::kCompilationExportable == 4);
HAS_TYPE(Module::LoadFromFile(The<const String>()), Module);
using Visitor = ffi::TypedFunction<void(String, void*)>;
HAS_TYPE(Module::VisitContextSymbols(The<const Visitor>()), void);

namespace symbol = tvm::ffi::symbol;
HOLDS(std::string_view(symbol::tvm_ffi_symbol_prefix) == "__tvm_ffi_");
HOLDS(std::string_view(symbol::tvm_ffi_main) == "__tvm_ffi_main");
HOLDS(std::string_view(symbol::tvm_ffi_library_ctx) == "__tvm_ffi__library_ctx");
HOLDS(std::string_view(symbol::tvm_ffi_library_bin) == "__tvm_ffi__library_bin");
HOLDS(std::string_view(symbol::tvm_ffi_metadata_prefix) == "__tvm_ffi__metadata_");
HOLDS(std::string_view(symbol::tvm_ffi_doc_prefix) == "__tvm_ffi__doc_");

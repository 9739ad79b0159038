// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/module.h
 * \brief Modules: named sets of functions that may import one another, and the symbol names by
 * which shared libraries export functions.
 */
#ifndef TVM_FFI_EXTRA_MODULE_H_
#define TVM_FFI_EXTRA_MODULE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace tvm {
namespace ffi {

class Module;

/*!
 * \brief Base of all modules.
 *
 * Subclasses implement the virtual functions and are not registered as types of their own: every
 * module has the type `ffi.Module`. The order of the virtual functions and the layout (function
 * table first, then the object header, then two members) are ABI, since libraries subclass this
 * class and call it across their borders. There is no virtual destructor; the object's deleter
 * knows the class.
 *
 * Lookups may run on any thread at the same time; changing the imports may not run beside anything
 * else on the same module.
 */
class TVM_FFI_EXTRA_CXX_API ModuleObj : public Object {
 public:
  /*! \brief Name of the kind of module, e.g. `library`; static storage. */
  virtual const char* kind() const = 0;
  /*! \brief Bits of Module::ModulePropertyMask. */
  virtual int GetPropertyMask() const { return 0; }
  /*!
   * \brief Find a function of this module itself.
   * \return the function, which keeps whatever it needs alive; empty when there is none.
   */
  virtual Optional<Function> GetFunction(const String& name) = 0;
  /*! \brief Whether GetFunction of this name finds something. */
  virtual bool ImplementsFunction(const String& name) { return GetFunction(name).has_value(); }
  /*! \brief Documentation of a function of this module itself, if there is any. */
  virtual Optional<String> GetFunctionDoc(const String&) { return std::nullopt; }
  /*! \brief Metadata (JSON object text) of a function of this module itself, if there is any. */
  virtual Optional<String> GetFunctionMetadata(const String&) { return std::nullopt; }
  /*! \brief Write the module to a file of one of the formats of GetWriteFormats. */
  virtual void WriteToFile(const String& /*file_name*/, const String& /*format*/) const {
    TVM_FFI_THROW(RuntimeError) << "Module[" << kind() << "] does not support WriteToFile";
  }
  /*! \brief Formats that WriteToFile understands, the preferred one first. */
  virtual Array<String> GetWriteFormats() const { return Array<String>(); }
  /*! \brief Content that global function `ffi.Module.load_from_bytes.KIND` turns back into it. */
  virtual Bytes SaveToBytes() const {
    TVM_FFI_THROW(RuntimeError) << "Module[" << kind() << "] does not support SaveToBytes";
    TVM_FFI_UNREACHABLE();
  }
  /*! \brief Source text in some format, empty when there is none. */
  virtual String InspectSource(const String& /*format*/) const { return String(); }
  /*!
   * \brief Append a module to the imports.
   * \throws RuntimeError when this module would then be reachable from itself.
   */
  virtual void ImportModule(const Module& other);
  /*! \brief Forget all imports. Functions found through them before stay valid. */
  virtual void ClearImports();

  /*!
   * \brief Find a function here, then, if `query_imports`, in the imports: depth first, in order.
   */
  Optional<Function> GetFunction(const String& name, bool query_imports);
  /*! \brief Whether ImplementsFunction holds here or, if `query_imports`, in an import. */
  bool ImplementsFunction(const String& name, bool query_imports);
  /*! \brief First documentation found here or, if `query_imports`, in an import. */
  Optional<String> GetFunctionDoc(const String& name, bool query_imports);
  /*! \brief First metadata found here or, if `query_imports`, in an import. */
  Optional<String> GetFunctionMetadata(const String& name, bool query_imports);

  /*! \brief The imported modules, in order. */
  const Array<Any>& imports() const { return imports_; }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIModule;
  static constexpr const bool _type_mutable = true;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIModule, ModuleObj, Object);
  /// \endcond

  /*! \brief Access for the library itself. */
  struct InternalUnsafe;

 protected:
  friend struct InternalUnsafe;
  /*! \brief The imported modules, in order. */
  Array<Any> imports_;

 private:
  /*! \brief What TVMFFIEnvModLookupFromImports found; guarded by the library's lock. */
  Map<String, Function> import_lookup_cache_;
};

/*! \brief Reference to a module; never null. */
class Module : public ObjectRef {
 public:
  /*! \brief Bits of ModuleObj::GetPropertyMask. */
  enum ModulePropertyMask : int {
    /*! \brief The module can be written as bytes. */
    kBinarySerializable = 1,
    /*! \brief The functions of the module can be called. */
    kRunnable = 2,
    /*! \brief The module can be written as source or object code. */
    kCompilationExportable = 4,
  };

  /*! \brief Refer to a module that was just made; null throws InternalError. */
  explicit Module(ObjectPtr<ModuleObj> module) : ObjectRef(std::move(module)) {
    TVM_FFI_ICHECK_NOTNULL(data_.get());
  }

  /*!
   * \brief Load a module from a file.
   *
   * What follows the last dot of the name (`dll`, `dylib`, `dso` counting as `so`) selects the
   * loader: global function `ffi.Module.load_from_file.EXTENSION`.
   * \throws RuntimeError for a name without a dot or without a loader; what the loader throws.
   */
  TVM_FFI_EXTRA_CXX_API static Module LoadFromFile(const String& file_name);
  /*!
   * \brief Call `callback` with name and address of each context symbol, in order of registration.
   */
  TVM_FFI_EXTRA_CXX_API static void VisitContextSymbols(
      const TypedFunction<void(String, void*)>& callback);

  /// \cond Doxygen_Suppress
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Module, ObjectRef, ModuleObj);
  /// \endcond
};

/*! \brief Names by which shared libraries and the runtime find each other's symbols. */
namespace symbol {
/*! \brief Precedes the name of an exported function. */
constexpr const char* tvm_ffi_symbol_prefix = "__tvm_ffi_";
/*! \brief The default entry, i.e. the function `main`. */
constexpr const char* tvm_ffi_main = "__tvm_ffi_main";
/*! \brief A `void*` variable that receives the library module's address. */
constexpr const char* tvm_ffi_library_ctx = "__tvm_ffi__library_ctx";
/*! \brief The embedded import tree. */
constexpr const char* tvm_ffi_library_bin = "__tvm_ffi__library_bin";
/*! \brief Precedes the name of a function; gives its metadata. */
constexpr const char* tvm_ffi_metadata_prefix = "__tvm_ffi__metadata_";
/*! \brief Precedes the name of a function; gives its documentation. */
constexpr const char* tvm_ffi_doc_prefix = "__tvm_ffi__doc_";
/*! \brief A constant TVMFFIVersion: the ABI for which the library was built; optional. */
constexpr const char* tvm_ffi_abi_version = "__tvm_ffi__abi_version";
}  // namespace symbol

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_MODULE_H_

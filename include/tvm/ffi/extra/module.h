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

namespace tvm::ffi {

/// \cond Doxygen_Suppress
#if defined(TVM_FFI_EXPORTS)
#define TVM_FFI_MODULE_CHECK_()
#else
#define TVM_FFI_MODULE_CHECK_()                                       \
  TVM_FFI_OWN_COPY_ static inline const int32_t _checked_type_index = \
      detail::InitTypeIndex(&_CheckedTypeIndex);
#endif
// The record of ModuleObj, which each binary hands over when it is loaded.
#define TVM_FFI_MODULE_RECORD_()                                                              \
  TVM_FFI_DECLARE_OBJECT_FIELDS(ModuleObj, TVM_FFI_FIELD(imports_),                           \
                                TVM_FFI_FIELD(import_lookup_cache_),                          \
                                detail::ListVirtualFunctions(12, offsetof(Self, header_)));   \
  TVM_FFI_OWN_COPY_BEGIN_                                                                     \
  TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static const detail::ClassRecordHead* \
  _ClassRecord() {                                                                            \
    static constexpr auto record = detail::MakeClassRecord<ModuleObj, Object>();              \
    return &record.head;                                                                      \
  }                                                                                           \
  TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static int32_t _CheckedTypeIndex() {  \
    return detail::CheckedClass(_type_index, _ClassRecord());                                 \
  }                                                                                           \
  TVM_FFI_MODULE_CHECK_()                                                                     \
  TVM_FFI_OWN_COPY_END_ static_assert(true)
/// \endcond

class Module;

/*!
 * \brief Base of all modules.
 *
 * Subclasses implement the virtual functions and are not registered as separate types: every module
 * has the type `ffi.Module`. The order of the virtual functions and the layout (function table
 * first, then the object header, then two members) are part of the ABI, since a library may derive
 * from this class and call modules of other libraries. A virtual destructor is not needed, because
 * the deleter of each object is made for its class.
 *
 * Lookups may run on several threads at the same time; a change of the imports must exclude all
 * other access to the same module.
 */
class TVM_FFI_EXTRA_CXX_API ModuleObj : public Object {
 public:
  /*! \brief Return the name of the kind of module, e.g. `library`, in static storage. */
  virtual const char* kind() const = 0;
  /*! \brief Return the properties of the module, as bits of Module::ModulePropertyMask. */
  virtual int GetPropertyMask() const { return 0; }
  /*!
   * \brief Find a function of this module, without its imports.
   * \return the function; empty when there is none. The function keeps all objects that it needs
   *         alive.
   */
  virtual Optional<Function> GetFunction(const String& name) = 0;
  /*! \brief Return whether GetFunction finds a function of this name. */
  virtual bool ImplementsFunction(const String& name) { return GetFunction(name).has_value(); }
  /*! \brief Return the documentation of a function of this module, without its imports; empty when
   * there is none. */
  virtual Optional<String> GetFunctionDoc(const String&) { return std::nullopt; }
  /*! \brief Return the metadata (the text of a JSON object) of a function of this module, without
   * its imports; empty when there is none. */
  virtual Optional<String> GetFunctionMetadata(const String&) { return std::nullopt; }
  /*! \brief Write the module to a file in one of the formats of GetWriteFormats. */
  virtual void WriteToFile(const String& /*file_name*/, const String& /*format*/) const {
    TVM_FFI_THROW(RuntimeError) << "Module[" << kind() << "] does not support WriteToFile";
  }
  /*! \brief Return the formats that WriteToFile supports, the preferred format first. */
  virtual Array<String> GetWriteFormats() const { return Array<String>(); }
  /*! \brief Return the module in serialised form. The global function
   * `ffi.Module.load_from_bytes.KIND` makes the module from these bytes. */
  virtual Bytes SaveToBytes() const {
    TVM_FFI_THROW(RuntimeError) << "Module[" << kind() << "] does not support SaveToBytes";
    TVM_FFI_UNREACHABLE();
  }
  /*! \brief Return the source text in a format; empty when there is none. */
  virtual String InspectSource(const String& /*format*/) const { return String(); }
  /*!
   * \brief Append a module to the imports.
   * \throws RuntimeError when this module would then import itself, directly or indirectly.
   */
  virtual void ImportModule(const Module& other);
  /*! \brief Remove all imports. Functions that were found through the imports stay valid. */
  virtual void ClearImports();

  /*! \brief Find a function in this module. If the module does not have it and `query_imports` is
   * true, search the imports in order, depth first. */
  Optional<Function> GetFunction(const String& name, bool query_imports);
  /*! \brief Return whether this module has a function with this name. If `query_imports` is true,
   * search the imports too. */
  bool ImplementsFunction(const String& name, bool query_imports);
  /*! \brief Return the documentation of a function from this module or, if `query_imports`, from
   * the first import that has it. */
  Optional<String> GetFunctionDoc(const String& name, bool query_imports);
  /*! \brief Return the metadata of a function from this module or, if `query_imports`, from the
   * first import that has it. */
  Optional<String> GetFunctionMetadata(const String& name, bool query_imports);

  /*! \brief Return the imported modules, in order. */
  const Array<Any>& imports() const { return imports_; }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIModule;
  static constexpr const bool _type_mutable = true;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIModule, ModuleObj, Object);
  TVM_FFI_MODULE_RECORD_();
  /// \endcond

  /*! \brief Gives the runtime access to private members. */
  struct InternalUnsafe;

 protected:
  friend struct InternalUnsafe;
  /*! \brief The imported modules, in order. */
  Array<Any> imports_;

 private:
  /*! \brief The functions that TVMFFIEnvModLookupFromImports found; guarded by a lock of the
   * runtime. */
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

  /*! \brief Make a reference to a new module; null throws InternalError. */
  explicit Module(ObjectPtr<ModuleObj> module) : ObjectRef(std::move(module)) {
    TVM_FFI_ICHECK_NOTNULL(data_.get());
  }

  /*!
   * \brief Load a module from a file.
   *
   * The part of the name after the last dot (`dll`, `dylib`, `dso` count as `so`) selects the
   * loader: global function `ffi.Module.load_from_file.EXTENSION`.
   * \throws RuntimeError for a name without a dot or without a loader; the exceptions of the
   *         loader.
   */
  TVM_FFI_EXTRA_CXX_API static Module LoadFromFile(const String& file_name);
  /*! \brief Call `callback` with the name and address of each symbol that was registered with
   * TVMFFIEnvModRegisterContextSymbol, in order of registration. */
  TVM_FFI_EXTRA_CXX_API static void VisitContextSymbols(
      const TypedFunction<void(String, void*)>& callback);

  /// \cond Doxygen_Suppress
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Module, ObjectRef, ModuleObj);
  /// \endcond
};

/*! \brief Names with which shared libraries and the runtime find symbols of each other. */
namespace symbol {
/*! \brief Prefix of the name of an exported function. */
constexpr const char* tvm_ffi_symbol_prefix = "__tvm_ffi_";
/*! \brief Symbol of the exported function `main`, the default entry of a library. */
constexpr const char* tvm_ffi_main = "__tvm_ffi_main";
/*! \brief Symbol of a `void*` variable that receives the address of the library module. */
constexpr const char* tvm_ffi_library_ctx = "__tvm_ffi__library_ctx";
/*! \brief Symbol of embedded data: the imported modules in serialised form, as a tree. */
constexpr const char* tvm_ffi_library_bin = "__tvm_ffi__library_bin";
/*! \brief A prefix of symbols: the prefix and the name of a function `f` are the symbol of another
 * function, which returns the metadata of `f`. */
constexpr const char* tvm_ffi_metadata_prefix = "__tvm_ffi__metadata_";
/*! \brief A prefix of symbols: the prefix and the name of a function `f` are the symbol of another
 * function, which returns the documentation of `f`. */
constexpr const char* tvm_ffi_doc_prefix = "__tvm_ffi__doc_";
/*! \brief Symbol of a constant TVMFFIVersion: the ABI for which the library was built; optional. */
constexpr const char* tvm_ffi_abi_version = "__tvm_ffi__abi_version";
}  // namespace symbol

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_MODULE_H_

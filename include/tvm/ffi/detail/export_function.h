// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/export_function.h
 * \brief The macros that export a C++ function from a library, and the library's ABI version.
 *
 * Serves function.h alone, which includes it at its end.
 */
#ifndef TVM_FFI_DETAIL_EXPORT_FUNCTION_H_
#define TVM_FFI_DETAIL_EXPORT_FUNCTION_H_

#include <tvm/ffi/function.h>

/*!
 * \brief 1: TVM_FFI_DLL_EXPORT_TYPED_FUNC also exports the signature, and _DOC the documentation.
 *
 * Define before the first include; TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA is another name for it.
 */
#ifndef TVM_FFI_DLL_EXPORT_INCLUDE_METADATA
#if defined(TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA) && TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA
#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA 1
#else
#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA 0
#endif
#endif

// The runtime itself (built with TVM_FFI_EXPORTS) reports its version through TVMFFIGetVersion.
#if !defined(TVM_FFI_EXPORTS)
extern "C" {
/*! \brief Version of the headers that this library was built with; loaders check it first. */
extern TVM_FFI_DLL_EXPORT TVM_FFI_WEAK const TVMFFIVersion __tvm_ffi__abi_version;
const TVMFFIVersion __tvm_ffi__abi_version = {TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR,
                                              TVM_FFI_VERSION_PATCH};
}
#endif

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Metadata text of an exported function: its schema as JSON text inside JSON. */
TVM_FFI_COLD_CODE inline String ExportMetadata(FTypeText schema) {
  return String("{\"type_schema\":" + std::string(EscapeStringJSON(String(schema()))) + "}");
}

/*!
 * \brief The bytes of a documentation text: a string literal with the NULs in it, or any other
 * text that a String is made from.
 */
template <typename Text>
String ExportText(Text&& text) {
  using Plain = std::remove_reference_t<Text>;
  if constexpr (std::is_array_v<Plain> && std::is_const_v<Plain>) {
    return String(text, std::extent_v<Plain> - 1);
  } else {
    return String(std::forward<Text>(text));
  }
}

/*! \brief Result of an exported text function, which takes no arguments. */
TVM_FFI_COLD_CODE inline void ReturnExportText(const String& text, TVMFFIAny* result) {
  *result = AnyUnsafe::MoveAnyToTVMFFIAny(Any(text));
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

/// \cond Doxygen_Suppress
#define TVM_FFI_DLL_EXPORT_FUNC_BODY_(ExportName, Func)                                  \
  extern "C" {                                                                           \
  TVM_FFI_DLL_EXPORT int __tvm_ffi_##ExportName([[maybe_unused]] void* self,             \
                                                const TVMFFIAny* args, int32_t num_args, \
                                                TVMFFIAny* result) {                     \
    TVM_FFI_SAFE_CALL_BEGIN();                                                           \
    using Info = ::tvm::ffi::detail::FunctionInfo<std::decay_t<decltype(Func)>>;         \
    ::tvm::ffi::detail::UnpackCall<Info::RetType, Info>(                                 \
        std::make_index_sequence<Info::num_args>(), #ExportName, Func,                   \
        reinterpret_cast<const ::tvm::ffi::AnyView*>(args), num_args,                    \
        reinterpret_cast<::tvm::ffi::Any*>(result));                                     \
    TVM_FFI_SAFE_CALL_END();                                                             \
  }                                                                                      \
  }

#define TVM_FFI_DLL_EXPORT_TEXT_(Symbol, Text)                                         \
  extern "C" {                                                                         \
  TVM_FFI_DLL_EXPORT int Symbol(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) { \
    TVM_FFI_SAFE_CALL_BEGIN();                                                         \
    ::tvm::ffi::detail::ReturnExportText(Text, result);                                \
    TVM_FFI_SAFE_CALL_END();                                                           \
  }                                                                                    \
  }
/// \endcond

/*!
 * \brief Export `Func` under the name `ExportName`, as the C symbol `__tvm_ffi_<ExportName>`.
 *
 * `Func` is a function, a parenthesised address such as `(&Class::StaticMethod)`, or a variable
 * that holds a captureless lambda. For namespace scope; a `;` may follow.
 */
#if TVM_FFI_DLL_EXPORT_INCLUDE_METADATA
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(ExportName, Func) \
  TVM_FFI_DLL_EXPORT_FUNC_BODY_(ExportName, Func)       \
  TVM_FFI_DLL_EXPORT_TEXT_(                             \
      __tvm_ffi__metadata_##ExportName,                 \
      ::tvm::ffi::detail::ExportMetadata(               \
          &::tvm::ffi::detail::FunctionInfo<std::decay_t<decltype(Func)>>::TypeSchema))
#else
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(ExportName, Func) \
  TVM_FFI_DLL_EXPORT_FUNC_BODY_(ExportName, Func)
#endif

/*!
 * \brief Export the documentation of an exported function, if metadata is exported at all.
 *
 * `DocString` is a string literal, of which every byte is exported, also white space at its ends
 * and NULs, or an expression that a String can be made from, evaluated in every call.
 */
#if TVM_FFI_DLL_EXPORT_INCLUDE_METADATA
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(ExportName, DocString) \
  TVM_FFI_DLL_EXPORT_TEXT_(__tvm_ffi__doc_##ExportName, ::tvm::ffi::detail::ExportText(DocString))
#else
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(ExportName, DocString)
#endif

#endif  // TVM_FFI_DETAIL_EXPORT_FUNCTION_H_

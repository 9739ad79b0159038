// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/export_text.h
 * \brief The metadata and documentation that a library exports for its functions.
 *
 * Internal part of function.h. An exported function only passes addresses to the shared functions
 * in this file, so that each export needs few bytes.
 */
#ifndef TVM_FFI_DETAIL_EXPORT_TEXT_H_
#define TVM_FFI_DETAIL_EXPORT_TEXT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/arg_names.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/function_info.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief The documentation, and the names and defaults of parameters, that an export macro got as
 * arguments. */
struct ExportParts {
  std::string_view doc;
  std::string_view arg_names;
  std::string_view arg_defaults;
  bool has_names = false;

  void Add(const reflection::arg_names& names) {
    arg_names = names.text();
    has_names = true;
  }
  void Add(const reflection::arg_defaults& defaults) { arg_defaults = defaults.text(); }
  void Add(const char* text) { doc = text; }
  void Add(const std::string& text) { doc = text; }
};

/*! \brief Store a text in `*result`, the result of an exported function. Return 0, or -1 with an
 * error raised. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline int ReturnExportBytes(TVMFFIAny* result,
                                                                 const char* data,
                                                                 size_t size) noexcept {
  try {
    *result = AnyUnsafe::MoveAnyToTVMFFIAny(Any(String(data, size)));
    return 0;
  } catch (const std::exception&) {
    SetSafeCallRaised(CurrentExceptionAsError());
    return -1;
  }
}

/*! \brief Return the metadata of an exported function: a JSON object whose entry `type_schema` is a
 * string, the JSON text of the schema of the function. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline int ReturnExportMetadata(
    TVMFFIAny* result, FTypeText schema, const ExportParts& parts) noexcept {
  try {
    auto quoted = [](std::string_view text) {
      return std::string(EscapeStringJSON(String(text.data(), text.size())));
    };
    std::string text = "{\"type_schema\":" + quoted(schema());
    if (parts.has_names) text += ",\"arg_names\":" + quoted(parts.arg_names);
    if (!parts.arg_defaults.empty()) text += ",\"arg_defaults\":" + quoted(parts.arg_defaults);
    if (!parts.doc.empty()) text += ",\"doc\":" + quoted(parts.doc);
    text += "}";
    return ReturnExportBytes(result, text.data(), text.size());
  } catch (const std::exception&) {
    SetSafeCallRaised(CurrentExceptionAsError());
    return -1;
  }
}

/*! \brief Return the metadata of a function that is exported without documentation and without
 * names or defaults of parameters. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline int ReturnExportSchema(TVMFFIAny* result,
                                                                  FTypeText schema) noexcept {
  return ReturnExportMetadata(result, schema, ExportParts());
}

/*! \brief Return the metadata of `func`. `extra` are the further arguments of the export macro. */
template <typename Func, typename... Extra>
int ReturnExportInfo(TVMFFIAny* result, [[maybe_unused]] const Func& func, const Extra&... extra) {
  constexpr FTypeText kSchema = &FunctionInfo<std::decay_t<Func>>::TypeSchema;
  if constexpr (sizeof...(Extra) == 0) {
    return ReturnExportSchema(result, kSchema);
  } else {
    ExportParts parts;
    (parts.Add(extra), ...);
    return ReturnExportMetadata(result, kSchema, parts);
  }
}

/*!
 * \brief Return a documentation text from an exported function.
 * \param text a function that returns a string literal or another value that converts to String. A
 *         literal may contain NUL bytes. The function may throw.
 */
template <typename Text>
int ReturnExportDoc(TVMFFIAny* result, Text text) {
  using Given = decltype(text());
  using Plain = std::remove_reference_t<Given>;
  if constexpr (std::is_array_v<Plain> && std::is_const_v<Plain>) {
    return ReturnExportBytes(result, text(), std::extent_v<Plain> - 1);
  } else {
    try {
      String made(text());
      return ReturnExportBytes(result, made.data(), made.size());
    } catch (...) {
      SetSafeCallRaised(CurrentExceptionAsError());
      return -1;
    }
  }
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_EXPORT_TEXT_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/arg_names.h
 * \brief Names and defaults of parameters, for registered and for exported functions.
 */
#ifndef TVM_FFI_ARG_NAMES_H_
#define TVM_FFI_ARG_NAMES_H_

#include <tvm/ffi/c_api.h>

#include <string>
#include <type_traits>

namespace tvm::ffi::reflection {

/*!
 * \brief Base class of traits. Traits are trailing arguments of functions that register a field or
 * a method, such as `def_ro` and `def`.
 *
 * A trait has `void Apply(FieldInfoBuilder*) const` or `void Apply(MethodInfoBuilder*) const`, or
 * both. A trait must live until the registration is done.
 */
struct InfoTrait {};

/*!
 * \brief Names of the parameters without the receiver: `arg_names("x", "eps")` or
 * `arg_names("x,eps")`. Language bindings (such as the Python extension) show the names and accept
 * them as keywords.
 */
class arg_names : public InfoTrait {
 public:
  /*! \param names e.g. "x,y"; further names may follow. */
  template <typename... More>
  explicit arg_names(const char* names, const More*... more) : names_(names) {
    static_assert((std::is_same_v<More, char> && ...), "names are string literals");
    ((names_.append(","), names_.append(more)), ...);
  }
  /*! \brief Return the names, separated by commas. */
  const std::string& text() const { return names_; }
  template <typename Info, typename = std::enable_if_t<std::is_base_of_v<TVMFFIMethodInfo, Info>>>
  void Apply(Info* info) const {
    info->metadata_.emplace_back("arg_names", names_);
  }

 private:
  std::string names_;
};

/*! \brief Defaults of the last parameters, as the text of a JSON array. */
class arg_defaults : public InfoTrait {
 public:
  /*! \param values a string literal, e.g. "[1, null]". */
  explicit arg_defaults(const char* values) : values_(values) {}
  /*! \brief Return the text of the JSON array. */
  const char* text() const { return values_; }
  template <typename Info, typename = std::enable_if_t<std::is_base_of_v<TVMFFIMethodInfo, Info>>>
  void Apply(Info* info) const {
    info->metadata_.emplace_back("arg_defaults", values_);
  }

 private:
  const char* values_;
};

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_ARG_NAMES_H_

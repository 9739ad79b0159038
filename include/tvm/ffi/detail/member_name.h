// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/member_name.h
 * \brief The names that classes in Python need, so that fields and variants cannot have them.
 */
#ifndef TVM_FFI_DETAIL_MEMBER_NAME_H_
#define TVM_FFI_DETAIL_MEMBER_NAME_H_

#include <string_view>

namespace tvm::ffi::reflection::detail {

/*!
 * \brief Return why a field or a variant cannot have a name; NULL if it can.
 * \param is_enum whether the field or the variant belongs to an enum.
 */
inline const char* ReasonAgainstName(std::string_view name, bool is_enum) {
  if (name.size() > 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__") {
    return "a special name of Python";
  }
  if (name == "mro") return "a member of every class";
  if (!is_enum) return nullptr;
  for (std::string_view member : {"all_entries", "attr_dict", "def_attr", "entries", "get"}) {
    if (name == member) return "a member of every enum class";
  }
  return nullptr;
}

}  // namespace tvm::ffi::reflection::detail

#endif  // TVM_FFI_DETAIL_MEMBER_NAME_H_

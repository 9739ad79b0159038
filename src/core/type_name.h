// SPDX-License-Identifier: Apache-2.0
// Type keys for messages.
#pragma once

#include <tvm/ffi/any.h>

#include <string>
#include <string_view>

#include "core/kept_text.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

/*! \brief Return the key of a type for error messages; never fails. */
inline std::string_view type_name(int32_t type_index) {
  const TVMFFITypeInfo* info = find_type(type_index);
  return info == nullptr ? std::string_view("<unregistered type>") : view_of(info->type_key);
}

/*! \brief Return the name of a value's type for error messages; the type may be unregistered. */
inline std::string value_name(int32_t type_index) {
  if (find_type(type_index) == nullptr) return std::string(type_name(type_index));
  return detail::TypeNameInText(type_index);
}
inline std::string value_name(const TVMFFIAny& value) {
  bool is_null = value.type_index == kTVMFFIOpaquePtr && value.v_ptr == nullptr;
  return is_null ? "NULL" : value_name(value.type_index);
}

}  // namespace tvm::ffi::runtime

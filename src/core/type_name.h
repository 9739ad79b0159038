// SPDX-License-Identifier: Apache-2.0
// Type keys for messages.
#ifndef TVM_FFI_SRC_CORE_TYPE_NAME_H_
#define TVM_FFI_SRC_CORE_TYPE_NAME_H_

#include <tvm/ffi/c_api.h>

#include <string_view>

#include "core/kept_text.h"
#include "core/type_table.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Return the key of a type for error messages; never fails. */
inline std::string_view type_name(int32_t type_index) {
  const TVMFFITypeInfo* info = find_type(type_index);
  return info == nullptr ? std::string_view("<unregistered type>") : view_of(info->type_key);
}

/*!
 * \brief Return the name of a value's kind for error messages; str and bytes have their Python
 * names.
 */
inline std::string_view value_name(const TVMFFIAny& value) {
  switch (value.type_index) {
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return "str";
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return "bytes";
    case kTVMFFIOpaquePtr:
      return value.v_ptr == nullptr ? "NULL" : "void*";
    default:
      return type_name(value.type_index);
  }
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_NAME_H_

// SPDX-License-Identifier: Apache-2.0
// Registration of the constructor that the reflected fields of a type describe.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

namespace tvm::ffi::runtime {

/*! \brief Call TVMFFITypeRegisterAttr and throw its error. */
void register_type_attribute(int32_t type_index, const char* name, const Any& value);

/*! \brief Register the attribute `__ffi_init__`, made from the fields of the type. */
void register_auto_init(const TVMFFITypeInfo* type);

}  // namespace tvm::ffi::runtime

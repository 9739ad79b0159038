// SPDX-License-Identifier: Apache-2.0
// Conversion of custom data types, by the two global functions that clients register.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tvm::ffi::runtime {

/*!
 * \brief Get the type code for a name: call the global function `dtype.get_custom_type_code`.
 * \return 0, or another status with an error raised.
 */
int custom_dtype_code(std::string_view name, uint8_t* out);

/*!
 * \brief Get the name for a type code: call the global function `dtype.get_custom_type_name`.
 * \return 0, or another status with an error raised.
 */
int custom_dtype_name(uint8_t code, std::string* out);

}  // namespace tvm::ffi::runtime

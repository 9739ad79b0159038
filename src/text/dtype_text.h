// SPDX-License-Identifier: Apache-2.0
// Conversion of data types to text and back; docs/reference/c-abi.md describes the syntax.
#pragma once

#include <dlpack/dlpack.h>

#include <string>
#include <string_view>

namespace tvm::ffi::runtime {

/*!
 * \brief Read a data type.
 * \return 0, or a status other than 0 with an error raised; `*out` is then unchanged. May throw
 *         std::bad_alloc.
 */
int parse_dtype(std::string_view text, DLDataType* out);

/*! \brief Write a data type. \return the same as parse_dtype. */
int print_dtype(DLDataType dtype, std::string* out);

}  // namespace tvm::ffi::runtime

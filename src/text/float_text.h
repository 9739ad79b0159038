// SPDX-License-Identifier: Apache-2.0
// Conversion of floating-point numbers to decimal text.
#pragma once

#include <cstddef>

namespace tvm::ffi::runtime {

/*! \brief Size of the buffer that write_float needs. Its texts are shorter. */
constexpr size_t kLongestFloatText = 40;

/*!
 * \brief Write a finite number as `printf("%.17g")` does; reading the text gives the same number.
 * \param value the number.
 * \param out buffer of kLongestFloatText bytes.
 * \return the end of the text.
 */
char* write_float(double value, char* out);

}  // namespace tvm::ffi::runtime

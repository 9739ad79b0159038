// SPDX-License-Identifier: Apache-2.0
// Conversion of JSON numbers.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>

#include "text/text_buffer.h"

namespace tvm::ffi::runtime {

/*!
 * \brief Read a number.
 * \param p the first character, before `end`.
 * \param end the end of the text.
 * \param out an int64_t if the number has no fraction or exponent and fits, otherwise the nearest
 * double.
 * \return the end of the number; NULL for invalid text or a number outside the range of double.
 */
const char* read_json_number(const char* p, const char* end, TVMFFIAny* out);

/*! \brief Append an integer in decimal. */
void append_json_int(int64_t value, TextBuffer* out);

/*! \brief Append a float: `3.0` for integral values below 2^53, other numbers with 17 significant
 * digits as `%.17g` does, and `NaN`, `Infinity` or `-Infinity`. */
void append_json_float(double value, TextBuffer* out);

}  // namespace tvm::ffi::runtime

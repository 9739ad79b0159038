// SPDX-License-Identifier: Apache-2.0
// JSON numbers, read and written.
#ifndef TVM_FFI_SRC_TEXT_JSON_NUMBER_H_
#define TVM_FFI_SRC_TEXT_JSON_NUMBER_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>

#include "text/text_buffer.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Read a number.
 * \param p at its first character, before `end`.
 * \param out an int64_t when the text has neither fraction nor exponent and fits, else the nearest
 *        double.
 * \return behind the number; NULL when there is none or it is beyond the range of double.
 */
const char* read_json_number(const char* p, const char* end, TVMFFIAny* out);

/*! \brief Append the decimal digits. */
void append_json_int(int64_t value, TextBuffer* out);

/*! \brief Append `3.0` for integral values below 2^53, else 17 significant digits as `%.17g` does;
 * `NaN`, `Infinity`, `-Infinity`. */
void append_json_float(double value, TextBuffer* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_JSON_NUMBER_H_

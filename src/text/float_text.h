// SPDX-License-Identifier: Apache-2.0
// Conversion of floating-point numbers to decimal text.
#ifndef TVM_FFI_SRC_TEXT_FLOAT_TEXT_H_
#define TVM_FFI_SRC_TEXT_FLOAT_TEXT_H_

#include <cstddef>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Size of the buffer that write_float needs. Its texts are shorter. */
constexpr size_t kLongestFloatText = 40;

/*!
 * \brief Write a finite number as `printf("%.17g")` does; reading the text gives the same number.
 * \param value the number.
 * \param out buffer of kLongestFloatText bytes.
 * \return the end of the text.
 */
char* write_float(double value, char* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_FLOAT_TEXT_H_

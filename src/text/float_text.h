// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers as decimal text.
#ifndef TVM_FFI_SRC_TEXT_FLOAT_TEXT_H_
#define TVM_FFI_SRC_TEXT_FLOAT_TEXT_H_

#include <cstddef>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief No text of write_float is longer. */
constexpr size_t kLongestFloatText = 32;

/*!
 * \brief Write a finite number as `printf("%.17g")` does, which reads back as the same number.
 * \param out has kLongestFloatText bytes.
 * \return the end of the text.
 */
char* write_float(double value, char* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_FLOAT_TEXT_H_

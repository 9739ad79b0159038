// SPDX-License-Identifier: Apache-2.0
// Conversion of data types to text and back; docs/reference/c-abi.md describes the syntax.
#ifndef TVM_FFI_SRC_TEXT_DTYPE_TEXT_H_
#define TVM_FFI_SRC_TEXT_DTYPE_TEXT_H_

#include <dlpack/dlpack.h>

#include <string>
#include <string_view>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Read a data type.
 * \return 0, or a status other than 0 with an error raised; `*out` is then unchanged. May throw
 *         std::bad_alloc.
 */
int parse_dtype(std::string_view text, DLDataType* out);

/*! \brief Write a data type. \return the same as parse_dtype. */
int print_dtype(DLDataType dtype, std::string* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_DTYPE_TEXT_H_

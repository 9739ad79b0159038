// SPDX-License-Identifier: Apache-2.0
// The printed form of values that contain no other values.
#ifndef TVM_FFI_SRC_GRAPH_REPR_TEXT_H_
#define TVM_FFI_SRC_GRAPH_REPR_TEXT_H_

#include <tvm/ffi/c_api.h>

#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Append the text of a plain value, string, bytes, big integer, shape or tensor.
 * \return false, with nothing appended, for every other object.
 */
bool append_leaf_text(const TVMFFIAny& value, std::string* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_REPR_TEXT_H_

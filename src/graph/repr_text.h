// SPDX-License-Identifier: Apache-2.0
// The printed form of values that contain no other values.
#ifndef TVM_FFI_SRC_GRAPH_REPR_TEXT_H_
#define TVM_FFI_SRC_GRAPH_REPR_TEXT_H_

#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Append the text of a plain value, string, bytes, big integer, shape or tensor.
 * \return false, with nothing appended, for every other object.
 */
bool append_leaf_text(const TVMFFIAny& value, std::string* out);

/*!
 * \brief append_leaf_text() with begin and end of a long value only.
 * \param edge_size bytes of strings and digits that are shown from each end.
 * \param edge_items extents of a shape that are shown from each end.
 */
bool append_short_leaf_text(const TVMFFIAny& value, size_t edge_size, int64_t edge_items,
                            std::string* out);

/*! \brief The size of a string, bytes, big integer or shape in memory, a lower bound of its text.
 */
size_t leaf_size(const TVMFFIAny& value);

/*! \brief End a text with `...` at a character border if it is longer than `size` bytes. */
void cut_text(size_t size, std::string* text);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_REPR_TEXT_H_

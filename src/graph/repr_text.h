// SPDX-License-Identifier: Apache-2.0
// Conversion of values without children to text.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tvm::ffi::runtime {

/*!
 * \brief Append the text of a plain value, string, bytes, big integer, shape or tensor.
 * \return false, without appending, for every other object.
 */
bool append_leaf_text(const TVMFFIAny& value, std::string* out);

/*!
 * \brief Append a text like append_leaf_text(), but of a long value only its begin and end.
 * \param edge_size number of bytes or digits to show from each end.
 * \param edge_items number of extents of a shape to show from each end.
 */
bool append_short_leaf_text(const TVMFFIAny& value, size_t edge_size, int64_t edge_items,
                            std::string* out);

/*! \brief Return the size of a string, bytes, big integer or shape in memory: a lower bound of its
 * text's size. */
size_t leaf_size(const TVMFFIAny& value);

/*! \brief If a text is longer than `size` bytes, cut it at a character border and append `...`. */
void cut_text(size_t size, std::string* text);

}  // namespace tvm::ffi::runtime

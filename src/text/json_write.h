// SPDX-License-Identifier: Apache-2.0
// Writes a value as JSON text.
#ifndef TVM_FFI_SRC_TEXT_JSON_WRITE_H_
#define TVM_FFI_SRC_TEXT_JSON_WRITE_H_

#include <tvm/ffi/any.h>

#include "text/text_buffer.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Append a value as json::Stringify does.
 * \param value the value.
 * \param indent number of blanks per level; negative: only line breaks; 0: no white space.
 * \param out the buffer to append to.
 * \throws ValueError for a value that JSON cannot express; the buffer then contains a part of the
 * text.
 */
void append_json(const Any& value, int indent, TextBuffer* out);

/*! \brief Append None, a bool, int, float or String. \return false for other values. */
bool append_json_leaf(const TVMFFIAny& value, TextBuffer* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_JSON_WRITE_H_

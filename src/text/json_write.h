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
 * \brief Append a value; see json::Stringify.
 * \param indent blanks for each level; negative: only line breaks; 0: no white space.
 * \throws ValueError for what JSON cannot express; the buffer then holds a part of the text.
 */
void append_json(const Any& value, int indent, TextBuffer* out);

/*! \brief Append None, a bool, int, float or String. \return false for other values. */
bool append_json_leaf(const TVMFFIAny& value, TextBuffer* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_JSON_WRITE_H_

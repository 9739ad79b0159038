// SPDX-License-Identifier: Apache-2.0
// Writes a value as JSON text.
#pragma once

#include <tvm/ffi/any.h>

#include "text/text_buffer.h"

namespace tvm::ffi::runtime {

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

}  // namespace tvm::ffi::runtime

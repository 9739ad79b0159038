// SPDX-License-Identifier: Apache-2.0
// JSON strings: search for the first quote, backslash or control character; unescaping and
// escaping.
#ifndef TVM_FFI_SRC_TEXT_JSON_STRING_H_
#define TVM_FFI_SRC_TEXT_JSON_STRING_H_

#include <string>
#include <string_view>

#include "text/text_buffer.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief An error in a JSON text: a message in static storage, and the position. */
struct JsonFault {
  const char* message = nullptr;
  const char* at = nullptr;
};

/*!
 * \brief Find the first `"`, `\` or control character in [p, end); return `end` if there is none.
 */
const char* find_json_string_stop(const char* p, const char* end);

/*!
 * \brief Unescape a JSON string.
 * \param begin the position after the opening quote.
 * \param stop the result of find_json_string_stop(begin, end): no escape precedes it.
 * \param end the end of the JSON text.
 * \param out replaced by the content.
 * \param fault set when the string is invalid.
 * \return the position after the closing quote; NULL when the string is invalid.
 */
const char* unescape_json_string(const char* begin, const char* stop, const char* end,
                                 std::string* out, JsonFault* fault);

/*!
 * \brief Append a JSON string literal with its quotes; the text is the same as that of
 * EscapeStringJSON.
 */
void append_json_string(std::string_view text, TextBuffer* out);

/*! \brief Append a String, small or not, as a JSON string literal. */
void append_json_text(const TVMFFIAny& text, TextBuffer* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_JSON_STRING_H_

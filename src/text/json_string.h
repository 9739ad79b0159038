// SPDX-License-Identifier: Apache-2.0
// JSON strings: where a plain run ends, unescaping and escaping.
#ifndef TVM_FFI_SRC_TEXT_JSON_STRING_H_
#define TVM_FFI_SRC_TEXT_JSON_STRING_H_

#include <string>
#include <string_view>

#include "text/text_buffer.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief What is wrong with a JSON text: a message in static storage, and where. */
struct JsonFault {
  const char* message = nullptr;
  const char* at = nullptr;
};

/*! \brief First of `"`, `\` and control characters in [p, end), else `end`. */
const char* find_json_string_stop(const char* p, const char* end);

/*!
 * \brief Unescape a JSON string.
 * \param begin behind the opening quote.
 * \param stop in [begin, end): up to there the text is plain.
 * \param out replaced by the content.
 * \return behind the closing quote; NULL with `fault` set when the string is wrong.
 */
const char* unescape_json_string(const char* begin, const char* stop, const char* end,
                                 std::string* out, JsonFault* fault);

/*! \brief Append a JSON string literal, quotes included; the same text as EscapeStringJSON. */
void append_json_string(std::string_view text, TextBuffer* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_JSON_STRING_H_

// SPDX-License-Identifier: Apache-2.0
// The tokens of a JSON text, for the reader of values.
#ifndef TVM_FFI_SRC_TEXT_JSON_READ_H_
#define TVM_FFI_SRC_TEXT_JSON_READ_H_

#include <tvm/ffi/any.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "text/json_string.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief A position in a JSON text, and what was wrong there. */
class JsonCursor {
 public:
  /*! \param text borrowed. */
  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()) {}

  /*! \brief The next character that is not white space, NUL at the end. */
  char peek() {
    // Usually the first character already; the loop decides about NUL and other control characters.
    if (p_ != end_ && *p_ > ' ') return *p_;
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
    return p_ == end_ ? '\0' : *p_;
  }
  /*! \brief Step over the character that peek() gave. */
  void skip() { ++p_; }
  bool is_at_end() { return peek() == '\0' && p_ == end_; }

  /*!
   * \brief Read a number, string or literal.
   * \param first what peek() gave.
   * \param owned the value.
   * \return false with the fault set.
   */
  bool read_leaf(char first, TVMFFIAny* owned);

  /*! \brief Read a string, with the cursor at its opening quote; false with the fault set. */
  bool read_string(TVMFFIAny* owned);
  /*! \brief The same for keys, which repeat often in a text. */
  bool read_key(TVMFFIAny* owned);

  /*! \brief Set the fault, here. \return false. */
  bool fail(const char* message) {
    fault_ = {message, p_};
    return false;
  }
  /*! \brief `TEXT: line L column C (char P)`. */
  std::string fault_text() const;

 private:
  // The content of a string, valid until the next one.
  bool scan_string(std::string_view* content);
  bool read_literal(std::string_view word, TVMFFIAny value, TVMFFIAny* owned);

  const char* begin_;
  const char* p_;
  const char* end_;
  JsonFault fault_;
  std::string unescaped_;

  static constexpr size_t kNumKeptKeys = 64;
  /*! \brief Texts from this length on, in bytes, have keys that are worth keeping. */
  static constexpr std::ptrdiff_t kLongText = 1024;
  /*! \brief Cache of the longer keys of long texts, by hash. */
  std::unique_ptr<std::array<Any, kNumKeptKeys>> keys_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_JSON_READ_H_

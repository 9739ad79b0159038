// SPDX-License-Identifier: Apache-2.0
// Reads the tokens of a JSON text, for the reader of values.
#pragma once

#include <tvm/ffi/any.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "text/json_string.h"

namespace tvm::ffi::runtime {

/*! \brief A position in a JSON text, and the error there. */
class JsonCursor {
 public:
  /*! \param text borrowed; must outlive this object. */
  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()) {}

  /*! \brief Skip white space and return the next character; NUL at the end. */
  char peek() {
    // Usually there is no white space. The loop handles NUL and other control characters.
    if (p_ != end_ && *p_ > ' ') return *p_;
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
    return p_ == end_ ? '\0' : *p_;
  }
  /*! \brief Skip the character that peek() returned. */
  void skip() { ++p_; }
  bool is_at_end() { return peek() == '\0' && p_ == end_; }
  /*! \brief Skip a character, and the white space before it. \return false if another follows. */
  bool skip_if(char c) {
    if (peek() != c) return false;
    skip();
    return true;
  }
  /*!
   * \brief Skip a key and the colon after it, and the white space before each. \return false if
   * something else follows.
   * \param key a key that has no escapes in a JSON text.
   */
  bool skip_key_if(std::string_view key) {
    if (!skip_if('"') || static_cast<size_t>(end_ - p_) <= key.size() ||
        std::memcmp(p_, key.data(), key.size()) != 0 || p_[key.size()] != '"') {
      return false;
    }
    p_ += key.size() + 1;
    return skip_if(':');
  }

  /*!
   * \brief Read a number, string or literal.
   * \param first the result of peek().
   * \param owned the value.
   * \return false, with the fault set, for invalid text.
   */
  bool read_leaf(char first, TVMFFIAny* owned);

  /*! \brief Read a string that begins at the cursor. \return false, with the fault set, for invalid
   * text. */
  bool read_string(TVMFFIAny* owned);
  /*! \brief Read a string as read_string does, without copying it. `*content` is valid until the
   * next call. */
  bool scan_string(std::string_view* content);
  /*! \brief Read a string that is a key, as read_string does. Keys often repeat, so some are
   * cached. */
  bool read_key(TVMFFIAny* owned);

  /*! \brief Set the fault at the current position. \return false. */
  bool fail(const char* message) {
    fault_ = {message, p_};
    return false;
  }
  /*! \brief Return `TEXT: line L column C (char P)`. */
  std::string fault_text() const;

 private:
  // Reads a string that read_short_json_string() can read. Returns false for another one.
  bool read_short_string(TVMFFIAny* owned);
  bool read_literal(std::string_view word, TVMFFIAny value, TVMFFIAny* owned);

  const char* begin_;
  const char* p_;
  const char* end_;
  JsonFault fault_;
  std::string unescaped_;

  static constexpr size_t kNumKeptKeys = 64;
  /*! \brief Minimum number of bytes of a text whose keys are cached. */
  static constexpr std::ptrdiff_t kLongText = 1024;
  /*! \brief Cache of the longer keys of long texts, by hash. */
  std::unique_ptr<std::array<Any, kNumKeptKeys>> keys_;
};

}  // namespace tvm::ffi::runtime

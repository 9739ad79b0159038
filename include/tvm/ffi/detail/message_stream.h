// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/message_stream.h
 * \brief The text sink of the throwing macros in error.h and of the builder in expected.h.
 *
 * The construction of a std::ostringstream costs several times as much as a typical error text,
 * because it takes the global locale and its facets. So text and integers are appended to a plain
 * string, and a stream is made only for the first value that needs a stream.
 */
#ifndef TVM_FFI_DETAIL_MESSAGE_STREAM_H_
#define TVM_FFI_DETAIL_MESSAGE_STREAM_H_

#include <tvm/ffi/base.h>

#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief True for text classes with data() and size(), which do not need a stream. */
template <typename T>
inline constexpr bool is_message_text_v = false;

/*! \brief The text of a message; MessageOperators has the operators that append to it. */
class MessageText {
 public:
  MessageText() = default;
  MessageText(const MessageText&) = delete;
  MessageText& operator=(const MessageText&) = delete;
  ~MessageText() { delete stream_; }

  /*! \brief Return the stream with the text so far; the first call makes the stream. */
  std::ostringstream& stream() {
    if (stream_ == nullptr) OpenStream();
    return *stream_;
  }

  /*! \brief Move the text out. */
  std::string Move() { return stream_ == nullptr ? std::move(text_) : stream_->str(); }

  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void Write(std::string_view text) {
    if (stream_ != nullptr) {
      *stream_ << text;
    } else {
      text_.append(text.data(), text.size());
    }
  }
  void Write(const char* text) { Write(std::string_view(text != nullptr ? text : "(null)")); }

  /*! \brief Write a value of any type that a std::ostream accepts. */
  template <typename T>
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void WriteValue(const T& value) {
    if constexpr (std::is_integral_v<T> && sizeof(T) != sizeof(char)) {
      if (stream_ == nullptr) {
        text_ += std::to_string(value);
        return;
      }
    }
    stream() << value;
  }

 private:
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void OpenStream() {
    stream_ = new std::ostringstream();
    stream_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
  }

  std::string text_;
  // An owning pointer. It is not a std::unique_ptr: this class is not a template, so every client
  // that includes this header would have to compile the functions of the std::unique_ptr.
  std::ostringstream* stream_ = nullptr;
};

/*! \brief Whether MessageOperators has its own overload for `T`. */
template <typename T>
inline constexpr bool is_plain_message_v = std::is_arithmetic_v<T> || std::is_same_v<T, char*> ||
                                           std::is_same_v<std::remove_extent_t<T>, char>;

/*!
 * \brief Operators `<<` that append to the MessageText of a Sink the same text that a std::ostream
 * in its default state would write.
 *
 * The operators accept everything that a std::ostream accepts, including manipulators. After the
 * first value that needs the real stream, all values go to that stream, so that flags set by
 * manipulators apply.
 * \tparam Sink derived class with `MessageText& text()`.
 *
 * Everything is forced inline, down to one call per value. So a Sink can stay in registers if its
 * address is not taken elsewhere (see ErrorSink for the reason).
 */
template <typename Sink>
class MessageOperators {
 public:
  TVM_FFI_INLINE Sink& operator<<(const char* text) { return Text(text); }
  TVM_FFI_INLINE Sink& operator<<(const std::string& text) { return Text(text); }
  TVM_FFI_INLINE Sink& operator<<(std::string_view text) { return Text(text); }
  TVM_FFI_INLINE Sink& operator<<(char value) { return Text(std::string_view(&value, 1)); }
  // Numbers are taken by value, because a class constant without a definition cannot be bound to a
  // reference.
  TVM_FFI_INLINE Sink& operator<<(bool value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(signed char value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(unsigned char value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(short value) { return Value(value); }           // NOLINT(*)
  TVM_FFI_INLINE Sink& operator<<(unsigned short value) { return Value(value); }  // NOLINT(*)
  TVM_FFI_INLINE Sink& operator<<(int value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(unsigned int value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(long value) { return Value(value); }                // NOLINT(*)
  TVM_FFI_INLINE Sink& operator<<(unsigned long value) { return Value(value); }       // NOLINT(*)
  TVM_FFI_INLINE Sink& operator<<(long long value) { return Value(value); }           // NOLINT(*)
  TVM_FFI_INLINE Sink& operator<<(unsigned long long value) { return Value(value); }  // NOLINT(*)
  TVM_FFI_INLINE Sink& operator<<(float value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(double value) { return Value(value); }
  TVM_FFI_INLINE Sink& operator<<(long double value) { return Value(value); }

  TVM_FFI_INLINE Sink& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    manipulator(sink().text().stream());
    return sink();
  }
  TVM_FFI_INLINE Sink& operator<<(std::ios& (*manipulator)(std::ios&)) {
    manipulator(sink().text().stream());
    return sink();
  }
  TVM_FFI_INLINE Sink& operator<<(std::ios_base& (*manipulator)(std::ios_base&)) {
    manipulator(sink().text().stream());
    return sink();
  }

  /*! \brief Write any other value whose stream operator is found by argument-dependent lookup. */
  template <typename T, typename = std::enable_if_t<!is_plain_message_v<T>>,
            typename = decltype(std::declval<std::ostream&>() << std::declval<const T&>())>
  TVM_FFI_INLINE Sink& operator<<(const T& value) {
    if constexpr (is_message_text_v<T>) {
      return Text(std::string_view(value.data(), value.size()));
    } else {
      return Value(value);
    }
  }

 private:
  TVM_FFI_INLINE Sink& sink() { return *static_cast<Sink*>(this); }

  template <typename T>
  TVM_FFI_INLINE Sink& Text(T text) {
    sink().text().Write(text);
    return sink();
  }
  template <typename T>
  TVM_FFI_INLINE Sink& Value(const T& value) {
    sink().text().WriteValue(value);
    return sink();
  }
};

/*! \brief Builds a message that is not thrown; the caller takes the text. */
class MessageStream : public MessageOperators<MessageStream> {
 public:
  MessageText& text() { return text_; }
  /*! \brief Move the text out. */
  std::string MoveText() { return text_.Move(); }

 private:
  MessageText text_;
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_MESSAGE_STREAM_H_

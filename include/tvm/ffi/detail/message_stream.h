// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/message_stream.h
 * \brief The text sink behind the throwing macros of error.h and the builder of expected.h.
 *
 * Constructing a std::ostringstream costs several times what it costs to build a typical error text
 * (it takes the global locale and its facets). So text and integers are appended to a plain string,
 * and a stream is made only when the first value arrives that needs one.
 */
#ifndef TVM_FFI_DETAIL_MESSAGE_STREAM_H_
#define TVM_FFI_DETAIL_MESSAGE_STREAM_H_

#include <tvm/ffi/base.h>

#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Whether MessageStream has an overload of its own for `T`. */
template <typename T>
inline constexpr bool is_plain_text_v =
    std::is_arithmetic_v<T> || std::is_same_v<std::remove_extent_t<T>, char>;

/*!
 * \brief Collects text with `<<` as a std::ostream in its default state would.
 *
 * Anything that can be written to a std::ostream can be written here, manipulators included. Once a
 * value needed the real stream everything after it goes there too, so that flags set by
 * manipulators apply.
 */
class MessageStream {
 public:
  MessageStream() = default;
  MessageStream(MessageStream&&) = default;

  MessageStream& operator<<(const char* text) {
    WriteText(text != nullptr ? std::string_view(text) : std::string_view("(null)"));
    return *this;
  }
  MessageStream& operator<<(const std::string& text) {
    WriteText(text);
    return *this;
  }
  MessageStream& operator<<(std::string_view text) {
    WriteText(text);
    return *this;
  }
  MessageStream& operator<<(char value) {
    WriteText(std::string_view(&value, 1));
    return *this;
  }
  MessageStream& operator<<(bool value) { return WriteNumber(value); }
  MessageStream& operator<<(short value) { return WriteNumber(value); }               // NOLINT(*)
  MessageStream& operator<<(unsigned short value) { return WriteNumber(value); }      // NOLINT(*)
  MessageStream& operator<<(int value) { return WriteNumber(value); }
  MessageStream& operator<<(unsigned int value) { return WriteNumber(value); }
  MessageStream& operator<<(long value) { return WriteNumber(value); }                // NOLINT(*)
  MessageStream& operator<<(unsigned long value) { return WriteNumber(value); }       // NOLINT(*)
  MessageStream& operator<<(long long value) { return WriteNumber(value); }           // NOLINT(*)
  MessageStream& operator<<(unsigned long long value) { return WriteNumber(value); }  // NOLINT(*)
  MessageStream& operator<<(signed char value) { return WriteStream(value); }
  MessageStream& operator<<(unsigned char value) { return WriteStream(value); }
  MessageStream& operator<<(float value) { return WriteStream(value); }
  MessageStream& operator<<(double value) { return WriteStream(value); }
  MessageStream& operator<<(long double value) { return WriteStream(value); }

  MessageStream& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    manipulator(stream());
    return *this;
  }
  MessageStream& operator<<(std::ios& (*manipulator)(std::ios&)) {
    manipulator(stream());
    return *this;
  }
  MessageStream& operator<<(std::ios_base& (*manipulator)(std::ios_base&)) {
    manipulator(stream());
    return *this;
  }

  /*!
   * \brief Everything else whose stream operator is found through the namespaces of its type.
   *
   * An operator that is visible only where the macro stands (say, one for std::vector in the user's
   * own namespace) is not seen from here; then this overload steps aside and the conversion to
   * std::ostream& below lets the compiler take the user's.
   */
  template <typename T, typename = std::enable_if_t<!is_plain_text_v<T>>,
            typename = decltype(std::declval<std::ostream&>() << std::declval<const T&>())>
  MessageStream& operator<<(const T& value) {
    return WriteStream(value);
  }

  /*! \brief For operators taken by the conversion; the stream remembers where it belongs. */
  operator std::ostream&() {  // NOLINT(google-explicit-constructor)
    stream().pword(OwnerSlot()) = this;
    return *stream_;
  }

  /*! \brief The sink a stream belongs to that such an operator handed back; null when none. */
  static MessageStream* OwnerOf(std::ostream& os) {
    return static_cast<MessageStream*>(os.pword(OwnerSlot()));
  }

  /*! \brief The real stream, holding the text so far; made at the first call. */
  std::ostringstream& stream() {
    if (stream_ == nullptr) OpenStream();
    return *stream_;
  }

  /*! \brief Take the text out. */
  std::string MoveText() { return stream_ == nullptr ? std::move(text_) : stream_->str(); }

 private:
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void OpenStream() {
    auto stream = std::make_unique<std::ostringstream>();
    stream->write(text_.data(), static_cast<std::streamsize>(text_.size()));
    stream_ = std::move(stream);
  }

  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void WriteText(std::string_view text) {
    if (stream_ != nullptr) {
      *stream_ << text;
    } else {
      text_.append(text.data(), text.size());
    }
  }

  template <typename T>
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE MessageStream& WriteNumber(T value) {
    if (stream_ != nullptr) {
      *stream_ << value;
    } else {
      text_ += std::to_string(value);
    }
    return *this;
  }

  template <typename T>
  TVM_FFI_COLD_CODE MessageStream& WriteStream(const T& value) {
    stream() << value;
    return *this;
  }

  static int OwnerSlot() {
    static const int slot = std::ios_base::xalloc();
    return slot;
  }

  std::string text_;
  std::unique_ptr<std::ostringstream> stream_;
};

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_MESSAGE_STREAM_H_

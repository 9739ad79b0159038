// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/string.h
 * \brief String and Bytes: 16-byte values that hold up to 7 bytes in place and share longer
 * content.
 */
#ifndef TVM_FFI_STRING_H_
#define TVM_FFI_STRING_H_

#include <tvm/ffi/base_detail.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/bytes_cell.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/*! \brief The name of `snprintf`; MSVC requires another name. */
#ifdef _MSC_VER
#define TVM_FFI_SNPRINTF _snprintf_s
#else
#define TVM_FFI_SNPRINTF snprintf
#endif

namespace tvm::ffi {

/*! \brief Return a view of borrowed bytes. */
inline std::string_view ToStringView(TVMFFIByteArray bytes) {
  return std::string_view(bytes.data, bytes.size);
}

/*!
 * \brief Immutable bytes, followed by a NUL that is not part of the content.
 *
 * A moved-from value may only be destroyed or assigned. Bytes are as thread-safe as an int, because
 * the shared content never changes.
 */
class Bytes {
 public:
  /*! \brief Make empty bytes. */
  Bytes() : Bytes("", 0) {}
  /*! \brief Copy `size` bytes. */
  Bytes(const char* data, size_t size) : data_(CopyCell(data, size)) {}
  /*! \brief Copy borrowed bytes. */
  Bytes(TVMFFIByteArray bytes) : Bytes(bytes.data, bytes.size) {}  // NOLINT(*)
  /*! \brief Copy the content of a std::string. */
  Bytes(const std::string& other) : Bytes(other.data(), other.size()) {}  // NOLINT(*)
  /*! \brief Take over the buffer of `other`; even a short content is then stored on the heap. */
  Bytes(std::string&& other)  // NOLINT(*)
      : data_(detail::BytesBaseCell::Move<detail::BytesObj>(std::move(other))) {}

  Bytes(const Bytes&) = default;
  Bytes(Bytes&&) noexcept = default;
  Bytes& operator=(const Bytes&) = default;
  Bytes& operator=(Bytes&&) noexcept = default;

  /*! \brief Assign any value from which Bytes can be made. */
  template <typename T, typename = std::enable_if_t<!std::is_same_v<std::decay_t<T>, Bytes>>>
  Bytes& operator=(T&& other) {
    Bytes(std::forward<T>(other)).swap(*this);
    return *this;
  }

  void swap(Bytes& other) noexcept { data_.swap(other.data_); }

  /*! \brief Return the number of bytes. */
  size_t size() const noexcept { return data_.size(); }
  /*! \brief Return the address of the first byte. The bytes end with a NUL. The address is valid
   * until this value is changed or destroyed. */
  const char* data() const noexcept { return data_.data(); }

  /*! \brief Return a copy as `std::string`. */
  operator std::string() const { return std::string(data(), size()); }  // NOLINT(*)

  /*! \brief Compare by `char` value; return -1, 0 or 1. A strict prefix is smaller. */
  static int memncmp(const char* lhs, const char* rhs, size_t lhs_count, size_t rhs_count) {
    return detail::CompareBytes(lhs, lhs_count, rhs, rhs_count);
  }
  /*! \brief Return whether sizes and bytes are equal. */
  static bool memequal(const void* lhs, const void* rhs, size_t lhs_count, size_t rhs_count) {
    return lhs_count == rhs_count &&
           (lhs == rhs || lhs_count == 0 || std::memcmp(lhs, rhs, lhs_count) == 0);
  }

 private:
  template <typename, typename>
  friend struct TypeTraits;
  template <typename, typename>
  friend class Optional;

  static detail::BytesBaseCell CopyCell(const char* data, size_t size) {
    return detail::BytesBaseCell::Copy<detail::BytesObj>(data, size);
  }
  explicit Bytes(detail::BytesBaseCell data) : data_(std::move(data)) {}

  detail::BytesBaseCell data_;
};

class String;

namespace detail {
String ConcatText(std::string_view lhs, std::string_view rhs);

/*! \brief Return a view of a NUL-terminated text; null raises InternalError. */
inline std::string_view TextView(const char* text) {
  if (TVM_FFI_PREDICT_FALSE(text == nullptr)) ThrowNullText("text");
  return std::string_view(text);
}
inline std::string_view TextView(const std::string& text) { return text; }
}  // namespace detail

/*!
 * \brief Immutable text, NUL-terminated; NUL bytes inside are allowed.
 *
 * A moved-from value may only be destroyed or assigned. A String is as thread-safe as an int,
 * because the shared content never changes.
 */
class String {
 public:
  String(std::nullptr_t) = delete;  // NOLINT(*)
  /*! \brief Make an empty string. */
  String() : String("", 0) {}
  /*! \brief Copy `size` bytes. */
  String(const char* data, size_t size) : data_(CopyCell(data, size)) {}
  /*! \brief Copy a NUL-terminated text; null raises InternalError. */
  String(const char* other)  // NOLINT(*)
      : String(other, detail::TextView(other).size()) {}
  /*! \brief Copy a std::string. */
  String(const std::string& other) : String(other.data(), other.size()) {}  // NOLINT(*)
  /*! \brief Take over the buffer of `other`; even a short content is then stored on the heap. */
  String(std::string&& other)  // NOLINT(*)
      : data_(detail::BytesBaseCell::Move<detail::StringObj>(std::move(other))) {}
  /*! \brief Copy borrowed bytes. */
  explicit String(TVMFFIByteArray other) : String(other.data, other.size) {}

  String(const String&) = default;
  String(String&&) noexcept = default;
  String& operator=(const String&) = default;
  String& operator=(String&&) noexcept = default;
  /*! \brief Replace the text by a copy. */
  String& operator=(const std::string& other) { return *this = String(other); }
  String& operator=(std::string&& other) { return *this = String(std::move(other)); }
  String& operator=(const char* other) { return *this = String(other); }

  void swap(String& other) noexcept { data_.swap(other.data_); }

  /*! \brief Return the address of the first byte. The bytes end with a NUL. The address is valid
   * until this value is changed or destroyed. */
  const char* data() const noexcept { return data_.data(); }
  /*! \brief Return the bytes, which end with a NUL. */
  const char* c_str() const noexcept { return data_.data(); }
  /*! \brief Return the number of bytes. */
  size_t size() const noexcept { return data_.size(); }
  /*! \brief Return the number of bytes. */
  size_t length() const noexcept { return data_.size(); }
  bool empty() const noexcept { return data_.size() == 0; }

  /*! \brief Return the byte at `pos`; throw std::out_of_range if `pos` is not less than size(). */
  char at(size_t pos) const {
    if (pos >= size()) throw std::out_of_range("tvm::String index out of bounds");
    return data()[pos];
  }

  /*! \brief The position that means "not found" or "to the end". */
  static constexpr size_t npos = static_cast<size_t>(-1);

  /*! \brief Compare by `char` value; return -1, 0 or 1. */
  int compare(const String& other) const { return CompareTo(other.view()); }
  int compare(const std::string& other) const { return CompareTo(other); }
  int compare(const char* other) const { return CompareTo(detail::TextView(other)); }
  int compare(const TVMFFIByteArray& other) const { return CompareTo(ToStringView(other)); }

  /*! \brief Return the first position of `needle` from `pos` on, or npos. */
  size_t find(const String& needle, size_t pos = 0) const {
    return view().find(needle.view(), pos);
  }
  size_t find(const char* needle, size_t pos = 0) const {
    return view().find(detail::TextView(needle), pos);
  }
  size_t find(const char* needle, size_t pos, size_t count) const {
    return view().find(needle, pos, count);
  }

  /*! \brief Return at most `count` bytes from `pos` on; throw std::out_of_range if `pos` is greater
   * than size(). */
  String substr(size_t pos = 0, size_t count = npos) const {
    if (pos > size()) throw std::out_of_range("tvm::String substr index out of bounds");
    std::string_view piece = view().substr(pos, count);
    return String(piece.data(), piece.size());
  }

  /*! \brief Return whether the text begins with `prefix`. */
  bool starts_with(const String& prefix) const { return StartsWith(prefix.view()); }
  bool starts_with(std::string_view prefix) const { return StartsWith(prefix); }
  bool starts_with(const char* prefix) const { return StartsWith(detail::TextView(prefix)); }
  bool starts_with(const char* prefix, size_t count) const {
    return StartsWith(std::string_view(prefix, count));
  }

  /*! \brief Return whether the text ends with `suffix`. */
  bool ends_with(const String& suffix) const { return EndsWith(suffix.view()); }
  bool ends_with(std::string_view suffix) const { return EndsWith(suffix); }
  bool ends_with(const char* suffix) const { return EndsWith(detail::TextView(suffix)); }
  bool ends_with(const char* suffix, size_t count) const {
    return EndsWith(std::string_view(suffix, count));
  }

  /*! \brief Return a copy as `std::string`. */
  operator std::string() const { return std::string(data(), size()); }  // NOLINT(*)

  /*! \brief Return the pieces between the delimiters, including empty pieces; an empty string has
   * one empty piece. The pieces point into this string. */
  template <typename View = std::string_view>  // a template, so that only its users compile it
  std::vector<View> Split(char delim) const {
    std::vector<View> pieces;
    std::string_view rest = view();
    for (size_t end; (end = rest.find(delim)) != npos; rest.remove_prefix(end + 1)) {
      pieces.push_back(rest.substr(0, end));
    }
    pieces.push_back(rest);
    return pieces;
  }

 private:
  template <typename, typename>
  friend struct TypeTraits;
  template <typename, typename>
  friend class Optional;
  friend String detail::ConcatText(std::string_view lhs, std::string_view rhs);

  explicit String(detail::BytesBaseCell data) : data_(std::move(data)) {}

  static detail::BytesBaseCell CopyCell(const char* data, size_t size) {
    return detail::BytesBaseCell::Copy<detail::StringObj>(data, size);
  }

  std::string_view view() const noexcept { return data_.view(); }
  int CompareTo(std::string_view other) const {
    return detail::CompareBytes(data(), size(), other.data(), other.size());
  }
  bool StartsWith(std::string_view prefix) const {
    return view().substr(0, prefix.size()) == prefix;
  }
  bool EndsWith(std::string_view suffix) const {
    return size() >= suffix.size() && view().substr(size() - suffix.size()) == suffix;
  }

  detail::BytesBaseCell data_;
};

namespace detail {
inline std::string_view TextView(const String& text) {
  return std::string_view(text.data(), text.size());
}

inline String ConcatText(std::string_view lhs, std::string_view rhs) {
  return String(BytesBaseCell::Concat<StringObj>(lhs, rhs));
}

inline int CompareText(std::string_view lhs, std::string_view rhs) {
  return CompareBytes(lhs.data(), lhs.size(), rhs.data(), rhs.size());
}

/*! \brief A String is added to a message directly, without a stream. */
template <>
inline constexpr bool is_message_text_v<String> = true;
}  // namespace detail

/// \cond Doxygen_Suppress
#define TVM_FFI_STRING_OPERATORS_(Lhs, Rhs)                                       \
  inline bool operator==(Lhs lhs, Rhs rhs) {                                      \
    return detail::TextView(lhs) == detail::TextView(rhs);                        \
  }                                                                               \
  inline bool operator!=(Lhs lhs, Rhs rhs) { return !(lhs == rhs); }              \
  inline bool operator<(Lhs lhs, Rhs rhs) {                                       \
    return detail::CompareText(detail::TextView(lhs), detail::TextView(rhs)) < 0; \
  }                                                                               \
  inline bool operator>(Lhs lhs, Rhs rhs) {                                       \
    return detail::CompareText(detail::TextView(lhs), detail::TextView(rhs)) > 0; \
  }                                                                               \
  inline bool operator<=(Lhs lhs, Rhs rhs) { return !(lhs > rhs); }               \
  inline bool operator>=(Lhs lhs, Rhs rhs) { return !(lhs < rhs); }               \
  inline String operator+(Lhs lhs, Rhs rhs) {                                     \
    return detail::ConcatText(detail::TextView(lhs), detail::TextView(rhs));      \
  }

#define TVM_FFI_STRING_NO_NULL_(op)                             \
  bool operator op(const String& lhs, std::nullptr_t) = delete; \
  bool operator op(std::nullptr_t, const String& rhs) = delete;
/// \endcond

/*! \name Comparison by `char` value and concatenation, with std::string and `const char*` on either
 * side. Comparing with a null literal is refused at compile time. */
/// @{
TVM_FFI_STRING_OPERATORS_(const String&, const String&)
TVM_FFI_STRING_OPERATORS_(const String&, const std::string&)
TVM_FFI_STRING_OPERATORS_(const std::string&, const String&)
TVM_FFI_STRING_OPERATORS_(const String&, const char*)
TVM_FFI_STRING_OPERATORS_(const char*, const String&)
TVM_FFI_STRING_NO_NULL_(==)
TVM_FFI_STRING_NO_NULL_(!=)
TVM_FFI_STRING_NO_NULL_(<)
TVM_FFI_STRING_NO_NULL_(>)
TVM_FFI_STRING_NO_NULL_(<=)
TVM_FFI_STRING_NO_NULL_(>=)
/// @}
#undef TVM_FFI_STRING_OPERATORS_
#undef TVM_FFI_STRING_NO_NULL_

/*! \brief Write the raw bytes. */
inline std::ostream& operator<<(std::ostream& os, const String& text) {
  return os.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace tvm::ffi

namespace std {
/*! \brief Hashes the content like a std::string_view. */
template <>
struct hash<::tvm::ffi::Bytes> {
  size_t operator()(const ::tvm::ffi::Bytes& bytes) const {
    return std::hash<std::string_view>()(std::string_view(bytes.data(), bytes.size()));
  }
};

/*! \brief Hashes the content like a std::string_view. */
template <>
struct hash<::tvm::ffi::String> {
  size_t operator()(const ::tvm::ffi::String& text) const {
    return std::hash<std::string_view>()(std::string_view(text.data(), text.size()));
  }
};
}  // namespace std

#include <tvm/ffi/detail/string_escape.h>

namespace tvm::ffi {

/*!
 * \brief Return the JSON string literal of `value`, including the quotes.
 *
 * The function escapes `"` `\` `/` and control bytes. All other bytes stay as they are, in
 * particular UTF-8.
 */
inline String EscapeStringJSON(const String& value) {
  std::string out;
  out.reserve(value.size() + 2);
  out.push_back('"');
  for (char c : detail::TextView(value)) {
    if (char letter = detail::JSONEscapeLetter(c)) {
      out.push_back('\\');
      out.push_back(letter);
    } else if (detail::IsControlByte(static_cast<unsigned char>(c))) {
      out.append("\\u");
      detail::AppendHex(&out, static_cast<unsigned char>(c), 4);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
  return String(std::move(out));
}

/*! \brief Old name of EscapeStringJSON. */
[[deprecated("use EscapeStringJSON")]] inline String EscapeString(const String& value) {
  return EscapeStringJSON(value);
}

/*!
 * \brief Return the Python string literal of `value` in pure ASCII, including the double quotes.
 *
 * Control bytes (also the escape byte of a colour sequence) become `\xNN`, valid UTF-8 becomes
 * `\uXXXX` or `\UXXXXXXXX`, and each byte that is not part of a valid sequence becomes `\xNN`.
 */
inline String EscapedStringPy(const String& value) {
  std::string_view text = detail::TextView(value);
  std::string out;
  out.reserve(text.size() + 2);
  out.push_back('"');
  for (size_t i = 0; i < text.size();) {
    auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80) {
      i += detail::AppendPyEscapedNonASCII(&out, text.substr(i));
      continue;
    }
    if (char letter = detail::PyEscapeLetter(text[i])) {
      out.push_back('\\');
      out.push_back(letter);
    } else if (detail::IsControlByte(byte)) {
      out.append("\\x");
      detail::AppendHex(&out, byte, 2);
    } else {
      out.push_back(text[i]);
    }
    ++i;
  }
  out.push_back('"');
  return String(std::move(out));
}

/* ------------------------------------------------------------------ TypeTraits */

namespace detail {

/*! \brief Common base of the traits of String and Bytes; `T` is a class around one
 * BytesBaseCell. */
template <typename T, int32_t kSmallIndex, int32_t kHeapIndex>
struct BytesCellTraits : public TypeTraitsBase {
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == kSmallIndex || source->type_index == kHeapIndex;
  }

 protected:
  TVM_FFI_INLINE static BytesBaseCell CopyCell(const TVMFFIAny* source) {
    if (source->type_index == kHeapIndex) ObjectUnsafe::IncRefObjectHandle(source->v_obj);
    return BytesBaseCell(*source);
  }
  TVM_FFI_INLINE static BytesBaseCell MoveCell(TVMFFIAny* source) {
    BytesBaseCell result(*source);
    SetAnyNone(source);
    return result;
  }
};

/*! \brief Return the content of any form of text or bytes, borrowed from `source`; nullopt for
 * other types. */
inline std::optional<std::string_view> TryTextView(const TVMFFIAny* source) {
  switch (source->type_index) {
    case TypeIndex::kTVMFFIRawStr:
      if (source->v_c_str == nullptr) return std::nullopt;
      return std::string_view(source->v_c_str);
    case TypeIndex::kTVMFFIByteArrayPtr:
      if (source->v_ptr == nullptr) return std::nullopt;
      return ToStringView(*static_cast<TVMFFIByteArray*>(source->v_ptr));
    case TypeIndex::kTVMFFISmallStr:
    case TypeIndex::kTVMFFISmallBytes:
      return ToStringView(TVMFFISmallBytesGetContentByteArray(source));
    case TypeIndex::kTVMFFIStr:
    case TypeIndex::kTVMFFIBytes:
      return ToStringView(*TVMFFIBytesGetByteArrayPtr(source->v_obj));
    default:
      return std::nullopt;
  }
}

/*! \brief Return the content of any form of text, borrowed from `source`; nullopt for other
 * types. */
inline std::optional<std::string_view> TryStringView(const TVMFFIAny* source) {
  bool is_text = source->type_index == TypeIndex::kTVMFFIRawStr ||
                 source->type_index == TypeIndex::kTVMFFISmallStr ||
                 source->type_index == TypeIndex::kTVMFFIStr;
  return is_text ? TryTextView(source) : std::nullopt;
}

}  // namespace detail

/*! \brief Accepts bytes, also a borrowed `TVMFFIByteArray*`. */
template <>
struct TypeTraits<Bytes>
    : public detail::BytesCellTraits<Bytes, TypeIndex::kTVMFFISmallBytes, TypeIndex::kTVMFFIBytes> {
  TVM_FFI_INLINE static void CopyToAnyView(const Bytes& source, TVMFFIAny* result) {
    *result = source.data_.CopyToTVMFFIAny();
  }
  TVM_FFI_INLINE static void MoveToAny(Bytes source, TVMFFIAny* result) {
    *result = source.data_.MoveToTVMFFIAny();
  }
  TVM_FFI_INLINE static Bytes CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return Bytes(CopyCell(source));
  }
  TVM_FFI_INLINE static Bytes MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return Bytes(MoveCell(source));
  }
  TVM_FFI_INLINE static std::optional<Bytes> TryCastFromAnyView(const TVMFFIAny* source) {
    if (CheckAnyStrict(source)) return CopyFromAnyViewAfterCheck(source);
    if (source->type_index == TypeIndex::kTVMFFIByteArrayPtr && source->v_ptr != nullptr) {
      return Bytes(*static_cast<TVMFFIByteArray*>(source->v_ptr));
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return "bytes"; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIBytes); }
};

/*! \brief Accepts text, also a borrowed C string. */
template <>
struct TypeTraits<String>
    : public detail::BytesCellTraits<String, TypeIndex::kTVMFFISmallStr, TypeIndex::kTVMFFIStr> {
  TVM_FFI_INLINE static void CopyToAnyView(const String& source, TVMFFIAny* result) {
    *result = source.data_.CopyToTVMFFIAny();
  }
  TVM_FFI_INLINE static void MoveToAny(String source, TVMFFIAny* result) {
    *result = source.data_.MoveToTVMFFIAny();
  }
  TVM_FFI_INLINE static String CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return String(CopyCell(source));
  }
  TVM_FFI_INLINE static String MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return String(MoveCell(source));
  }
  TVM_FFI_INLINE static std::optional<String> TryCastFromAnyView(const TVMFFIAny* source) {
    if (CheckAnyStrict(source)) return CopyFromAnyViewAfterCheck(source);
    if (source->type_index == TypeIndex::kTVMFFIRawStr && source->v_c_str != nullptr) {
      return String(source->v_c_str);
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return "str"; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIStr); }
};

/*! \brief For arguments: a borrowed C string, not null. An Any stores the text as a String. */
template <>
struct TypeTraits<const char*> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  /*! \throws InternalError for null. */
  TVM_FFI_INLINE static void CopyToAnyView(const char* source, TVMFFIAny* result) {
    if (TVM_FFI_PREDICT_FALSE(source == nullptr)) detail::ThrowNullText("src");
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIRawStr, source);
  }
  TVM_FFI_INLINE static void MoveToAny(const char* source, TVMFFIAny* result) {
    if (TVM_FFI_PREDICT_FALSE(source == nullptr)) detail::ThrowNullText("src");
    TypeTraits<String>::MoveToAny(String(source), result);
  }
  TVM_FFI_INLINE static std::optional<const char*> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIRawStr) return source->v_c_str;
    return std::nullopt;
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIRawStr; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIRawStr); }
};

/*! \brief For arguments: a string literal. It can be passed, but not read from a value. */
template <size_t N>
struct TypeTraits<char[N]> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  TVM_FFI_INLINE static void CopyToAnyView(const char (&source)[N], TVMFFIAny* result) {
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIRawStr, source);
  }
  TVM_FFI_INLINE static void MoveToAny(const char (&source)[N], TVMFFIAny* result) {
    TypeTraits<String>::MoveToAny(String(source), result);
  }
};

/*! \brief For arguments: borrowed bytes, not null. An Any stores them as Bytes. */
template <>
struct TypeTraits<TVMFFIByteArray*> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIByteArrayPtr;
  static constexpr bool storage_enabled = false;

  /*! \throws InternalError for null. */
  TVM_FFI_INLINE static void CopyToAnyView(TVMFFIByteArray* source, TVMFFIAny* result) {
    if (TVM_FFI_PREDICT_FALSE(source == nullptr)) detail::ThrowNullText("src");
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIByteArrayPtr, source);
  }
  TVM_FFI_INLINE static void MoveToAny(TVMFFIByteArray* source, TVMFFIAny* result) {
    if (TVM_FFI_PREDICT_FALSE(source == nullptr)) detail::ThrowNullText("src");
    TypeTraits<Bytes>::MoveToAny(Bytes(*source), result);
  }
  TVM_FFI_INLINE static std::optional<TVMFFIByteArray*> TryCastFromAnyView(
      const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIByteArrayPtr) {
      return static_cast<TVMFFIByteArray*>(source->v_ptr);
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIByteArrayPtr; }
  static std::string TypeSchema() {
    return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIByteArrayPtr);
  }
};

/*!
 * \brief For arguments and results: a std::string, which is copied from any form of text or bytes.
 *
 * An argument is passed as a C string, so the callee does not see the text after an embedded NUL.
 */
template <>
struct TypeTraits<std::string> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  TVM_FFI_INLINE static void CopyToAnyView(const std::string& source, TVMFFIAny* result) {
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIRawStr, source.c_str());
  }
  TVM_FFI_INLINE static void MoveToAny(std::string source, TVMFFIAny* result) {
    TypeTraits<String>::MoveToAny(String(std::move(source)), result);
  }
  TVM_FFI_INLINE static std::optional<std::string> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<std::string_view> text = detail::TryTextView(source);
    if (!text.has_value()) return std::nullopt;
    return std::string(*text);
  }
  static std::string TypeStr() { return "std::string"; }
  static std::string TypeSchema() { return detail::PlainTypeSchema("std::string"); }
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_STRING_H_

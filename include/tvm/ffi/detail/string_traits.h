// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/string_traits.h
 * \brief How the text types cross the border: String, Bytes, `const char*`, literals,
 * `TVMFFIByteArray*` and std::string; included by string.h at its end.
 */
#ifndef TVM_FFI_DETAIL_STRING_TRAITS_H_
#define TVM_FFI_DETAIL_STRING_TRAITS_H_

#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief What String and Bytes have in common; `T` is a class around one BytesBaseCell. */
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

/*! \brief Content of any form of text or bytes, borrowed from `source`; nothing for other types. */
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

/*! \brief The same for text alone. */
inline std::optional<std::string_view> TryStringView(const TVMFFIAny* source) {
  bool is_text = source->type_index == TypeIndex::kTVMFFIRawStr ||
                 source->type_index == TypeIndex::kTVMFFISmallStr ||
                 source->type_index == TypeIndex::kTVMFFIStr;
  return is_text ? TryTextView(source) : std::nullopt;
}

}  // namespace detail

/*! \brief Also accepts a borrowed `TVMFFIByteArray*`. */
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

/*! \brief Also accepts a borrowed C string. */
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

/*! \brief Argument type: a borrowed C string, not null. A value that owns it holds a String. */
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

/*! \brief Argument type: a string literal. It can be passed but not extracted. */
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

/*! \brief Argument type: borrowed bytes, not null. A value that owns them holds a Bytes. */
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
 * \brief Argument and result type: copied from any form of text or bytes.
 *
 * As an argument it is passed as a C string, so what follows an embedded NUL is not seen.
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

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_STRING_TRAITS_H_

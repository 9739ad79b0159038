// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/any_read.h
 * \brief Functions for any.h: read a TVMFFIAny as a T, and make an owned value from a view.
 */
#ifndef TVM_FFI_DETAIL_ANY_READ_H_
#define TVM_FFI_DETAIL_ANY_READ_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {
namespace detail {

/*!
 * \brief Return the name of a value's type for a message: `str` and `bytes` for both forms of these
 * values, otherwise the type key.
 *
 * The messages about conversions (GetMismatchTypeInfo) name the type key instead.
 */
inline std::string TypeNameInText(int32_t type_index) {
  switch (type_index) {
    case TypeIndex::kTVMFFISmallStr:
    case TypeIndex::kTVMFFIStr:
      return "str";
    case TypeIndex::kTVMFFISmallBytes:
    case TypeIndex::kTVMFFIBytes:
      return "bytes";
    default:
      return TypeIndexToTypeKey(type_index);
  }
}

/*! \brief Describes a type and a value that does not convert to it, for the text of an error. */
struct MismatchText {
  /*! \brief Returns the name of the type. */
  std::string (*wanted)();
  /*! \brief Returns the name of the type that the value has instead. */
  std::string (*found)(const TVMFFIAny* value);
  /*! \brief Returns why the value is refused, if its type is not the reason; otherwise empty. */
  Refusal (*refusal)(const TVMFFIAny* value);
};

/*! \brief The MismatchText of T; T must not be Any. */
template <typename T>
inline constexpr MismatchText kMismatchText = {&TypeTraits<T>::TypeStr,
                                               &TypeTraits<T>::GetMismatchTypeInfo, &RefusalOf<T>};

// The next functions take the refused value by copy. With a pointer or a reference as parameter,
// the caller could not keep its own value in registers.

[[noreturn]] TVM_FFI_COLD_CODE inline void ThrowRefusal(const Refusal& refusal, const char* what,
                                                        const MismatchText& text) {
  throw Error(refusal.kind, what + text.wanted() + "`: " + refusal.text,
              TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0));
}

/*! \brief Throw the error of a failed conversion. \throws TypeError; OverflowError. */
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotConvert(
    TVMFFIAny value, const MismatchText& text) {
  Refusal refusal = text.refusal(&value);
  if (!refusal.empty()) {
    ThrowRefusal(refusal, "Cannot convert to `", text);
  }
  TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << text.found(&value) << "` to `"
                           << text.wanted() << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Throw the error for a result of a call that cannot be converted. */
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotConvertResult(
    TVMFFIAny value, const MismatchText& text) {
  Refusal refusal = text.refusal(&value);
  if (refusal.empty()) {
    TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << text.found(&value) << "` to `"
                             << text.wanted() << "`: the called function returned another type";
  }
  ThrowRefusal(refusal, "Cannot convert the result of a call to `", text);
}

/*! \brief Throw the error of a failed as_or_throw(). \throws TypeError; OverflowError. */
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotTreat(
    TVMFFIAny value, const MismatchText& text) {
  Refusal refusal = text.refusal(&value);
  if (!refusal.empty()) {
    ThrowRefusal(refusal, "Cannot treat as type `", text);
  }
  TVM_FFI_THROW(TypeError) << "Cannot treat type `" << text.found(&value) << "` as type `"
                           << text.wanted() << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The type of the functions ThrowCannotConvert, ThrowCannotConvertResult and
 * ThrowCannotTreat. */
using FThrowMismatch = void (*)(TVMFFIAny value, const MismatchText& text);

/*! \brief Return a borrowed value if its stored type is T, otherwise nullopt. */
template <typename T>
TVM_FFI_INLINE std::optional<T> AsFromAnyView(const TVMFFIAny* value) {
  if (!TypeTraits<T>::CheckAnyStrict(value)) return std::nullopt;
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
}

template <typename T>
TVM_FFI_INLINE T AsOrThrowFromAnyView(const TVMFFIAny* value) {
  if (TVM_FFI_PREDICT_FALSE(!TypeTraits<T>::CheckAnyStrict(value))) {
    ThrowCannotTreat(*value, kMismatchText<T>);
  }
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
}

/*! \brief Convert a borrowed value to T; `fail` throws when that is impossible. */
template <typename T, FThrowMismatch fail = &ThrowCannotConvert>
TVM_FFI_INLINE T CastFromAnyView(const TVMFFIAny* value) {
  // Handle the usual case without a std::optional, which would cost a further copy.
  if constexpr (TypeTraits<T>::storage_enabled && !std::is_trivially_copyable_v<T>) {
    if (TVM_FFI_PREDICT_TRUE(TypeTraits<T>::CheckAnyStrict(value))) {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
    }
  }
  std::optional<T> result = TypeTraits<T>::TryCastFromAnyView(value);
  if (TVM_FFI_PREDICT_FALSE(!result.has_value())) {
    fail(*value, kMismatchText<T>);
    TVM_FFI_UNREACHABLE();
  }
  return *std::move(result);
}

template <typename T>
TVM_FFI_INLINE const T* ObjectPtrFromAnyView(const TVMFFIAny* value) {
  if (!AnyIsObject<T>(value)) return nullptr;
  return ObjectUnsafe::RawObjectPtrFromUnowned<T>(value->v_obj);
}

/*! \brief Replace a value that only a view can hold, such as a C string, by its owned form. */
TVM_FFI_NO_INLINE inline void OwnViewOnlyKind(TVMFFIAny* value) {
  switch (value->type_index) {
    case TypeIndex::kTVMFFIRawStr:
      TypeTraits<String>::MoveToAny(String(value->v_c_str), value);
      return;
    case TypeIndex::kTVMFFIByteArrayPtr:
      TypeTraits<Bytes>::MoveToAny(Bytes(*static_cast<TVMFFIByteArray*>(value->v_ptr)), value);
      return;
    case TypeIndex::kTVMFFIObjectRValueRef: {
      auto* slot = static_cast<ObjectPtr<Object>*>(value->v_ptr);
      TVM_FFI_ICHECK(*slot != nullptr) << "RValueRef already moved";
      SetAnyObject(value, ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(*slot)));
      return;
    }
    default:
      return;
  }
}

/*! \brief Turn a bitwise copy of a view into an owned value. An exception leaves `*data`
 * unchanged. */
TVM_FFI_INLINE void InplaceConvertAnyViewToAny(TVMFFIAny* data, [[maybe_unused]] size_t = 0) {
  if (data->type_index >= TypeIndex::kTVMFFIStaticObjectBegin) {
    IncStrongRef(data->v_obj);
  } else if (TVM_FFI_PREDICT_FALSE(data->type_index >= TypeIndex::kTVMFFIRawStr &&
                                   data->type_index <= TypeIndex::kTVMFFIObjectRValueRef)) {
    OwnViewOnlyKind(data);
  }
}

}  // namespace detail

}  // namespace tvm::ffi
#endif  // TVM_FFI_DETAIL_ANY_READ_H_

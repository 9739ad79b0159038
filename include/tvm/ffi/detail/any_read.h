// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/any_read.h
 * \brief The steps behind Any and AnyView: reading a TVMFFIAny as a T, and owning what a view
 * borrows; serves any.h.
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

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Text of a type or of the value that was refused, made only for an error message. */
using FTypeStr = std::string (*)();
using FMismatchStr = std::string (*)(const TVMFFIAny* value);

// The refused value comes as a copy, so that the caller's may stay in registers.

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotConvert(FMismatchStr found,
                                                                                TVMFFIAny value,
                                                                                FTypeStr wanted) {
  TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << found(&value) << "` to `" << wanted()
                           << "`";
  TVM_FFI_UNREACHABLE();
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotTreat(FMismatchStr found,
                                                                              TVMFFIAny value,
                                                                              FTypeStr wanted) {
  TVM_FFI_THROW(TypeError) << "Cannot treat type `" << found(&value) << "` as type `" << wanted()
                           << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Strict read of a borrowed value. */
template <typename T>
TVM_FFI_INLINE std::optional<T> AsFromAnyView(const TVMFFIAny* value) {
  if (!TypeTraits<T>::CheckAnyStrict(value)) return std::nullopt;
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
}

template <typename T>
TVM_FFI_INLINE T AsOrThrowFromAnyView(const TVMFFIAny* value) {
  if (TVM_FFI_PREDICT_FALSE(!TypeTraits<T>::CheckAnyStrict(value))) {
    ThrowCannotTreat(&TypeTraits<T>::GetMismatchTypeInfo, *value, &TypeTraits<T>::TypeStr);
  }
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
}

/*! \brief Converting read of a borrowed value. */
template <typename T>
TVM_FFI_INLINE T CastFromAnyView(const TVMFFIAny* value) {
  // The usual case without a std::optional in between, which costs a copy that is not free.
  if constexpr (TypeTraits<T>::storage_enabled && !std::is_trivially_copyable_v<T>) {
    if (TVM_FFI_PREDICT_TRUE(TypeTraits<T>::CheckAnyStrict(value))) {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
    }
  }
  std::optional<T> result = TypeTraits<T>::TryCastFromAnyView(value);
  if (TVM_FFI_PREDICT_FALSE(!result.has_value())) {
    ThrowCannotConvert(&TypeTraits<T>::GetMismatchTypeInfo, *value, &TypeTraits<T>::TypeStr);
  }
  return *std::move(result);
}

template <typename T>
TVM_FFI_INLINE const T* ObjectPtrFromAnyView(const TVMFFIAny* value) {
  if (!AnyIsObject<T>(value)) return nullptr;
  return ObjectUnsafe::RawObjectPtrFromUnowned<T>(value->v_obj);
}

/*! \brief The kinds that only a view may have, turned into their owned forms. */
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

/*! \brief Make a bitwise copy of a view an owned value in place; on a throw it stays a view. */
TVM_FFI_INLINE void InplaceConvertAnyViewToAny(TVMFFIAny* data, [[maybe_unused]] size_t = 0) {
  if (data->type_index >= TypeIndex::kTVMFFIStaticObjectBegin) {
    IncStrongRef(data->v_obj);
  } else if (TVM_FFI_PREDICT_FALSE(data->type_index >= TypeIndex::kTVMFFIRawStr &&
                                   data->type_index <= TypeIndex::kTVMFFIObjectRValueRef)) {
    OwnViewOnlyKind(data);
  }
}

}  // namespace detail

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_ANY_READ_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/any_access.h
 * \brief AnyUnsafe, which accesses the bits of a value, and Type2Str, which names types. any.h
 * includes this file at its end.
 */
#ifndef TVM_FFI_DETAIL_ANY_ACCESS_H_
#define TVM_FFI_DETAIL_ANY_ACCESS_H_

#include <tvm/ffi/any.h>

#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {
namespace detail {

/*! \brief Access to the bits of Any and AnyView. Call a function `...AfterCheck` only for a value
 * that has passed the strict check of its type. */
struct AnyUnsafe : public ObjectUnsafe {
  /*! \brief Move the value to the caller, who then owns it. */
  TVM_FFI_INLINE static TVMFFIAny MoveAnyToTVMFFIAny(Any&& any) {
    TVMFFIAny result = any.data_;
    SetAnyNone(&any.data_);
    return result;
  }
  /*! \brief Take over a raw owned value; `*data` becomes None. */
  TVM_FFI_INLINE static Any MoveTVMFFIAnyToAny(TVMFFIAny* data) {
    Any result;
    result.data_ = *data;
    SetAnyNone(data);
    return result;
  }
  TVM_FFI_INLINE static Any MoveTVMFFIAnyRawToAny(TVMFFIAny data) {
    Any result;
    result.data_ = data;
    return result;
  }

  template <typename T>
  TVM_FFI_INLINE static bool CheckAnyStrict(const Any& any) {
    return CheckStrict<T>(&any.data_);
  }
  template <typename T>
  TVM_FFI_INLINE static bool CheckAnyViewStrict(const AnyView& view) {
    return CheckStrict<T>(&view.data_);
  }

  template <typename T>
  TVM_FFI_INLINE static T CopyFromAnyViewAfterCheck(const Any& any) {
    if constexpr (std::is_same_v<T, Any>) {
      return any;
    } else {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(&any.data_);
    }
  }
  template <typename T>
  TVM_FFI_INLINE static T MoveFromAnyAfterCheck(Any&& any) {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(any);
    } else {
      return TypeTraits<T>::MoveFromAnyAfterCheck(&any.data_);
    }
  }

  /*! \brief Like `std::move(any).cast<T>()`, but the error says that the value is the result of a
   * call. */
  template <typename T>
  TVM_FFI_INLINE static T CastResult(Any&& any) {
    return any.CastOr<T, &ThrowCannotConvertResult>();
  }

  template <typename TObj = Object>
  TVM_FFI_INLINE static TObj* RawObjectPtrFromAnyAfterCheck(const Any& any) {
    return RawObjectPtrFromUnowned<TObj>(any.data_.v_obj);
  }
  template <typename TObj = Object>
  TVM_FFI_INLINE static TObj* RawObjectPtrFromAnyViewAfterCheck(const AnyView& view) {
    return RawObjectPtrFromUnowned<TObj>(view.data_.v_obj);
  }

  TVM_FFI_INLINE static const TVMFFIAny* TVMFFIAnyPtrFromAny(const Any& any) { return &any.data_; }

  /*! \brief Describe, for the text of an error, the type that a value has instead of T. */
  template <typename T>
  static std::string GetMismatchTypeInfo(const Any& any) {
    if constexpr (std::is_same_v<T, Any>) {
      return any.GetTypeKey();
    } else {
      return TypeTraits<T>::GetMismatchTypeInfo(&any.data_);
    }
  }

  /*! \brief Return why T refuses a value, if its type is not the reason; otherwise empty. */
  template <typename T>
  static Refusal RefusalOf(const Any& any) {
    return detail::RefusalOf<T>(&any.data_);
  }

 private:
  template <typename T>
  TVM_FFI_INLINE static bool CheckStrict(const TVMFFIAny* data) {
    if constexpr (std::is_same_v<T, Any>) {
      return true;
    } else {
      return TypeTraits<T>::CheckAnyStrict(data);
    }
  }
};

/*! \brief Name of a type in messages: `Type2Str<T>::v()`. */
template <typename T>
struct Type2Str {
  static std::string v() { return TypeTraitsNoCR<T>::TypeStr(); }
};
template <>
struct Type2Str<Any> {
  static std::string v() { return "Any"; }
};
template <>
struct Type2Str<AnyView> {
  static std::string v() { return "AnyView"; }
};
template <>
struct Type2Str<void> {
  static std::string v() { return "void"; }
};
template <>
struct Type2Str<const Any&> : public Type2Str<Any> {};
template <>
struct Type2Str<Any&&> : public Type2Str<Any> {};
template <>
struct Type2Str<const AnyView&> : public Type2Str<AnyView> {};
template <>
struct Type2Str<AnyView&&> : public Type2Str<AnyView> {};

template <>
struct TypeSchemaImpl<Any> {
  static std::string v() { return R"({"type":"Any"})"; }
};
template <>
struct TypeSchemaImpl<AnyView> : public TypeSchemaImpl<Any> {};
template <>
struct TypeSchemaImpl<const Any&> : public TypeSchemaImpl<Any> {};
template <>
struct TypeSchemaImpl<Any&&> : public TypeSchemaImpl<Any> {};
template <>
struct TypeSchemaImpl<const AnyView&> : public TypeSchemaImpl<Any> {};
template <>
struct TypeSchemaImpl<AnyView&&> : public TypeSchemaImpl<Any> {};

}  // namespace detail

}  // namespace tvm::ffi
#endif  // TVM_FFI_DETAIL_ANY_ACCESS_H_

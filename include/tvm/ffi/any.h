// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/any.h
 * \brief AnyView borrows a value of any type, Any owns one; both are a TVMFFIAny.
 */
#ifndef TVM_FFI_ANY_H_
#define TVM_FFI_ANY_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
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

class Any;
class AnyView;

namespace detail {
struct AnyUnsafe;

/*! \brief Text of a type or of the value that was refused, made only for an error message. */
using FTypeStr = std::string (*)();
using FMismatchStr = std::string (*)(const TVMFFIAny* value);

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotConvert(
    FMismatchStr found, const TVMFFIAny* value, FTypeStr wanted) {
  TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << found(value) << "` to `" << wanted()
                           << "`";
  TVM_FFI_UNREACHABLE();
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowCannotTreat(
    FMismatchStr found, const TVMFFIAny* value, FTypeStr wanted) {
  TVM_FFI_THROW(TypeError) << "Cannot treat type `" << found(value) << "` as type `" << wanted()
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
    ThrowCannotTreat(&TypeTraits<T>::GetMismatchTypeInfo, value, &TypeTraits<T>::TypeStr);
  }
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(value);
}

/*! \brief Converting read of a borrowed value. */
template <typename T>
TVM_FFI_INLINE T CastFromAnyView(const TVMFFIAny* value) {
  std::optional<T> result = TypeTraits<T>::TryCastFromAnyView(value);
  if (TVM_FFI_PREDICT_FALSE(!result.has_value())) {
    ThrowCannotConvert(&TypeTraits<T>::GetMismatchTypeInfo, value, &TypeTraits<T>::TypeStr);
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

/*!
 * \brief A borrowed value of any type, 16 bytes, trivially copyable.
 *
 * Valid as long as what it was made from. Reading: `as` takes the stored type only, `cast` also
 * converts (see TypeTraits).
 */
class AnyView {
 public:
  /*! \brief None. */
  AnyView() noexcept { detail::SetAnyNone(&data_); }
  AnyView(const AnyView&) = default;
  AnyView(AnyView&&) = default;
  AnyView& operator=(const AnyView&) = default;
  AnyView& operator=(AnyView&&) = default;
  ~AnyView() = default;

  /*! \brief View of any value whose type has TypeTraits. */
  template <typename T, typename = std::enable_if_t<TypeTraitsNoCR<T>::convert_enabled>>
  TVM_FFI_INLINE AnyView(const T& other) {  // NOLINT(google-explicit-constructor)
    TypeTraits<T>::CopyToAnyView(other, &data_);
  }
  template <typename T, typename = std::enable_if_t<TypeTraitsNoCR<T>::convert_enabled>>
  TVM_FFI_INLINE AnyView& operator=(const T& other) {
    TypeTraits<T>::CopyToAnyView(other, &data_);
    return *this;
  }

  void reset() noexcept { detail::SetAnyNone(&data_); }
  void swap(AnyView& other) noexcept { std::swap(data_, other.data_); }

  int32_t type_index() const noexcept { return data_.type_index; }
  /*! \brief Same 16 bytes: equal plain values, or the same object. */
  bool same_as(const AnyView& other) const noexcept;

  /*! \brief The value as its stored type T; nothing otherwise. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE std::optional<T> as() const {
    return detail::AsFromAnyView<T>(&data_);
  }
  /*! \brief The object as a T, borrowed; nullptr when it is none. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  TVM_FFI_INLINE const T* as() const {
    return detail::ObjectPtrFromAnyView<T>(&data_);
  }
  /*! \brief as<T>() that throws TypeError. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE T as_or_throw() const {
    return detail::AsOrThrowFromAnyView<T>(&data_);
  }
  /*! \brief The value converted to T; throws TypeError when it does not convert. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE T cast() const {
    return detail::CastFromAnyView<T>(&data_);
  }
  /*! \brief The value converted to T, if it does convert. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE std::optional<T> try_cast() const {
    return TypeTraits<T>::TryCastFromAnyView(&data_);
  }

  /*! \brief Whether this is None. */
  bool operator==(std::nullptr_t) const noexcept {
    return data_.type_index == TypeIndex::kTVMFFINone;
  }
  bool operator!=(std::nullptr_t) const noexcept {
    return data_.type_index != TypeIndex::kTVMFFINone;
  }
  std::string GetTypeKey() const { return TypeIndexToTypeKey(data_.type_index); }

  /*! \brief The bits, still borrowed. */
  TVMFFIAny CopyToTVMFFIAny() const { return data_; }
  static AnyView CopyFromTVMFFIAny(TVMFFIAny data) {
    AnyView view;
    view.data_ = data;
    return view;
  }

 private:
  TVMFFIAny data_;

  friend class Any;
  friend struct detail::AnyUnsafe;
};

/*!
 * \brief An owned value of any type, 16 bytes; moved from, it is None.
 *
 * Different values may be used from different threads, as with any container.
 */
class Any {
 public:
  /*! \brief None. */
  TVM_FFI_INLINE Any() noexcept { detail::SetAnyNone(&data_); }
  TVM_FFI_INLINE ~Any() { Release(); }

  TVM_FFI_INLINE Any(const Any& other) noexcept : data_(other.data_) {
    if (data_.type_index >= TypeIndex::kTVMFFIStaticObjectBegin) detail::IncStrongRef(data_.v_obj);
  }
  TVM_FFI_INLINE Any(Any&& other) noexcept : data_(other.data_) {
    detail::SetAnyNone(&other.data_);
  }
  TVM_FFI_INLINE Any& operator=(const Any& other) noexcept {
    Any(other).swap(*this);
    return *this;
  }
  TVM_FFI_INLINE Any& operator=(Any&& other) noexcept {
    Any(std::move(other)).swap(*this);
    return *this;
  }

  /*!
   * \brief Own what is viewed: C strings and byte arrays are copied, an RValueRef gives its object
   * away.
   * \throws InternalError when that object was taken before.
   */
  TVM_FFI_INLINE Any(const AnyView& other)  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    detail::InplaceConvertAnyViewToAny(&data_);
  }
  TVM_FFI_INLINE Any& operator=(const AnyView& other) {
    Any(other).swap(*this);
    return *this;
  }

  /*! \brief Any value whose type has TypeTraits. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE Any(T other) {  // NOLINT(google-explicit-constructor)
    TypeTraits<T>::MoveToAny(std::move(other), &data_);
  }
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE Any& operator=(T other) {
    Any(std::move(other)).swap(*this);
    return *this;
  }

  TVM_FFI_INLINE operator AnyView() const {  // NOLINT(google-explicit-constructor)
    AnyView view;
    view.data_ = data_;
    return view;
  }

  /*! \brief Become None. */
  TVM_FFI_INLINE void reset() noexcept {
    // Emptied first: a destructor may look at this value.
    Any old(std::move(*this));
  }
  TVM_FFI_INLINE void swap(Any& other) noexcept { std::swap(data_, other.data_); }

  TVM_FFI_INLINE int32_t type_index() const noexcept { return data_.type_index; }
  /*! \brief Same 16 bytes: equal plain values, or the same object. */
  bool same_as(const Any& other) const noexcept { return AnyView(*this).same_as(other); }
  /*! \brief The same object; a null reference is None. */
  bool same_as(const ObjectRef& other) const noexcept { return same_as(Any(other)); }

  /*! \brief The value as its stored type T, moved out; nothing otherwise, and it stays. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::storage_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> as() && {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(*this);
    } else {
      if (!TypeTraits<T>::CheckAnyStrict(&data_)) return std::nullopt;
      return MoveOut<T>();
    }
  }
  /*! \brief The value as its stored type T; nothing otherwise. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> as() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::AsFromAnyView<T>(&data_);
    }
  }
  /*! \brief The object as a T, borrowed; nullptr when it is none. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  TVM_FFI_INLINE const T* as() const& {
    return detail::ObjectPtrFromAnyView<T>(&data_);
  }

  /*! \brief as<T>() that throws TypeError. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T as_or_throw() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::AsOrThrowFromAnyView<T>(&data_);
    }
  }
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::storage_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T as_or_throw() && {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(*this);
    } else {
      if (TVM_FFI_PREDICT_FALSE(!TypeTraits<T>::CheckAnyStrict(&data_))) {
        detail::ThrowCannotTreat(&TypeTraits<T>::GetMismatchTypeInfo, &data_,
                                 &TypeTraits<T>::TypeStr);
      }
      return MoveOut<T>();
    }
  }

  /*! \brief The value converted to T; throws TypeError when it does not convert. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T cast() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::CastFromAnyView<T>(&data_);
    }
  }
  /*! \brief The same, moved out when T is the stored type. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T cast() && {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(*this);
    } else {
      if constexpr (TypeTraits<T>::storage_enabled) {
        if (TVM_FFI_PREDICT_TRUE(TypeTraits<T>::CheckAnyStrict(&data_))) return MoveOut<T>();
      }
      return detail::CastFromAnyView<T>(&data_);
    }
  }
  /*! \brief The value converted to T, if it does convert. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled ||
                                                    std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> try_cast() const {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return TypeTraits<T>::TryCastFromAnyView(&data_);
    }
  }

  /*! \brief Whether this is None. */
  bool operator==(std::nullptr_t) const noexcept {
    return data_.type_index == TypeIndex::kTVMFFINone;
  }
  bool operator!=(std::nullptr_t) const noexcept {
    return data_.type_index != TypeIndex::kTVMFFINone;
  }
  std::string GetTypeKey() const { return TypeIndexToTypeKey(data_.type_index); }

 private:
  TVM_FFI_INLINE void Release() noexcept {
    if (data_.type_index >= TypeIndex::kTVMFFIStaticObjectBegin) detail::DecStrongRef(data_.v_obj);
  }

  /*! \brief Take a value that passed the strict check; this is None afterwards. */
  template <typename T>
  TVM_FFI_INLINE T MoveOut() {
    T result = TypeTraits<T>::MoveFromAnyAfterCheck(&data_);
    // Traits that borrow leave the object here, where it stays owned.
    if (data_.type_index < TypeIndex::kTVMFFIStaticObjectBegin) detail::SetAnyNone(&data_);
    return result;
  }

  TVMFFIAny data_;

  friend struct detail::AnyUnsafe;
};

inline bool AnyView::same_as(const AnyView& other) const noexcept {
  return data_.type_index == other.data_.type_index &&
         data_.zero_padding == other.data_.zero_padding && data_.v_uint64 == other.data_.v_uint64;
}

template <typename Source>
inline constexpr bool type_subsumes_v<Any, Source> = true;

namespace detail {

/*! \brief Access to the bits of Any and AnyView; `AfterCheck` wants a strict check to have passed. */
struct AnyUnsafe : public ObjectUnsafe {
  /*! \brief Give the value away; the caller owns it. */
  TVM_FFI_INLINE static TVMFFIAny MoveAnyToTVMFFIAny(Any&& any) {
    TVMFFIAny result = any.data_;
    SetAnyNone(&any.data_);
    return result;
  }
  /*! \brief Adopt a raw owned value; `*data` becomes None. */
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

  template <typename TObj = Object>
  TVM_FFI_INLINE static TObj* RawObjectPtrFromAnyAfterCheck(const Any& any) {
    return RawObjectPtrFromUnowned<TObj>(any.data_.v_obj);
  }
  template <typename TObj = Object>
  TVM_FFI_INLINE static TObj* RawObjectPtrFromAnyViewAfterCheck(const AnyView& view) {
    return RawObjectPtrFromUnowned<TObj>(view.data_.v_obj);
  }

  TVM_FFI_INLINE static const TVMFFIAny* TVMFFIAnyPtrFromAny(const Any& any) { return &any.data_; }

  /*! \brief Words for a value that is no T. */
  template <typename T>
  static std::string GetMismatchTypeInfo(const Any& any) {
    if constexpr (std::is_same_v<T, Any>) {
      return any.GetTypeKey();
    } else {
      return TypeTraits<T>::GetMismatchTypeInfo(&any.data_);
    }
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

template <typename RefType, typename>
RefType ObjectRef::as_or_throw() const& {
  return AnyView(*this).as_or_throw<RefType>();
}

template <typename RefType, typename>
RefType ObjectRef::as_or_throw() && {
  std::optional<RefType> result = std::move(*this).template as<RefType>();
  if (TVM_FFI_PREDICT_TRUE(result.has_value())) return *std::move(result);
  return AnyView(*this).as_or_throw<RefType>();
}

}  // namespace ffi

using ffi::Any;
using ffi::AnyView;
}  // namespace tvm

#include <tvm/ffi/detail/any_hash.h>

#endif  // TVM_FFI_ANY_H_

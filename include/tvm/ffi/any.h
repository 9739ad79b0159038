// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/any.h
 * \brief AnyView borrows a value of any type, Any owns one; both are a TVMFFIAny. AnyHash and
 * AnyEqual are the key functions of Map and Dict, part of the ABI as every client inlines them.
 */
#ifndef TVM_FFI_ANY_H_
#define TVM_FFI_ANY_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/base_detail.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/any_read.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <cstring>
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
}  // namespace detail

/*!
 * \brief A borrowed value of any type, 16 bytes, trivially copyable.
 *
 * Valid as long as the value that it was made from. `as` reads only the stored type; `cast` also
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
  /*! \brief Replace the value. */
  template <typename T, typename = std::enable_if_t<TypeTraitsNoCR<T>::convert_enabled>>
  TVM_FFI_INLINE AnyView& operator=(const T& other) {
    TypeTraits<T>::CopyToAnyView(other, &data_);
    return *this;
  }

  /*! \brief Become None. */
  void reset() noexcept { detail::SetAnyNone(&data_); }
  void swap(AnyView& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief The type index of the value. */
  int32_t type_index() const noexcept { return data_.type_index; }
  /*! \brief Same 16 bytes: equal plain values, or the same object. */
  bool same_as(const AnyView& other) const noexcept;

  /*! \brief The value as its stored type T; nullopt otherwise. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE std::optional<T> as() const {
    return detail::AsFromAnyView<T>(&data_);
  }
  /*! \brief The object as a T, borrowed; nullptr when it is not a T. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  TVM_FFI_INLINE const T* as() const {
    return detail::ObjectPtrFromAnyView<T>(&data_);
  }
  /*! \brief as<T>() that throws TypeError, or OverflowError for an integer out of range. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE T as_or_throw() const {
    return detail::AsOrThrowFromAnyView<T>(&data_);
  }
  /*! \brief The value converted to T; throws TypeError when it does not convert,
   * OverflowError for an integer out of range. */
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
  /*! \brief The type key of the value. */
  std::string GetTypeKey() const { return TypeIndexToTypeKey(data_.type_index); }

  /*! \brief The bits, still borrowed. */
  TVMFFIAny CopyToTVMFFIAny() const { return data_; }
  /*! \brief A view of a value in its form of the C ABI. */
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
  /*! \brief Replace the value; the former one is released. */
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

  /*! \brief A view that is valid as long as this value. */
  TVM_FFI_INLINE operator AnyView() const {  // NOLINT(google-explicit-constructor)
    AnyView view;
    view.data_ = data_;
    return view;
  }

  /*! \brief Become None. */
  TVM_FFI_INLINE void reset() noexcept {
    // Empty this value first: a destructor may read it.
    Any old(std::move(*this));
  }
  TVM_FFI_INLINE void swap(Any& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief The type index of the value. */
  TVM_FFI_INLINE int32_t type_index() const noexcept { return data_.type_index; }
  /*! \brief Same 16 bytes: equal plain values, or the same object. */
  bool same_as(const Any& other) const noexcept { return AnyView(*this).same_as(other); }
  /*! \brief The same object; a null reference is None. */
  bool same_as(const ObjectRef& other) const noexcept { return same_as(Any(other)); }

  /*! \brief The value as its stored type T, moved out; otherwise nullopt, and the value stays. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::storage_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> as() && {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(*this);
    } else {
      if (!TypeTraits<T>::CheckAnyStrict(&data_)) return std::nullopt;
      return MoveOut<T>();
    }
  }
  /*! \brief The value as its stored type T; nullopt otherwise. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> as() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::AsFromAnyView<T>(&data_);
    }
  }
  /*! \brief The object as a T, borrowed; nullptr when it is not a T. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  TVM_FFI_INLINE const T* as() const& {
    return detail::ObjectPtrFromAnyView<T>(&data_);
  }

  /*! \brief as<T>() that throws TypeError, or OverflowError for an integer out of range. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T as_or_throw() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::AsOrThrowFromAnyView<T>(&data_);
    }
  }
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::storage_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T as_or_throw() && {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(*this);
    } else {
      if (TVM_FFI_PREDICT_FALSE(!TypeTraits<T>::CheckAnyStrict(&data_))) {
        detail::ThrowCannotTreat(data_, detail::kMismatchText<T>);
      }
      return MoveOut<T>();
    }
  }

  /*! \brief The value converted to T; throws TypeError when it does not convert,
   * OverflowError for an integer out of range. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T cast() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::CastFromAnyView<T>(&data_);
    }
  }
  /*! \brief The same, moved out when T is the stored type. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T cast() && {
    return CastOr<T, &detail::ThrowCannotConvert>();
  }
  /*! \brief The value converted to T, if it does convert. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
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
  /*! \brief The type key of the value. */
  std::string GetTypeKey() const { return TypeIndexToTypeKey(data_.type_index); }

 private:
  TVM_FFI_INLINE void Release() noexcept {
    if (data_.type_index >= TypeIndex::kTVMFFIStaticObjectBegin) detail::DecStrongRef(data_.v_obj);
  }

  /*! \brief The value converted to T, moved out when T is the stored type; `fail` throws. */
  template <typename T, detail::FThrowMismatch fail>
  TVM_FFI_INLINE T CastOr() {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(*this);
    } else {
      if constexpr (TypeTraits<T>::storage_enabled) {
        if (TVM_FFI_PREDICT_TRUE(TypeTraits<T>::CheckAnyStrict(&data_))) return MoveOut<T>();
      }
      return detail::CastFromAnyView<T, fail>(&data_);
    }
  }

  /*! \brief Take a value that passed the strict check; this is None afterwards. */
  template <typename T>
  TVM_FFI_INLINE T MoveOut() {
    T result = TypeTraits<T>::MoveFromAnyAfterCheck(&data_);
    // Traits that borrow leave the object in this Any, which still owns it.
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

#include <tvm/ffi/detail/any_access.h>
#include <tvm/ffi/detail/key_hook.h>

namespace tvm {
namespace ffi {

namespace detail {

/*! \brief Content of a text or bytes value, small or heap. */
TVM_FFI_INLINE TVMFFIByteArray BytesContent(const TVMFFIAny* value) {
  return value->type_index >= TypeIndex::kTVMFFIStaticObjectBegin
             ? *TVMFFIBytesGetByteArrayPtr(value->v_obj)
             : TVMFFISmallBytesGetContentByteArray(value);
}

TVM_FFI_INLINE bool SameBytesContent(const TVMFFIAny* lhs, const TVMFFIAny* rhs) {
  TVMFFIByteArray a = BytesContent(lhs), b = BytesContent(rhs);
  return a.size == b.size && (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0);
}

/*! \brief kTVMFFIStr or kTVMFFIBytes for either form of text or bytes, otherwise -1. */
TVM_FFI_INLINE int32_t HeapFormOf(int32_t type_index) {
  switch (type_index) {
    case TypeIndex::kTVMFFISmallStr:
    case TypeIndex::kTVMFFIStr:
      return TypeIndex::kTVMFFIStr;
    case TypeIndex::kTVMFFISmallBytes:
    case TypeIndex::kTVMFFIBytes:
      return TypeIndex::kTVMFFIBytes;
    default:
      return -1;
  }
}
}  // namespace detail

/*! \brief Hash of a container key: text and bytes by content, objects by hook or address. */
struct AnyHash {
  /*! \throws Error what the type's `__any_hash__` returns or throws. */
  uint64_t operator()(const Any& key) const {
    const TVMFFIAny* data = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(key);
    int32_t type_index = data->type_index;
    if (type_index < TypeIndex::kTVMFFIStaticObjectBegin) {
      int32_t heap_form = detail::HeapFormOf(type_index);
      return heap_form < 0 ? detail::StableHashCombine(Widen(type_index), data->v_uint64)
                           : detail::StableHashCombine(Widen(heap_form),
                                                       detail::StableHashSmallStrBytes(data));
    }
    if (type_index == TypeIndex::kTVMFFIStr || type_index == TypeIndex::kTVMFFIBytes) {
      TVMFFIByteArray* bytes = TVMFFIBytesGetByteArrayPtr(data->v_obj);
      return detail::StableHashCombine(Widen(type_index),
                                       detail::StableHashBytes(bytes->data, bytes->size));
    }
    // The column lives for ever; a library without it never gets one.
    static const TVMFFITypeAttrColumn* const column =
        detail::GetTypeAttrColumnOrNull("__any_hash__", 12);
    if (const TVMFFIAny* attr = detail::FindTypeAttr(column, type_index)) {
      return detail::StableHashCombine(Widen(type_index),
                                       detail::CallAnyHashHook(attr, type_index, key));
    }
    return detail::StableHashCombine(Widen(type_index), data->v_uint64);
  }

 private:
  static uint64_t Widen(int32_t type_index) { return static_cast<uint64_t>(type_index); }
};

/*! \brief Equality of container keys; values of different types are never equal. */
struct AnyEqual {
  /*! \throws Error what the type's `__any_equal__` returns or throws. */
  bool operator()(const Any& lhs, const Any& rhs) const {
    const TVMFFIAny* a = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(lhs);
    const TVMFFIAny* b = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(rhs);
    if (lhs.same_as(rhs)) return true;
    if (a->type_index != b->type_index) {
      int32_t heap_form = detail::HeapFormOf(a->type_index);
      return heap_form >= 0 && heap_form == detail::HeapFormOf(b->type_index) &&
             detail::SameBytesContent(a, b);
    }
    if (a->type_index < TypeIndex::kTVMFFIStaticObjectBegin) return false;
    if (a->type_index == TypeIndex::kTVMFFIStr || a->type_index == TypeIndex::kTVMFFIBytes) {
      return detail::SameBytesContent(a, b);
    }
    static const TVMFFITypeAttrColumn* const column =
        detail::GetTypeAttrColumnOrNull("__any_equal__", 13);
    const TVMFFIAny* attr = detail::FindTypeAttr(column, a->type_index);
    return attr != nullptr && detail::CallAnyEqualHook(attr, lhs, rhs);
  }
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_ANY_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/any.h
 * \brief AnyView borrows a value of any type, and Any owns a value; each of them is a TVMFFIAny.
 * AnyHash and AnyEqual hash and compare the keys of Map and Dict. Their results are part of the
 * ABI, since compiled clients contain inlined copies of both and share maps with each other.
 */
#ifndef TVM_FFI_ANY_H_
#define TVM_FFI_ANY_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/base_detail.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/any_read.h>
#include <tvm/ffi/detail/number_text.h>
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
 * A view is valid while the value that it was made from is alive. `as` reads only the stored type;
 * `cast` also converts (see TypeTraits).
 */
class AnyView {
 public:
  /*! \brief Make a view of None. */
  AnyView() noexcept { detail::SetAnyNone(&data_); }
  AnyView(const AnyView&) = default;
  AnyView(AnyView&&) = default;
  AnyView& operator=(const AnyView&) = default;
  AnyView& operator=(AnyView&&) = default;
  ~AnyView() = default;

  /*! \brief Make a view of a value of any type that has TypeTraits. */
  template <typename T, typename = std::enable_if_t<TypeTraitsNoCR<T>::convert_enabled>>
  TVM_FFI_INLINE AnyView(const T& other) {  // NOLINT(google-explicit-constructor)
    TypeTraits<T>::CopyToAnyView(other, &data_);
  }
  /*! \brief Replace this view by a view of `other`. */
  template <typename T, typename = std::enable_if_t<TypeTraitsNoCR<T>::convert_enabled>>
  TVM_FFI_INLINE AnyView& operator=(const T& other) {
    TypeTraits<T>::CopyToAnyView(other, &data_);
    return *this;
  }

  /*! \brief Become None. */
  void reset() noexcept { detail::SetAnyNone(&data_); }
  void swap(AnyView& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief Return the type index of the value. */
  int32_t type_index() const noexcept { return data_.type_index; }
  /*! \brief Return whether the 16 bytes are equal: equal plain values, or the same object. */
  bool same_as(const AnyView& other) const noexcept;

  /*! \brief Return the value if its stored type is T, otherwise nullopt. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE std::optional<T> as() const {
    return detail::AsFromAnyView<T>(&data_);
  }
  /*! \brief Return the object as a borrowed T; nullptr if the value is not a T. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  TVM_FFI_INLINE const T* as() const {
    return detail::ObjectPtrFromAnyView<T>(&data_);
  }
  /*! \brief Return the value if its stored type is T. Throw OverflowError for an integer out of
   * range, TypeError for any other value. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE T as_or_throw() const {
    return detail::AsOrThrowFromAnyView<T>(&data_);
  }
  /*! \brief Convert the value to T. Throw OverflowError for an integer out of range, TypeError if
   * the value cannot be converted. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE T cast() const {
    return detail::CastFromAnyView<T>(&data_);
  }
  /*! \brief Convert the value to T; return nullopt if that is impossible. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE std::optional<T> try_cast() const {
    return TypeTraits<T>::TryCastFromAnyView(&data_);
  }

  /*! \brief Return whether this is None. */
  bool operator==(std::nullptr_t) const noexcept {
    return data_.type_index == TypeIndex::kTVMFFINone;
  }
  bool operator!=(std::nullptr_t) const noexcept {
    return data_.type_index != TypeIndex::kTVMFFINone;
  }
  /*! \brief Return the type key of the value. */
  std::string GetTypeKey() const { return TypeIndexToTypeKey(data_.type_index); }

  /*! \brief Return the 16 bytes of the view as a C struct, which also borrows the value. */
  TVMFFIAny CopyToTVMFFIAny() const { return data_; }
  /*! \brief Make a view from the C struct of a value. */
  static AnyView CopyFromTVMFFIAny(TVMFFIAny data) {
    AnyView view;
    view.data_ = data;
    return view;
  }

 protected:
  TVMFFIAny data_;

  friend class Any;
  friend struct detail::AnyUnsafe;
};

/*!
 * \brief An owned value of any type, 16 bytes. A moved-from Any is None.
 *
 * Different threads may use different values at the same time, as with standard containers.
 */
class Any {
 public:
  /*! \brief Make None. */
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
   * \brief Make an owned value from a view. A C string or a byte array is copied; the object of an
   * RValueRef is moved out of it.
   * \throws InternalError when the object of the RValueRef was already moved out.
   */
  TVM_FFI_INLINE Any(const AnyView& other)  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    detail::InplaceConvertAnyViewToAny(&data_);
  }
  /*! \brief Replace the value and release the former value. */
  TVM_FFI_INLINE Any& operator=(const AnyView& other) {
    Any(other).swap(*this);
    return *this;
  }

  /*! \brief Make an Any from a value of any type that has TypeTraits. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE Any(T other) {  // NOLINT(google-explicit-constructor)
    TypeTraits<T>::MoveToAny(std::move(other), &data_);
  }
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled>>
  TVM_FFI_INLINE Any& operator=(T other) {
    Any(std::move(other)).swap(*this);
    return *this;
  }

  /*! \brief Return a view, which is valid until this value is changed or destroyed. */
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

  /*! \brief Return the type index of the value. */
  TVM_FFI_INLINE int32_t type_index() const noexcept { return data_.type_index; }
  /*! \brief Return whether the 16 bytes are equal: equal plain values, or the same object. */
  bool same_as(const Any& other) const noexcept { return AnyView(*this).same_as(other); }
  /*! \brief Return whether this value holds the object of `other`, or None if `other` is null. */
  bool same_as(const ObjectRef& other) const noexcept { return same_as(Any(other)); }

  /*! \brief Move the value out if its stored type is T; otherwise return nullopt and keep the
   * value. */
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
  /*! \brief Return the value if its stored type is T, otherwise nullopt. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> as() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::AsFromAnyView<T>(&data_);
    }
  }
  /*! \brief Return the object as a borrowed T; nullptr if the value is not a T. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  TVM_FFI_INLINE const T* as() const& {
    return detail::ObjectPtrFromAnyView<T>(&data_);
  }

  /*! \brief Return the value if its stored type is T. Throw OverflowError for an integer out of
   * range, TypeError for any other value. */
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

  /*! \brief Convert the value to T. Throw OverflowError for an integer out of range, TypeError if
   * the value cannot be converted. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T cast() const& {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return detail::CastFromAnyView<T>(&data_);
    }
  }
  /*! \brief Like cast() above, but move the value out if its stored type is T. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE T cast() && {
    return CastOr<T, &detail::ThrowCannotConvert>();
  }
  /*! \brief Convert the value to T; return nullopt if that is impossible. */
  template <typename T,
            typename = std::enable_if_t<TypeTraits<T>::convert_enabled || std::is_same_v<T, Any>>>
  TVM_FFI_INLINE std::optional<T> try_cast() const {
    if constexpr (std::is_same_v<T, Any>) {
      return *this;
    } else {
      return TypeTraits<T>::TryCastFromAnyView(&data_);
    }
  }

  /*! \brief Return whether this is None. */
  bool operator==(std::nullptr_t) const noexcept {
    return data_.type_index == TypeIndex::kTVMFFINone;
  }
  bool operator!=(std::nullptr_t) const noexcept {
    return data_.type_index != TypeIndex::kTVMFFINone;
  }
  /*! \brief Return the type key of the value. */
  std::string GetTypeKey() const { return TypeIndexToTypeKey(data_.type_index); }

 private:
  TVM_FFI_INLINE void Release() noexcept {
    if (data_.type_index >= TypeIndex::kTVMFFIStaticObjectBegin) detail::DecStrongRef(data_.v_obj);
  }

  /*! \brief Move the value out if its stored type is T, otherwise convert it to T; `fail` throws
   * the error. */
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

  /*! \brief Move out a value that passed the strict check; this Any is None afterwards. */
  template <typename T>
  TVM_FFI_INLINE T MoveOut() {
    T result = TypeTraits<T>::MoveFromAnyAfterCheck(&data_);
    // Traits that take over an object have already set `data_` to None. Traits that only borrow the
    // object leave it here, and this Any still owns it. So clear only values that are not objects.
    if (data_.type_index < TypeIndex::kTVMFFIStaticObjectBegin) detail::SetAnyNone(&data_);
    return result;
  }

 protected:
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

namespace tvm::ffi {

namespace detail {

/*! \brief Return the content of a string or bytes value, inline or on the heap. */
TVM_FFI_INLINE TVMFFIByteArray BytesContent(const TVMFFIAny* value) {
  return value->type_index >= TypeIndex::kTVMFFIStaticObjectBegin
             ? *TVMFFIBytesGetByteArrayPtr(value->v_obj)
             : TVMFFISmallBytesGetContentByteArray(value);
}

TVM_FFI_INLINE bool SameBytesContent(const TVMFFIAny* lhs, const TVMFFIAny* rhs) {
  TVMFFIByteArray a = BytesContent(lhs), b = BytesContent(rhs);
  return a.size == b.size && (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0);
}

/*! \brief Return kTVMFFIStr for a string and kTVMFFIBytes for bytes, inline or on the heap;
 * otherwise -1. */
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

/*! \brief Hashes a container key. Strings and bytes are hashed by content, and other objects by the
 * hook `__any_hash__` of their type. Objects without this hook are hashed by address. */
struct AnyHash {
  /*! \throws Error the error that the `__any_hash__` of the type returns or throws. */
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
    // The address of the column never changes. A runtime library without the column never adds it,
    // so a NULL result can be cached too.
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

/*! \brief Compares container keys; values of different types are never equal. */
struct AnyEqual {
  /*! \throws Error the error that the `__any_equal__` of the type returns or throws. */
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

}  // namespace tvm::ffi

#endif  // TVM_FFI_ANY_H_

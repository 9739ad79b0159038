// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/optional_pointer.h
 * \brief The forms of Optional that are one nullable pointer: references, ObjectPtr and Arc; serves
 * optional.h.
 */
#ifndef TVM_FFI_DETAIL_OPTIONAL_POINTER_H_
#define TVM_FFI_DETAIL_OPTIONAL_POINTER_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/optional_value.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
/*! \brief An optional reference: a null reference is empty. */
template <typename T>
class Optional<T, std::enable_if_t<use_object_ref_optional_v<T>>>
    : public detail::OptionalComparison<Optional<T>, T> {
 public:
  using value_type = T;
  using ContainerType = typename T::ContainerType;

  Optional() = default;
  Optional(std::nullopt_t) {}  // NOLINT(*)
  Optional(std::nullptr_t) {}  // NOLINT(*)
  explicit Optional(UnsafeInit) {}
  Optional(T value)  // NOLINT(*)
      : data_(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(value))) {}
  template <typename U, typename = detail::EnableIfStdOptionalOf<U, T>>
  Optional(U&& other) {  // NOLINT(*)
    if (other.has_value()) *this = *std::forward<U>(other);
  }

  Optional& operator=(std::nullopt_t) {
    data_.reset();
    return *this;
  }
  template <typename U, typename = std::enable_if_t<std::is_same_v<U, std::nullptr_t>>, int = 0>
  Optional& operator=(U) {
    data_.reset();
    return *this;
  }
  template <typename U, typename = std::enable_if_t<detail::is_plain_optional_source_v<U, T>>>
  Optional& operator=(U&& value) {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(T(std::forward<U>(value)));
    return *this;
  }

  /*! \brief The value; throws RuntimeError when there is none. */
  TVM_FFI_INLINE T value() const& {
    Check();
    return **this;
  }
  TVM_FFI_INLINE T value() && {
    Check();
    return *std::move(*this);
  }
  /*! \brief The value, or `default_value` converted to T. */
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& default_value) const {
    return has_value() ? **this : T(std::forward<U>(default_value));
  }
  bool has_value() const noexcept { return data_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  /*! \brief The value; there must be one. */
  TVM_FFI_INLINE T operator*() const& {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<T>(data_);
  }
  /*! \brief The value moved out; this is empty afterwards. */
  TVM_FFI_INLINE T operator*() && {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<T>(std::move(data_));
  }

  /*! \brief The object, borrowed; nullptr when empty. */
  const ContainerType* get() const { return static_cast<const ContainerType*>(data_.get()); }
  const ContainerType* operator->() const { return get(); }
  bool unique() const { return data_.unique(); }
  int use_count() const { return data_.use_count(); }

  /*! \brief Same object, or both empty. */
  bool same_as(const Optional& other) const { return data_ == other.data_; }
  bool same_as(const ObjectRef& other) const {
    return data_.get() == detail::ObjectUnsafe::RawObjectPtrFromObjectRef(other);
  }

  /*! \brief Any::as of the reference, of None when there is none. */
  template <typename U>
  TVM_FFI_INLINE auto as() const& {
    return AnyView(data_).template as<U>();
  }
  template <typename U, typename = std::enable_if_t<!std::is_base_of_v<Object, U>>>
  TVM_FFI_INLINE std::optional<U> as() && {
    Any moved(std::move(data_));
    std::optional<U> result = std::move(moved).template as<U>();
    if (!result.has_value()) {
      data_ = detail::AnyUnsafe::MoveFromAnyAfterCheck<ObjectPtr<Object>>(std::move(moved));
    }
    return result;
  }
  /*! \brief as<U>() that throws TypeError. */
  template <typename U>
  TVM_FFI_INLINE U as_or_throw() const& {
    return AnyView(data_).template as_or_throw<U>();
  }
  template <typename U>
  TVM_FFI_INLINE U as_or_throw() && {
    std::optional<U> result = std::move(*this).template as<U>();
    if (TVM_FFI_PREDICT_TRUE(result.has_value())) return *std::move(result);
    return AnyView(data_).template as_or_throw<U>();
  }

 private:
  TVM_FFI_INLINE void Check() const {
    if (TVM_FFI_PREDICT_FALSE(!has_value())) {
      detail::ThrowEmptyOptional(detail::kEmptyOptionalMessage);
    }
  }

  ObjectPtr<Object> data_;

  friend struct TypeTraits<Optional<T>>;
};

namespace detail {

/*! \brief Comparison of the forms that are a pointer: by identity. */
template <typename Derived, typename T, typename X>
class OptionalPtrComparison {
 public:
  friend bool operator==(const Derived& lhs, const Derived& rhs) noexcept {
    return Base(lhs) == Base(rhs);
  }
  friend bool operator!=(const Derived& lhs, const Derived& rhs) noexcept { return !(lhs == rhs); }
  friend bool operator==(const Derived& lhs, const T& rhs) noexcept {
    return Base(lhs) == static_cast<const ObjectPtr<X>&>(rhs);
  }
  friend bool operator!=(const Derived& lhs, const T& rhs) noexcept { return !(lhs == rhs); }
  friend bool operator==(const Derived& lhs, const std::optional<T>& rhs) noexcept {
    return rhs.has_value() ? lhs == *rhs : !lhs.has_value();
  }
  friend bool operator!=(const Derived& lhs, const std::optional<T>& rhs) noexcept {
    return !(lhs == rhs);
  }
  friend bool operator==(const Derived& lhs, std::nullopt_t) noexcept { return !lhs.has_value(); }
  friend bool operator!=(const Derived& lhs, std::nullopt_t) noexcept { return lhs.has_value(); }
  friend bool operator==(const Derived& lhs, std::nullptr_t) noexcept { return !lhs.has_value(); }
  friend bool operator!=(const Derived& lhs, std::nullptr_t) noexcept { return lhs.has_value(); }

 private:
  static const ObjectPtr<X>& Base(const ObjectPtr<X>& ptr) { return ptr; }
};

/*! \brief What Optional<ObjectPtr<X>> and Optional<Arc<X>> have in common; T is that pointer. */
template <typename T, typename X>
class OptionalPtr : public ObjectPtr<X> {
 public:
  using ContainerType = X;

  OptionalPtr() = default;
  OptionalPtr(std::nullopt_t) {}  // NOLINT(*)
  OptionalPtr(std::nullptr_t) {}  // NOLINT(*)
  OptionalPtr(T value)            // NOLINT(*)
      : ObjectPtr<X>(static_cast<ObjectPtr<X>&&>(value)) {}
  template <typename U, typename = EnableIfStdOptionalOf<U, T>>
  OptionalPtr(U&& other) {  // NOLINT(*)
    if (other.has_value()) Base() = *std::forward<U>(other);
  }

  /*! \brief The value; throws RuntimeError when there is none. */
  TVM_FFI_INLINE T value() const& {
    Check();
    return **this;
  }
  TVM_FFI_INLINE T value() && {
    Check();
    return *std::move(*this);
  }
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& default_value) const {
    return has_value() ? **this : T(std::forward<U>(default_value));
  }
  bool has_value() const noexcept { return Base() != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  /*! \brief The value; there must be one. */
  TVM_FFI_INLINE T operator*() const& { return ToValue(ObjectPtr<X>(Base())); }
  /*! \brief The value moved out; this is empty afterwards. */
  TVM_FFI_INLINE T operator*() && { return ToValue(std::move(Base())); }

  /*! \brief Same object, or both empty. */
  bool same_as(const OptionalPtr& other) const { return Base() == other.Base(); }
  bool same_as(const ObjectRef& other) const {
    return ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr(Base()) ==
           ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(other);
  }
  /*! \brief Any::as of the pointer, of None when there is none. */
  template <typename U>
  TVM_FFI_INLINE auto as() const& {
    return AnyView(Base()).template as<U>();
  }
  template <typename U, typename = std::enable_if_t<!std::is_base_of_v<Object, U>>>
  TVM_FFI_INLINE std::optional<U> as() && {
    Any moved(std::move(Base()));
    std::optional<U> result = std::move(moved).template as<U>();
    if (!result.has_value()) {
      Base() = AnyUnsafe::MoveFromAnyAfterCheck<ObjectPtr<X>>(std::move(moved));
    }
    return result;
  }
  /*! \brief as<U>() that throws TypeError. */
  template <typename U>
  TVM_FFI_INLINE U as_or_throw() const& {
    return AnyView(Base()).template as_or_throw<U>();
  }
  template <typename U>
  TVM_FFI_INLINE U as_or_throw() && {
    std::optional<U> result = std::move(*this).template as<U>();
    if (TVM_FFI_PREDICT_TRUE(result.has_value())) return *std::move(result);
    return AnyView(Base()).template as_or_throw<U>();
  }

 private:
  ObjectPtr<X>& Base() { return *this; }
  const ObjectPtr<X>& Base() const { return *this; }
  static T ToValue(ObjectPtr<X>&& ptr) {
    if constexpr (is_arc_type_v<T>) {
      return ObjectUnsafe::ArcFromObjectPtr<X>(std::move(ptr));
    } else {
      return std::move(ptr);
    }
  }
  TVM_FFI_INLINE void Check() const {
    if (TVM_FFI_PREDICT_FALSE(!has_value())) ThrowEmptyOptional(kEmptyPtrOptionalMessage);
  }
};

}  // namespace detail

/*! \brief An optional pointer: a null pointer is empty. */
template <typename X>
class Optional<ObjectPtr<X>>
    : public detail::OptionalPtr<ObjectPtr<X>, X>,
      public detail::OptionalPtrComparison<Optional<ObjectPtr<X>>, ObjectPtr<X>, X> {
 public:
  using detail::OptionalPtr<ObjectPtr<X>, X>::OptionalPtr;
};

/*! \brief An optional Arc, which is just a pointer that may be null. */
template <typename X>
class Optional<Arc<X>> : public detail::OptionalPtr<Arc<X>, X>,
                         public detail::OptionalPtrComparison<Optional<Arc<X>>, Arc<X>, X> {
 public:
  using detail::OptionalPtr<Arc<X>, X>::OptionalPtr;
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OPTIONAL_POINTER_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/optional_forms.h
 * \brief The four storage forms of Optional; serves optional.h.
 *
 * The form is part of the layout of reflected fields:
 * - T cannot be stored in an Any: std::optional<T>;
 * - T can be stored: one Any, None is empty;
 * - T is a reference class: one nullable reference, null is empty;
 * - T is an ObjectPtr or Arc: one nullable pointer, null is empty.
 */
#ifndef TVM_FFI_DETAIL_OPTIONAL_FORMS_H_
#define TVM_FFI_DETAIL_OPTIONAL_FORMS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowEmptyOptional(
    const char* message) {
  TVM_FFI_THROW(RuntimeError) << message;
  TVM_FFI_UNREACHABLE();
}

// Published texts: the first spelling belongs to all forms but that of pointers.
inline constexpr const char* kEmptyOptionalMessage = "Back optional access";
inline constexpr const char* kEmptyPtrOptionalMessage = "Bad optional access";

/*! \brief Any type but these is a plain value to be put in an Optional<T>. */
template <typename U, typename T, typename V = std::decay_t<U>>
inline constexpr bool is_plain_optional_source_v =
    !std::is_same_v<V, std::nullopt_t> && !std::is_same_v<V, std::nullptr_t> &&
    !std::is_same_v<V, Optional<T>> && !std::is_same_v<V, std::optional<T>> &&
    std::is_convertible_v<U, T>;

template <typename U, typename T>
using EnableIfStdOptionalOf = std::enable_if_t<std::is_same_v<std::decay_t<U>, std::optional<T>>>;

/*!
 * \brief Comparison and value_or of the forms that keep one Any or one reference.
 *
 * Derived has has_value(), operator* and same_as(). Comparing elements gives what their own
 * operator gives, which need not be a bool.
 */
template <typename Derived, typename T>
class OptionalOperators {
 public:
  bool operator==(std::nullopt_t) const noexcept { return !self().has_value(); }
  bool operator!=(std::nullopt_t) const noexcept { return self().has_value(); }
  bool operator==(std::nullptr_t) const noexcept { return !self().has_value(); }
  bool operator!=(std::nullptr_t) const noexcept { return self().has_value(); }

  auto operator==(const Derived& other) const {
    using Result = decltype(*self() == *other);
    if (self().same_as(other)) return Result(true);
    if (self().has_value() && other.has_value()) return *self() == *other;
    return Result(false);
  }
  auto operator!=(const Derived& other) const {
    using Result = decltype(*self() != *other);
    if (self().same_as(other)) return Result(false);
    if (self().has_value() && other.has_value()) return *self() != *other;
    return Result(true);
  }
  auto operator==(const std::optional<T>& other) const {
    using Result = decltype(*self() == *other);
    if (self().has_value() && other.has_value()) return *self() == *other;
    return Result(self().has_value() == other.has_value());
  }
  auto operator!=(const std::optional<T>& other) const {
    using Result = decltype(*self() != *other);
    if (self().has_value() && other.has_value()) return *self() != *other;
    return Result(self().has_value() != other.has_value());
  }
  template <typename U>
  auto operator==(const U& other) const {
    using Result = decltype(*self() == other);
    return self().has_value() ? Result(*self() == other) : Result(false);
  }
  template <typename U>
  auto operator!=(const U& other) const {
    using Result = decltype(*self() != other);
    return self().has_value() ? Result(*self() != other) : Result(true);
  }

  /*! \brief The value, or `default_value` converted to T. */
  template <typename U>
  T value_or(U&& default_value) const {
    return self().has_value() ? *self() : T(std::forward<U>(default_value));
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace detail

/*! \brief An optional value of a type that cannot be stored in an Any. */
template <typename T, typename>
class Optional {
 public:
  Optional() = default;
  Optional(std::nullopt_t) {}                                      // NOLINT(*)
  Optional(T value) : data_(std::move(value)) {}                   // NOLINT(*)
  template <typename U, typename = detail::EnableIfStdOptionalOf<U, T>>
  Optional(U&& other) : data_(std::forward<U>(other)) {}           // NOLINT(*)

  Optional& operator=(std::nullopt_t) {
    data_.reset();
    return *this;
  }
  template <typename U, typename = std::enable_if_t<detail::is_plain_optional_source_v<U, T>>>
  Optional& operator=(U&& value) {
    data_ = T(std::forward<U>(value));
    return *this;
  }

  /*! \brief The value; throws RuntimeError when there is none. */
  const T& value() const& {
    if (!data_.has_value()) detail::ThrowEmptyOptional(detail::kEmptyOptionalMessage);
    return *data_;
  }
  T&& value() && {
    if (!data_.has_value()) detail::ThrowEmptyOptional(detail::kEmptyOptionalMessage);
    return *std::move(data_);
  }
  template <typename U>
  T value_or(U&& default_value) const {
    return data_.value_or(std::forward<U>(default_value));
  }
  bool has_value() const noexcept { return data_.has_value(); }
  explicit operator bool() const noexcept { return data_.has_value(); }
  /*! \brief The value; there must be one. */
  const T& operator*() const& noexcept { return *data_; }
  T&& operator*() && noexcept { return *std::move(data_); }

  bool operator==(const Optional& other) const { return data_ == other.data_; }
  bool operator!=(const Optional& other) const { return data_ != other.data_; }
  bool operator==(std::nullopt_t) const noexcept { return !data_.has_value(); }
  bool operator!=(std::nullopt_t) const noexcept { return data_.has_value(); }
  template <typename U>
  bool operator==(const U& other) const {
    return data_ == other;
  }
  template <typename U>
  bool operator!=(const U& other) const {
    return data_ != other;
  }

 private:
  std::optional<T> data_;
};

/*! \brief An optional value of a type that can be stored: None is empty. */
template <typename T>
class Optional<T, std::enable_if_t<!use_object_ptr_optional_v<T> && TypeTraits<T>::storage_enabled>>
    : public detail::OptionalOperators<Optional<T>, T> {
 public:
  Optional() = default;
  Optional(std::nullopt_t) {}                            // NOLINT(*)
  Optional(T value) : data_(std::move(value)) {}         // NOLINT(*)
  template <typename U, typename = detail::EnableIfStdOptionalOf<U, T>>
  Optional(U&& other) {                                  // NOLINT(*)
    if (other.has_value()) data_ = *std::forward<U>(other);
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
    data_ = Any(T(std::forward<U>(value)));
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
  bool has_value() const noexcept { return data_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  /*! \brief The value; there must be one. */
  TVM_FFI_INLINE T operator*() const& {
    return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<T>(data_);
  }
  /*! \brief The value moved out; this is empty afterwards, unless T only borrows. */
  TVM_FFI_INLINE T operator*() && {
    T result = detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(data_));
    if (data_.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) data_.reset();
    return result;
  }

  /*! \brief Same 16 bytes: equal plain values, the same object, or both empty. */
  bool same_as(const Optional& other) const { return data_.same_as(other.data_); }

  /*! \brief Any::as of the value, of None when there is none. */
  template <typename U>
  TVM_FFI_INLINE auto as() const& {
    return data_.template as<U>();
  }
  template <typename U>
  TVM_FFI_INLINE auto as() && {
    return std::move(data_).template as<U>();
  }
  /*! \brief as<U>() that throws TypeError. */
  template <typename U>
  TVM_FFI_INLINE auto as_or_throw() const& {
    return data_.template as_or_throw<U>();
  }
  template <typename U>
  TVM_FFI_INLINE auto as_or_throw() && {
    return std::move(data_).template as_or_throw<U>();
  }

 private:
  TVM_FFI_INLINE void Check() const {
    if (TVM_FFI_PREDICT_FALSE(!has_value())) {
      detail::ThrowEmptyOptional(detail::kEmptyOptionalMessage);
    }
  }

  Any data_;

  friend struct TypeTraits<Optional<T>>;
};

/*! \brief An optional reference: a null reference is empty. */
template <typename T>
class Optional<T, std::enable_if_t<use_object_ref_optional_v<T>>>
    : public detail::OptionalOperators<Optional<T>, T> {
 public:
  using value_type = T;
  using ContainerType = typename T::ContainerType;

  Optional() = default;
  Optional(std::nullopt_t) {}                                          // NOLINT(*)
  Optional(std::nullptr_t) {}                                          // NOLINT(*)
  explicit Optional(UnsafeInit) {}
  Optional(T value)                                                    // NOLINT(*)
      : data_(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(value))) {}
  template <typename U, typename = detail::EnableIfStdOptionalOf<U, T>>
  Optional(U&& other) {                                                // NOLINT(*)
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

/*! \brief What Optional<ObjectPtr<X>> and Optional<Arc<X>> have in common; T is that pointer. */
template <typename T, typename X>
class OptionalPtr : public ObjectPtr<X> {
 public:
  using ContainerType = X;

  OptionalPtr() = default;
  OptionalPtr(std::nullopt_t) {}                                          // NOLINT(*)
  OptionalPtr(std::nullptr_t) {}                                          // NOLINT(*)
  OptionalPtr(T value)                                                    // NOLINT(*)
      : ObjectPtr<X>(static_cast<ObjectPtr<X>&&>(value)) {}
  template <typename U, typename = EnableIfStdOptionalOf<U, T>>
  OptionalPtr(U&& other) {                                                // NOLINT(*)
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
  template <typename U>
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
  bool operator==(const OptionalPtr& other) const noexcept { return Base() == other.Base(); }
  bool operator!=(const OptionalPtr& other) const noexcept { return Base() != other.Base(); }
  bool operator==(const ObjectPtr<X>& other) const noexcept { return Base() == other; }
  bool operator!=(const ObjectPtr<X>& other) const noexcept { return Base() != other; }
  bool operator==(const std::optional<T>& other) const noexcept {
    return other.has_value() ? Base() == *other : !has_value();
  }
  bool operator!=(const std::optional<T>& other) const noexcept { return !(*this == other); }
  bool operator==(std::nullopt_t) const noexcept { return !has_value(); }
  bool operator!=(std::nullopt_t) const noexcept { return has_value(); }
  bool operator==(std::nullptr_t) const noexcept { return !has_value(); }
  bool operator!=(std::nullptr_t) const noexcept { return has_value(); }

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
class Optional<ObjectPtr<X>> : public detail::OptionalPtr<ObjectPtr<X>, X> {
 public:
  using detail::OptionalPtr<ObjectPtr<X>, X>::OptionalPtr;
};

/*! \brief An optional Arc, which is just a pointer that may be null. */
template <typename X>
class Optional<Arc<X>> : public detail::OptionalPtr<Arc<X>, X> {
 public:
  using detail::OptionalPtr<Arc<X>, X>::OptionalPtr;
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OPTIONAL_FORMS_H_

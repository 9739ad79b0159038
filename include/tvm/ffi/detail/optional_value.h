// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/optional_value.h
 * \brief The four storage forms of Optional, and the two that hold a value; serves optional.h.
 *
 * The form is part of the layout of reflected fields:
 * - T cannot be stored in an Any: std::optional<T>;
 * - T can be stored: one Any, None is empty;
 * - T is a reference class: one nullable reference, null is empty;
 * - T is an ObjectPtr or Arc: one nullable pointer, null is empty.
 */
#ifndef TVM_FFI_DETAIL_OPTIONAL_VALUE_H_
#define TVM_FFI_DETAIL_OPTIONAL_VALUE_H_

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
 * \brief Comparison of the forms that keep one Any or one reference.
 *
 * Derived has has_value(), operator* and same_as(). Comparing elements gives what their own
 * operator gives, which need not be a bool. These are friends because std::optional compares with
 * anything: an inherited member would lose against its operators.
 */
template <typename Derived, typename T>
class OptionalComparison {
 public:
  friend bool operator==(const Derived& lhs, std::nullopt_t) noexcept { return !lhs.has_value(); }
  friend bool operator!=(const Derived& lhs, std::nullopt_t) noexcept { return lhs.has_value(); }
  friend bool operator==(const Derived& lhs, std::nullptr_t) noexcept { return !lhs.has_value(); }
  friend bool operator!=(const Derived& lhs, std::nullptr_t) noexcept { return lhs.has_value(); }

  friend auto operator==(const Derived& lhs, const Derived& rhs) {
    using Result = decltype(*lhs == *rhs);
    if (lhs.same_as(rhs)) return Result(true);
    if (lhs.has_value() && rhs.has_value()) return *lhs == *rhs;
    return Result(false);
  }
  friend auto operator!=(const Derived& lhs, const Derived& rhs) {
    using Result = decltype(*lhs != *rhs);
    if (lhs.same_as(rhs)) return Result(false);
    if (lhs.has_value() && rhs.has_value()) return *lhs != *rhs;
    return Result(true);
  }
  friend auto operator==(const Derived& lhs, const std::optional<T>& rhs) {
    using Result = decltype(*lhs == *rhs);
    if (lhs.has_value() && rhs.has_value()) return *lhs == *rhs;
    return Result(lhs.has_value() == rhs.has_value());
  }
  friend auto operator!=(const Derived& lhs, const std::optional<T>& rhs) {
    using Result = decltype(*lhs != *rhs);
    if (lhs.has_value() && rhs.has_value()) return *lhs != *rhs;
    return Result(lhs.has_value() != rhs.has_value());
  }
  friend auto operator==(const std::optional<T>& lhs, const Derived& rhs) { return rhs == lhs; }
  friend auto operator!=(const std::optional<T>& lhs, const Derived& rhs) { return rhs != lhs; }
  template <typename U>
  friend auto operator==(const Derived& lhs, const U& rhs) {
    using Result = decltype(*lhs == rhs);
    return lhs.has_value() ? Result(*lhs == rhs) : Result(false);
  }
  template <typename U>
  friend auto operator!=(const Derived& lhs, const U& rhs) {
    using Result = decltype(*lhs != rhs);
    return lhs.has_value() ? Result(*lhs != rhs) : Result(true);
  }
};

}  // namespace detail

/*! \brief An optional value of a type that cannot be stored in an Any. */
template <typename T, typename>
class Optional {
 public:
  Optional() = default;
  Optional(std::nullopt_t) {}                     // NOLINT(*)
  Optional(T value) : data_(std::move(value)) {}  // NOLINT(*)
  template <typename U, typename = detail::EnableIfStdOptionalOf<U, T>>
  Optional(U&& other) : data_(std::forward<U>(other)) {}  // NOLINT(*)

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
  template <typename U = std::remove_cv_t<T>>
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
  bool operator==(const std::optional<T>& other) const { return data_ == other; }
  bool operator!=(const std::optional<T>& other) const { return data_ != other; }
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
    : public detail::OptionalComparison<Optional<T>, T> {
 public:
  Optional() = default;
  Optional(std::nullopt_t) {}                     // NOLINT(*)
  Optional(T value) : data_(std::move(value)) {}  // NOLINT(*)
  template <typename U, typename = detail::EnableIfStdOptionalOf<U, T>>
  Optional(U&& other) {  // NOLINT(*)
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
  /*! \brief The value, or `default_value` converted to T. */
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& default_value) const {
    return has_value() ? **this : T(std::forward<U>(default_value));
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

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OPTIONAL_VALUE_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/optional.h
 * \brief Optional<T>: a value that may be absent; in the ABI it is None or a T.
 *
 * An empty optional and an optional that holds null (a null reference, an empty inner optional) are
 * the same, except where T cannot be stored in an Any.
 */
#ifndef TVM_FFI_OPTIONAL_H_
#define TVM_FFI_OPTIONAL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

namespace detail {

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowEmptyOptional(
    const char* message) {
  TVM_FFI_THROW(RuntimeError) << message;
  TVM_FFI_UNREACHABLE();
}

// Programs may rely on these two texts, so their spelling ("Back") must not change. Optionals of
// pointers (ObjectPtr, Arc) use kEmptyPtrOptionalMessage, all other optionals the other text.
inline constexpr const char* kEmptyOptionalMessage =
    "Back optional access: this Optional has no value; test has_value() first, or use value_or()";
inline constexpr const char* kEmptyPtrOptionalMessage =
    "Bad optional access: this Optional has no value; test has_value() first, or use value_or()";

/*! \brief Whether an Optional<T> is made from a U by a conversion to T: U converts to T, and is not
 * nullopt, nullptr or an optional of T. */
template <typename U, typename T, typename V = std::decay_t<U>>
inline constexpr bool is_plain_optional_source_v =
    !std::is_same_v<V, std::nullopt_t> && !std::is_same_v<V, std::nullptr_t> &&
    !std::is_same_v<V, Optional<T>> && !std::is_same_v<V, std::optional<T>> &&
    std::is_convertible_v<U, T>;

template <typename U, typename T>
using EnableIfStdOptionalOf = std::enable_if_t<std::is_same_v<std::decay_t<U>, std::optional<T>>>;

/*!
 * \brief Access to the value of an Optional that stores one Any or one pointer.
 *
 * Derived has has_value(), operator*, kEmptyMessage and, unless it has as() of its own, Ptr(): the
 * ObjectPtr<X> that it stores.
 */
template <typename Derived, typename T>
class OptionalAccess {
 public:
  /*! \brief Return the value; throw RuntimeError when there is none. */
  TVM_FFI_INLINE T value() const& { return *Checked(); }
  TVM_FFI_INLINE T value() && { return *std::move(const_cast<Derived&>(Checked())); }
  /*! \brief Return the value, or `default_value` converted to T. */
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& default_value) const {
    return Self().has_value() ? *Self() : T(std::forward<U>(default_value));
  }

  /*! \brief Return `Any::as<U>()` of the pointer, or of None when the optional is empty. */
  template <typename U>
  TVM_FFI_INLINE auto as() const& {
    return AnyView(Self().Ptr()).template as<U>();
  }
  template <typename U, typename = std::enable_if_t<!std::is_base_of_v<Object, U>>>
  TVM_FFI_INLINE std::optional<U> as() && {
    auto& ptr = static_cast<Derived&>(*this).Ptr();
    Any moved(std::move(ptr));
    std::optional<U> result = std::move(moved).template as<U>();
    if (!result.has_value()) {
      ptr = AnyUnsafe::MoveFromAnyAfterCheck<std::decay_t<decltype(ptr)>>(std::move(moved));
    }
    return result;
  }
  /*! \brief Return as<U>(), or throw TypeError. */
  template <typename U>
  TVM_FFI_INLINE U as_or_throw() const& {
    return AnyView(Self().Ptr()).template as_or_throw<U>();
  }
  template <typename U>
  TVM_FFI_INLINE U as_or_throw() && {
    std::optional<U> result = std::move(*this).template as<U>();
    if (TVM_FFI_PREDICT_TRUE(result.has_value())) return *std::move(result);
    return AnyView(Self().Ptr()).template as_or_throw<U>();
  }

 private:
  const Derived& Self() const { return static_cast<const Derived&>(*this); }
  TVM_FFI_INLINE const Derived& Checked() const {
    if (TVM_FFI_PREDICT_FALSE(!Self().has_value())) ThrowEmptyOptional(Derived::kEmptyMessage);
    return Self();
  }
};

/*!
 * \brief Comparison operators of the Optionals that store one Any or one reference.
 *
 * Derived has has_value(), operator* and same_as(). A comparison of two values returns the result
 * of the operator of T, which need not be a bool. The operators are friends: the operators of
 * std::optional accept any type, and the compiler would prefer them to inherited members.
 */
template <typename Derived, typename T>
class OptionalComparison : public OptionalAccess<Derived, T> {
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

  /*! \brief Replace the value, or remove it. */
  Optional& operator=(std::nullopt_t) {
    data_.reset();
    return *this;
  }
  template <typename U, typename = std::enable_if_t<detail::is_plain_optional_source_v<U, T>>>
  Optional& operator=(U&& value) {
    data_ = T(std::forward<U>(value));
    return *this;
  }

  /*! \brief Return the value; throw RuntimeError when there is none. */
  const T& value() const& {
    if (!data_.has_value()) detail::ThrowEmptyOptional(detail::kEmptyOptionalMessage);
    return *data_;
  }
  T&& value() && {
    if (!data_.has_value()) detail::ThrowEmptyOptional(detail::kEmptyOptionalMessage);
    return *std::move(data_);
  }
  /*! \brief Return the value, or `default_value` if there is none. */
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& default_value) const {
    return data_.value_or(std::forward<U>(default_value));
  }
  /*! \brief Return whether there is a value. */
  bool has_value() const noexcept { return data_.has_value(); }
  explicit operator bool() const noexcept { return data_.has_value(); }
  /*! \brief Return the value; there must be one. */
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

/*! \brief An optional value of a type that Any can store; an empty one is stored as None. */
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

  bool has_value() const noexcept { return data_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  /*! \brief Return the value; there must be one. */
  TVM_FFI_INLINE T operator*() const& {
    return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<T>(data_);
  }
  /*! \brief Move the value out. The optional is then empty, unless T is a pointer that borrows its
   * object. */
  TVM_FFI_INLINE T operator*() && {
    T result = detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(data_));
    if (data_.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) data_.reset();
    return result;
  }

  /*! \brief Return whether both have the same 16 bytes: equal values that are not objects, the same
   * object, or both empty. */
  bool same_as(const Optional& other) const { return data_.same_as(other.data_); }

  /*! \brief Return `Any::as<U>()` of the value, or of None when the optional is empty. */
  template <typename U>
  TVM_FFI_INLINE auto as() const& {
    return data_.template as<U>();
  }
  template <typename U>
  TVM_FFI_INLINE auto as() && {
    return std::move(data_).template as<U>();
  }
  /*! \brief Return as<U>(), or throw TypeError. */
  template <typename U>
  TVM_FFI_INLINE auto as_or_throw() const& {
    return data_.template as_or_throw<U>();
  }
  template <typename U>
  TVM_FFI_INLINE auto as_or_throw() && {
    return std::move(data_).template as_or_throw<U>();
  }

 private:
  static constexpr const char* kEmptyMessage = detail::kEmptyOptionalMessage;

  Any data_;

  friend class detail::OptionalAccess<Optional<T>, T>;
  friend struct TypeTraits<Optional<T>>;
};

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

  bool has_value() const noexcept { return data_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  /*! \brief Return the value; there must be one. */
  TVM_FFI_INLINE T operator*() const& {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<T>(data_);
  }
  /*! \brief Move the value out; this is empty afterwards. */
  TVM_FFI_INLINE T operator*() && {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<T>(std::move(data_));
  }

  /*! \brief Return the object, borrowed; nullptr when empty. */
  const ContainerType* get() const { return static_cast<const ContainerType*>(data_.get()); }
  const ContainerType* operator->() const { return get(); }
  bool unique() const { return data_.unique(); }
  int use_count() const { return data_.use_count(); }

  /*! \brief Return whether both refer to the same object, or both are empty. */
  bool same_as(const Optional& other) const { return data_ == other.data_; }
  bool same_as(const ObjectRef& other) const {
    return data_.get() == detail::ObjectUnsafe::RawObjectPtrFromObjectRef(other);
  }

 private:
  static constexpr const char* kEmptyMessage = detail::kEmptyOptionalMessage;
  ObjectPtr<Object>& Ptr() { return data_; }
  const ObjectPtr<Object>& Ptr() const { return data_; }

  ObjectPtr<Object> data_;

  friend class detail::OptionalAccess<Optional<T>, T>;
  friend struct TypeTraits<Optional<T>>;
};

namespace detail {

/*! \brief Comparison operators of the Optionals that store an ObjectPtr or Arc. Two pointers are
 * equal if they refer to the same object. */
template <typename Derived, typename T, typename X>
class OptionalPtrComparison : public OptionalAccess<Derived, T> {
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

/*! \brief Common base of Optional<ObjectPtr<X>> and Optional<Arc<X>>; T is the ObjectPtr or the
 * Arc. */
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
    if (other.has_value()) Ptr() = *std::forward<U>(other);
  }

  bool has_value() const noexcept { return Ptr() != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  /*! \brief Return the value; there must be one. */
  TVM_FFI_INLINE T operator*() const& { return ToValue(ObjectPtr<X>(Ptr())); }
  /*! \brief Move the value out; this is empty afterwards. */
  TVM_FFI_INLINE T operator*() && { return ToValue(std::move(Ptr())); }

  /*! \brief Return whether both refer to the same object, or both are empty. */
  bool same_as(const OptionalPtr& other) const { return Ptr() == other.Ptr(); }
  bool same_as(const ObjectRef& other) const {
    return ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr(Ptr()) ==
           ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(other);
  }

 private:
  template <typename, typename>
  friend class OptionalAccess;
  static constexpr const char* kEmptyMessage = kEmptyPtrOptionalMessage;

  ObjectPtr<X>& Ptr() { return *this; }
  const ObjectPtr<X>& Ptr() const { return *this; }
  static T ToValue(ObjectPtr<X>&& ptr) {
    if constexpr (is_arc_type_v<T>) {
      return ObjectUnsafe::ArcFromObjectPtr<X>(std::move(ptr));
    } else {
      return std::move(ptr);
    }
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

/*! \brief An optional Arc: a pointer that may be null. */
template <typename X>
class Optional<Arc<X>> : public detail::OptionalPtr<Arc<X>, X>,
                         public detail::OptionalPtrComparison<Optional<Arc<X>>, Arc<X>, X> {
 public:
  using detail::OptionalPtr<Arc<X>, X>::OptionalPtr;
};

/*! \brief Accepts None, or a value that T accepts. */
template <typename T>
struct TypeTraits<Optional<T>, std::enable_if_t<TypeTraits<T>::convert_enabled>>
    : public TypeTraitsBase {
  static constexpr bool storage_enabled = TypeTraits<T>::storage_enabled;

  TVM_FFI_INLINE static void CopyToAnyView(const Optional<T>& source, TVMFFIAny* result) {
    if constexpr (use_object_ref_optional_v<T>) {
      TypeTraits<ObjectPtr<Object>>::CopyToAnyView(source.data_, result);
    } else if constexpr (use_object_ptr_optional_v<T>) {
      using Ptr = ObjectPtr<typename Optional<T>::ContainerType>;
      TypeTraits<Ptr>::CopyToAnyView(source, result);
    } else if constexpr (storage_enabled) {
      *result = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(source.data_);
    } else if (source.has_value()) {
      TypeTraits<T>::CopyToAnyView(*source, result);
    } else {
      detail::SetAnyNone(result);
    }
  }
  TVM_FFI_INLINE static void MoveToAny(Optional<T> source, TVMFFIAny* result) {
    if constexpr (use_object_ref_optional_v<T>) {
      TypeTraits<ObjectPtr<Object>>::MoveToAny(std::move(source.data_), result);
    } else if constexpr (use_object_ptr_optional_v<T>) {
      using Ptr = ObjectPtr<typename Optional<T>::ContainerType>;
      TypeTraits<Ptr>::MoveToAny(static_cast<Ptr&&>(source), result);
    } else if constexpr (storage_enabled) {
      *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(source.data_));
    } else if (source.has_value()) {
      TypeTraits<T>::MoveToAny(*std::move(source), result);
    } else {
      detail::SetAnyNone(result);
    }
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone || TypeTraits<T>::CheckAnyStrict(source);
  }
  TVM_FFI_INLINE static Optional<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return Optional<T>();
    return Optional<T>(TypeTraits<T>::CopyFromAnyViewAfterCheck(source));
  }
  TVM_FFI_INLINE static Optional<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return Optional<T>();
    return Optional<T>(TypeTraits<T>::MoveFromAnyAfterCheck(source));
  }
  TVM_FFI_INLINE static std::optional<Optional<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<Optional<T>> result;
    if (source->type_index == TypeIndex::kTVMFFINone) {
      result.emplace();
    } else if (std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(source)) {
      result.emplace(*std::move(value));
    }
    return result;
  }
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    return TypeTraits<T>::GetMismatchTypeInfo(source);
  }
  static Refusal GetRefusal(const TVMFFIAny* source) { return detail::RefusalOf<T>(source); }
  static std::string TypeStr() { return "Optional<" + detail::Type2Str<T>::v() + ">"; }
  static std::string TypeSchema() {
    return R"({"type":"Optional","args":[)" + detail::TypeSchema<T>::v() + "]}";
  }
};

}  // namespace tvm::ffi
#endif  // TVM_FFI_OPTIONAL_H_

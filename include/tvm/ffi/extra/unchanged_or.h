// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/unchanged_or.h
 * \brief UnchangedOr<T>: a new value, or a marker which means that the old value does not change.
 */
#ifndef TVM_FFI_EXTRA_UNCHANGED_OR_H_
#define TVM_FFI_EXTRA_UNCHANGED_OR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*! \brief The marker "no new value"; in an Any it has type index kTVMFFIUnchanged. */
struct Unchanged {
  /*! \brief Return the marker as a raw value. */
  TVMFFIAny CopyToTVMFFIAny() const noexcept {
    TVMFFIAny result{};
    result.type_index = TypeIndex::kTVMFFIUnchanged;
    return result;
  }
  /*! \brief Convert the marker to an Any. */
  operator Any() const noexcept {  // NOLINT(google-explicit-constructor)
    return detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(CopyToTVMFFIAny());
  }
};

template <typename T>
class UnchangedOr;

namespace detail {

template <typename T>
inline constexpr bool is_unchanged_or_v = false;
template <typename T>
inline constexpr bool is_unchanged_or_v<UnchangedOr<T>> = true;

/*! \brief Whether an UnchangedOr<T> can be made from a `U` by a conversion to T. */
template <typename T, typename U, typename V = std::decay_t<U>>
inline constexpr bool is_unchanged_or_value_v =
    !is_unchanged_or_v<V> && !is_expected_v<V> && !is_unexpected_v<V> &&
    !std::is_same_v<V, Unchanged> && !std::is_same_v<V, T> && !std::is_base_of_v<Error, V> &&
    std::is_convertible_v<U, T>;

/*! \brief Access to the storage of an UnchangedOr, for the code that mutates values. */
struct UnchangedOrUnsafe {
  /*! \brief Adopt an owned value that is a T or the marker. */
  template <typename T>
  static UnchangedOr<T> MoveFromTVMFFIAny(TVMFFIAny owned) {
    return UnchangedOr<T>(FromStorage(), AnyUnsafe::MoveTVMFFIAnyRawToAny(owned));
  }
  /*! \brief Move the stored value or marker to the caller, who then owns it. */
  template <typename T>
  static TVMFFIAny MoveToTVMFFIAny(UnchangedOr<T>&& value) {
    return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value.data_));
  }
  template <typename T>
  static Any&& GetData(UnchangedOr<T>& value) {
    return std::move(value.data_);
  }
  template <typename T>
  static const Any& GetData(const UnchangedOr<T>& value) {
    return value.data_;
  }

  /*! \brief Tag of the constructor that takes over the storage unchanged. */
  struct FromStorage {};
};

}  // namespace detail

/*!
 * \brief The result of a mutation: a new T, or a marker which means that the original value does
 * not change.
 *
 * The class holds one Any (16 bytes). A moved-from object may only be destroyed or assigned. An
 * UnchangedOr is as thread-safe as its T.
 */
template <typename T>
class UnchangedOr {
  static_assert(!std::is_base_of_v<Error, std::remove_cv_t<T>>,
                "UnchangedOr<Error> could not be told from a failed mutation");
  static_assert(detail::storage_enabled_v<T>, "the T of UnchangedOr<T> must fit in an Any");

 public:
  /*! \brief Make an UnchangedOr that holds the marker. */
  UnchangedOr(Unchanged marker) : data_(marker) {}  // NOLINT(*)
  /*! \brief Make an UnchangedOr with a new value. */
  UnchangedOr(T value) : data_(std::move(value)) {}  // NOLINT(*)
  /*! \brief Make an UnchangedOr with a new value that is converted to T. */
  template <typename U, typename = std::enable_if_t<detail::is_unchanged_or_value_v<T, U>>>
  UnchangedOr(U&& value) : UnchangedOr(T(std::forward<U>(value))) {}  // NOLINT(*)
  /*! \brief Make an UnchangedOr from another UnchangedOr whose value is a T or converts to T. */
  template <typename U,
            typename = std::enable_if_t<!std::is_same_v<T, U> &&
                                        (type_subsumes_v<T, U> || std::is_convertible_v<U, T>)>>
  UnchangedOr(UnchangedOr<U> other)  // NOLINT(*)
      : data_(ConvertStorage(std::move(other))) {}

  /*! \brief Return whether there is no new value. */
  bool IsUnchanged() const noexcept { return data_.type_index() == TypeIndex::kTVMFFIUnchanged; }
  /*! \brief Return whether this holds the marker, or the same value as `original`: the same object,
   * or equal 16 bytes if the value is not an object. */
  bool UnchangedOrSameAs(const T& original) const {
    if (IsUnchanged()) return true;
    if constexpr (std::is_same_v<T, Any>) {
      return data_.same_as(original);
    } else {
      return AnyView(data_).same_as(AnyView(original));
    }
  }

  /*! \brief Move the new value out, or return a copy of the original. */
  T ValueOrUnchanged(const T& original) && {
    return IsUnchanged() ? original : std::move(*this).ValueUnchecked();
  }
  /*! \brief Move the new value out; without a new value, move the original out. */
  T ValueOrUnchanged(T&& original) && {
    return IsUnchanged() ? std::move(original) : std::move(*this).ValueUnchecked();
  }
  /*! \brief Move the new value out; without a new value, return an owned copy of `original`. */
  template <typename U, typename = std::enable_if_t<std::is_same_v<T, Any> &&
                                                    std::is_same_v<std::decay_t<U>, AnyView>>>
  Any ValueOrUnchanged(const U& original) && {
    return IsUnchanged() ? Any(original) : std::move(data_);
  }

  /*! \brief Move the new value out; there must be one. */
  T ValueUnchecked() && {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(data_);
    } else {
      return detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(data_));
    }
  }
  /*! \brief Return `Any::as<U>()` of the new value. Without a new value, return the marker if U is
   * Any, otherwise nullopt. */
  template <typename U, typename = std::enable_if_t<detail::storage_enabled_v<U>>>
  std::optional<U> as() && {
    return std::move(data_).template as<U>();
  }
  /*! \brief Return as<U>(), or throw TypeError. */
  template <typename U, typename = std::enable_if_t<detail::storage_enabled_v<U>>>
  U as_or_throw() && {
    return std::move(data_).template as_or_throw<U>();
  }

 private:
  friend struct detail::UnchangedOrUnsafe;

  UnchangedOr(detail::UnchangedOrUnsafe::FromStorage, Any data) : data_(std::move(data)) {}

  template <typename U>
  static Any ConvertStorage(UnchangedOr<U> other) {
    if constexpr (type_subsumes_v<T, U>) {
      return detail::UnchangedOrUnsafe::GetData(other);
    } else {
      if (other.IsUnchanged()) return Unchanged();
      return Any(static_cast<T>(std::move(other).ValueUnchecked()));
    }
  }

  Any data_;
};

template <typename T, typename U>
inline constexpr bool type_subsumes_v<UnchangedOr<T>, UnchangedOr<U>> = type_subsumes_v<T, U>;

/*! \brief Accepts the marker, or a value that is a T (converted if necessary). */
template <typename T>
struct TypeTraits<UnchangedOr<T>> : public TypeTraitsBase {
  TVM_FFI_INLINE static void CopyToAnyView(const UnchangedOr<T>& source, TVMFFIAny* result) {
    *result = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(detail::UnchangedOrUnsafe::GetData(source));
  }
  TVM_FFI_INLINE static void MoveToAny(UnchangedOr<T> source, TVMFFIAny* result) {
    *result = detail::UnchangedOrUnsafe::MoveToTVMFFIAny(std::move(source));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    if constexpr (std::is_same_v<T, Any>) {
      return true;
    } else {
      return source->type_index == TypeIndex::kTVMFFIUnchanged ||
             TypeTraits<T>::CheckAnyStrict(source);
    }
  }
  TVM_FFI_INLINE static UnchangedOr<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return Adopt(Any(AnyView::CopyFromTVMFFIAny(*source)));
  }
  TVM_FFI_INLINE static UnchangedOr<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return Adopt(detail::AnyUnsafe::MoveTVMFFIAnyToAny(source));
  }
  static std::optional<UnchangedOr<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if constexpr (std::is_same_v<T, Any>) {
      return CopyFromAnyViewAfterCheck(source);
    } else {
      if (source->type_index == TypeIndex::kTVMFFIUnchanged) return UnchangedOr<T>(Unchanged());
      std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(source);
      if (!value.has_value()) return std::nullopt;
      return UnchangedOr<T>(*std::move(value));
    }
  }
  static Refusal GetRefusal(const TVMFFIAny* source) { return detail::RefusalOf<T>(source); }
  static std::string TypeStr() { return "UnchangedOr<" + detail::Type2Str<T>::v() + ">"; }
  static std::string TypeSchema() {
    return R"({"type":"UnchangedOr","args":[)" + detail::TypeSchema<T>::v() + "]}";
  }

 private:
  TVM_FFI_INLINE static UnchangedOr<T> Adopt(Any data) {
    return detail::UnchangedOrUnsafe::MoveFromTVMFFIAny<T>(
        detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(data)));
  }
};

}  // namespace tvm::ffi
#endif  // TVM_FFI_EXTRA_UNCHANGED_OR_H_

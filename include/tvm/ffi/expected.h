// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/expected.h
 * \brief Expected<T>: a value, or an error in place of the value, for code that does not throw.
 */
#ifndef TVM_FFI_EXPECTED_H_
#define TVM_FFI_EXPECTED_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*! \brief An error from which an Expected in the error state can be constructed. */
template <typename E = Error>
class Unexpected {
  static_assert(std::is_base_of_v<Error, std::remove_cv_t<E>>,
                "Unexpected<E> needs E to be Error or a class derived from it");

 public:
  explicit Unexpected(E error) : error_(std::move(error)) {}

  /*! \brief Return the error. */
  const E& error() const& noexcept { return error_; }
  E& error() & noexcept { return error_; }
  const E&& error() const&& noexcept { return std::move(error_); }
  E&& error() && noexcept { return std::move(error_); }

 private:
  E error_;
};

template <typename E>
Unexpected(E) -> Unexpected<E>;

template <typename T>
class Expected;

namespace detail {

template <typename T>
inline constexpr bool is_expected_v = false;
template <typename T>
inline constexpr bool is_expected_v<Expected<T>> = true;

template <typename T>
inline constexpr bool is_unexpected_v = false;
template <typename E>
inline constexpr bool is_unexpected_v<Unexpected<E>> = true;

/*! \brief Whether an Expected<T> can be made from a `U` by a conversion to T. */
template <typename T, typename U>
inline constexpr bool is_expected_value_v =
    !is_expected_v<std::decay_t<U>> && !is_unexpected_v<std::decay_t<U>> &&
    !std::is_base_of_v<Error, std::decay_t<U>> && std::is_convertible_v<U, T>;

/*! \brief Return whether `as_or_error<U>` accepts the type `U`. */
template <typename U>
constexpr bool IsExpectedTarget() {
  if constexpr (std::is_same_v<U, Any>) {
    return true;
  } else if constexpr (std::is_reference_v<U> || std::is_const_v<U> || std::is_volatile_v<U> ||
                       std::is_base_of_v<Error, U>) {
    return false;
  } else {
    return TypeTraits<U>::storage_enabled;
  }
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowExpectedHasNoError() {
  TVM_FFI_THROW(RuntimeError) << "Bad expected access: contains value, not error";
}

/*!
 * \brief Storage of every Expected: one Any, whose type index tells the state.
 *
 * A moved-from Expected holds None and may only be destroyed or assigned.
 */
class ExpectedBase {
 public:
  /*! \brief Return the type index of the stored value; kTVMFFIError in the error state. */
  int32_t type_index() const noexcept { return data_.type_index(); }
  /*! \brief Return whether it stores an error. */
  bool is_err() const noexcept { return type_index() == TypeIndex::kTVMFFIError; }
  /*! \brief Return whether it stores a value; has_value() is the same. */
  bool is_ok() const noexcept { return !is_err(); }
  /*! \brief Return whether it stores a value. */
  bool has_value() const noexcept { return !is_err(); }

  /*! \brief Return the error. \throws RuntimeError when there is a value. */
  Error error() const& {
    if (is_ok()) ThrowExpectedHasNoError();
    return AnyUnsafe::CopyFromAnyViewAfterCheck<Error>(data_);
  }
  /*! \brief Move the error out. \throws RuntimeError when there is a value. */
  Error error() && {
    if (is_ok()) ThrowExpectedHasNoError();
    return AnyUnsafe::MoveFromAnyAfterCheck<Error>(std::move(data_));
  }

 protected:
  friend struct ExpectedUnsafe;

  ExpectedBase() = default;
  explicit ExpectedBase(Any data) : data_(std::move(data)) {}

  [[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void ThrowStoredError() const {
    throw AnyUnsafe::CopyFromAnyViewAfterCheck<Error>(data_);
  }

  Any data_;
};

/*! \brief Access to the storage of an Expected, for the code that calls functions. */
struct ExpectedUnsafe {
  /*! \brief Adopt an owned value that is a T or an Error. */
  template <typename T>
  static Expected<T> MoveFromTVMFFIAny(TVMFFIAny owned) {
    return Expected<T>(FromStorage(), AnyUnsafe::MoveTVMFFIAnyRawToAny(owned));
  }
  /*! \brief Move the stored value to the caller, who then owns it. */
  template <typename T>
  static TVMFFIAny MoveToTVMFFIAny(Expected<T>&& expected) {
    return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(expected.data_));
  }
  template <typename T>
  static Any&& GetData(Expected<T>& expected) {
    return std::move(expected.data_);
  }
  template <typename T>
  static const Any& GetData(const Expected<T>& expected) {
    return expected.data_;
  }
  /*! \brief Return the value, which must be stored as a T; throw the stored error if there is no
   * value. */
  template <typename T, typename U>
  static T ValueAs(const Expected<U>& expected) {
    static_assert(!std::is_void_v<T> || std::is_void_v<U>,
                  "void can only be taken from Expected<void>");
    if (TVM_FFI_PREDICT_FALSE(expected.is_err())) expected.ThrowStoredError();
    if constexpr (std::is_same_v<T, Any>) {
      return expected.data_;
    } else if constexpr (!std::is_void_v<T>) {
      return AnyUnsafe::CopyFromAnyViewAfterCheck<T>(expected.data_);
    }
  }

  /*! \brief Tag of the constructor that takes over the storage unchanged. */
  struct FromStorage {};

  /*! \brief Return the TypeError or OverflowError for a value that is not a U. */
  template <typename U>
  TVM_FFI_COLD_CODE static Error MismatchError(const Any& value) {
    Refusal refusal = AnyUnsafe::RefusalOf<U>(value);
    if (!refusal.empty()) {
      return Error(refusal.kind,
                   "Cannot treat as type `" + TypeTraits<U>::TypeStr() + "`: " + refusal.text, "");
    }
    return Error("TypeError",
                 "Cannot treat type `" + TypeIndexToTypeKey(value.type_index()) + "` as type `" +
                     TypeTraits<U>::TypeStr() + "`",
                 "");
  }
};

}  // namespace detail

/*!
 * \brief A T, or an Error in place of the value.
 *
 * An Expected holds one Any (16 bytes). An Error object in the Any is the error state. So T must
 * not be Error, and a T such as Any cannot hold an Error as its value. An Expected is as
 * thread-safe as its T.
 */
template <typename T>
class Expected : public detail::ExpectedBase {
  static_assert(!std::is_same_v<std::remove_cv_t<T>, Error>,
                "Expected<Error> could not tell its states apart");
  static_assert(!std::is_void_v<T>, "of the void types only Expected<void> exists");

 public:
  /*! \brief Make a success. */
  Expected(T value) : ExpectedBase(Any(std::move(value))) {}  // NOLINT(*)
  /*! \brief Make a success from a value that is converted to T. */
  template <typename U, typename = std::enable_if_t<detail::is_expected_value_v<T, U>>>
  Expected(U&& value)  // NOLINT(*)
      : Expected(T(std::forward<U>(value))) {}
  /*! \brief Make an error state. */
  Expected(Error error) : ExpectedBase(Any(std::move(error))) {}  // NOLINT(*)
  /*! \brief Make an error state. */
  template <typename E>
  Expected(Unexpected<E> error)  // NOLINT(*)
      : ExpectedBase(Any(Error(std::move(error).error()))) {}
  /*! \brief Make an Expected from another Expected whose value is a T or converts to T. */
  template <typename U,
            typename = std::enable_if_t<!std::is_void_v<U> &&
                                        (type_subsumes_v<T, U> || std::is_convertible_v<U, T>)>>
  Expected(Expected<U> other)  // NOLINT(*)
      : ExpectedBase(ConvertStorage(std::move(other))) {}
  /*! \brief Deleted: an Expected<void> has no value from which to make a T. */
  template <typename U, typename = std::enable_if_t<std::is_void_v<U>>, typename = void>
  Expected(Expected<U> other) = delete;  // NOLINT(*)

  /*! \brief Return the value. \throws Error the stored error itself. */
  T value() const& {
    if (TVM_FFI_PREDICT_FALSE(is_err())) ThrowStoredError();
    return CopyValue();
  }
  /*! \brief Move the value out. \throws Error the stored error itself. */
  T value() && {
    if (TVM_FFI_PREDICT_FALSE(is_err())) ThrowStoredError();
    return MoveValue();
  }

  /*! \brief Return the value, or `dflt` in the error state. */
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& dflt) const& {
    if (is_err()) return static_cast<T>(std::forward<U>(dflt));
    return CopyValue();
  }
  template <typename U = std::remove_cv_t<T>>
  T value_or(U&& dflt) && {
    if (is_err()) return static_cast<T>(std::forward<U>(dflt));
    return MoveValue();
  }

  /*! \brief Return the value if it is stored as a U; no conversion is tried. Return a TypeError in
   * the error state if the value is not a U. Return an error state unchanged. */
  template <typename U>
  Expected<U> as_or_error() const& {
    return Expected<T>(*this).template TakeAs<U>();
  }
  /*! \brief Like as_or_error() above, but move the content out; if the value is not a U, the
   * content stays in this object. */
  template <typename U>
  Expected<U> as_or_error() && {
    return TakeAs<U>();
  }

 private:
  friend struct detail::ExpectedUnsafe;

  Expected(detail::ExpectedUnsafe::FromStorage, Any data) : ExpectedBase(std::move(data)) {}

  T CopyValue() const {
    if constexpr (std::is_same_v<T, Any>) {
      return data_;
    } else {
      return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<T>(data_);
    }
  }
  T MoveValue() {
    if constexpr (std::is_same_v<T, Any>) {
      return std::move(data_);
    } else {
      return detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(data_));
    }
  }

  template <typename U>
  static Any ConvertStorage(Expected<U> other) {
    if (type_subsumes_v<T, U> || other.is_err()) {
      return detail::ExpectedUnsafe::GetData(other);
    }
    if constexpr (std::is_convertible_v<U, T>) {
      return Any(static_cast<T>(std::move(other).value()));
    }
    TVM_FFI_UNREACHABLE();
  }

  template <typename U>
  Expected<U> TakeAs() {
    static_assert(detail::IsExpectedTarget<U>(),
                  "as_or_error<U> needs an unqualified U that can be stored and is not Error");
    if constexpr (!std::is_same_v<U, Any>) {
      if (is_ok() && !detail::AnyUnsafe::CheckAnyStrict<U>(data_)) {
        return detail::ExpectedUnsafe::MismatchError<U>(data_);
      }
    }
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<U>(
        detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(data_)));
  }
};

/*! \brief Success without a value, or an Error. */
template <>
class Expected<void> : public detail::ExpectedBase {
 public:
  /*! \brief Make a success. */
  Expected() = default;
  /*! \brief Make an error state. */
  Expected(Error error) : ExpectedBase(Any(std::move(error))) {}  // NOLINT(*)
  /*! \brief Make an error state. */
  template <typename E>
  Expected(Unexpected<E> error)  // NOLINT(*)
      : ExpectedBase(Any(Error(std::move(error).error()))) {}

  /*! \brief Check for success. \throws Error the stored error itself. */
  void value() const {
    if (TVM_FFI_PREDICT_FALSE(is_err())) ThrowStoredError();
  }

 private:
  friend struct detail::ExpectedUnsafe;

  Expected(detail::ExpectedUnsafe::FromStorage, Any data) : ExpectedBase(std::move(data)) {}
};

template <typename T, typename U>
inline constexpr bool type_subsumes_v<Expected<T>, Expected<U>> = type_subsumes_v<T, U>;

/*! \brief Accepts a value that is a T (converted if necessary) or an Error object. */
template <typename T>
struct TypeTraits<Expected<T>> : public TypeTraitsBase {
  TVM_FFI_INLINE static void CopyToAnyView(const Expected<T>& source, TVMFFIAny* result) {
    *result = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(detail::ExpectedUnsafe::GetData(source));
  }
  TVM_FFI_INLINE static void MoveToAny(Expected<T> source, TVMFFIAny* result) {
    *result = detail::ExpectedUnsafe::MoveToTVMFFIAny(std::move(source));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIError) return true;
    if constexpr (std::is_same_v<T, Any>) {
      return true;
    } else {
      return TypeTraits<Stored>::CheckAnyStrict(source);
    }
  }
  TVM_FFI_INLINE static Expected<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return Adopt(Any(AnyView::CopyFromTVMFFIAny(*source)));
  }
  TVM_FFI_INLINE static Expected<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return Adopt(detail::AnyUnsafe::MoveTVMFFIAnyToAny(source));
  }
  static std::optional<Expected<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if constexpr (std::is_same_v<T, Any>) {
      return CopyFromAnyViewAfterCheck(source);
    } else {
      if (auto value = TypeTraits<Stored>::TryCastFromAnyView(source)) {
        if constexpr (std::is_void_v<T>) {
          return Expected<void>();
        } else {
          return Expected<T>(*std::move(value));
        }
      }
      if (source->type_index == TypeIndex::kTVMFFIError) return CopyFromAnyViewAfterCheck(source);
      return std::nullopt;
    }
  }
  static Refusal GetRefusal(const TVMFFIAny* source) { return detail::RefusalOf<Stored>(source); }
  static std::string TypeStr() {
    if constexpr (std::is_void_v<T>) {
      return "Expected<void>";
    } else if constexpr (std::is_same_v<T, Any>) {
      return "Expected<Any>";
    } else {
      return "Expected<" + TypeTraits<T>::TypeStr() + ">";
    }
  }
  static std::string TypeSchema() {
    return R"({"type":"Expected","args":[)" + detail::TypeSchema<T>::v() + "," +
           detail::TypeSchema<Error>::v() + "]}";
  }

 private:
  /*! \brief The stored type: T, or nullptr_t for void, so that success is stored as None. */
  using Stored = std::conditional_t<std::is_void_v<T>, std::nullptr_t, T>;

  TVM_FFI_INLINE static Expected<T> Adopt(Any data) {
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<T>(
        detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(data)));
  }
};

}  // namespace tvm::ffi

#include <tvm/ffi/detail/unexpected_builder.h>

/* ------------------------------------------------------------------ returning errors */

/*! \brief Make an error to return from a function whose result is an Expected: `return
 * TVM_FFI_UNEXPECTED(ValueError) << "text";` */
#define TVM_FFI_UNEXPECTED(ErrorKind) \
  ::tvm::ffi::detail::UnexpectedBuilder(#ErrorKind, __FILE__, __LINE__, TVM_FFI_FUNC_SIG)

/// \cond Doxygen_Suppress
// The empty switch prevents a compiler warning about a following `else` of the caller.
#define TVM_FFI_NO_DANGLING_ELSE_ \
  switch (0)                      \
  case 0:                         \
  default:

#define TVM_FFI_RET_CHECK_BINARY_OP_(name, op, x, y, ErrorKind)           \
  TVM_FFI_NO_DANGLING_ELSE_                                               \
  if (auto __tvm_ffi_log_err = ::tvm::ffi::detail::LogCheck_##name(x, y); \
      __tvm_ffi_log_err == nullptr) {                                     \
  } else /* NOLINT(*) */                                                  \
    return TVM_FFI_UNEXPECTED(ErrorKind)                                  \
           << "Check failed: " #x " " #op " " #y << *__tvm_ffi_log_err << ": "
/// \endcond

/*! \brief Return an error state of `ErrorKind` from the function unless the condition is true. More
 * text may be streamed to the macro; its operands are evaluated only on failure. */
#define TVM_FFI_RET_CHECK(cond, ErrorKind) \
  TVM_FFI_NO_DANGLING_ELSE_                \
  if (TVM_FFI_PREDICT_TRUE(cond)) {        \
  } else /* NOLINT(*) */                   \
    return TVM_FFI_UNEXPECTED(ErrorKind) << "Check failed: (" #cond ") is false: "

/*! \brief Like TVM_FFI_RET_CHECK for a comparison. The message contains both values; each side is
 * evaluated once. */
#define TVM_FFI_RET_CHECK_LT(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(LT, <, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_GT(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(GT, >, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_LE(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(LE, <=, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_GE(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(GE, >=, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_EQ(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(EQ, ==, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_NE(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(NE, !=, x, y, ErrorKind)

/*! \brief Like TVM_FFI_RET_CHECK with kind InternalError, for conditions that only a programming
 * error violates. */
#define TVM_FFI_RET_ICHECK(cond) TVM_FFI_RET_CHECK(cond, InternalError)
/*! \brief Like TVM_FFI_RET_CHECK_LT and the other checks of two values, with kind InternalError. */
#define TVM_FFI_RET_ICHECK_LT(x, y) TVM_FFI_RET_CHECK_LT(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_GT(x, y) TVM_FFI_RET_CHECK_GT(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_LE(x, y) TVM_FFI_RET_CHECK_LE(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_GE(x, y) TVM_FFI_RET_CHECK_GE(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_EQ(x, y) TVM_FFI_RET_CHECK_EQ(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_NE(x, y) TVM_FFI_RET_CHECK_NE(x, y, InternalError)

#endif  // TVM_FFI_EXPECTED_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/unpack_call.h
 * \brief Calls of typed callables with packed arguments: count, convert, call, store the result.
 *
 * Internal part of function.h. The path without errors is inlined and neither allocates nor throws.
 * Functions that are not inlined build the errors. Call sites pass them the addresses of functions
 * that return the texts about types, which keeps call sites small.
 */
#ifndef TVM_FFI_DETAIL_UNPACK_CALL_H_
#define TVM_FFI_DETAIL_UNPACK_CALL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/deleter_mark.h>
#include <tvm/ffi/detail/function_info.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief Return the name of a function for error texts; empty when it has no name. */
inline std::string_view NameText(const std::string* name) {
  return name != nullptr ? std::string_view(*name) : std::string_view();
}
inline std::string_view NameText(const char* name) { return name; }

// These functions put the error about a refused argument into the error slot of this thread. A
// function with the C calling convention then returns -1: a throw that it catches itself would take
// more time than everything else in the call.

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void SetArgCountRaised(std::string_view name,
                                                                  FGetFuncSignature signature,
                                                                  size_t expected,
                                                                  int32_t num_args) {
  std::string text = JoinText({"Mismatched number of arguments when calling: `", name, signature(),
                               "`. Expected ", std::to_string(static_cast<int32_t>(expected)),
                               " but got ", std::to_string(num_args), " arguments"});
  SetSafeCallRaised(
      ErrorToThrow("TypeError", text, TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0)));
}

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void SetArgTypeRaised(std::string_view name,
                                                                 FGetFuncSignature signature,
                                                                 size_t index,
                                                                 const MismatchText& text,
                                                                 const TVMFFIAny* value) {
  Refusal refusal = text.refusal(value);
  std::string number = std::to_string(static_cast<int32_t>(index));
  const char* kind = "TypeError";
  std::string message;
  if (refusal.empty()) {
    message =
        JoinText({"Mismatched type on argument #", number, " when calling: `", name, signature(),
                  "`. Expected `", text.wanted(), "` but got `", text.found(value), "`"});
  } else {
    kind = refusal.kind;
    bool overflow = std::string_view(kind) == "OverflowError";
    message = JoinText({overflow ? "Value out of range" : "Mismatched type", " on argument #",
                        number, " when calling: `", name, signature(), "`. ", refusal.text});
  }
  SetSafeCallRaised(
      ErrorToThrow(kind, message, TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0)));
}

/*! \brief Return the error text for a read-only tensor that is passed to a mutable parameter. */
TVM_FFI_COLD_CODE inline std::string ReadOnlyArgText(std::string_view name,
                                                     FGetFuncSignature signature, size_t index) {
  return JoinText({"Read-only tensor on argument #", std::to_string(static_cast<int32_t>(index)),
                   " when calling: `", name, signature(),
                   "`, which may write to it. Pass a copy, or declare the parameter "
                   "ConstTensorView or ConstTensor"});
}

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void SetArgReadOnlyRaised(std::string_view name,
                                                                     FGetFuncSignature signature,
                                                                     size_t index) {
  SetSafeCallRaised(ErrorToThrow("BufferError", ReadOnlyArgText(name, signature, index),
                                 TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0)));
}

/*! \brief A packed argument that is converted to the plain type `T`; empty if it was refused. */
template <typename T>
struct ConvertedArg {
  std::optional<T> value;

  /*!
   * \brief Convert packed argument `index`, unless an earlier argument was refused.
   * \param args the packed arguments, at least `index + 1` of them.
   * \param index the position of the argument.
   * \param name name of the function, `const std::string*` or `const char*`.
   * \param signature signature of the function.
   * \param fits whether all arguments fit so far. If this argument does not, it becomes false, and
   * the error slot has the error: TypeError, OverflowError for an integer out of range, BufferError
   * for a read-only tensor where the function could write to it.
   */
  template <typename Name>
  TVM_FFI_INLINE ConvertedArg(const AnyView* args, size_t index, Name name,
                              FGetFuncSignature signature, bool* fits)
      : value(*fits ? Convert(args + index) : std::optional<T>()) {
    if constexpr (!is_any_or_view_v<T>) {
      [[maybe_unused]] const TVMFFIAny* given = reinterpret_cast<const TVMFFIAny*>(args + index);
      if (TVM_FFI_PREDICT_FALSE(!value.has_value())) {
        if (*fits) SetArgTypeRaised(NameText(name), signature, index, kMismatchText<T>, given);
        *fits = false;
      } else if constexpr (may_write_tensor_v<T>) {
        if (TVM_FFI_PREDICT_FALSE(IsReadOnlyTensor(given))) {
          SetArgReadOnlyRaised(NameText(name), signature, index);
          value.reset();
          *fits = false;
        }
      }
    }
  }

 private:
  TVM_FFI_INLINE static std::optional<T> Convert(const AnyView* arg) {
    if constexpr (is_any_or_view_v<T>) {
      return std::optional<T>(std::in_place, *arg);
    } else {
      return TypeTraits<T>::TryCastFromAnyView(reinterpret_cast<const TVMFFIAny*>(arg));
    }
  }
};

/*! \brief A packed argument that converts itself to a parameter declared as `Type`. */
template <typename Type>
class ArgValueWithContext {
 public:
  TVM_FFI_INLINE ArgValueWithContext(const AnyView* args, int32_t arg_index,
                                     const std::string* optional_name, FGetFuncSignature f_sig)
      : args_(args), arg_index_(arg_index), optional_name_(optional_name), f_sig_(f_sig) {}

  /*! \brief Return the converted value; throw TypeError when the argument does not convert. */
  TVM_FFI_INLINE operator PlainType<Type>() const {  // NOLINT(google-explicit-constructor)
    bool fits = true;
    ConvertedArg<PlainType<Type>> arg(args_, static_cast<size_t>(arg_index_), optional_name_,
                                      f_sig_, &fits);
    if (TVM_FFI_PREDICT_FALSE(!fits)) ThrowRaised<void>();
    return *std::move(arg.value);
  }

 private:
  const AnyView* args_;
  int32_t arg_index_;
  const std::string* optional_name_;
  FGetFuncSignature f_sig_;
};

/*! \brief Call `f(args...)`; for a method pointer the first argument is the receiver. */
template <typename F, typename... Args>
TVM_FFI_INLINE decltype(auto) CallWith(F&& f, Args&&... args) {
  return std::forward<F>(f)(std::forward<Args>(args)...);
}
template <typename R, typename Class, typename Receiver, typename... Args>
TVM_FFI_INLINE decltype(auto) CallWith(R Class::* method, Receiver&& receiver, Args&&... args) {
  if constexpr (std::is_pointer_v<std::remove_reference_t<Receiver>>) {
    return (receiver->*method)(std::forward<Args>(args)...);
  } else {
    return (receiver.*method)(std::forward<Args>(args)...);
  }
}

/*! \brief Whether T is a typed tensor; see container/typed_tensor.h. */
template <typename T>
inline constexpr bool is_typed_tensor_v = false;
template <typename T>
inline constexpr bool is_typed_tensor_v<Optional<T>> = is_typed_tensor_v<T>;
template <typename T>
inline constexpr bool is_typed_tensor_v<std::optional<T>> = is_typed_tensor_v<T>;

template <typename R, typename ArgTuple>
inline constexpr bool has_typed_tensor_v = false;
template <typename R, typename... Args>
inline constexpr bool has_typed_tensor_v<R, std::tuple<Args...>> =
    is_typed_tensor_v<PlainType<R>> || (is_typed_tensor_v<PlainType<Args>> || ...);

/*! \brief Whether a call has checks that concern several arguments, or the result. */
template <typename Info>
inline constexpr bool checks_call_v =
    has_typed_tensor_v<typename Info::RetType, typename Info::ArgType>;

/*! \brief The checks of a call that concern several arguments, or the result. Most calls have none;
 * detail/call_extents.h has the others. */
template <typename Name, typename Info, typename = void>
class CallCheck {
 public:
  TVM_FFI_INLINE explicit CallCheck(Name) {}
  template <typename... Args>
  TVM_FFI_INLINE void CheckArguments(const Args&...) {}
  template <typename R>
  TVM_FFI_INLINE void CheckResult(const R&) {}
};

/*!
 * \brief The constructor calls a callable, and stores its result, of type `R`, in `*result`. If an
 * argument was refused, the constructor does nothing.
 *
 * Construct an OrderedCall with braces. In a braced list, C++ evaluates the conversions of the
 * arguments from left to right, so that an error is about the first wrong argument. In a call
 * expression, the order is unspecified, and GCC converts from right to left.
 */
template <typename R>
struct OrderedCall {
  template <typename Check, typename F, typename... Args>
  TVM_FFI_INLINE explicit OrderedCall(Any* result, Check check, F&& f,
                                      ConvertedArg<Args>&&... args) {
    if (TVM_FFI_PREDICT_FALSE(!(args.value.has_value() && ...))) return;
    check.CheckArguments(*args.value...);
    if constexpr (std::is_void_v<R>) {
      CallWith(std::forward<F>(f), *std::move(args.value)...);
      result->reset();
    } else if constexpr (is_typed_tensor_v<PlainType<R>>) {
      R value = CallWith(std::forward<F>(f), *std::move(args.value)...);
      check.CheckResult(value);
      *result = Any(std::move(value));
    } else {
      *result = Any(static_cast<R>(CallWith(std::forward<F>(f), *std::move(args.value)...)));
    }
  }
};

/*! \brief Whether calls with the signature `Info` compile. Reports unsupported types as errors. */
template <typename Info, typename Indices = std::make_index_sequence<Info::num_args>>
struct SupportedSignature;
template <typename Info, size_t... Is>
struct SupportedSignature<Info, std::index_sequence<Is...>> {
#ifndef _MSC_VER
  static constexpr bool value =
      (CheckParameter<std::tuple_element_t<Is, typename Info::ArgType>>::passed && ...) &&
      CheckResult<typename Info::RetType>::passed;
#else
  static constexpr bool value = true;
#endif
};
template <typename Info>
inline constexpr bool is_supported_v = SupportedSignature<Info>::value;

/*!
 * \brief Call `f`, whose signature is `Info`, with packed arguments.
 * \param name the name of the function in errors: `const std::string*`, which may be null, or
 *         `const char*`.
 * \param f the callable.
 * \param args borrowed arguments; may be null when there are none.
 * \param num_args number of arguments.
 * \param result receives the result (None for void); its old value is released.
 * \return true; false if the arguments were refused, with the error in the error slot.
 */
template <typename R, typename Info, typename Name, typename F, size_t... Is>
TVM_FFI_INLINE bool TryUnpackCall(std::index_sequence<Is...>, Name name, F&& f,
                                  [[maybe_unused]] const AnyView* args, int32_t num_args,
                                  Any* result) {
  using ArgTuple = typename Info::ArgType;
  constexpr size_t kNumArgs = sizeof...(Is);
  if constexpr (!is_supported_v<Info>) {
    // The static assertions in CheckParameter and CheckResult have already reported the error.
    return false;
  } else {
    if (TVM_FFI_PREDICT_FALSE(num_args != static_cast<int32_t>(kNumArgs))) {
      SetArgCountRaised(NameText(name), &Info::Sig, kNumArgs, num_args);
      return false;
    }
    bool fits = true;
    OrderedCall<R>{result, CallCheck<Name, Info>(name), f,
                   ConvertedArg<PlainType<std::tuple_element_t<Is, ArgTuple>>>(
                       args, Is, name, &Info::Sig, &fits)...};
    return fits;
  }
}

/*! \brief Call TryUnpackCall(). \throws Error the error about refused arguments. */
template <typename R, typename Info, typename Name, typename F, size_t... Is>
TVM_FFI_INLINE void UnpackCall(std::index_sequence<Is...> indices, Name name, F&& f,
                               const AnyView* args, int32_t num_args, Any* result) {
  if (TVM_FFI_PREDICT_FALSE(
          !(TryUnpackCall<R, Info>(indices, name, std::forward<F>(f), args, num_args, result)))) {
    ThrowRaised<void>();
  }
}

/*! \brief Call UnpackCall() with the signature of the type of `f`. */
template <typename R, size_t... Is, typename F>
TVM_FFI_INLINE void unpack_call(std::index_sequence<Is...> indices,
                                const std::string* optional_name, F&& f, const AnyView* args,
                                int32_t num_args, Any* rv) {
  UnpackCall<R, FunctionInfo<std::decay_t<F>>>(indices, optional_name, std::forward<F>(f), args,
                                               num_args, rv);
}

/*! \brief Calls a typed callable with packed arguments; `FType` is its signature `R(Args...)`.
 * `Name` is empty, or std::string for a callable with a name for its error texts. */
template <typename TCallable, typename FType, typename... Name>
class TypedCallable {
  using Info = FunctionInfo<FType>;

 public:
  template <typename F>
  explicit TypedCallable(F&& callable, Name... name)
      : callable_(std::forward<F>(callable)), name_(std::move(name)...) {}

  /*! \brief See TryUnpackCall(). */
  TVM_FFI_INLINE bool CallOrSetRaised(const AnyView* args, int32_t num_args, Any* result) {
    const std::string* name = nullptr;
    if constexpr (sizeof...(Name) != 0) name = &std::get<0>(name_);
    return TryUnpackCall<typename Info::RetType, Info>(std::make_index_sequence<Info::num_args>(),
                                                       name, callable_, args, num_args, result);
  }
  TVM_FFI_INLINE void operator()(const AnyView* args, int32_t num_args, Any* result) {
    if (TVM_FFI_PREDICT_FALSE(!CallOrSetRaised(args, num_args, result))) ThrowRaised<void>();
  }

 private:
  TCallable callable_;
  std::tuple<Name...> name_;
};

/*! \brief Whether a packed callable can report refused arguments without a throw, as TypedCallable
 * does. */
template <typename TCallable, typename = void>
inline constexpr bool can_set_raised_v = false;
template <typename TCallable>
inline constexpr bool can_set_raised_v<
    TCallable,
    std::void_t<decltype(std::declval<TCallable&>().CallOrSetRaised(nullptr, 0, nullptr))>> = true;

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_UNPACK_CALL_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/native_function.h
 * \brief Hooks of a fixed signature: a pointer to a C function where possible, otherwise a
 * Function.
 */
#ifndef TVM_FFI_REFLECTION_NATIVE_FUNCTION_H_
#define TVM_FFI_REFLECTION_NATIVE_FUNCTION_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/type_traits.h>

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {
namespace reflection {

/*! \brief A borrowed hook; see the specialisation. */
template <typename FType>
class NativeFunctionView;

/*! \brief An owned hook; see the specialisation. */
template <typename FType>
class NativeFunction;

namespace detail {

using namespace tvm::ffi::detail;  // NOLINT(build/namespaces): one private namespace, two names

/*! \brief Whether `T` is passed to a C function in the same way as to a C++ function. */
template <typename T>
inline constexpr bool is_native_arg_v =
    std::is_lvalue_reference_v<T> ||
    (std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T>);

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline TVMFFIAny NativeError(Error error) {
  return AnyUnsafe::MoveAnyToTVMFFIAny(Any(std::move(error)));
}

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error HookResultMismatch(const Refusal& refusal) {
  if (!refusal.empty()) {
    return Error(refusal.kind, "Packed hook result: " + refusal.text,
                 TVMFFIBacktrace(nullptr, 0, nullptr, 0));
  }
  return Error("TypeError", "Packed hook result type mismatch",
               TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowNullHook() {
  TVM_FFI_THROW(ValueError) << "NativeFunctionView requires a non-null typed function";
  TVM_FFI_UNREACHABLE();
}

template <typename FType>
struct NativeHook;

/*! \brief Functions that make and call hooks of the signature `R(Args...)`. */
template <typename R, typename... Args>
struct NativeHook<R(Args...)> {
  static_assert((is_native_arg_v<Args> && ...),
                "each argument of a native function is an lvalue reference or a trivially copyable "
                "value of standard layout");
  /*! \brief The type of a plain hook: a pointer to a C function that returns an owned result, or an
   * Error object. */
  using Pointer = TVMFFIAny (*)(Args...) noexcept;

  /*! \brief The plain hook that calls `Fn`. */
  template <auto Fn>
  static TVMFFIAny Call(Args... args) noexcept {
    using Result = std::invoke_result_t<decltype(Fn), Args...>;
    static_assert(std::is_same_v<Result, R> || std::is_same_v<Result, Expected<R>>,
                  "the function must return R or Expected<R>");
    try {
      if constexpr (std::is_same_v<Result, Expected<R>>) {
        return ExpectedUnsafe::MoveToTVMFFIAny(Fn(std::forward<Args>(args)...));
      } else if constexpr (std::is_void_v<R>) {
        Fn(std::forward<Args>(args)...);
        return NoneResult();
      } else {
        return AnyUnsafe::MoveAnyToTVMFFIAny(Any(Fn(std::forward<Args>(args)...)));
      }
    } catch (...) {
      return NativeError(CurrentExceptionAsError());
    }
  }

  /*! \brief Call `hook`: an OpaquePtr that holds a Pointer, or a Function. */
  static Expected<R> CallExpected(const TVMFFIAny& hook, Args... args) noexcept {
    if (TVM_FFI_PREDICT_TRUE(hook.type_index == TypeIndex::kTVMFFIOpaquePtr)) {
      return ExpectedUnsafe::MoveFromTVMFFIAny<R>(
          reinterpret_cast<Pointer>(hook.v_ptr)(std::forward<Args>(args)...));
    }
    try {
      return CallFunction(hook.v_obj, std::forward<Args>(args)...);
    } catch (...) {
      return CurrentExceptionAsError();
    }
  }

 private:
  static Expected<R> CallFunction(TVMFFIObjectHandle function, Args... args) {
    AnyView views[sizeof...(Args) + 1];
    PackedArgs::Fill(views, args...);
    TVMFFIAny raw = NoneResult();
    int status = TVMFFIFunctionGetCellPtr(function)->safe_call(
        function, reinterpret_cast<const TVMFFIAny*>(views), static_cast<int32_t>(sizeof...(Args)),
        &raw);
    if (status != 0) return MoveFromSafeCallRaised();
    Any result = AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
    if (std::optional<Error> error = result.template as<Error>()) return *std::move(error);
    if constexpr (std::is_void_v<R>) {
      if (result.type_index() == TypeIndex::kTVMFFINone) return Expected<void>();
    } else if constexpr (std::is_same_v<R, Any>) {
      return Expected<Any>(std::move(result));
    } else {
      if (std::optional<R> value = result.template try_cast<R>()) return *std::move(value);
    }
    return HookResultMismatch(AnyUnsafe::RefusalOf<R>(result));
  }
};

}  // namespace detail

/*!
 * \brief A borrowed hook `R(Args...)`: a pointer to a C function, or a Function that the caller
 * keeps alive.
 *
 * The view has 16 bytes, is trivially copyable and never null. Each argument is an lvalue reference
 * or a trivially copyable value of standard layout.
 */
template <typename R, typename... Args>
class NativeFunctionView<R(Args...)> {
 public:
  NativeFunctionView() = delete;
  NativeFunctionView(std::nullptr_t) = delete;

  /*! \brief Make a view of a C++ function: `R (*)(Args...)`, which may throw (any std::exception
   * that is not an Error becomes InternalError), or `Expected<R> (*)(Args...) noexcept`. */
  template <auto Fn>
  static NativeFunctionView FromNative() {
    typename detail::NativeHook<R(Args...)>::Pointer call =
        detail::NativeHook<R(Args...)>::template Call<Fn>;
    TVMFFIAny hook = detail::NoneResult();
    hook.type_index = TypeIndex::kTVMFFIOpaquePtr;
    hook.v_ptr = reinterpret_cast<void*>(call);
    return NativeFunctionView(hook);
  }

  /*! \brief Make a view of a typed function, which must outlive the view; ValueError when it is
   * empty. */
  NativeFunctionView(const TypedFunction<R(Args...)>& function)  // NOLINT(*)
      : NativeFunctionView(ViewOf(function.packed())) {}
  NativeFunctionView(const TypedFunction<Expected<R>(Args...)>& function)  // NOLINT(*)
      : NativeFunctionView(ViewOf(function.packed())) {}
  NativeFunctionView(const TypedFunction<R(Args...)>&&) = delete;
  NativeFunctionView(const TypedFunction<Expected<R>(Args...)>&&) = delete;

  /*! \brief Call the hook without throwing. */
  TVM_FFI_INLINE Expected<R> CallExpected(Args... args) const noexcept {
    return detail::NativeHook<R(Args...)>::CallExpected(hook_, std::forward<Args>(args)...);
  }
  /*! \brief Call the hook; throw the error that the hook returns. */
  TVM_FFI_INLINE R operator()(Args... args) const {
    return CallExpected(std::forward<Args>(args)...).value();
  }

 private:
  template <typename, typename>
  friend struct tvm::ffi::TypeTraits;
  template <typename>
  friend class NativeFunction;

  explicit NativeFunctionView(TVMFFIAny hook) : hook_(hook) {}

  static TVMFFIAny ViewOf(const Function& function) {
    if (TVM_FFI_PREDICT_FALSE(function == nullptr)) detail::ThrowNullHook();
    return AnyView(function).CopyToTVMFFIAny();
  }

  TVMFFIAny hook_;
};

/*! \brief An owned hook `R(Args...)`: like NativeFunctionView, but keeps its Function alive. */
template <typename R, typename... Args>
class NativeFunction<R(Args...)> {
 public:
  NativeFunction() = delete;
  NativeFunction(std::nullptr_t) = delete;

  /*! \brief Own the hook of `view`. */
  explicit NativeFunction(NativeFunctionView<R(Args...)> view)
      : hook_(AnyView::CopyFromTVMFFIAny(view.hook_)) {}
  /*! \brief Own a typed function; ValueError when it is empty. */
  NativeFunction(const TypedFunction<R(Args...)>& function)  // NOLINT(*)
      : NativeFunction(NativeFunctionView<R(Args...)>(function)) {}
  NativeFunction(const TypedFunction<Expected<R>(Args...)>& function)  // NOLINT(*)
      : NativeFunction(NativeFunctionView<R(Args...)>(function)) {}

  static NativeFunction From(NativeFunctionView<R(Args...)> view) { return NativeFunction(view); }
  /*! \brief Own the hook of NativeFunctionView::FromNative. */
  template <auto Fn>
  static NativeFunction FromNative() {
    return NativeFunction(NativeFunctionView<R(Args...)>::template FromNative<Fn>());
  }

  /*! \brief Call the hook without throwing. */
  TVM_FFI_INLINE Expected<R> CallExpected(Args... args) const noexcept {
    return detail::NativeHook<R(Args...)>::CallExpected(
        *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(hook_), std::forward<Args>(args)...);
  }
  /*! \brief Call the hook; throw the error that the hook returns. */
  TVM_FFI_INLINE R operator()(Args... args) const {
    return CallExpected(std::forward<Args>(args)...).value();
  }

 private:
  template <typename, typename>
  friend struct tvm::ffi::TypeTraits;

  Any hook_;
};

namespace detail {

/*! \brief Common base of the traits of NativeFunctionView and NativeFunction. `Hook` is one of
 * these two classes, `FType` its signature. */
template <typename Hook, typename FType>
struct NativeFunctionTraitsBase : public TypeTraitsBase {
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* src) {
    return src->type_index == TypeIndex::kTVMFFIFunction ||
           (src->type_index == TypeIndex::kTVMFFIOpaquePtr && src->v_ptr != nullptr);
  }
  TVM_FFI_INLINE static std::optional<Hook> TryCastFromAnyView(const TVMFFIAny* src) {
    if (!CheckAnyStrict(src)) return std::nullopt;
    return TypeTraits<Hook>::CopyFromAnyViewAfterCheck(src);
  }
  static std::string TypeStr() { return "Variant<void*, " + FunctionInfo<FType>::Sig() + ">"; }
  static std::string TypeSchema() {
    return "{\"type\":\"Variant\",\"args\":[{\"type\":\"void*\"}," +
           FunctionInfo<FType>::TypeSchema() + "]}";
  }
};

}  // namespace detail
}  // namespace reflection

/*! \brief Traits of borrowed hooks. A hook that is read from a value borrows from that value. */
template <typename FType>
struct TypeTraits<reflection::NativeFunctionView<FType>>
    : public reflection::detail::NativeFunctionTraitsBase<reflection::NativeFunctionView<FType>,
                                                          FType> {
  using Self = reflection::NativeFunctionView<FType>;
  TVM_FFI_INLINE static void CopyToAnyView(const Self& src, TVMFFIAny* result) {
    *result = src.hook_;
  }
  TVM_FFI_INLINE static void MoveToAny(Self src, TVMFFIAny* result) {
    *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(AnyView::CopyFromTVMFFIAny(src.hook_)));
  }
  TVM_FFI_INLINE static Self CopyFromAnyViewAfterCheck(const TVMFFIAny* src) { return Self(*src); }
  TVM_FFI_INLINE static Self MoveFromAnyAfterCheck(TVMFFIAny* src) { return Self(*src); }
};

/*! \brief Traits of owned hooks. */
template <typename FType>
struct TypeTraits<reflection::NativeFunction<FType>>
    : public reflection::detail::NativeFunctionTraitsBase<reflection::NativeFunction<FType>,
                                                          FType> {
  using Self = reflection::NativeFunction<FType>;
  TVM_FFI_INLINE static void CopyToAnyView(const Self& src, TVMFFIAny* result) {
    *result = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(src.hook_);
  }
  TVM_FFI_INLINE static void MoveToAny(Self src, TVMFFIAny* result) {
    *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(src.hook_));
  }
  TVM_FFI_INLINE static Self CopyFromAnyViewAfterCheck(const TVMFFIAny* src) {
    return Self(TypeTraits<reflection::NativeFunctionView<FType>>::CopyFromAnyViewAfterCheck(src));
  }
  TVM_FFI_INLINE static Self MoveFromAnyAfterCheck(TVMFFIAny* src) {
    Self result = CopyFromAnyViewAfterCheck(src);
    detail::AnyUnsafe::MoveTVMFFIAnyToAny(src);  // releases the source and leaves None
    return result;
  }
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_REFLECTION_NATIVE_FUNCTION_H_

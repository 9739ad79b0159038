// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/typed_function.h
 * \brief TypedFunction; included by function.h at its end.
 */
#ifndef TVM_FFI_DETAIL_TYPED_FUNCTION_H_
#define TVM_FFI_DETAIL_TYPED_FUNCTION_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

namespace detail {

/*! \brief Whether `F` is a callable that TypedFunction<R(Args...)> may wrap. */
template <typename F, typename R, typename... Args>
inline constexpr bool is_typed_callable_v =
    std::conjunction_v<std::negation<std::is_same<F, Function>>,
                       std::negation<std::is_same<F, TypedFunction<R(Args...)>>>,
                       std::is_invocable_r<R, F&, Args...>>;

}  // namespace detail

/*!
 * \brief A Function seen as `R(Args...)`; may be empty.
 *
 * Nothing checks that a Function put in here has this signature: a call whose arguments or result
 * do not fit throws TypeError.
 */
template <typename R, typename... Args>
class TypedFunction<R(Args...)> {
 public:
  using TSelf = TypedFunction<R(Args...)>;

  TypedFunction() = default;
  TypedFunction(std::nullptr_t) {}                                // NOLINT(*)
  TypedFunction(Function packed) : packed_(std::move(packed)) {}  // NOLINT(*)

  /*! \brief Wrap a callable that can be called as `R(Args...)`. */
  template <typename F, typename = std::enable_if_t<detail::is_typed_callable_v<F, R, Args...>>>
  TypedFunction(F typed_lambda)  // NOLINT(*)
      : packed_(Function::FromSignature<R(Args...)>(std::move(typed_lambda))) {}
  /*! \brief The same with a name for the error texts. */
  template <typename F, typename = std::enable_if_t<detail::is_typed_callable_v<F, R, Args...>>>
  TypedFunction(F typed_lambda, std::string name)
      : packed_(Function::FromSignature<R(Args...)>(std::move(typed_lambda), std::move(name))) {}

  template <typename F, typename = std::enable_if_t<detail::is_typed_callable_v<F, R, Args...>>>
  TSelf& operator=(F typed_lambda) {
    packed_ = Function::FromSignature<R(Args...)>(std::move(typed_lambda));
    return *this;
  }
  TSelf& operator=(Function packed) {
    packed_ = std::move(packed);
    return *this;
  }
  TSelf& operator=(std::nullptr_t) {
    packed_ = nullptr;
    return *this;
  }

  /*! \brief Call. \throws TypeError when the result does not convert to `R`; OverflowError. */
  TVM_FFI_INLINE R operator()(Args... args) const {
    if constexpr (std::is_void_v<R>) {
      packed_(std::forward<Args>(args)...);
    } else if constexpr (std::is_same_v<R, Any>) {
      return packed_(std::forward<Args>(args)...);
    } else {
      return detail::AnyUnsafe::CastResult<R>(packed_(std::forward<Args>(args)...));
    }
  }

  operator Function() const { return packed_; }  // NOLINT(google-explicit-constructor)

  /*! \brief The function behind. */
  const Function& packed() const& { return packed_; }
  Function&& packed() && { return std::move(packed_); }

  /*! \brief Whether this is empty. */
  bool operator==(std::nullptr_t) const { return packed_ == nullptr; }
  bool operator!=(std::nullptr_t) const { return packed_ != nullptr; }

  /*! \brief JSON schema of the signature. */
  static std::string TypeSchema() { return detail::SignatureInfo<R, Args...>::TypeSchema(); }

 private:
  Function packed_{nullptr};
};

/*! \brief Traits of typed functions: stored as the function behind, the signature is not checked.
 */
template <typename FType>
struct TypeTraits<TypedFunction<FType>> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIFunction;

  TVM_FFI_INLINE static void CopyToAnyView(const TypedFunction<FType>& src, TVMFFIAny* result) {
    TypeTraits<Function>::CopyToAnyView(src.packed(), result);
  }
  TVM_FFI_INLINE static void MoveToAny(TypedFunction<FType> src, TVMFFIAny* result) {
    TypeTraits<Function>::MoveToAny(std::move(src).packed(), result);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* src) {
    return src->type_index == TypeIndex::kTVMFFIFunction;
  }
  TVM_FFI_INLINE static TypedFunction<FType> CopyFromAnyViewAfterCheck(const TVMFFIAny* src) {
    return TypedFunction<FType>(TypeTraits<Function>::CopyFromAnyViewAfterCheck(src));
  }
  TVM_FFI_INLINE static TypedFunction<FType> MoveFromAnyAfterCheck(TVMFFIAny* src) {
    return TypedFunction<FType>(TypeTraits<Function>::MoveFromAnyAfterCheck(src));
  }
  TVM_FFI_INLINE static std::optional<TypedFunction<FType>> TryCastFromAnyView(
      const TVMFFIAny* src) {
    std::optional<Function> function = TypeTraits<Function>::TryCastFromAnyView(src);
    if (!function.has_value()) return std::nullopt;
    return TypedFunction<FType>(*std::move(function));
  }
  TVM_FFI_INLINE static std::string TypeStr() { return detail::FunctionInfo<FType>::Sig(); }
  TVM_FFI_INLINE static std::string TypeSchema() { return TypedFunction<FType>::TypeSchema(); }
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_TYPED_FUNCTION_H_

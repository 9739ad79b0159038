// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/function_info.h
 * \brief The information in the type of a callable: arguments, result, signature text, schema text.
 *
 * Internal part of function.h.
 */
#ifndef TVM_FFI_DETAIL_FUNCTION_INFO_H_
#define TVM_FFI_DETAIL_FUNCTION_INFO_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

namespace tvm::ffi::detail {

/*! \brief Returns a text about a type or a signature; called for errors and for registrations. */
using FTypeText = std::string (*)();

/*! \brief Returns the text `(0: T0, 1: T1) -> R` of a callable. */
using FGetFuncSignature = FTypeText;

/*! \brief `T` without reference and qualifiers. */
template <typename T>
using PlainType = std::remove_cv_t<std::remove_reference_t<T>>;

/*! \brief Whether `T` is Any or AnyView, which have no traits of their own. */
template <typename T>
inline constexpr bool is_any_or_view_v = std::is_same_v<T, Any> || std::is_same_v<T, AnyView>;

/*! \brief Whether a parameter declared as `T` can be filled from a packed argument. */
template <typename T>
inline constexpr bool ArgSupported =
    !(std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>) &&
    (is_any_or_view_v<PlainType<T>> || TypeTraitsNoCR<T>::convert_enabled);

/*! \brief Whether a result declared as `T` can be stored in an Any. */
template <typename T>
inline constexpr bool RetSupported =
    std::is_void_v<T> || is_any_or_view_v<PlainType<T>> || TypeTraitsNoCR<T>::convert_enabled;

// Each of the next templates is instantiated with the refused type, so that the compiler shows this
// type beside the text of the failed assertion.

/*! \brief Fails to compile for a parameter type that ArgSupported rejects. */
template <typename T>
struct CheckParameter {
  static_assert(ArgSupported<T> || !std::is_lvalue_reference_v<T> ||
                    std::is_const_v<std::remove_reference_t<T>>,
                "each parameter must be a value, const reference or rvalue reference: the function "
                "cannot change an argument of its caller");
  static_assert(ArgSupported<T> ||
                    (std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>),
                "each parameter must be a value, const reference or rvalue reference of a type "
                "with TypeTraits: for a type of the standard library, such as std::vector, include "
                "<tvm/ffi/extra/stl.h>; for a type of your own, specialise tvm::ffi::TypeTraits");
  static constexpr bool passed = ArgSupported<T>;
};

/*! \brief Fails to compile for a result type that RetSupported rejects. */
template <typename T>
struct CheckResult {
  static_assert(RetSupported<T>,
                "the result must be void, Any or a type with TypeTraits: for a type of the "
                "standard library, such as std::vector, include <tvm/ffi/extra/stl.h>; for a type "
                "of your own, specialise tvm::ffi::TypeTraits");
  static constexpr bool passed = RetSupported<T>;
};

/*! \brief Return the text of parameter `i` in a signature, `i: T`. */
TVM_FFI_COLD_CODE inline std::string Arg2Str(size_t i, FTypeText type) {
  return std::to_string(static_cast<int32_t>(i)).append(": ").append(type());
}

/*! \brief Return the text `(0: T0, 1: T1) -> R`; `args` has `num_args` entries. */
TVM_FFI_COLD_CODE inline std::string SignatureText(const FTypeText* args, size_t num_args,
                                                   FTypeText ret) {
  std::string text = "(";
  for (size_t i = 0; i < num_args; ++i) {
    if (i != 0) text += ", ";
    text += Arg2Str(i, args[i]);
  }
  return text.append(") -> ").append(ret());
}

/*! \brief Return the type schema of a function, without blanks; `args` has `num_args` entries. */
TVM_FFI_COLD_CODE inline std::string FunctionSchemaText(const FTypeText* args, size_t num_args,
                                                        FTypeText ret) {
  std::string text =
      "{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[" + ret() + "],\"params\":[";
  for (size_t i = 0; i < num_args; ++i) {
    if (i != 0) text += ',';
    text += args[i]();
  }
  return text + "]}}";
}

/*! \brief The types, the signature text and the schema text of the signature `R(Args...)`. */
template <typename R, typename... Args>
struct SignatureInfo {
  using FType = R(Args...);
  using ArgType = std::tuple<Args...>;
  using RetType = R;
  static constexpr size_t num_args = sizeof...(Args);
#ifndef _MSC_VER
  /*! \brief Whether every argument and the result can be passed in a packed call. */
  static constexpr bool unpacked_supported = (ArgSupported<Args> && ...) && RetSupported<R>;
#endif
  /*! \brief `(0: T0, 1: T1) -> R`. */
  static std::string Sig() {
    static constexpr FTypeText kArgs[] = {&Type2Str<PlainType<Args>>::v..., nullptr};
    return SignatureText(kArgs, sizeof...(Args), &Type2Str<PlainType<R>>::v);
  }
  /*! \brief Return the JSON schema of the signature. */
  static std::string TypeSchema() {
    static constexpr FTypeText kArgs[] = {&TypeSchemaImpl<PlainType<Args>>::v..., nullptr};
    return FunctionSchemaText(kArgs, sizeof...(Args), &TypeSchemaImpl<PlainType<R>>::v);
  }
};

/*! \brief The SignatureInfo of a call operator; `MemberPointer` is the type of a pointer to it. */
template <typename MemberPointer>
struct CallOperatorInfo;

/*! \brief Whether methods of `Class` can be exposed: it derives from Object or from ObjectRef. */
template <typename Class>
inline constexpr bool is_method_class_v =
    std::is_base_of_v<Object, Class> || std::is_base_of_v<ObjectRef, Class>;

/*! \brief The type of the receiver of a method: `Class*` for an object class, `Class` for a
 * reference class. */
template <typename Class>
using ReceiverType = std::conditional_t<std::is_base_of_v<Object, Class>, Class*, Class>;

/*!
 * \brief The SignatureInfo of a callable of type `F`, which must have only one signature.
 *
 * `F` is a functor, a function type, a pointer or reference to a function, or a pointer to a method
 * of a class that derives from Object or ObjectRef. The first argument of a method is its receiver.
 */
template <typename F, typename = void>
struct FunctionInfo : CallOperatorInfo<decltype(&F::operator())> {};

template <typename R, typename... Args>
struct FunctionInfo<R(Args...), void> : SignatureInfo<R, Args...> {};
template <typename R, typename... Args>
struct FunctionInfo<R(Args...) noexcept, void> : SignatureInfo<R, Args...> {};
template <typename F>
struct FunctionInfo<F*, std::enable_if_t<std::is_function_v<F>>> : FunctionInfo<F> {};
template <typename F>
struct FunctionInfo<F&, void> : FunctionInfo<std::remove_cv_t<F>> {};
template <typename F>
struct FunctionInfo<F&&, void> : FunctionInfo<std::remove_cv_t<F>> {};

// C++ requires one specialisation for each set of qualifiers.
#define TVM_FFI_MEMBER_POINTER_INFO_(Qualifiers, Const)                                     \
  template <typename Class, typename R, typename... Args>                                   \
  struct CallOperatorInfo<R (Class::*)(Args...) Qualifiers> : SignatureInfo<R, Args...> {}; \
  template <typename Class, typename R, typename... Args>                                   \
  struct FunctionInfo<R (Class::*)(Args...) Qualifiers,                                     \
                      std::enable_if_t<is_method_class_v<Class>>>                           \
      : SignatureInfo<R, ReceiverType<Const Class>, Args...> {};
#define TVM_FFI_NO_QUALIFIER_
TVM_FFI_MEMBER_POINTER_INFO_(TVM_FFI_NO_QUALIFIER_, TVM_FFI_NO_QUALIFIER_)
TVM_FFI_MEMBER_POINTER_INFO_(const, const)
TVM_FFI_MEMBER_POINTER_INFO_(noexcept, TVM_FFI_NO_QUALIFIER_)
TVM_FFI_MEMBER_POINTER_INFO_(const noexcept, const)
TVM_FFI_MEMBER_POINTER_INFO_(&, TVM_FFI_NO_QUALIFIER_)
TVM_FFI_MEMBER_POINTER_INFO_(const&, const)
TVM_FFI_MEMBER_POINTER_INFO_(& noexcept, TVM_FFI_NO_QUALIFIER_)
TVM_FFI_MEMBER_POINTER_INFO_(const& noexcept, const)
#undef TVM_FFI_NO_QUALIFIER_
#undef TVM_FFI_MEMBER_POINTER_INFO_

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_FUNCTION_INFO_H_

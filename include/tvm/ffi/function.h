// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/function.h
 * \brief Functions as values: made from C++ or C callables, called with packed or typed arguments.
 */
#ifndef TVM_FFI_FUNCTION_H_
#define TVM_FFI_FUNCTION_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/function_info.h>
#include <tvm/ffi/detail/function_object.h>
#include <tvm/ffi/detail/packed_args.h>
#include <tvm/ffi/detail/unpack_call.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {

/*! \brief A Function with a signature; see the specialisation. */
template <typename FType>
class TypedFunction;

namespace detail {

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error NullFunctionCallError() {
  return Error("ValueError", "Cannot call a null Function",
               TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowNullFunctionCall() {
  throw NullFunctionCallError();
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowFunctionNotFound(
    std::string_view name) {
  TVM_FFI_THROW(ValueError) << "Function " << name << " not found";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The error of CallExpected for a result that does not convert: TypeError, OverflowError.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error CallExpectedMismatch(
    FTypeText expected, std::string (*overflow_info)(const TVMFFIAny*), const Any& result) {
  std::string overflow = overflow_info(AnyUnsafe::TVMFFIAnyPtrFromAny(result));
  if (!overflow.empty()) {
    return Error("OverflowError",
                 "CallExpected: result does not fit " + expected() + ": " + overflow,
                 TVMFFIBacktrace(nullptr, 0, nullptr, 0));
  }
  return Error("TypeError",
               "CallExpected: result type mismatch, expected " + expected() + ", but got " +
                   result.GetTypeKey(),
               TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

/*! \brief View of a name for the C API. */
inline TVMFFIByteArray NameBytes(std::string_view name) {
  return TVMFFIByteArray{name.data(), name.size()};
}

}  // namespace detail

/*!
 * \brief A function that any language can call; may be null.
 *
 * Calling is as thread-safe as the callable behind it: calls are not serialised. Arguments are
 * borrowed until the call returns.
 */
class Function : public ObjectRef {
 public:
  Function(std::nullptr_t) : ObjectRef(nullptr) {}  // NOLINT(google-explicit-constructor)

  /*! \brief FromPacked. */
  template <typename F, typename = std::enable_if_t<detail::is_packed_callable_v<std::decay_t<F>>>>
  explicit Function(F&& packed) : Function(FromPacked(std::forward<F>(packed))) {}

  /*!
   * \brief Wrap a callable that takes packed arguments.
   * \param packed `(PackedArgs, Any*)` (preferred) or `(const AnyView*, int32_t, Any*)`; stored by
   *        value, may be move-only and may change its own state.
   */
  template <typename F>
  static Function FromPacked(F&& packed) {
    return std::get<0>(FromPackedInplace<std::decay_t<F>>(std::forward<F>(packed)));
  }

  /*!
   * \brief Construct a packed callable inside a new function.
   * \return the function, and the callable, which lives as long as the function.
   */
  template <typename TCallable, typename... Args>
  static auto FromPackedInplace(Args&&... args) {
    if constexpr (detail::takes_packed_args_v<TCallable&>) {
      using Adapter = detail::PackedArgsCallable<TCallable>;
      auto object = make_object<detail::FunctionObjImpl<Adapter>>(std::in_place, std::in_place,
                                                                  std::forward<Args>(args)...);
      TCallable* callable = object->callable()->callable();
      return std::make_tuple(Function(ObjectPtr<FunctionObj>(std::move(object))), callable);
    } else {
      static_assert(
          detail::takes_raw_args_v<TCallable&>,
          "a packed callable takes (PackedArgs, Any*) or (const AnyView*, int32_t, Any*)");
      auto object = make_object<detail::FunctionObjImpl<TCallable>>(std::in_place,
                                                                    std::forward<Args>(args)...);
      TCallable* callable = object->callable();
      return std::make_tuple(Function(ObjectPtr<FunctionObj>(std::move(object))), callable);
    }
  }

  /*!
   * \brief Wrap a callable with a signature of its own.
   * \param callable functor, function, or pointer to a method of a class that derives from Object
   *        or ObjectRef; stored by value.
   *
   * A call with a wrong number or type of arguments throws TypeError.
   */
  template <typename F>
  static Function FromTyped(F&& callable) {
    using TCallable = std::decay_t<F>;
    return FromSignature<typename detail::FunctionInfo<TCallable>::FType>(
        std::forward<F>(callable));
  }

  /*! \brief FromTyped with a name for the error texts. */
  template <typename F>
  static Function FromTyped(F&& callable, std::string name) {
    using TCallable = std::decay_t<F>;
    return FromSignature<typename detail::FunctionInfo<TCallable>::FType>(std::forward<F>(callable),
                                                                          std::move(name));
  }

  /*!
   * \brief Wrap C code.
   * \param self passed to `safe_call`; when this and `deleter` are null it gets the function
   * itself. \param safe_call the code. \param deleter called with `self` once when the function
   * dies; may be null.
   */
  static Function FromExternC(void* self, TVMFFISafeCallType safe_call,
                              void (*deleter)(void* self)) {
    TVM_FFI_CHECK_NOTNULL(safe_call, ValueError);
    if (self == nullptr && deleter == nullptr) {
      return Function(ObjectPtr<FunctionObj>(make_object<detail::PlainCFunctionObj>(safe_call)));
    }
    return Function(
        ObjectPtr<FunctionObj>(make_object<detail::ExternCFunctionObj>(self, safe_call, deleter)));
  }

  /*! \brief The global function of that name, if there is one. */
  static std::optional<Function> GetGlobal(std::string_view name) {
    TVMFFIByteArray name_bytes = detail::NameBytes(name);
    TVMFFIObjectHandle handle = nullptr;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionGetGlobal(&name_bytes, &handle));
    if (handle == nullptr) return std::nullopt;
    return Function(
        detail::ObjectUnsafe::ObjectPtrFromOwned<FunctionObj>(static_cast<TVMFFIObject*>(handle)));
  }
  static std::optional<Function> GetGlobal(const std::string& name) {
    return GetGlobal(std::string_view(name));
  }
  static std::optional<Function> GetGlobal(const String& name) {
    return GetGlobal(std::string_view(name.data(), name.size()));
  }
  static std::optional<Function> GetGlobal(const char* name) {
    return GetGlobal(std::string_view(TVM_FFI_CHECK_NOTNULL(name, ValueError)));
  }

  /*! \brief The global function of that name; ValueError when there is none. */
  static Function GetGlobalRequired(std::string_view name) {
    std::optional<Function> function = GetGlobal(name);
    if (TVM_FFI_PREDICT_FALSE(!function.has_value())) detail::ThrowFunctionNotFound(name);
    return *std::move(function);
  }
  static Function GetGlobalRequired(const std::string& name) {
    return GetGlobalRequired(std::string_view(name));
  }
  static Function GetGlobalRequired(const String& name) {
    return GetGlobalRequired(std::string_view(name.data(), name.size()));
  }
  static Function GetGlobalRequired(const char* name) {
    return GetGlobalRequired(std::string_view(TVM_FFI_CHECK_NOTNULL(name, ValueError)));
  }

  /*! \brief Register a global function; RuntimeError when the name is taken, unless `override`. */
  static void SetGlobal(std::string_view name, Function func, bool override = false) {
    TVMFFIByteArray name_bytes = detail::NameBytes(name);
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionSetGlobal(
        &name_bytes, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(func), override));
  }

  /*! \brief Names of all global functions, in no particular order. */
  static std::vector<String> ListGlobalNames() {
    Function names = GetGlobalRequired("ffi.FunctionListGlobalNamesFunctor")().cast<Function>();
    int64_t count = names(-1).cast<int64_t>();
    std::vector<String> result;
    result.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) result.push_back(names(i).cast<String>());
    return result;
  }

  /*! \brief Remove a global function; an unknown name is no error. */
  static void RemoveGlobal(const String& name) {
    GetGlobalRequired("ffi.FunctionRemoveGlobal")(name);
  }

  /*!
   * \brief Call C code of the safe-call convention, e.g. an exported symbol.
   * \param handle its first argument.
   * \param safe_call the code.
   * \param args arguments.
   * \throws Error what the code raised.
   */
  template <typename... Args>
  TVM_FFI_INLINE static Any InvokeExternC(void* handle, TVMFFISafeCallType safe_call,
                                          Args&&... args) {
    if constexpr ((detail::is_held_argument_v<Args> || ...)) {
      return InvokeExternC(handle, safe_call, detail::HoldArgument(std::forward<Args>(args))...);
    }
    AnyView views[sizeof...(Args) + 1];
    PackedArgs::Fill(views, std::forward<Args>(args)...);
    Any result;
    TVM_FFI_CHECK_SAFE_CALL(safe_call(handle, reinterpret_cast<const TVMFFIAny*>(views),
                                      static_cast<int32_t>(sizeof...(Args)),
                                      detail::ResultSlot(&result)));
    return result;
  }

  /*!
   * \brief Call.
   * \throws Error ValueError when null; otherwise whatever the callee throws.
   */
  template <typename... Args>
  TVM_FFI_INLINE Any operator()(Args&&... args) const {
    if constexpr ((detail::is_held_argument_v<Args> || ...)) {
      return (*this)(detail::HoldArgument(std::forward<Args>(args))...);
    }
    Any result;
    if constexpr (sizeof...(Args) == 0) {
      NotNull()->CallPacked(nullptr, 0, &result);
    } else {
      const AnyView views[] = {AnyView(std::forward<Args>(args))...};
      NotNull()->CallPacked(views, static_cast<int32_t>(sizeof...(Args)), &result);
    }
    return result;
  }

  /*! \brief Call with arguments that are packed already; `result` must hold a value. */
  TVM_FFI_INLINE void CallPacked(const AnyView* args, int32_t num_args, Any* result) const {
    NotNull()->CallPacked(args, num_args, result);
  }
  TVM_FFI_INLINE void CallPacked(PackedArgs args, Any* result) const {
    NotNull()->CallPacked(args.data(), args.size(), result);
  }

  /*!
   * \brief Call without throwing what the callee raises.
   * \tparam T what the result is converted to.
   * \return the result, or the callee's error; an error that the callee returns as its value counts
   *         as one. A result of another type is a TypeError, a null function a ValueError.
   */
  template <typename T = Any, typename... Args>
  TVM_FFI_INLINE Expected<T> CallExpected(Args&&... args) const {
    if constexpr ((detail::is_held_argument_v<Args> || ...)) {
      return CallExpected<T>(detail::HoldArgument(std::forward<Args>(args))...);
    }
    AnyView views[sizeof...(Args) + 1];
    PackedArgs::Fill(views, std::forward<Args>(args)...);
    TVMFFIAny raw = detail::NoneResult();
    if (TVM_FFI_PREDICT_FALSE(data_ == nullptr)) return detail::NullFunctionCallError();
    FunctionObj* self = static_cast<FunctionObj*>(data_.get());
    int status = self->safe_call(self, reinterpret_cast<const TVMFFIAny*>(views),
                                 static_cast<int32_t>(sizeof...(Args)), &raw);
    if (TVM_FFI_PREDICT_FALSE(status != 0)) return detail::MoveErrorOfFailedCall(raw);
    return ExpectResult<T>(detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw));
  }

  /*! \brief Whether this is null. */
  TVM_FFI_INLINE bool operator==(std::nullptr_t) const { return data_ == nullptr; }
  TVM_FFI_INLINE bool operator!=(std::nullptr_t) const { return data_ != nullptr; }

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Function, ObjectRef, FunctionObj);

  /*! \brief Declared only, for programs that name it. */
  class Registry;

 private:
  template <typename>
  friend class TypedFunction;

  TVM_FFI_INLINE const FunctionObj* NotNull() const {
    if (TVM_FFI_PREDICT_FALSE(data_ == nullptr)) detail::ThrowNullFunctionCall();
    return static_cast<const FunctionObj*>(data_.get());
  }

  /*! \brief Wrap `callable` as a function of the signature `FType`. */
  template <typename FType, typename F>
  static Function FromSignature(F&& callable) {
    using Adapter = detail::TypedCallable<std::decay_t<F>, FType>;
    return Function(ObjectPtr<FunctionObj>(
        make_object<detail::FunctionObjImpl<Adapter>>(std::in_place, std::forward<F>(callable))));
  }
  template <typename FType, typename F>
  static Function FromSignature(F&& callable, std::string name) {
    using Adapter = detail::NamedTypedCallable<std::decay_t<F>, FType>;
    return Function(ObjectPtr<FunctionObj>(make_object<detail::FunctionObjImpl<Adapter>>(
        std::in_place, std::forward<F>(callable), std::move(name))));
  }

  template <typename T>
  TVM_FFI_INLINE static Expected<T> ExpectResult(Any result) {
    if constexpr (std::is_same_v<T, Any>) {
      return Expected<Any>(std::move(result));
    } else {
      if constexpr (std::is_void_v<T>) {
        if (result.type_index() == TypeIndex::kTVMFFINone) return Expected<void>();
      } else {
        if (detail::AnyUnsafe::CheckAnyStrict<T>(result)) {
          return detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(result));
        }
        if (std::optional<T> value = result.template try_cast<T>()) return *std::move(value);
      }
      if (std::optional<Error> error = result.template as<Error>()) return *std::move(error);
      return detail::CallExpectedMismatch(&detail::Type2Str<T>::v, &detail::OverflowInfo<T>,
                                          result);
    }
  }
};

/*! \brief Index of a registered type key; InternalError when it is unknown. */
inline int32_t TypeKeyToIndex(std::string_view type_key) {
  TVMFFIByteArray key_bytes = detail::NameBytes(type_key);
  int32_t type_index = 0;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&key_bytes, &type_index));
  return type_index;
}

}  // namespace ffi
}  // namespace tvm

#include <tvm/ffi/detail/export_function.h>
#include <tvm/ffi/detail/typed_function.h>

#endif  // TVM_FFI_FUNCTION_H_

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
#include <tvm/ffi/detail/export_text.h>
#include <tvm/ffi/detail/function_info.h>
#include <tvm/ffi/detail/unpack_call.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm::ffi {

/*! \brief Borrowed arguments of one call. */
class PackedArgs {
 public:
  /*!
   * \param data `size` views, borrowed; may be null when there are none.
   * \param size number of arguments.
   */
  PackedArgs(const AnyView* data, int32_t size) : data_(data), size_(size) {}

  /*! \brief Return the number of arguments. */
  int size() const { return size_; }
  /*! \brief Return the address of the first argument. */
  const AnyView* data() const { return data_; }
  /*! \brief Return arguments `begin` up to `end` (exclusive; -1: all that follow). The range is not
   * checked. */
  PackedArgs Slice(int begin, int end = -1) const {
    return PackedArgs(data_ + begin, (end == -1 ? size_ : end) - begin);
  }
  /*! \brief Return argument `i`; the index is not checked. */
  AnyView operator[](int i) const { return data_[i]; }

  /*! \brief Write a view of each argument to `data`, an array with one element per argument. */
  template <typename... Args>
  TVM_FFI_INLINE static void Fill(AnyView* data, Args&&... args) {
    [[maybe_unused]] int32_t i = 0;
    ((data[i++] = AnyView(std::forward<Args>(args))), ...);
  }

 private:
  const AnyView* data_;
  int32_t size_;
};

namespace detail {

template <typename Arg>
inline constexpr bool is_held_argument_v =
    view_needs_owner_v<std::remove_const_t<std::remove_reference_t<Arg>>>;

/*! \brief Return the argument itself. If a view cannot borrow from the argument
 * (view_needs_owner_v), return an Any that is made from it. */
template <typename Arg>
TVM_FFI_INLINE decltype(auto) HoldArgument(Arg&& arg) {
  if constexpr (is_held_argument_v<Arg>) {
    return Any(std::forward<Arg>(arg));
  } else {
    return std::forward<Arg>(arg);
  }
}

template <typename F>
inline constexpr bool takes_packed_args_v = std::is_invocable_v<F, PackedArgs, Any*>;

template <typename F>
inline constexpr bool takes_raw_args_v = std::is_invocable_v<F, const AnyView*, int32_t, Any*>;

/*! \brief Whether a Function can wrap the callable `F`; false for Function itself, which is copied.
 * */
template <typename F>
inline constexpr bool is_packed_callable_v =
    std::conjunction_v<std::negation<std::is_base_of<ObjectRef, F>>,
                       std::disjunction<std::is_invocable<F&, PackedArgs, Any*>,
                                        std::is_invocable<F&, const AnyView*, int32_t, Any*>>>;

/*! \brief Adapts a callable `(PackedArgs, Any*)` to the form that FunctionObjImpl calls. */
template <typename TCallable>
class PackedArgsCallable {
 public:
  template <typename... Args>
  explicit PackedArgsCallable(std::in_place_t, Args&&... args)
      : callable_(std::forward<Args>(args)...) {}

  TVM_FFI_INLINE void operator()(const AnyView* args, int32_t num_args, Any* result) {
    callable_(PackedArgs(args, num_args), result);
  }

  TCallable* callable() { return &callable_; }

 private:
  TCallable callable_;
};

/*! \brief Throw the error that a failed C call left in the error slot of this thread. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowSafeCallRaised() {
  throw MoveFromSafeCallRaised();
}

/*!
 * \brief Put the exception that is being handled into the error slot of this thread.
 *
 * Anything that is not a C++ exception is rethrown instead: the end of a thread (`pthread_exit`,
 * which Python calls in daemon threads at exit) unwinds the stack like an exception and must not be
 * caught.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void SetSafeCallRaisedCurrent() {
  if (std::current_exception() == nullptr) throw;
  SetSafeCallRaised(CurrentExceptionAsError());
}

/*! \brief Throw InternalError: the result slot holds an object, whose reference the callee would
 * overwrite. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowResultSlotNotEmpty(
    const TVMFFIAny* result) {
  TVM_FFI_ICHECK_LT(result->type_index, TypeIndex::kTVMFFIStaticObjectBegin)
      << "the result of a call must be initialised with a value that owns nothing";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the initial value of a result slot: None, with all 16 bytes initialised. */
TVM_FFI_INLINE TVMFFIAny NoneResult() {
  TVMFFIAny result;
  result.type_index = TypeIndex::kTVMFFINone;
  result.zero_padding = 0;
  result.v_int64 = 0;
  return result;
}

/*!
 * \brief Return the address of an Any, as the result slot of a call. If the call fails, the caller
 * must use ThrowFailedCall, or forget the value in another way.
 *
 * Calls fill an Any in place instead of moving a TVMFFIAny to it. A move would read 16 bytes that
 * the callee has just written as two words. The processor delays such a read until both writes are
 * complete, which doubled the cost of a field getter.
 */
TVM_FFI_INLINE TVMFFIAny* ResultSlot(Any* result) { return reinterpret_cast<TVMFFIAny*>(result); }

/*! \brief Throw the error of a failed C call, whose result slot was `*result`. The value in the
 * slot is forgotten, because it may be anything. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowFailedCall(Any* result) {
  *ResultSlot(result) = NoneResult();
  ThrowSafeCallRaised();
}

/*! \brief Releases the value that a callee has written to its result slot before it failed. */
class ResultOfFailure {
 public:
  explicit ResultOfFailure(TVMFFIAny* result) : result_(result) {}
  ~ResultOfFailure() {
    if (result_ == nullptr) return;
    Any left = AnyUnsafe::MoveTVMFFIAnyToAny(result_);
    *result_ = NoneResult();
  }
  ResultOfFailure(const ResultOfFailure&) = delete;
  ResultOfFailure& operator=(const ResultOfFailure&) = delete;
  /*! \brief Leave the value in the slot: the call succeeded. */
  void Succeed() { result_ = nullptr; }

 private:
  TVMFFIAny* result_;
};

}  // namespace detail

/*! \brief Begin the code of a C callback; C++ exceptions go into the error slot of this thread. */
#define TVM_FFI_SAFE_CALL_BEGIN() \
  try {                           \
  (void)0

/*! \brief End the code of a C callback: return 0, or -1 after an exception, with the error in the
 * error slot of this thread. */
#define TVM_FFI_SAFE_CALL_END()                     \
  return 0;                                         \
  }                                                 \
  catch (const ::tvm::ffi::Error& err) {            \
    ::tvm::ffi::detail::SetSafeCallRaised(err);     \
    return -1;                                      \
  }                                                 \
  catch (...) {                                     \
    ::tvm::ffi::detail::SetSafeCallRaisedCurrent(); \
    return -1;                                      \
  }                                                 \
  TVM_FFI_UNREACHABLE()

/*!
 * \brief Evaluate a C call once. If its status is not 0, throw the error in the error slot of this
 * thread.
 *
 * If the error slot is empty (status -2: a language binding, such as the Python extension, has a
 * pending exception), throw EnvErrorAlreadySet.
 */
#define TVM_FFI_CHECK_SAFE_CALL(func)            \
  do {                                           \
    if (TVM_FFI_PREDICT_FALSE((func) != 0)) {    \
      ::tvm::ffi::detail::ThrowSafeCallRaised(); \
    }                                            \
  } while (0)

/*!
 * \brief The object of a function: the C cell directly after the object header.
 *
 * `safe_call` is always set. `cpp_call` may be null; otherwise it is an FCall, which throws C++
 * exceptions.
 */
class FunctionObj : public Object, public TVMFFIFunctionCell {
 public:
  /*! \brief A call inside C++: exceptions pass through, and the old value of `*result` is
   * released. */
  using FCall = void (*)(const FunctionObj* self, const AnyView* args, int32_t num_args,
                         Any* result);

  /*!
   * \brief Call with packed arguments.
   * \param args borrowed until the call returns; may be null when `num_args` is 0.
   * \param num_args number of arguments.
   * \param result an initialised Any, whose value the result replaces.
   * \throws any exception of the callee, of any type.
   */
  TVM_FFI_INLINE void CallPacked(const AnyView* args, int32_t num_args, Any* result) const {
    if (TVM_FFI_PREDICT_TRUE(this->cpp_call != nullptr)) {
      reinterpret_cast<FCall>(this->cpp_call)(this, args, num_args, result);
    } else if (TVM_FFI_PREDICT_FALSE(CallThroughSafeCall(args, num_args, result) != 0)) {
      // The error is thrown here and not in a function, because each frame makes unwinding slower.
      throw detail::MoveFromSafeCallRaised();
    }
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIFunction;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIFunction, FunctionObj, Object);
  /// \endcond

 protected:
  FunctionObj() = default;

 private:
  /*!
   * \brief Call the function, and return the status. If the status is 0, replace `*result`.
   *
   * This function does not throw. CallPacked() throws the error of the callee. CallPacked() does
   * not have variables with a destructor, so unwinding has nothing to destroy, and costs only half.
   */
  TVM_FFI_NO_INLINE int CallThroughSafeCall(const AnyView* args, int32_t num_args,
                                            Any* result) const {
    // Do not use `*result` as the result slot: it may own a value, and the callee overwrites its
    // slot without a release.
    TVMFFIAny fresh = detail::NoneResult();
    int status = this->safe_call(const_cast<FunctionObj*>(this),
                                 reinterpret_cast<const TVMFFIAny*>(args), num_args, &fresh);
    if (TVM_FFI_PREDICT_TRUE(status == 0)) {
      *result = std::move(*reinterpret_cast<Any*>(&fresh));
    }
    return status;
  }
};

namespace detail {

/*! \brief A function object that holds a packed callable, which is called with `(const AnyView*,
 * int32_t, Any*)`. Calls are not serialised. */
template <typename TCallable>
class FunctionObjImpl : public FunctionObj {
 public:
  template <typename... Args>
  explicit FunctionObjImpl(std::in_place_t, Args&&... args)
      : callable_(std::forward<Args>(args)...) {
    this->safe_call = SafeCall;
    this->cpp_call = reinterpret_cast<void*>(static_cast<FCall>(CppCall));
  }

  /*! \brief Return the callable, which lives as long as this object. */
  TCallable* callable() { return &callable_; }

 private:
  static void CppCall(const FunctionObj* self, const AnyView* args, int32_t num_args, Any* result) {
    static_cast<const FunctionObjImpl*>(self)->callable_(args, num_args, result);
  }

  static int SafeCall(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
    TVM_FFI_SAFE_CALL_BEGIN();
    if (TVM_FFI_PREDICT_FALSE(result->type_index >= TypeIndex::kTVMFFIStaticObjectBegin)) {
      ThrowResultSlotNotEmpty(result);
    }
    TCallable& callable =
        static_cast<const FunctionObjImpl*>(static_cast<Object*>(self))->callable_;
    const AnyView* views = reinterpret_cast<const AnyView*>(args);
    ResultOfFailure written(result);
    if constexpr (can_set_raised_v<TCallable>) {
      if (TVM_FFI_PREDICT_FALSE(
              !callable.CallOrSetRaised(views, num_args, reinterpret_cast<Any*>(result)))) {
        return -1;
      }
    } else {
      callable(views, num_args, reinterpret_cast<Any*>(result));
    }
    written.Succeed();
    TVM_FFI_SAFE_CALL_END();
  }

  /*! \brief Mutable, because a functor may change its own state from call to call. */
  mutable TCallable callable_;
};

/*! \brief A function object around C code whose first argument is a context pointer, `self`. */
class ExternCFunctionObj : public FunctionObj {
 public:
  ExternCFunctionObj(void* self, TVMFFISafeCallType call, void (*deleter)(void* self))
      : self_(self), call_(call), deleter_(deleter) {
    this->safe_call = SafeCall;
    this->cpp_call = nullptr;
  }
  ~ExternCFunctionObj() {
    if (deleter_ != nullptr) deleter_(self_);
  }

 private:
  static int SafeCall(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
    auto* function = static_cast<ExternCFunctionObj*>(static_cast<Object*>(self));
    return function->call_(function->self_, args, num_args, result);
  }

  void* self_;
  TVMFFISafeCallType call_;
  void (*deleter_)(void* self);
};

/*! \brief A function object around C code whose first argument is the handle of the function. */
class PlainCFunctionObj : public FunctionObj {
 public:
  explicit PlainCFunctionObj(TVMFFISafeCallType call) {
    this->safe_call = call;
    this->cpp_call = nullptr;
  }
};

}  // namespace detail

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

/*! \brief Return the error of CallExpected for a result that does not convert: TypeError, or the
 * kind of the refusal, such as OverflowError for a number out of range. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error CallExpectedMismatch(
    FTypeText expected, Refusal (*refusal_of)(const TVMFFIAny*), const Any& result) {
  Refusal refusal = refusal_of(AnyUnsafe::TVMFFIAnyPtrFromAny(result));
  if (!refusal.empty()) {
    return Error(refusal.kind,
                 "CallExpected: result does not fit " + expected() + ": " + refusal.text,
                 TVMFFIBacktrace(nullptr, 0, nullptr, 0));
  }
  return Error("TypeError",
               "CallExpected: result type mismatch, expected " + expected() + ", but got " +
                   result.GetTypeKey(),
               TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

/*! \brief Return a view of a name for the C API. */
inline TVMFFIByteArray NameBytes(std::string_view name) {
  return TVMFFIByteArray{name.data(), name.size()};
}

}  // namespace detail

/*!
 * \brief A function that any language can call; may be null.
 *
 * A call is as thread-safe as the callable in the function: calls are not serialised. Arguments are
 * borrowed until the call returns.
 */
class Function : public ObjectRef {
 public:
  Function(std::nullptr_t) : ObjectRef(nullptr) {}  // NOLINT(google-explicit-constructor)

  /*! \brief Wrap a callable with FromPacked. */
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
   * \brief Wrap a callable with a C++ signature.
   * \param callable functor, function, or pointer to a method of a class that derives from Object
   *         or ObjectRef; stored by value.
   *
   * A call with a wrong number or type of arguments throws TypeError.
   */
  template <typename F>
  static Function FromTyped(F&& callable) {
    using TCallable = std::decay_t<F>;
    return FromSignature<typename detail::FunctionInfo<TCallable>::FType>(
        std::forward<F>(callable));
  }

  /*! \brief Like FromTyped, with a name for the error texts. */
  template <typename F>
  static Function FromTyped(F&& callable, std::string name) {
    using TCallable = std::decay_t<F>;
    return FromSignature<typename detail::FunctionInfo<TCallable>::FType>(std::forward<F>(callable),
                                                                          std::move(name));
  }

  /*!
   * \brief Wrap C code.
   * \param self the handle that `safe_call` gets; if `self` and `deleter` are null, `safe_call`
   *        gets the function itself.
   * \param safe_call the code.
   * \param deleter called once with `self` when the function is destroyed; may be null.
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

  /*! \brief Return the global function with a name, or nullopt. */
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

  /*! \brief Return the global function with a name; ValueError when there is none. */
  static Function GetGlobalRequired(std::string_view name) {
    std::optional<Function> function = GetGlobal(name);
    if (TVM_FFI_PREDICT_FALSE(!function.has_value())) ThrowNotFound(name);
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

  /*! \brief Register a global function; RuntimeError when the name exists, unless `override` is
   * true. */
  static void SetGlobal(std::string_view name, Function func, bool override = false) {
    TVMFFIByteArray name_bytes = detail::NameBytes(name);
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionSetGlobal(
        &name_bytes, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(func), override));
  }

  /*! \brief Return the names of all global functions, in no particular order. */
  static std::vector<String> ListGlobalNames() {
    Function names = GetGlobalRequired("ffi.FunctionListGlobalNamesFunctor")().cast<Function>();
    int64_t count = names(-1).cast<int64_t>();
    std::vector<String> result;
    result.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) result.push_back(names(i).cast<String>());
    return result;
  }

  /*! \brief Remove a global function; does nothing for an unknown name. */
  static void RemoveGlobal(const String& name) {
    GetGlobalRequired("ffi.FunctionRemoveGlobal")(name);
  }

  /*!
   * \brief Call C code of the safe-call convention, e.g. an exported symbol.
   * \param handle the first argument of the code.
   * \param safe_call the code.
   * \param args arguments.
   * \throws Error the error that the code raised.
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
    int status = safe_call(handle, reinterpret_cast<const TVMFFIAny*>(views),
                           static_cast<int32_t>(sizeof...(Args)), detail::ResultSlot(&result));
    if (TVM_FFI_PREDICT_FALSE(status != 0)) detail::ThrowFailedCall(&result);
    return result;
  }

  /*!
   * \brief Call the function.
   * \throws Error ValueError when null; otherwise any exception of the callee.
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

  /*! \brief Call the function with packed arguments; `*result` must be an initialised Any. */
  TVM_FFI_INLINE void CallPacked(const AnyView* args, int32_t num_args, Any* result) const {
    NotNull()->CallPacked(args, num_args, result);
  }
  TVM_FFI_INLINE void CallPacked(PackedArgs args, Any* result) const {
    NotNull()->CallPacked(args.data(), args.size(), result);
  }

  /*!
   * \brief Call the function, and return its error instead of throwing it.
   * \tparam T the type to which the result is converted.
   * \return the result; or the error that the callee raised or returned as its value; or TypeError
   *         if the result does not convert, OverflowError if it is out of range; or ValueError if
   *         the function is null.
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
    if (TVM_FFI_PREDICT_FALSE(status != 0)) return detail::MoveFromSafeCallRaised();
    return ExpectResult<T>(detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw));
  }

  /*! \brief Return whether this is null. */
  TVM_FFI_INLINE bool operator==(std::nullptr_t) const { return data_ == nullptr; }
  TVM_FFI_INLINE bool operator!=(std::nullptr_t) const { return data_ != nullptr; }

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Function, ObjectRef, FunctionObj);

  /*! \brief Declared but not defined, for programs that mention the name. */
  class Registry;

 private:
  template <typename>
  friend class TypedFunction;

  TVM_FFI_INLINE const FunctionObj* NotNull() const {
    if (TVM_FFI_PREDICT_FALSE(data_ == nullptr)) detail::ThrowNullFunctionCall();
    return static_cast<const FunctionObj*>(data_.get());
  }

  /*! \brief Throw ValueError; the message has a hint from the runtime, such as a similar name. */
  [[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE static void ThrowNotFound(
      std::string_view name) {
    String hint;
    std::optional<Function> about = GetGlobal("ffi._GlobalFunctionHint");
    if (about.has_value()) hint = (*about)(String(name.data(), name.size())).cast<String>();
    TVM_FFI_THROW(ValueError) << "Function " << name << " not found" << hint;
    TVM_FFI_UNREACHABLE();
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
    using Adapter = detail::TypedCallable<std::decay_t<F>, FType, std::string>;
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
      return detail::CallExpectedMismatch(&detail::Type2Str<T>::v, &detail::RefusalOf<T>, result);
    }
  }
};

/*! \brief Return the index of a registered type key; InternalError when the key is unknown. */
inline int32_t TypeKeyToIndex(std::string_view type_key) {
  TVMFFIByteArray key_bytes = detail::NameBytes(type_key);
  int32_t type_index = 0;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&key_bytes, &type_index));
  return type_index;
}

namespace detail {

/*! \brief Whether `F` is a callable that TypedFunction<R(Args...)> may wrap. */
template <typename F, typename R, typename... Args>
inline constexpr bool is_typed_callable_v =
    std::conjunction_v<std::negation<std::is_same<F, Function>>,
                       std::negation<std::is_same<F, TypedFunction<R(Args...)>>>,
                       std::is_invocable_r<R, F&, Args...>>;

}  // namespace detail

/*!
 * \brief A Function with the signature `R(Args...)`; may be empty.
 *
 * The constructor does not check the signature of a Function. If the arguments or the result do not
 * fit, a call throws TypeError.
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
  /*! \brief Wrap a callable, with a name for the error texts. */
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

  /*! \brief Call the function. \throws TypeError when the result does not convert to `R`,
   * OverflowError when it is out of range. */
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

  /*! \brief Return the untyped function. */
  const Function& packed() const& { return packed_; }
  Function&& packed() && { return std::move(packed_); }

  /*! \brief Return whether this is empty. */
  bool operator==(std::nullptr_t) const { return packed_ == nullptr; }
  bool operator!=(std::nullptr_t) const { return packed_ != nullptr; }

  /*! \brief Return the JSON schema of the signature. */
  static std::string TypeSchema() { return detail::SignatureInfo<R, Args...>::TypeSchema(); }

 private:
  Function packed_{nullptr};
};

/*! \brief Traits of TypedFunction, which is stored as its untyped function. A conversion from a
 * Function does not check the signature. */
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

}  // namespace tvm::ffi

/* ------------------------------------------------------------------ exported functions */

/*!
 * \brief If 0, TVM_FFI_DLL_EXPORT_TYPED_FUNC does not export the signature, and
 * TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC does not export anything.
 *
 * Define the macro before the first include of these headers, or on the command line of the
 * compiler; TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA is another name for it. An export with metadata
 * makes a library larger (see docs/functions.md), but does not affect calls.
 */
#ifndef TVM_FFI_DLL_EXPORT_INCLUDE_METADATA
#ifdef TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA
#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA TVM_FFI_DLL_EXPORT_TYPED_FUNC_METADATA
#else
#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA 1
#endif
#endif

// The runtime itself (built with TVM_FFI_EXPORTS) reports its version through TVMFFIGetVersion.
#if !defined(TVM_FFI_EXPORTS)
extern "C" {
/*! \brief The version of the headers with which this library was built. A loader checks the version
 * before it uses the library. */
extern TVM_FFI_DLL_EXPORT TVM_FFI_WEAK const TVMFFIVersion __tvm_ffi__abi_version;
const TVMFFIVersion __tvm_ffi__abi_version = {TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR,
                                              TVM_FFI_VERSION_PATCH};
}
#endif

/// \cond Doxygen_Suppress
#define TVM_FFI_EXPAND_(Text) Text
#define TVM_FFI_FIRST_(First, ...) First

// The names of parameters and of the alias end in `_`, because they hide functions of the user.
#define TVM_FFI_DLL_EXPORT_FUNC_BODY_(ExportName, Func)                                            \
  extern "C" {                                                                                     \
  TVM_FFI_DLL_EXPORT int __tvm_ffi_##ExportName([[maybe_unused]] void* ffi_self_,                  \
                                                const TVMFFIAny* ffi_args_, int32_t ffi_num_args_, \
                                                TVMFFIAny* ffi_result_) {                          \
    TVM_FFI_SAFE_CALL_BEGIN();                                                                     \
    using FfiInfo_ = ::tvm::ffi::detail::FunctionInfo<std::decay_t<decltype(Func)>>;               \
    if (TVM_FFI_PREDICT_FALSE(!(::tvm::ffi::detail::TryUnpackCall<FfiInfo_::RetType, FfiInfo_>(    \
            std::make_index_sequence<FfiInfo_::num_args>(), #ExportName, Func,                     \
            reinterpret_cast<const ::tvm::ffi::AnyView*>(ffi_args_), ffi_num_args_,                \
            reinterpret_cast<::tvm::ffi::Any*>(ffi_result_))))) {                                  \
      return -1;                                                                                   \
    }                                                                                              \
    TVM_FFI_SAFE_CALL_END();                                                                       \
  }                                                                                                \
  }

#define TVM_FFI_DLL_EXPORT_TEXT_(Symbol, Call)                                              \
  extern "C" {                                                                              \
  TVM_FFI_DLL_EXPORT int Symbol(void*, const TVMFFIAny*, int32_t, TVMFFIAny* ffi_result_) { \
    return Call;                                                                            \
  }                                                                                         \
  }
/// \endcond

/*!
 * \brief Export a function under the name `ExportName`, as the C symbol `__tvm_ffi_<ExportName>`.
 *
 * The second argument is a function, a parenthesised address such as `(&Class::StaticMethod)`, or a
 * variable that holds a captureless lambda. Further arguments, in any order, describe the function
 * for language bindings (such as the Python extension): its documentation,
 * `reflection::arg_names("x", "eps")`, `reflection::arg_defaults("[1e-5]")`. With
 * `reflection::arg_names`, callers in Python can pass arguments by keyword. Use the macro at
 * namespace scope; a `;` may follow.
 */
#if TVM_FFI_DLL_EXPORT_INCLUDE_METADATA
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(ExportName, ...)                                       \
  TVM_FFI_DLL_EXPORT_FUNC_BODY_(ExportName, TVM_FFI_EXPAND_(TVM_FFI_FIRST_(__VA_ARGS__, 0))) \
  TVM_FFI_DLL_EXPORT_TEXT_(__tvm_ffi__metadata_##ExportName,                                 \
                           ::tvm::ffi::detail::ReturnExportInfo(ffi_result_, __VA_ARGS__))
#else
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(ExportName, ...) \
  TVM_FFI_DLL_EXPORT_FUNC_BODY_(ExportName, TVM_FFI_EXPAND_(TVM_FFI_FIRST_(__VA_ARGS__, 0)))
#endif

/*!
 * \brief Export the documentation of an exported function, unless metadata is switched off.
 *
 * `DocString` is a string literal or an expression that converts to a String. Every byte of a
 * literal is exported, including NULs and white space at both ends. An expression is evaluated each
 * time the documentation is requested.
 */
#if TVM_FFI_DLL_EXPORT_INCLUDE_METADATA
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(ExportName, DocString) \
  TVM_FFI_DLL_EXPORT_TEXT_(__tvm_ffi__doc_##ExportName,          \
                           ::tvm::ffi::detail::ReturnExportDoc(  \
                               ffi_result_, []() -> decltype(auto) { return (DocString); }))
#else
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(ExportName, DocString)
#endif

#endif  // TVM_FFI_FUNCTION_H_

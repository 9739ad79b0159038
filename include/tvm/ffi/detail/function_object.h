// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/function_object.h
 * \brief The object behind Function, and the objects that hold a C++ or a C callable.
 *
 * Serves function.h alone.
 */
#ifndef TVM_FFI_DETAIL_FUNCTION_OBJECT_H_
#define TVM_FFI_DETAIL_FUNCTION_OBJECT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Throw the error that a failed C call left in this thread's slot. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowSafeCallRaised() {
  throw MoveFromSafeCallRaised();
}

/*! \brief Raise an exception that is no Error, as InternalError without a backtrace. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void SetSafeCallRaisedStd(
    const std::exception& ex) noexcept {
  try {
    SetSafeCallRaised(StdExceptionAsError(ex));
  } catch (const std::exception&) {
    // No memory for an error object of our own: the library has to find some.
    TVMFFIErrorSetRaisedFromCStr("InternalError", ex.what());
  }
}

/*! \brief Refuse a result slot that holds an object: the callee would overwrite a reference. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowResultSlotNotEmpty(
    const TVMFFIAny* result) {
  TVM_FFI_ICHECK_LT(result->type_index, TypeIndex::kTVMFFIStaticObjectBegin)
      << "the result of a call must be initialised with a value that owns nothing";
  TVM_FFI_UNREACHABLE();
}

/*! \brief A value slot as callees want it: None, all bytes set. */
TVM_FFI_INLINE TVMFFIAny NoneResult() {
  TVMFFIAny result;
  result.type_index = TypeIndex::kTVMFFINone;
  result.zero_padding = 0;
  result.v_int64 = 0;
  return result;
}

/*!
 * \brief The bits of a value that a callee is to fill; the value releases them if the call fails.
 *
 * Calls fill an Any in place instead of moving a TVMFFIAny there: to copy 16 bytes that the callee
 * has just written as two words stalls the load, which doubled the cost of a field getter.
 */
TVM_FFI_INLINE TVMFFIAny* ResultSlot(Any* result) { return reinterpret_cast<TVMFFIAny*>(result); }

/*!
 * \brief Release what a callee that failed has left in its result slot all the same.
 *
 * The error stays in this thread's slot, whatever the destructors raise there.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ReleaseResultOfFailedCall(
    const TVMFFIAny& result) noexcept {
  if (result.type_index < TypeIndex::kTVMFFIStaticObjectBegin) return;
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIObjectDecRef(result.v_obj);
  if (error == nullptr) return;
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
}

/*! \brief The error of a call that failed; what it left in its result slot is released. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error MoveErrorOfFailedCall(const TVMFFIAny& result) {
  ReleaseResultOfFailedCall(result);
  return MoveFromSafeCallRaised();
}

}  // namespace detail

/*! \brief Begin of the body of a C callback: C++ exceptions end in the error slot. */
#define TVM_FFI_SAFE_CALL_BEGIN() \
  try {                           \
  (void)0

/*! \brief End of the body of a C callback: returns 0, or -1 with the error raised. */
#define TVM_FFI_SAFE_CALL_END()                   \
  return 0;                                       \
  }                                               \
  catch (const ::tvm::ffi::Error& err) {          \
    ::tvm::ffi::detail::SetSafeCallRaised(err);   \
    return -1;                                    \
  }                                               \
  catch (const std::exception& ex) {              \
    ::tvm::ffi::detail::SetSafeCallRaisedStd(ex); \
    return -1;                                    \
  }                                               \
  TVM_FFI_UNREACHABLE()

/*!
 * \brief Evaluate a C call once and throw the raised error if its status is not 0.
 *
 * An empty slot (status -2: the frontend has an exception pending) gives EnvErrorAlreadySet.
 */
#define TVM_FFI_CHECK_SAFE_CALL(func)            \
  do {                                           \
    if (TVM_FFI_PREDICT_FALSE((func) != 0)) {    \
      ::tvm::ffi::detail::ThrowSafeCallRaised(); \
    }                                            \
  } while (0)

/*!
 * \brief Body of a function: the C cell right after the object header.
 *
 * `safe_call` is always set. `cpp_call` may be null; otherwise it is an FCall, which throws.
 */
class FunctionObj : public Object, public TVMFFIFunctionCell {
 public:
  /*! \brief A call inside C++: exceptions pass through, a live `result` is released. */
  using FCall = void (*)(const FunctionObj* self, const AnyView* args, int32_t num_args,
                         Any* result);

  /*!
   * \brief Call with packed arguments.
   * \param args borrowed until the call returns; may be null when `num_args` is 0.
   * \param num_args number of arguments.
   * \param result an initialised value, replaced by the result.
   * \throws whatever the callee throws, of any type.
   */
  TVM_FFI_INLINE void CallPacked(const AnyView* args, int32_t num_args, Any* result) const {
    if (TVM_FFI_PREDICT_TRUE(this->cpp_call != nullptr)) {
      reinterpret_cast<FCall>(this->cpp_call)(this, args, num_args, result);
    } else if (TVM_FFI_PREDICT_FALSE(CallThroughSafeCall(args, num_args, result) != 0)) {
      detail::ThrowSafeCallRaised();
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
   * \brief Call and return the status; `result` is replaced when that is 0.
   *
   * Nothing here is to be destroyed and nothing throws: an error of the callee is thrown one frame
   * further out, past no clean-up, which halves what unwinding costs.
   */
  TVM_FFI_NO_INLINE int CallThroughSafeCall(const AnyView* args, int32_t num_args,
                                            Any* result) const {
    // A slot of its own: the callee overwrites without release.
    TVMFFIAny fresh = detail::NoneResult();
    int status = this->safe_call(const_cast<FunctionObj*>(this),
                                 reinterpret_cast<const TVMFFIAny*>(args), num_args, &fresh);
    if (TVM_FFI_PREDICT_TRUE(status == 0)) {
      *result = std::move(*reinterpret_cast<Any*>(&fresh));
    } else {
      detail::ReleaseResultOfFailedCall(fresh);
    }
    return status;
  }
};

namespace detail {

/*!
 * \brief A function object that holds a packed callable: one that can be called with
 * `(const AnyView*, int32_t, Any*)`. Calls are not serialised.
 */
template <typename TCallable>
class FunctionObjImpl : public FunctionObj {
 public:
  template <typename... Args>
  explicit FunctionObjImpl(std::in_place_t, Args&&... args)
      : callable_(std::forward<Args>(args)...) {
    this->safe_call = SafeCall;
    this->cpp_call = reinterpret_cast<void*>(static_cast<FCall>(CppCall));
  }

  /*! \brief The callable, alive as long as this object. */
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
    static_cast<const FunctionObjImpl*>(static_cast<Object*>(self))
        ->callable_(reinterpret_cast<const AnyView*>(args), num_args,
                    reinterpret_cast<Any*>(result));
    TVM_FFI_SAFE_CALL_END();
  }

  /*! \brief Mutable: a functor may change its own state from call to call. */
  mutable TCallable callable_;
};

/*! \brief A function object around C code that wants a context pointer of its own. */
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

/*! \brief A function object around C code that takes the function's own handle. */
class PlainCFunctionObj : public FunctionObj {
 public:
  explicit PlainCFunctionObj(TVMFFISafeCallType call) {
    this->safe_call = call;
    this->cpp_call = nullptr;
  }
};

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_FUNCTION_OBJECT_H_

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/exception.h
 * \brief The class Error, and C++ access to the error slot of this thread.
 *
 * This header has everything that object.h needs to throw. It does not include the standard
 * streams, which the macros of error.h use. The runtime library makes the error objects, so clients
 * do not compile the code that makes them. Members that are only declared here are defined in
 * error.h.
 */
#ifndef TVM_FFI_EXCEPTION_H_
#define TVM_FFI_EXCEPTION_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace tvm::ffi {

/*!
 * \brief The object of an error: the C cell directly after the object header.
 *
 * The object owns `cause_chain` and `extra_context`; the derived class owns the texts.
 */
class ErrorObj : public Object, public TVMFFIErrorCell {
 public:
  ErrorObj() : TVMFFIErrorCell{} {}
  ~ErrorObj();

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIError;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIError, ErrorObj, Object);
  /// \endcond
};

namespace detail {

/*! \brief Make an error object with copies of the texts. \throws std::bad_alloc when there is no
 * memory. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline ObjectPtr<Object> NewError(TVMFFIByteArray kind,
                                                                      TVMFFIByteArray message,
                                                                      TVMFFIByteArray backtrace) {
  TVMFFIObjectHandle handle = nullptr;
  if (TVMFFIErrorCreate(&kind, &message, &backtrace, &handle) != 0) throw std::bad_alloc();
  return ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle));
}

/*! \brief Return a view of a text for the C API. */
inline TVMFFIByteArray BytesOf(std::string_view text) {
  return TVMFFIByteArray{text.data(), text.size()};
}

}  // namespace detail

/// \cond Doxygen_Suppress
// On Windows, a handler in one library catches an exception of another library if the names of the
// two classes are equal, so the class need not be exported. With dllimport, clients would have to
// import all its inline functions too.
#if defined(_WIN32)
#define TVM_FFI_CAUGHT_BY_OTHERS_
#else
#define TVM_FFI_CAUGHT_BY_OTHERS_ TVM_FFI_DLL
#endif
/// \endcond

/*!
 * \brief The exception of this library: kind, message and backtrace, shared by reference.
 *
 * Copies refer to the same error: a change of its backtrace is visible in all copies.
 * Errors are thrown and caught by value across libraries, hence the visibility of the class.
 * Reading is thread-safe. UpdateBacktrace is not: call it while no other thread has the error. The
 * library itself never changes an error that has more than one owner.
 */
class TVM_FFI_CAUGHT_BY_OTHERS_ Error : public ObjectRef, public std::exception {
 public:
  /*!
   * \brief Make an error.
   * \param kind class name, e.g. "ValueError".
   * \param message text for people.
   * \param backtrace lines `  File "F", line N, in G`, each ended by a newline, most recent call
   *        first.
   */
  Error(std::string kind, std::string message, std::string backtrace)
      : ObjectRef(detail::NewError(detail::BytesOf(kind), detail::BytesOf(message),
                                   detail::BytesOf(backtrace))) {}

  /*!
   * \brief Make an error with a cause and a context.
   * \param kind class name.
   * \param message text for people.
   * \param backtrace as above.
   * \param cause_chain the error that caused this error.
   * \param extra_context any object, which is kept alive.
   */
  Error(std::string kind, std::string message, std::string backtrace,
        std::optional<Error> cause_chain, std::optional<ObjectRef> extra_context);

  /*! \brief Make an error whose backtrace is copied from a borrowed text; null gives an empty
   * backtrace. */
  Error(std::string kind, std::string message, const TVMFFIByteArray* backtrace)
      : ObjectRef(detail::NewError(detail::BytesOf(kind), detail::BytesOf(message),
                                   backtrace != nullptr ? *backtrace : TVMFFIByteArray{})) {}

  /*! \brief Return the class name, e.g. "ValueError". */
  std::string kind() const;
  /*! \brief Return the text for people. */
  std::string message() const;
  /*! \brief Return the lines of the stack, most recent call first. */
  std::string backtrace() const;

  /*! \brief Return the error that caused this error, if there is one. */
  std::optional<Error> cause_chain() const;
  /*! \brief Return the additional object of this error, if there is one. */
  std::optional<ObjectRef> extra_context() const;

  /*! \brief Return the lines of the stack for display, most recent call last. */
  std::string TracebackMostRecentCallLast() const;

  /*!
   * \brief Change the backtrace of this error, for all its copies.
   * \param text copied; has the format of backtrace().
   * \param update_mode a TVMFFIBacktraceUpdateMode.
   */
  void UpdateBacktrace(const TVMFFIByteArray* text, int32_t update_mode);

  /*! \brief Return the text for a terminal: traceback (most recent call last), then `kind:
   * message`. */
  std::string FullMessage() const;

  /*! \brief Return the message; valid as long as a copy of this error exists. */
  const char* what() const noexcept override {
    return get() != nullptr && cell()->message.data != nullptr ? cell()->message.data : "";
  }

  /// \cond Doxygen_Suppress
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Error, ObjectRef, ErrorObj);
  /// \endcond

 private:
  const ErrorObj* cell() const { return static_cast<const ErrorObj*>(data_.get()); }
};

/*! \brief Return the error that means "the language binding (such as the Python extension) has a
 * pending exception". Throw this error when TVMFFIEnvCheckSignals has failed. A language binding
 * that receives this error raises the pending exception. */
inline Error EnvErrorAlreadySet();

namespace detail {

/*! \brief Make an error with copies of the texts; null gives an empty backtrace. */
TVM_FFI_COLD_CODE inline Error MakeError(std::string_view kind, std::string_view message,
                                         const TVMFFIByteArray* backtrace) {
  return ObjectUnsafe::ObjectRefFromObjectPtr<Error>(NewError(
      BytesOf(kind), BytesOf(message), backtrace != nullptr ? *backtrace : TVMFFIByteArray{}));
}

/*!
 * \brief Take the error out of the error slot of this thread after a failed C call.
 *
 * If the slot is empty, an exception is pending in the language binding (such as the Python
 * extension); then return EnvErrorAlreadySet().
 */
TVM_FFI_COLD_CODE inline Error MoveFromSafeCallRaised() {
  TVMFFIObjectHandle handle = nullptr;
  TVMFFIErrorMoveFromRaised(&handle);
  if (handle == nullptr) return EnvErrorAlreadySet();
  return ObjectUnsafe::ObjectRefFromObjectPtr<Error>(
      ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle)));
}

/*! \brief Put an error into the error slot of this thread, before a C function returns -1. */
inline void SetSafeCallRaised(const Error& error) {
  TVMFFIErrorSetRaised(ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error));
}

template <typename Dummy>
[[noreturn]] void ThrowRaised() {
  throw MoveFromSafeCallRaised();
}

template <typename Dummy>
[[noreturn]] void ThrowNullReference(const char* type_key) {
  std::string text = "A reference to `";
  text.append(type_key).append("` that is not nullable cannot be made from a null pointer");
  throw MakeError("TypeError", text, TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0));
}

}  // namespace detail

inline Error EnvErrorAlreadySet() { return detail::MakeError("EnvErrorAlreadySet", "", nullptr); }

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXCEPTION_H_

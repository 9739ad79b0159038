// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/error.h
 * \brief The error class, the macros that throw it, and the thread's error slot seen from C++.
 */
#ifndef TVM_FFI_ERROR_H_
#define TVM_FFI_ERROR_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

/*! \brief Kept for programs that test it: no libbacktrace is used here. */
#ifndef TVM_FFI_USE_LIBBACKTRACE
#define TVM_FFI_USE_LIBBACKTRACE 0
#endif

/*! \brief Kept for programs that test it: no signal handler is installed here. */
#ifndef TVM_FFI_BACKTRACE_ON_SEGFAULT
#define TVM_FFI_BACKTRACE_ON_SEGFAULT 0
#endif

/*! \brief 1: every throwing macro writes the full message to the standard error stream before it
 * throws. */
#ifndef TVM_FFI_ALWAYS_LOG_BEFORE_THROW
#define TVM_FFI_ALWAYS_LOG_BEFORE_THROW 0
#endif

namespace tvm {
namespace ffi {

/*!
 * \brief Body of an error: the C cell right after the object header.
 *
 * Owns `cause_chain` and `extra_context`; the texts belong to whatever class derives from it.
 */
class ErrorObj : public Object, public TVMFFIErrorCell {
 public:
  ErrorObj() : TVMFFIErrorCell{} {}
  ~ErrorObj() {
    ReleaseCauses(this->cause_chain);
    detail::ObjectUnsafe::DecRefObjectHandle(this->extra_context);
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIError;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIError, ErrorObj, Object);
  /// \endcond

 private:
  /*! \brief Release a chain link by link: a long one must not be a deep recursion. */
  static void ReleaseCauses(TVMFFIObjectHandle cause) {
    while (cause != nullptr) {
      auto* header = static_cast<TVMFFIObject*>(cause);
      TVMFFIObjectHandle next = nullptr;
      // Only what nobody else can see may be taken apart.
      if (header->type_index == TypeIndex::kTVMFFIError && detail::IsUniqueRef(header)) {
        detail::RefCountAcquire(header);
        std::swap(next, TVMFFIErrorGetCellPtr(cause)->cause_chain);
      }
      detail::ObjectUnsafe::DecRefObjectHandle(cause);
      cause = next;
    }
  }
};

namespace detail {

/*! \brief The error object made by this library: three owned strings that the cell points into. */
class ErrorObjFromStd : public ErrorObj {
 public:
  ErrorObjFromStd(std::string kind_text, std::string message_text, std::string backtrace_text)
      : kind_data_(std::move(kind_text)),
        message_data_(std::move(message_text)),
        backtrace_data_(std::move(backtrace_text)) {
    this->kind = TVMFFIByteArray{kind_data_.data(), kind_data_.size()};
    this->message = TVMFFIByteArray{message_data_.data(), message_data_.size()};
    this->backtrace = TVMFFIByteArray{backtrace_data_.data(), backtrace_data_.size()};
    this->update_backtrace = UpdateBacktrace;
  }

 private:
  /*! \brief Keeps the old text when there is no memory for the new one: C callers cannot catch. */
  static void UpdateBacktrace(TVMFFIObjectHandle self, const TVMFFIByteArray* text,
                              int32_t update_mode) noexcept {
    if (text == nullptr) return;
    auto* error = static_cast<ErrorObjFromStd*>(static_cast<Object*>(self));
    try {
      if (update_mode == kTVMFFIBacktraceUpdateModeReplace) {
        std::string replacement(text->data, text->size);
        error->backtrace_data_.swap(replacement);
      } else {
        error->backtrace_data_.append(text->data, text->size);
      }
    } catch (const std::exception&) {
      return;
    }
    error->backtrace =
        TVMFFIByteArray{error->backtrace_data_.data(), error->backtrace_data_.size()};
  }

  std::string kind_data_;
  std::string message_data_;
  std::string backtrace_data_;
};

/*! \brief Copy of a borrowed text; null means empty. */
inline std::string CopyText(const TVMFFIByteArray* text) {
  return text != nullptr && text->data != nullptr ? std::string(text->data, text->size)
                                                  : std::string();
}

}  // namespace detail

/*!
 * \brief The exception of this library: kind, message and backtrace, shared by reference.
 *
 * Copies are the same error: a change of the backtrace through one is seen through all. Thrown and
 * caught by value across libraries, hence its visibility. Reading is thread-safe, UpdateBacktrace
 * is not.
 */
class TVM_FFI_DLL Error : public ObjectRef, public std::exception {
 public:
  /*!
   * \brief Make an error.
   * \param kind class name, e.g. "ValueError".
   * \param message text for people.
   * \param backtrace lines `  File "F", line N, in G`, each ended by a newline, most recent call
   *        first.
   */
  Error(std::string kind, std::string message, std::string backtrace)
      : ObjectRef(make_object<detail::ErrorObjFromStd>(std::move(kind), std::move(message),
                                                       std::move(backtrace))) {}

  /*!
   * \brief Make an error that tells where it came from.
   * \param kind class name.
   * \param message text for people.
   * \param backtrace as above.
   * \param cause_chain the error that led to this one.
   * \param extra_context any object; kept alive.
   */
  Error(std::string kind, std::string message, std::string backtrace,
        std::optional<Error> cause_chain, std::optional<ObjectRef> extra_context)
      : Error(std::move(kind), std::move(message), std::move(backtrace)) {
    auto* cell = static_cast<ErrorObj*>(get_mutable());
    if (cause_chain.has_value()) {
      cell->cause_chain =
          detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(*std::move(cause_chain));
    }
    if (extra_context.has_value()) {
      cell->extra_context =
          detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(*std::move(extra_context));
    }
  }

  /*! \brief Make an error whose backtrace is copied from a borrowed text (null: empty). */
  Error(std::string kind, std::string message, const TVMFFIByteArray* backtrace)
      : Error(std::move(kind), std::move(message), detail::CopyText(backtrace)) {}

  /*! \brief Class name, e.g. "ValueError". */
  std::string kind() const { return detail::CopyText(&cell()->kind); }
  /*! \brief Text for people. */
  std::string message() const { return detail::CopyText(&cell()->message); }
  /*! \brief Lines of the stack, most recent call first. */
  std::string backtrace() const { return detail::CopyText(&cell()->backtrace); }

  /*! \brief The error that led to this one. */
  std::optional<Error> cause_chain() const {
    if (cell()->cause_chain == nullptr) return std::nullopt;
    return RefFromHandle<Error>(cell()->cause_chain);
  }
  /*! \brief The object that travels with this error. */
  std::optional<ObjectRef> extra_context() const {
    if (cell()->extra_context == nullptr) return std::nullopt;
    return RefFromHandle<ObjectRef>(cell()->extra_context);
  }

  /*! \brief Lines of the stack for display, most recent call last. */
  std::string TracebackMostRecentCallLast() const {
    const TVMFFIByteArray& text = cell()->backtrace;
    std::string_view lines =
        text.data != nullptr ? std::string_view(text.data, text.size) : std::string_view();
    // What follows the last newline is no line.
    lines = lines.substr(0, lines.rfind('\n') + 1);
    std::string result;
    result.reserve(lines.size());
    while (!lines.empty()) {
      lines.remove_suffix(1);
      size_t begin = lines.rfind('\n') + 1;
      if (begin != lines.size()) result.append(lines.substr(begin)).push_back('\n');
      lines = lines.substr(0, begin);
    }
    return result;
  }

  /*!
   * \brief Change the backtrace of this error, for all its copies.
   * \param text copied; the format of backtrace().
   * \param update_mode a TVMFFIBacktraceUpdateMode.
   */
  void UpdateBacktrace(const TVMFFIByteArray* text, int32_t update_mode) {
    auto* error = static_cast<ErrorObj*>(get_mutable());
    if (error->update_backtrace != nullptr) error->update_backtrace(error, text, update_mode);
  }

  /*! \brief What a terminal shows: traceback (most recent call last), then `kind: message`. */
  std::string FullMessage() const {
    std::string result = "Traceback (most recent call last):\n";
    result += TracebackMostRecentCallLast();
    result.append(kind()).append(": ").append(message()).push_back('\n');
    return result;
  }

  /*! \brief The message; valid as long as a copy of this error lives. */
  const char* what() const noexcept override {
    return get() != nullptr && cell()->message.data != nullptr ? cell()->message.data : "";
  }

  /// \cond Doxygen_Suppress
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Error, ObjectRef, ErrorObj);
  /// \endcond

 private:
  const ErrorObj* cell() const { return static_cast<const ErrorObj*>(data_.get()); }

  template <typename RefType>
  static RefType RefFromHandle(TVMFFIObjectHandle handle) {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(
        detail::ObjectUnsafe::ObjectPtrFromUnowned<Object>(static_cast<TVMFFIObject*>(handle)));
  }
};

/*!
 * \brief The error that says "the frontend has an exception pending"; throw it when a check for
 * signals failed. A frontend that receives it raises its own exception again.
 */
inline Error EnvErrorAlreadySet() { return Error("EnvErrorAlreadySet", "", ""); }

namespace detail {

/*!
 * \brief Take the error out of this thread's slot after a failed C call.
 *
 * An empty slot means that the failure is pending in the frontend.
 */
TVM_FFI_COLD_CODE inline Error MoveFromSafeCallRaised() {
  TVMFFIObjectHandle handle = nullptr;
  TVMFFIErrorMoveFromRaised(&handle);
  if (handle == nullptr) return EnvErrorAlreadySet();
  return ObjectUnsafe::ObjectRefFromObjectPtr<Error>(
      ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle)));
}

/*! \brief Put an error into this thread's slot, before a C function returns -1. */
inline void SetSafeCallRaised(const Error& error) {
  TVMFFIErrorSetRaised(ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error));
}

/*!
 * \brief The error for `std::bad_alloc`, kind MemoryError.
 *
 * Needs no memory: the library returns a prepared error if it cannot allocate one. An error that
 * this thread had raised before is released.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error OutOfMemoryError() noexcept {
  TVMFFIErrorSetRaisedFromCStr("MemoryError", "std::bad_alloc");
  return MoveFromSafeCallRaised();
}

/*! \brief An InternalError without a backtrace; OutOfMemoryError when there is no memory for it. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error InternalErrorOf(const char* message) noexcept {
  try {
    return Error("InternalError", message, "");
  } catch (const std::exception&) {
    return OutOfMemoryError();
  }
}

/*!
 * \brief The exception that is being handled, as an Error: itself if it is one, MemoryError for
 * `std::bad_alloc`, InternalError for any other.
 *
 * To be called in a catch block.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error CurrentExceptionAsError() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return OutOfMemoryError();
  } catch (const std::exception& exception) {
    return InternalErrorOf(exception.what());
  } catch (...) {
    return InternalErrorOf("An exception that is not a std::exception");
  }
}

/*! \brief Where std::cerr writes, without the cost of <iostream> in every unit. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void LogToStderr(const Error& error) {
  std::string text = error.FullMessage();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/*!
 * \brief Streams a message and throws when it goes out of scope.
 *
 * For macros of other libraries. An operand that throws while the text is being built ends the
 * program (a destructor throws during unwinding); TVM_FFI_THROW has no such trap.
 */
class ErrorBuilder {
 public:
  explicit ErrorBuilder(std::string kind, std::string backtrace, bool log_before_throw)
      : kind_(std::move(kind)),
        backtrace_(std::move(backtrace)),
        log_before_throw_(log_before_throw) {}

  explicit ErrorBuilder(std::string kind, const TVMFFIByteArray* backtrace, bool log_before_throw)
      : ErrorBuilder(std::move(kind), CopyText(backtrace), log_before_throw) {}

  explicit ErrorBuilder(std::string kind, const TVMFFIByteArray* backtrace, bool log_before_throw,
                        std::optional<Error> cause_chain, std::optional<ObjectRef> extra_context)
      : ErrorBuilder(std::move(kind), CopyText(backtrace), log_before_throw) {
    cause_chain_ = std::move(cause_chain);
    extra_context_ = std::move(extra_context);
  }

#ifdef _MSC_VER
#pragma warning(push)
#pragma warning(disable : 4722)  // the destructor never returns: that is its purpose
#endif
  [[noreturn]] ~ErrorBuilder() noexcept(false) {
    Error error(std::move(kind_), stream_.str(), std::move(backtrace_), std::move(cause_chain_),
                std::move(extra_context_));
    if (log_before_throw_) LogToStderr(error);
    throw error;
  }
#ifdef _MSC_VER
#pragma warning(pop)
#endif

  /*! \brief Where the message is written. */
  std::ostringstream& stream() { return stream_; }

 private:
  std::string kind_;
  std::ostringstream stream_;
  std::string backtrace_;
  bool log_before_throw_;
  std::optional<Error> cause_chain_;
  std::optional<ObjectRef> extra_context_;
};

}  // namespace detail

/// \cond Doxygen_Suppress
#define TVM_FFI_THROW_IMPL_(ErrorKind, LogBeforeThrow)                                             \
  ::tvm::ffi::detail::ErrorThrower() &                                                             \
      ::tvm::ffi::detail::ErrorSink(#ErrorKind,                                                    \
                                    TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0),      \
                                    (LogBeforeThrow) ? &::tvm::ffi::detail::LogToStderr : nullptr) \
          .self()
/// \endcond

/*!
 * \brief Throw an Error of the given kind; the text is streamed: `TVM_FFI_THROW(ValueError) << x;`
 *
 * The backtrace is taken where the macro stands.
 */
#define TVM_FFI_THROW(ErrorKind) TVM_FFI_THROW_IMPL_(ErrorKind, TVM_FFI_ALWAYS_LOG_BEFORE_THROW)

/*! \brief TVM_FFI_THROW that also writes to the standard error stream: for start-up, where
 * exceptions get lost. */
#define TVM_FFI_LOG_AND_THROW(ErrorKind) TVM_FFI_THROW_IMPL_(ErrorKind, true)

}  // namespace ffi
}  // namespace tvm

#include <tvm/ffi/detail/check.h>
#include <tvm/ffi/detail/error_sink.h>
#include <tvm/ffi/detail/raise.h>

#endif  // TVM_FFI_ERROR_H_

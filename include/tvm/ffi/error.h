// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/error.h
 * \brief The macros that throw and check, and the definitions of the functions that exception.h
 * only declares. This header includes exception.h.
 */
#ifndef TVM_FFI_ERROR_H_
#define TVM_FFI_ERROR_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/exception.h>
#include <tvm/ffi/extra/c_error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#if !defined(_MSC_VER) && __has_include(<cxxabi.h>)
#include <cxxabi.h>

#include <typeinfo>
#define TVM_FFI_HAS_CXXABI_ 1
#else
#define TVM_FFI_HAS_CXXABI_ 0
#endif

/*! \brief 0, because the headers do not use libbacktrace. Defined for programs that test this
 * macro. */
#ifndef TVM_FFI_USE_LIBBACKTRACE
#define TVM_FFI_USE_LIBBACKTRACE 0
#endif

/*! \brief 0, because the headers do not install a signal handler. Defined for programs that test
 * this macro. */
#ifndef TVM_FFI_BACKTRACE_ON_SEGFAULT
#define TVM_FFI_BACKTRACE_ON_SEGFAULT 0
#endif

/*! \brief If 1, every throwing macro writes the full message to the standard error stream before it
 * throws. */
#ifndef TVM_FFI_ALWAYS_LOG_BEFORE_THROW
#define TVM_FFI_ALWAYS_LOG_BEFORE_THROW 0
#endif

namespace tvm::ffi {
namespace detail {

/*! \brief Return a copy of a borrowed text; empty for null. */
inline std::string CopyText(const TVMFFIByteArray* text) {
  return text != nullptr && text->data != nullptr ? std::string(text->data, text->size)
                                                  : std::string();
}

/*! \brief Release a chain of causes one by one, so that a long chain does not recurse deeply. */
inline void ReleaseCauses(TVMFFIObjectHandle cause) {
  while (cause != nullptr) {
    auto* header = static_cast<TVMFFIObject*>(cause);
    TVMFFIObjectHandle next = nullptr;
    // Clear the cause only of an error without other references: other holders need the cause.
    if (header->type_index == TypeIndex::kTVMFFIError && IsUniqueRef(header) &&
        tvm_ffi_error_has_links(TVMFFIErrorGetCellPtr(cause))) {
      RefCountAcquire(header);
      std::swap(next, TVMFFIErrorGetCellPtr(cause)->cause_chain);
    }
    ObjectUnsafe::DecRefObjectHandle(cause);
    cause = next;
  }
}

template <typename RefType>
RefType RefFromHandle(TVMFFIObjectHandle handle) {
  return ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(
      ObjectUnsafe::ObjectPtrFromUnowned<Object>(static_cast<TVMFFIObject*>(handle)));
}

/*! \brief The class of the error objects that the runtime library makes. An object owns three
 * strings, to which its cell points. */
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
  /*! \brief Change the backtrace. Keep the old text when there is no memory, because C callers
   * cannot catch an exception. */
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

}  // namespace detail

/* ------------------------------------------------------------------ members of exception.h */

inline ErrorObj::~ErrorObj() {
  detail::ReleaseCauses(this->cause_chain);
  detail::ObjectUnsafe::DecRefObjectHandle(this->extra_context);
}

inline Error::Error(std::string kind, std::string message, std::string backtrace,
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

inline std::string Error::kind() const { return detail::CopyText(&cell()->kind); }
inline std::string Error::message() const { return detail::CopyText(&cell()->message); }
inline std::string Error::backtrace() const { return detail::CopyText(&cell()->backtrace); }

inline std::optional<Error> Error::cause_chain() const {
  if (!tvm_ffi_error_has_links(cell()) || cell()->cause_chain == nullptr) return std::nullopt;
  return detail::RefFromHandle<Error>(cell()->cause_chain);
}
inline std::optional<ObjectRef> Error::extra_context() const {
  if (!tvm_ffi_error_has_links(cell()) || cell()->extra_context == nullptr) return std::nullopt;
  return detail::RefFromHandle<ObjectRef>(cell()->extra_context);
}

inline std::string Error::TracebackMostRecentCallLast() const {
  const TVMFFIByteArray& text = cell()->backtrace;
  std::string_view lines =
      text.data != nullptr ? std::string_view(text.data, text.size) : std::string_view();
  // Drop an incomplete line after the last newline.
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

inline void Error::UpdateBacktrace(const TVMFFIByteArray* text, int32_t update_mode) {
  auto* error = static_cast<ErrorObj*>(get_mutable());
  if (error->update_backtrace != nullptr) error->update_backtrace(error, text, update_mode);
}

inline std::string Error::FullMessage() const {
  std::string result = "Traceback (most recent call last):\n";
  result += TracebackMostRecentCallLast();
  result.append(kind()).append(": ").append(message()).push_back('\n');
  return result;
}

/* ------------------------------------------------------------------ errors at run time */

namespace detail {

/*!
 * \brief Return the error for `std::bad_alloc`, kind MemoryError.
 *
 * The function does not need memory: if the runtime library cannot allocate an error, it returns a
 * prepared error. An error that is already in the error slot of this thread is released first.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error OutOfMemoryError() noexcept {
  TVMFFIErrorSetRaisedFromCStr("MemoryError", "std::bad_alloc");
  return MoveFromSafeCallRaised();
}

/*! \brief Return the name of the type of the exception that is being handled; empty when the C++
 * runtime library does not tell it. */
inline std::string CurrentExceptionType() {
  std::string name;
#if TVM_FFI_HAS_CXXABI_
  if (const std::type_info* type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    name = readable != nullptr ? readable : type->name();
    std::free(readable);
  }
#endif
  return name;
}

/*!
 * \brief Return an error without a backtrace for the exception that is being handled, or
 * OutOfMemoryError when there is no memory for it.
 * \param kind the kind of the error.
 * \param what the text of the exception; when NULL, the message is the name of its type.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error ErrorOfCurrent(const char* kind,
                                                                const char* what) noexcept {
  try {
    return MakeError(kind, what != nullptr ? std::string(what) : CurrentExceptionType(), nullptr);
  } catch (const std::exception&) {
    return OutOfMemoryError();
  }
}

/*!
 * \brief Return the exception that is being handled as an Error.
 *
 * An Error is returned itself. The exceptions of the standard library get the kinds that Python
 * users expect, such as IndexError for `std::out_of_range`; any other exception gets InternalError.
 * Call this function in a catch block.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error CurrentExceptionAsError() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return OutOfMemoryError();
  } catch (const std::invalid_argument& exception) {
    return ErrorOfCurrent("ValueError", exception.what());
  } catch (const std::domain_error& exception) {
    return ErrorOfCurrent("ValueError", exception.what());
  } catch (const std::length_error& exception) {
    return ErrorOfCurrent("ValueError", exception.what());
  } catch (const std::range_error& exception) {
    return ErrorOfCurrent("ValueError", exception.what());
  } catch (const std::out_of_range& exception) {
    return ErrorOfCurrent("IndexError", exception.what());
  } catch (const std::overflow_error& exception) {
    return ErrorOfCurrent("OverflowError", exception.what());
  } catch (const std::exception& exception) {
    return ErrorOfCurrent("InternalError", exception.what());
  } catch (...) {
    return ErrorOfCurrent("InternalError", "An exception that is not a std::exception");
  }
}

/*! \brief Write an error to the standard error stream. Uses <cstdio>, because with <iostream> every
 * translation unit would have to compile <iostream>. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void LogToStderr(const Error& error) {
  std::string text = error.FullMessage();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/*! \brief Return the concatenation of the parts. */
TVM_FFI_COLD_CODE inline std::string JoinText(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text.append(part.data(), part.size());
  return text;
}

/*!
 * \brief Make an error whose message is complete, in order to throw it.
 *
 * Functions that are compiled into every client use ErrorToThrow() instead of TVM_FFI_THROW to stay
 * small. The stream of TVM_FFI_THROW would be a third of the machine code of an exported function
 * with an empty body.
 *
 * Throw the error in a function without local variables that have a destructor: to stop at a frame
 * and run its destructors takes more time than to make the message.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error ErrorToThrow(const char* kind,
                                                              std::string_view message,
                                                              const TVMFFIByteArray* backtrace) {
  Error error = MakeError(kind, message, backtrace);
#if TVM_FFI_ALWAYS_LOG_BEFORE_THROW
  LogToStderr(error);
#endif
  return error;
}

/*!
 * \brief A stream for the message of an error; the destructor throws the error.
 *
 * This class is for macros of other libraries. If an operand of the message throws, the program
 * terminates, because the destructor then throws during unwinding. TVM_FFI_THROW does not have this
 * problem.
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

  /*! \brief Return the stream for the message. */
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
#define TVM_FFI_THROW_IMPL_(Thrower, ErrorKind, LogBeforeThrow)                         \
  (Thrower) & ::tvm::ffi::detail::ErrorSink(                                            \
                  #ErrorKind, TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0), \
                  (LogBeforeThrow) ? &::tvm::ffi::detail::LogToStderr : nullptr)        \
                  .self()
/// \endcond

/*!
 * \brief Throw an Error of the given kind, with a streamed text: `TVM_FFI_THROW(ValueError) << x;`
 *
 * The backtrace starts at the line of the macro.
 */
#define TVM_FFI_THROW(ErrorKind)                                     \
  TVM_FFI_THROW_IMPL_(::tvm::ffi::detail::ErrorThrower{}, ErrorKind, \
                      TVM_FFI_ALWAYS_LOG_BEFORE_THROW)

/*! \brief Like TVM_FFI_THROW, but also write to the standard error stream; for code that runs while
 * a program or library starts, when nothing may catch the exception. */
#define TVM_FFI_LOG_AND_THROW(ErrorKind) \
  TVM_FFI_THROW_IMPL_(::tvm::ffi::detail::ErrorThrower{}, ErrorKind, true)

}  // namespace tvm::ffi

#include <tvm/ffi/detail/error_sink.h>

/* ------------------------------------------------------------------ checks
 *
 * The _NOTNULL macros expand to an expression. All other macros expand to an `if` or a `while`
 * without braces, and accept further text with `<<`; the operands are evaluated only when the check
 * fails.
 */

/*! \brief Throw `ErrorKind` with the text of the condition unless the condition is true. */
#define TVM_FFI_CHECK(cond, ErrorKind) \
  if (TVM_FFI_PREDICT_FALSE(!(cond)))  \
  TVM_FFI_THROW(ErrorKind) << "Check failed: (" #cond ") is false: "

/// \cond Doxygen_Suppress
#define TVM_FFI_CHECK_BINARY_OP_(name, op, x, y, ErrorKind)               \
  if (auto __tvm_ffi_log_err = ::tvm::ffi::detail::LogCheck_##name(x, y)) \
  TVM_FFI_THROW(ErrorKind) << "Check failed: " #x " " #op " " #y << *__tvm_ffi_log_err << ": "
/// \endcond

/*! \brief Throw `ErrorKind` unless the comparison is true. The message contains both values; each
 * side is evaluated once and must be streamable. */
#define TVM_FFI_CHECK_LT(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(LT, <, x, y, ErrorKind)
#define TVM_FFI_CHECK_GT(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(GT, >, x, y, ErrorKind)
#define TVM_FFI_CHECK_LE(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(LE, <=, x, y, ErrorKind)
#define TVM_FFI_CHECK_GE(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(GE, >=, x, y, ErrorKind)
#define TVM_FFI_CHECK_EQ(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(EQ, ==, x, y, ErrorKind)
#define TVM_FFI_CHECK_NE(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(NE, !=, x, y, ErrorKind)

/*! \brief An expression that returns `x`, and throws `ErrorKind` when `x` is null. `x` may be
 * evaluated twice. */
#define TVM_FFI_CHECK_NOTNULL(x, ErrorKind)                             \
  (TVM_FFI_PREDICT_FALSE((x) == nullptr)                                \
       ? ((TVM_FFI_THROW(ErrorKind) << "Check not null: " #x " "), (x)) \
       : (x))

/*! \brief Like TVM_FFI_CHECK with kind InternalError, for conditions that only a programming error
 * violates. */
#define TVM_FFI_ICHECK(cond) TVM_FFI_CHECK(cond, InternalError)
/*! \brief Like TVM_FFI_CHECK_LT and the other checks of two values, with kind InternalError. */
#define TVM_FFI_ICHECK_LT(x, y) TVM_FFI_CHECK_LT(x, y, InternalError)
#define TVM_FFI_ICHECK_GT(x, y) TVM_FFI_CHECK_GT(x, y, InternalError)
#define TVM_FFI_ICHECK_LE(x, y) TVM_FFI_CHECK_LE(x, y, InternalError)
#define TVM_FFI_ICHECK_GE(x, y) TVM_FFI_CHECK_GE(x, y, InternalError)
#define TVM_FFI_ICHECK_EQ(x, y) TVM_FFI_CHECK_EQ(x, y, InternalError)
#define TVM_FFI_ICHECK_NE(x, y) TVM_FFI_CHECK_NE(x, y, InternalError)
#define TVM_FFI_ICHECK_NOTNULL(x) TVM_FFI_CHECK_NOTNULL(x, InternalError)

/*! \brief Like TVM_FFI_ICHECK in builds without NDEBUG; otherwise `cond` is compiled but never
 * evaluated. */
#ifdef NDEBUG
#define TVM_FFI_DCHECK(cond) \
  while (false) TVM_FFI_ICHECK(cond)
#define TVM_FFI_DCHECK_LT(x, y) \
  while (false) TVM_FFI_ICHECK_LT(x, y)
#define TVM_FFI_DCHECK_GT(x, y) \
  while (false) TVM_FFI_ICHECK_GT(x, y)
#define TVM_FFI_DCHECK_LE(x, y) \
  while (false) TVM_FFI_ICHECK_LE(x, y)
#define TVM_FFI_DCHECK_GE(x, y) \
  while (false) TVM_FFI_ICHECK_GE(x, y)
#define TVM_FFI_DCHECK_EQ(x, y) \
  while (false) TVM_FFI_ICHECK_EQ(x, y)
#define TVM_FFI_DCHECK_NE(x, y) \
  while (false) TVM_FFI_ICHECK_NE(x, y)
#define TVM_FFI_DCHECK_NOTNULL(x) (x)
#else
#define TVM_FFI_DCHECK(cond) TVM_FFI_ICHECK(cond)
/*! \brief Like TVM_FFI_ICHECK_LT and the other checks of two values, but only without NDEBUG. */
#define TVM_FFI_DCHECK_LT(x, y) TVM_FFI_ICHECK_LT(x, y)
#define TVM_FFI_DCHECK_GT(x, y) TVM_FFI_ICHECK_GT(x, y)
#define TVM_FFI_DCHECK_LE(x, y) TVM_FFI_ICHECK_LE(x, y)
#define TVM_FFI_DCHECK_GE(x, y) TVM_FFI_ICHECK_GE(x, y)
#define TVM_FFI_DCHECK_EQ(x, y) TVM_FFI_ICHECK_EQ(x, y)
#define TVM_FFI_DCHECK_NE(x, y) TVM_FFI_ICHECK_NE(x, y)
#define TVM_FFI_DCHECK_NOTNULL(x) TVM_FFI_ICHECK_NOTNULL(x)
#endif

#include <tvm/ffi/detail/check.h>
#include <tvm/ffi/detail/raise.h>

#endif  // TVM_FFI_ERROR_H_

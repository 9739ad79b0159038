// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/error_sink.h
 * \brief The classes that implement TVM_FFI_THROW. The end of error.h includes this file.
 */
#ifndef TVM_FFI_DETAIL_ERROR_SINK_H_
#define TVM_FFI_DETAIL_ERROR_SINK_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/message_stream.h>
#include <tvm/ffi/error.h>

#include <string>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief Logs an error. This is a function pointer, not a flag, so that translation units that
 * never log do not contain code for logging. */
using FErrorLog = void (*)(const Error& error);

/*! \brief An error whose message is still being written. */
struct ErrorDraft {
  const char* kind;
  std::string backtrace;
  FErrorLog log;
  MessageText text;

  /*!
   * \param kind class name; must outlive the draft (the macros pass a literal).
   * \param backtrace copied immediately, because its storage may be overwritten: evaluating the
   *         operands of the message may capture another backtrace.
   * \param log called with the error before it is thrown; may be null.
   */
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE static ErrorDraft* New(const char* kind,
                                                             const TVMFFIByteArray* backtrace,
                                                             FErrorLog log) {
    return new ErrorDraft{kind, CopyText(backtrace), log, {}};
  }
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE static void Delete(ErrorDraft* draft) { delete draft; }

  /*!
   * \brief Throw the error with the written message, and delete the draft.
   *
   * This function is inline, because each additional stack frame makes unwinding slower. Finish()
   * creates the error, so that unwinding has nothing to destroy in the frame of the caller.
   */
  [[noreturn]] TVM_FFI_INLINE static void Throw(ErrorDraft* draft) { throw Finish(draft); }

 private:
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE static Error Finish(ErrorDraft* draft) {
    struct Owner {
      ErrorDraft* draft;
      ~Owner() { delete draft; }
    } owner{draft};
    Error error(draft->kind, draft->text.Move(), std::move(draft->backtrace));
    if (draft->log != nullptr) draft->log(error);
    return error;
  }
};

/*!
 * \brief The stream of TVM_FFI_THROW, which owns the draft until the throw.
 *
 * The sink holds one pointer, and every access to the pointer is inline. So the optimiser sees that
 * nothing is left to destroy when ErrorThrower throws, and removes the clean-up of the frame, which
 * would cost more than building the message (bench row `error/throw + catch, same frame`). When an
 * operand throws, the sink still owns the draft.
 */
class ErrorSink : public MessageOperators<ErrorSink> {
 public:
  TVM_FFI_INLINE ErrorSink(const char* kind, const TVMFFIByteArray* backtrace, FErrorLog log)
      : draft_(ErrorDraft::New(kind, backtrace, log)) {}
  ErrorSink(const ErrorSink&) = delete;
  ErrorSink& operator=(const ErrorSink&) = delete;
  TVM_FFI_INLINE ~ErrorSink() {
    if (draft_ != nullptr) ErrorDraft::Delete(draft_);
  }

  /*! \brief Return the sink, a temporary of the macro, as an lvalue for ErrorThrower. */
  TVM_FFI_INLINE ErrorSink& self() { return *this; }
  TVM_FFI_INLINE MessageText& text() { return draft_->text; }
  TVM_FFI_INLINE ErrorDraft* Release() { return std::exchange(draft_, nullptr); }

  /*!
   * \brief Convert the sink to a stream, and record the sink in the stream.
   *
   * A stream operator may be visible only where the macro is used, for example an operator for
   * std::vector in a user's namespace. MessageOperators does not see that operator. So the compiler
   * converts the sink to a stream, and applies the operator to the stream.
   */
  operator std::ostream&() {  // NOLINT(google-explicit-constructor)
    std::ostringstream& stream = text().stream();
    stream.pword(OwnerSlot()) = this;
    return stream;
  }

  /*! \brief Return the sink that the conversion above recorded in a stream, or null. */
  static ErrorSink* OwnerOf(std::ostream& os) {
    return static_cast<ErrorSink*>(os.pword(OwnerSlot()));
  }

 private:
  static int OwnerSlot() {
    static const int slot = std::ios_base::xalloc();
    return slot;
  }

  ErrorDraft* draft_;
};

/*!
 * \brief `ErrorThrower{} & sink << ...` throws once the whole message has been written.
 *
 * `&` has a lower precedence than `<<`. Unlike a destructor that throws, this operator lets an
 * exception of an operand pass through.
 */
struct ErrorThrower {
  [[noreturn]] TVM_FFI_INLINE void operator&(ErrorSink& sink) const {
    ErrorDraft::Throw(sink.Release());
  }
  /*! \brief Throw a message whose last stream operator returned a plain std::ostream. */
  [[noreturn]] TVM_FFI_COLD_CODE void operator&(std::ostream& os) const {
    ErrorSink* sink = ErrorSink::OwnerOf(os);
    if (sink == nullptr) {
      throw Error("InternalError",
                  "A stream operator of an error message returned a foreign stream", "");
    }
    ErrorDraft::Throw(sink->Release());
  }
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_ERROR_SINK_H_

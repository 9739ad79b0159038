// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/error_sink.h
 * \brief The machinery behind TVM_FFI_THROW; included by error.h at its end.
 */
#ifndef TVM_FFI_DETAIL_ERROR_SINK_H_
#define TVM_FFI_DETAIL_ERROR_SINK_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/message_stream.h>
#include <tvm/ffi/error.h>

#include <string>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief A function instead of a flag, so that units that never log need no code for it. */
using FErrorLog = void (*)(const Error& error);

/*! \brief An error whose message is still being written. */
struct ErrorDraft {
  const char* kind;
  std::string backtrace;
  FErrorLog log;
  MessageText text;

  /*!
   * \param kind class name; must outlive the draft (the macros pass a literal).
   * \param backtrace copied immediately: evaluating the message may take another backtrace.
   * \param log called with the error before it is thrown; may be null.
   */
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE static ErrorDraft* New(const char* kind,
                                                             const TVMFFIByteArray* backtrace,
                                                             FErrorLog log) {
    return new ErrorDraft{kind, CopyText(backtrace), log, {}};
  }
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE static void Delete(ErrorDraft* draft) { delete draft; }

  /*!
   * \brief Throw what was written; deletes the draft.
   *
   * Inline, because each frame makes unwinding slower. Another function makes the error, so that
   * unwinding has nothing to destroy in this frame.
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
 * \brief What TVM_FFI_THROW streams into; owns the draft until the throw.
 *
 * It holds one pointer and every access to it is inline. So the optimiser sees that nothing is left
 * to destroy when ErrorThrower throws, and removes the clean-up of that frame, which would cost
 * more than building the message (bench row `error/throw + catch, same frame`). When an operand
 * throws, the sink still owns the draft.
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

  /*! \brief This object as an lvalue, which conversions below need. */
  TVM_FFI_INLINE ErrorSink& self() { return *this; }
  TVM_FFI_INLINE MessageText& text() { return draft_->text; }
  TVM_FFI_INLINE ErrorDraft* Release() { return std::exchange(draft_, nullptr); }

  /*!
   * \brief For a stream operator that is visible only at the use of the macro, for example one for
   * std::vector in a user's namespace. The operator of MessageOperators does not apply then, and
   * the compiler applies the user's operator to this stream, which records its sink.
   */
  operator std::ostream&() {  // NOLINT(google-explicit-constructor)
    std::ostringstream& stream = text().stream();
    stream.pword(OwnerSlot()) = this;
    return stream;
  }

  /*! \brief The sink that a stream handed back by such an operator belongs to, or null. */
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
 * \brief `ErrorThrower() & sink << ...` throws once the whole message has been written.
 *
 * `&` binds weaker than `<<`. Compared with a destructor that throws, an exception from one of the
 * operands passes on unharmed.
 */
struct ErrorThrower {
  [[noreturn]] TVM_FFI_INLINE void operator&(ErrorSink& sink) const {
    ErrorDraft::Throw(sink.Release());
  }
  /*! \brief For messages whose last operator took and returned a plain std::ostream. */
  [[noreturn]] TVM_FFI_COLD_CODE void operator&(std::ostream& os) const {
    ErrorSink* sink = ErrorSink::OwnerOf(os);
    if (sink == nullptr) {
      throw Error("InternalError",
                  "A stream operator of an error message returned a foreign stream", "");
    }
    ErrorDraft::Throw(sink->Release());
  }
};

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_ERROR_SINK_H_

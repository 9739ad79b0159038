// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/unexpected_builder.h
 * \brief The macros that return an error instead of throwing it; included by expected.h at its end.
 */
#ifndef TVM_FFI_DETAIL_UNEXPECTED_BUILDER_H_
#define TVM_FFI_DETAIL_UNEXPECTED_BUILDER_H_

#include <tvm/ffi/expected.h>

#include <string>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*!
 * \brief Streams a message and turns into an error state when it is returned.
 *
 * Its backtrace is the one line where the macro stands: nothing is unwound. The arguments must
 * outlive this object (the macros pass literals).
 */
class UnexpectedBuilder {
 public:
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE UnexpectedBuilder(const char* kind, const char* file,
                                                        int line, const char* function)
      : kind_(kind), file_(file), line_(line), function_(function) {}

  /*! \brief Append what a std::ostream could be given. */
  template <typename T>
  UnexpectedBuilder&& operator<<(const T& value) && {
    message_ << value;
    return std::move(*this);
  }
  UnexpectedBuilder&& operator<<(std::ostream& (*manipulator)(std::ostream&)) && {
    message_ << manipulator;
    return std::move(*this);
  }
  UnexpectedBuilder&& operator<<(std::ios_base& (*manipulator)(std::ios_base&)) && {
    message_ << manipulator;
    return std::move(*this);
  }

  operator Unexpected<Error>() && { return Unexpected<Error>(Build()); }  // NOLINT(*)
  template <typename T>
  operator Expected<T>() && {  // NOLINT(*)
    return Expected<T>(Build());
  }

 private:
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE Error Build() {
    std::string backtrace = "  File \"";
    backtrace.append(file_).append("\", line ").append(std::to_string(line_));
    backtrace.append(", in ").append(function_).push_back('\n');
    return Error(kind_, message_.MoveText(), std::move(backtrace));
  }

  const char* kind_;
  const char* file_;
  int line_;
  const char* function_;
  MessageStream message_;
};

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

/*!
 * \brief An error to return from a function whose result is an Expected:
 * `return TVM_FFI_UNEXPECTED(ValueError) << "text";`
 */
#define TVM_FFI_UNEXPECTED(ErrorKind) \
  ::tvm::ffi::detail::UnexpectedBuilder(#ErrorKind, __FILE__, __LINE__, TVM_FFI_FUNC_SIG)

/// \cond Doxygen_Suppress
// The empty switch keeps compilers from warning about an `else` of the caller's that follows.
#define TVM_FFI_NO_DANGLING_ELSE_ \
  switch (0)                      \
  case 0:                         \
  default:

#define TVM_FFI_RET_CHECK_BINARY_OP_(name, op, x, y, ErrorKind)           \
  TVM_FFI_NO_DANGLING_ELSE_                                               \
  if (auto __tvm_ffi_log_err = ::tvm::ffi::detail::LogCheck_##name(x, y); \
      __tvm_ffi_log_err == nullptr) {                                     \
  } else /* NOLINT(*) */                                                  \
    return TVM_FFI_UNEXPECTED(ErrorKind)                                  \
           << "Check failed: " #x " " #op " " #y << *__tvm_ffi_log_err << ": "
/// \endcond

/*! \brief Return an error state of `ErrorKind` unless the condition holds; more text may be
 * streamed, it is evaluated on failure only. */
#define TVM_FFI_RET_CHECK(cond, ErrorKind) \
  TVM_FFI_NO_DANGLING_ELSE_                \
  if (TVM_FFI_PREDICT_TRUE(cond)) {        \
  } else /* NOLINT(*) */                   \
    return TVM_FFI_UNEXPECTED(ErrorKind) << "Check failed: (" #cond ") is false: "

/*! \brief The same for a comparison, with both values; each side is evaluated once. */
#define TVM_FFI_RET_CHECK_LT(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(LT, <, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_GT(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(GT, >, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_LE(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(LE, <=, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_GE(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(GE, >=, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_EQ(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(EQ, ==, x, y, ErrorKind)
#define TVM_FFI_RET_CHECK_NE(x, y, ErrorKind) TVM_FFI_RET_CHECK_BINARY_OP_(NE, !=, x, y, ErrorKind)

/*! \brief The same with kind InternalError, for what only a mistake in the program can break. */
#define TVM_FFI_RET_ICHECK(cond) TVM_FFI_RET_CHECK(cond, InternalError)
#define TVM_FFI_RET_ICHECK_LT(x, y) TVM_FFI_RET_CHECK_LT(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_GT(x, y) TVM_FFI_RET_CHECK_GT(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_LE(x, y) TVM_FFI_RET_CHECK_LE(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_GE(x, y) TVM_FFI_RET_CHECK_GE(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_EQ(x, y) TVM_FFI_RET_CHECK_EQ(x, y, InternalError)
#define TVM_FFI_RET_ICHECK_NE(x, y) TVM_FFI_RET_CHECK_NE(x, y, InternalError)

#endif  // TVM_FFI_DETAIL_UNEXPECTED_BUILDER_H_

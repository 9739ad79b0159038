// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/check.h
 * \brief The check macros of error.h, which includes this file at its end.
 *
 * Each expands to an unbraced `if` (or an expression, for the _NOTNULL forms) and takes a streamed
 * text that is evaluated on failure only.
 */
#ifndef TVM_FFI_DETAIL_CHECK_H_
#define TVM_FFI_DETAIL_CHECK_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/message_stream.h>
#include <tvm/ffi/error.h>

#include <memory>
#include <string>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Text ` (x vs. y) ` of a failed comparison. */
template <typename X, typename Y>
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE std::unique_ptr<std::string> LogCheckFormat(const X& x,
                                                                                const Y& y) {
  MessageStream text;
  text << " (" << x << " vs. " << y << ") ";
  return std::make_unique<std::string>(text.MoveText());
}

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4389 4018)
#endif

/*!
 * LogCheck_XX(x, y): null when the comparison holds, else the text above. The overload for int
 * takes its arguments by value, so that class constants without a definition can be compared.
 */
#define TVM_FFI_LOG_CHECK_FUNC_(name, op)                                               \
  template <typename X, typename Y>                                                     \
  TVM_FFI_INLINE std::unique_ptr<std::string> LogCheck_##name(const X& x, const Y& y) { \
    return TVM_FFI_PREDICT_TRUE(x op y) ? nullptr : LogCheckFormat(x, y);               \
  }                                                                                     \
  TVM_FFI_INLINE std::unique_ptr<std::string> LogCheck_##name(int x, int y) {           \
    return TVM_FFI_PREDICT_TRUE(x op y) ? nullptr : LogCheckFormat(x, y);               \
  }

TVM_FFI_LOG_CHECK_FUNC_(LT, <)
TVM_FFI_LOG_CHECK_FUNC_(GT, >)
TVM_FFI_LOG_CHECK_FUNC_(LE, <=)
TVM_FFI_LOG_CHECK_FUNC_(GE, >=)
TVM_FFI_LOG_CHECK_FUNC_(EQ, ==)
TVM_FFI_LOG_CHECK_FUNC_(NE, !=)
#undef TVM_FFI_LOG_CHECK_FUNC_

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

/*! \brief Throw `ErrorKind` with the condition's text unless it holds. */
#define TVM_FFI_CHECK(cond, ErrorKind) \
  if (TVM_FFI_PREDICT_FALSE(!(cond)))  \
  TVM_FFI_THROW(ErrorKind) << "Check failed: (" #cond ") is false: "

/// \cond Doxygen_Suppress
#define TVM_FFI_CHECK_BINARY_OP_(name, op, x, y, ErrorKind)               \
  if (auto __tvm_ffi_log_err = ::tvm::ffi::detail::LogCheck_##name(x, y)) \
  TVM_FFI_THROW(ErrorKind) << "Check failed: " #x " " #op " " #y << *__tvm_ffi_log_err << ": "
/// \endcond

/*! \brief Throw `ErrorKind` with both values unless the comparison holds; each side is evaluated
 * once and must be streamable. */
#define TVM_FFI_CHECK_LT(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(LT, <, x, y, ErrorKind)
#define TVM_FFI_CHECK_GT(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(GT, >, x, y, ErrorKind)
#define TVM_FFI_CHECK_LE(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(LE, <=, x, y, ErrorKind)
#define TVM_FFI_CHECK_GE(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(GE, >=, x, y, ErrorKind)
#define TVM_FFI_CHECK_EQ(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(EQ, ==, x, y, ErrorKind)
#define TVM_FFI_CHECK_NE(x, y, ErrorKind) TVM_FFI_CHECK_BINARY_OP_(NE, !=, x, y, ErrorKind)

/*! \brief Expression: `x`, which may be evaluated twice; throws `ErrorKind` when it is null. */
#define TVM_FFI_CHECK_NOTNULL(x, ErrorKind)                             \
  (TVM_FFI_PREDICT_FALSE((x) == nullptr)                                \
       ? ((TVM_FFI_THROW(ErrorKind) << "Check not null: " #x " "), (x)) \
       : (x))

/*! \brief The same checks for what only a mistake in the program can break: InternalError. */
#define TVM_FFI_ICHECK(cond) TVM_FFI_CHECK(cond, InternalError)
#define TVM_FFI_ICHECK_LT(x, y) TVM_FFI_CHECK_LT(x, y, InternalError)
#define TVM_FFI_ICHECK_GT(x, y) TVM_FFI_CHECK_GT(x, y, InternalError)
#define TVM_FFI_ICHECK_LE(x, y) TVM_FFI_CHECK_LE(x, y, InternalError)
#define TVM_FFI_ICHECK_GE(x, y) TVM_FFI_CHECK_GE(x, y, InternalError)
#define TVM_FFI_ICHECK_EQ(x, y) TVM_FFI_CHECK_EQ(x, y, InternalError)
#define TVM_FFI_ICHECK_NE(x, y) TVM_FFI_CHECK_NE(x, y, InternalError)
#define TVM_FFI_ICHECK_NOTNULL(x) TVM_FFI_CHECK_NOTNULL(x, InternalError)

/*! \brief ICHECK in builds without NDEBUG; otherwise compiled but never evaluated. */
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
#define TVM_FFI_DCHECK_LT(x, y) TVM_FFI_ICHECK_LT(x, y)
#define TVM_FFI_DCHECK_GT(x, y) TVM_FFI_ICHECK_GT(x, y)
#define TVM_FFI_DCHECK_LE(x, y) TVM_FFI_ICHECK_LE(x, y)
#define TVM_FFI_DCHECK_GE(x, y) TVM_FFI_ICHECK_GE(x, y)
#define TVM_FFI_DCHECK_EQ(x, y) TVM_FFI_ICHECK_EQ(x, y)
#define TVM_FFI_DCHECK_NE(x, y) TVM_FFI_ICHECK_NE(x, y)
#define TVM_FFI_DCHECK_NOTNULL(x) TVM_FFI_ICHECK_NOTNULL(x)
#endif

#endif  // TVM_FFI_DETAIL_CHECK_H_

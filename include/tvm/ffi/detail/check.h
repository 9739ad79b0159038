// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/check.h
 * \brief The comparisons of the check macros in error.h, which includes this file at its end.
 */
#ifndef TVM_FFI_DETAIL_CHECK_H_
#define TVM_FFI_DETAIL_CHECK_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/message_stream.h>
#include <tvm/ffi/error.h>

#include <memory>
#include <string>

namespace tvm::ffi::detail {

/*! \brief Return the text ` (x vs. y) ` of a failed comparison. */
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

/*! LogCheck_XX(x, y) returns null if the comparison is true, otherwise the text of LogCheckFormat.
 * The overload for int takes its arguments by value, so that class constants without a definition
 * can be compared. That overload is a template, so that only code that uses it compiles it. */
#define TVM_FFI_LOG_CHECK_FUNC_(name, op)                                               \
  template <typename X, typename Y>                                                     \
  TVM_FFI_INLINE std::unique_ptr<std::string> LogCheck_##name(const X& x, const Y& y) { \
    return TVM_FFI_PREDICT_TRUE(x op y) ? nullptr : LogCheckFormat(x, y);               \
  }                                                                                     \
  template <typename Dummy = void>                                                      \
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

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_DETAIL_CHECK_H_

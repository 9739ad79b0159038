// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/unexpected_builder.h
 * \brief The macros that return an error instead of throwing it. The end of expected.h includes
 * this file.
 */
#ifndef TVM_FFI_DETAIL_UNEXPECTED_BUILDER_H_
#define TVM_FFI_DETAIL_UNEXPECTED_BUILDER_H_

#include <tvm/ffi/expected.h>

#include <string>
#include <utility>

namespace tvm::ffi::detail {

/*!
 * \brief A stream for the message of an error. A `return` statement converts the builder to
 * Unexpected or Expected.
 *
 * The backtrace contains only the line of the macro: the stack is not unwound. The arguments of the
 * constructor must outlive this object (the macros pass literals).
 */
class UnexpectedBuilder {
 public:
  TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE UnexpectedBuilder(const char* kind, const char* file,
                                                        int line, const char* function)
      : kind_(kind), file_(file), line_(line), function_(function) {}

  /*! \brief Append a value of any type that a std::ostream accepts. */
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

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_UNEXPECTED_BUILDER_H_

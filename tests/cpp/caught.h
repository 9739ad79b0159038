// SPDX-License-Identifier: Apache-2.0
// Helpers for tests that inspect the Error of a call.
#ifndef TVM_FFI_TESTS_CPP_CAUGHT_H_
#define TVM_FFI_TESTS_CPP_CAUGHT_H_

#include <gtest/gtest.h>
#include <tvm/ffi/error.h>

#include <string>

/*! \brief Return the Error that `f` throws; fail the test if `f` does not throw. */
template <typename F>
tvm::ffi::Error Caught(F&& f) {
  try {
    f();
  } catch (const tvm::ffi::Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return tvm::ffi::Error("None", "", "");
}

/*! \brief Return the kind and message of the Error that `f` throws, or "nothing". */
template <typename F>
std::string ErrorOf(F&& f) {
  try {
    f();
  } catch (const tvm::ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "nothing";
}

/*! \brief Expect that `expr` throws an Error of this kind with exactly this message. */
#define EXPECT_ERROR(expr, expected_kind, expected_message)   \
  do {                                                        \
    ::tvm::ffi::Error error_ = Caught([&] { (void)(expr); }); \
    EXPECT_EQ(error_.kind(), expected_kind);                  \
    EXPECT_EQ(error_.message(), expected_message);            \
  } while (false)

#endif  // TVM_FFI_TESTS_CPP_CAUGHT_H_

// SPDX-License-Identifier: Apache-2.0
// The macro TVM_FFI_ALWAYS_LOG_BEFORE_THROW: every throwing macro also writes its message to the
// standard error stream.
#define TVM_FFI_ALWAYS_LOG_BEFORE_THROW 1

#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/visit_error_context.h>

#include <string>

namespace {

using namespace tvm::ffi;

template <typename Body>
std::string LoggedBy(Body body) {
  testing::internal::CaptureStderr();
  EXPECT_THROW(body(), Error);
  return testing::internal::GetCapturedStderr();
}

TEST(LogBeforeThrow, ThrowWritesTheMessage) {
  std::string text = LoggedBy([] { TVM_FFI_THROW(ValueError) << "bad value"; });
  EXPECT_NE(text.find("ValueError: bad value"), std::string::npos) << text;
}

TEST(LogBeforeThrow, CheckWritesTheMessage) {
  std::string text = LoggedBy([] { TVM_FFI_CHECK(1 > 2, IndexError) << "too small"; });
  EXPECT_NE(text.find("IndexError: Check failed"), std::string::npos) << text;
}

// With the macro set, earlier versions of TVM_FFI_VISIT_THROW did not compile.
TEST(LogBeforeThrow, VisitThrowWritesTheMessage) {
  Array<Any> node{1};
  std::string text = LoggedBy([&] { TVM_FFI_VISIT_THROW(ValueError, node) << "bad node"; });
  EXPECT_NE(text.find("ValueError: bad node"), std::string::npos) << text;
}

}  // namespace

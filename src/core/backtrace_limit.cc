// SPDX-License-Identifier: Apache-2.0
// Reads the maximum length of a backtrace from the environment.
#include <cstdlib>

#include "core/backtrace.h"

namespace tvm::ffi::runtime {

int32_t backtrace_line_limit() noexcept {
  constexpr int32_t kDefault = 512;
  const char* text = std::getenv("TVM_TRACEBACK_LIMIT");
  if (text == nullptr || *text == '\0') return kDefault;
  int64_t limit = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return kDefault;
    limit = limit * 10 + (*text - '0');
    if (limit > INT32_MAX) return kDefault;
  }
  return static_cast<int32_t>(limit);
}

}  // namespace tvm::ffi::runtime

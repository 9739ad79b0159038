// SPDX-License-Identifier: Apache-2.0
// Backtraces where no unwinder is known: the caller's line alone.
#if defined(_WIN32)

#include <string>

#include "core/backtrace.h"

namespace tvm {
namespace ffi {
namespace runtime {

const TVMFFIByteArray* capture_backtrace(const BacktraceRequest& request) noexcept {
  static thread_local std::string text;
  static thread_local TVMFFIByteArray view;
  try {
    text.clear();
    if (request.file != nullptr && request.function != nullptr) {
      text.append("  File \"").append(request.file).append("\", line ");
      text.append(std::to_string(request.line)).append(", in ");
      text.append(request.function).push_back('\n');
    }
  } catch (const std::exception&) {
    text.clear();
  }
  view = {text.data(), text.size()};
  return &view;
}

void forget_code_addresses() noexcept {}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // _WIN32

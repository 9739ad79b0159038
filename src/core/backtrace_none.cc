// SPDX-License-Identifier: Apache-2.0
// Backtraces on platforms without an unwinder: only the first line, whose text the request
// contains.
#if defined(_WIN32)

#include <string>

#include "core/backtrace.h"
#include "core/frame_cache.h"
#include "core/thread_value.h"

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

struct Buffer {
  std::string text;
  TVMFFIByteArray view;
};

}  // namespace

const TVMFFIByteArray* capture_backtrace(const BacktraceRequest& request) noexcept {
  auto* buffer = thread_value<Buffer>();
  std::string& text = buffer->text;
  try {
    text.clear();
    bool has_line = request.file != nullptr && request.function != nullptr;
    if (has_line && backtrace_line_limit() > 0 &&
        !is_excluded_frame(request.function, request.file)) {
      append_frame_line(request.file, request.line, request.function, &text);
    }
  } catch (const std::exception&) {
    text.clear();
  }
  buffer->view = {text.data(), text.size()};
  return &buffer->view;
}

void forget_code_addresses() noexcept {}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // _WIN32

// SPDX-License-Identifier: Apache-2.0
// Walks the stack with the compiler's unwinder and concatenates the cached lines of the frames. Of
// a C++ error that Python catches, 0.3 of the time is spent in the unwinder. Reading the unwind
// tables here, once per address, would save that, but takes 600 lines.
#if !defined(_WIN32)

#include <unwind.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "core/backtrace.h"
#include "core/frame_cache.h"
#include "core/thread_value.h"

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

/*!
 * \brief The text that a capture returns. Each thread has one buffer, made at its first capture.
 */
struct TextBuffer {
  TVMFFIByteArray view{"", 0};
  char* data = nullptr;
  size_t capacity = 0;

  /*! \brief Append a text. \return false, and do not change the buffer, when there is no memory. */
  bool append(std::string_view text) {
    if (view.size + text.size() + 1 > capacity && !grow(view.size + text.size() + 1)) return false;
    std::memcpy(data + view.size, text.data(), text.size());
    view.size += text.size();
    data[view.size] = '\0';
    return true;
  }

  bool grow(size_t needed) {
    size_t wanted = needed < 2048 ? 2048 : needed * 2;
    void* grown = std::realloc(data, wanted);
    if (grown == nullptr) return false;
    data = static_cast<char*>(grown);
    capacity = wanted;
    view.data = data;
    return true;
  }
};

__thread TextBuffer* thread_buffer = nullptr;
const TVMFFIByteArray no_text{"", 0};

__thread ThreadExit buffer_exit = {};

void free_buffer() {
  TextBuffer* buffer = std::exchange(thread_buffer, nullptr);
  std::free(buffer->data);
  delete buffer;
}

/*! \brief Return this thread's buffer after emptying it; NULL when there is no memory. */
TextBuffer* empty_buffer() {
  TextBuffer* buffer = thread_buffer;
  if (buffer == nullptr) {
    buffer = new (std::nothrow) TextBuffer;
    if (buffer == nullptr) return nullptr;
    thread_buffer = buffer;
    run_at_thread_exit(&buffer_exit, free_buffer);
  }
  buffer->view.size = 0;
  if (buffer->data != nullptr) buffer->data[0] = '\0';
  return buffer;
}

/*!
 * \brief Maximum number of frames of the runtime itself before the first requested frame. After
 * this number of frames, the walk shows frames even if it has not reached the requested frame.
 */
constexpr int kMostOwnFrames = 16;
/*!
 * \brief Maximum number of visited frames. Frames that are not shown do not count as lines, so the
 * line limit alone would not end the walk of an endless recursion of such frames.
 */
constexpr int kMostFrames = 1 << 16;

struct Walk {
  const BacktraceRequest* request;
  TextBuffer* buffer;
  int32_t lines_left;
  /*!
   * \brief Whether to leave out the first frame, because the text already has an entry made from
   * `file` and `line` of the request.
   */
  bool drop_first = false;
  /*! \brief Whether the first requested frame has not been reached. */
  bool waiting = true;
  /*!
   * \brief Whether all frames so far belong to the binding. A backtrace that the binding requests
   * for a Python function begins with such frames.
   */
  bool in_binding = true;
  int frames = 0;
};

/*! \brief Add the lines of a frame. \return false when the walk ends here. */
bool add_frame(Walk* walk, std::string_view lines, int32_t line_count, FrameKind kind) {
  if (kind == FrameKind::kBinding && walk->in_binding) return true;
  walk->in_binding = false;
  if (kind != FrameKind::kOrdinary && !walk->request->cross_boundary) return false;
  if (line_count == 0) return true;
  if (!walk->buffer->append(lines)) return false;
  walk->lines_left -= line_count;
  return walk->lines_left > 0;
}

/*! \brief Whether a frame comes before the first frame to show. Updates `waiting`. */
bool is_before_first(Walk* walk, uintptr_t return_address) {
  if (!walk->waiting) return false;
  bool reached = walk->request->first_frame == nullptr ||
                 return_address == reinterpret_cast<uintptr_t>(walk->request->first_frame);
  if (!reached && walk->frames < kMostOwnFrames) return true;
  walk->waiting = false;
  return walk->drop_first && reached;
}

/*! \brief Add the lines of the frame that contains an address. \return false when the walk ends. */
bool visit_frame(Walk* walk, uintptr_t address) {
  {
    std::lock_guard<Mutex> lock(frame_cache_mutex());
    const CachedFrame* known = find_cached_frame(address);
    if (known != nullptr) return add_frame(walk, known->lines(), known->line_count, known->kind);
  }
  try {
    FrameText text = describe_frame(address);
    cache_frame(address, text);
    return add_frame(walk, text.lines, text.line_count, text.kind);
  } catch (const std::exception&) {
    return false;
  }
}

_Unwind_Reason_Code on_frame(_Unwind_Context* context, void* data) {
  auto* walk = static_cast<Walk*>(data);
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  if (address == 0 || ++walk->frames > kMostFrames) return _URC_END_OF_STACK;
  if (is_before_first(walk, address)) return _URC_NO_REASON;
  // A return address may be the end of the calling function. Look up the call instruction instead.
  if (is_exact == 0) --address;
  return visit_frame(walk, address) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/*! \brief Add the line that replaces the frame of a throwing macro. */
void add_first_line(Walk* walk) {
  const BacktraceRequest& request = *walk->request;
  walk->drop_first = true;
  if (is_excluded_frame(request.function, request.file)) return;
  char number[16];
  char* number_end = std::to_chars(number, number + sizeof(number), request.line).ptr;
  bool fits = walk->buffer->append("  File \"") && walk->buffer->append(request.file) &&
              walk->buffer->append("\", line ") &&
              walk->buffer->append({number, static_cast<size_t>(number_end - number)}) &&
              walk->buffer->append(", in ") && walk->buffer->append(request.function) &&
              walk->buffer->append("\n");
  if (!fits) walk->buffer->view.size = 0;
  --walk->lines_left;
}

}  // namespace

const TVMFFIByteArray* capture_backtrace(const BacktraceRequest& request) noexcept {
  TextBuffer* buffer = empty_buffer();
  if (buffer == nullptr) return &no_text;
  Walk walk{&request, buffer, backtrace_line_limit()};
  if (request.file != nullptr && request.function != nullptr) add_first_line(&walk);
  if (walk.lines_left <= 0) return &buffer->view;
  _Unwind_Backtrace(on_frame, &walk);
  return &buffer->view;
}

void forget_code_addresses() noexcept { clear_frame_cache(); }

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // !_WIN32

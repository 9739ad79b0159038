// SPDX-License-Identifier: Apache-2.0
// Walks the stack with the compiler's unwinder and concatenates the cached lines of the frames. Of
// a C++ error that Python catches, 0.3 of the time is spent in the unwinder. Reading the unwind
// tables here, once per address, would save that, but takes 600 lines.
#if !defined(_WIN32)
#include <unwind.h>
#endif

#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "core/backtrace.h"
#include "core/frame_cache.h"
#include "core/thread_value.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief The text that a capture returns, and the view of it; one for each thread. */
struct ThreadText {
  std::string text;
  TVMFFIByteArray view{"", 0};
};

const TVMFFIByteArray no_text{"", 0};

struct Walk {
  const BacktraceRequest* request;
  std::string* text;
  int32_t lines_left;
  /*!
   * \brief Whether to leave out the first frame, because the text already has an entry made from
   * `file` and `line` of the request.
   */
  bool drop_first = false;
  /*! \brief Whether the first requested frame has not been reached. */
  bool waiting = true;
  /*! \brief Whether all frames so far belong to the binding. A backtrace that the binding requests
   * for a Python function begins with such frames. */
  bool in_binding = true;
  int frames = 0;
};

#if !defined(_WIN32)

/*! \brief Maximum number of frames of the runtime itself before the first requested frame. After
 * this number of frames, the walk shows frames even if it has not reached the requested frame. */
constexpr int kMostOwnFrames = 16;
/*! \brief Maximum number of visited frames. Frames that are not shown do not count as lines, so the
 * line limit alone would not end the walk of an endless recursion of such frames. */
constexpr int kMostFrames = 1 << 16;

/*! \brief Add the lines of a frame. \return false when the walk ends here. */
bool add_frame(Walk* walk, const FrameText& frame) {
  if (frame.kind == FrameKind::kBinding && walk->in_binding) return true;
  walk->in_binding = false;
  if (frame.kind != FrameKind::kOrdinary && !walk->request->cross_boundary) return false;
  if (frame.line_count == 0) return true;
  walk->text->append(frame.lines);
  walk->lines_left -= frame.line_count;
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
bool visit_frame(Walk* walk, uintptr_t address) noexcept {
  try {
    {
      std::lock_guard<Mutex> lock(frame_cache_mutex());
      if (const FrameText* known = find_cached_frame(address)) return add_frame(walk, *known);
    }
    FrameText text = describe_frame(address);
    bool continues = add_frame(walk, text);
    cache_frame(address, std::move(text));
    return continues;
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

void walk_stack(Walk* walk) { _Unwind_Backtrace(on_frame, walk); }

#else  // no unwinder: only the first line, whose text the request contains

void walk_stack(Walk*) {}

#endif

/*! \brief Add the line that replaces the frame of a throwing macro. */
void add_first_line(Walk* walk) {
  const BacktraceRequest& request = *walk->request;
  walk->drop_first = true;
  if (is_excluded_frame(request.function, request.file)) return;
  append_frame_line(request.file, request.line, request.function, walk->text);
  --walk->lines_left;
}

}  // namespace

const TVMFFIByteArray* capture_backtrace(const BacktraceRequest& request) noexcept {
  auto* result = thread_value<ThreadText>();
  if (result == nullptr) return &no_text;
  result->text.clear();
  Walk walk{&request, &result->text, backtrace_line_limit()};
  try {
    if (request.file != nullptr && request.function != nullptr) add_first_line(&walk);
    if (walk.lines_left > 0) walk_stack(&walk);
  } catch (const std::bad_alloc&) {
    result->text.clear();
  }
  result->view = {result->text.data(), result->text.size()};
  return &result->view;
}

void forget_code_addresses() noexcept { clear_frame_cache(); }

}  // namespace tvm::ffi::runtime

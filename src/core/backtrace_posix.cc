// SPDX-License-Identifier: Apache-2.0
// Walks the stack and concatenates the cached lines of the frames. A cached rule (frame_rule.h)
// tells where a frame has saved the registers of its caller. If a frame has no rule, the compiler's
// unwinder walks the whole stack. frame_rule.cc states how much time the rules save.
#if !defined(_WIN32)

#include <tvm/ffi/detail/c_stack.h>
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
  /*! \brief The address behind the thread's stack, 0 if unknown. */
  uintptr_t stack_end = 0;

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

uintptr_t find_stack_end();

/*! \brief Return this thread's buffer after emptying it; NULL when there is no memory. */
TextBuffer* empty_buffer() {
  TextBuffer* buffer = thread_buffer;
  if (buffer == nullptr) {
    buffer = new (std::nothrow) TextBuffer;
    if (buffer == nullptr) return nullptr;
    buffer->stack_end = find_stack_end();
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

/*!
 * \brief Visit one frame.
 * \param walk the state.
 * \param address the call instruction of the frame, or an address inside it.
 * \param is_shown whether to add the text of the frame; if false, only its rule is read.
 * \param lock holds the lock of the cache, before and after the call. It is released while a frame
 * is described that is not in the cache.
 * \param rule receives the rule that leads to the caller.
 * \return false when the walk ends here.
 */
bool visit_frame(Walk* walk, uintptr_t address, bool is_shown, std::unique_lock<Mutex>* lock,
                 FrameRule* rule) {
  const CachedFrame* known = find_cached_frame(address);
  if (known != nullptr) {
    *rule = known->rule;
    return !is_shown || add_frame(walk, known->lines(), known->line_count, known->kind);
  }
  lock->unlock();
  bool goes_on = false;
  try {
    FrameText text = describe_frame(address);
    *rule = read_frame_rule(address);
    cache_frame(address, text, *rule);
    goes_on = !is_shown || add_frame(walk, text.lines, text.line_count, text.kind);
  } catch (const std::exception&) {
    goes_on = false;
  }
  lock->lock();
  return goes_on;
}

_Unwind_Reason_Code on_frame(_Unwind_Context* context, void* data) {
  auto* walk = static_cast<Walk*>(data);
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  if (address == 0 || ++walk->frames > kMostFrames) return _URC_END_OF_STACK;
  if (is_before_first(walk, address)) return _URC_NO_REASON;
  // A return address may be the end of the calling function. Look up the call instruction instead.
  if (is_exact == 0) --address;
  std::unique_lock<Mutex> lock(frame_cache_mutex());
  FrameRule rule;
  return visit_frame(walk, address, true, &lock, &rule) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

#if defined(__x86_64__) && defined(__linux__)

/*! \brief The registers that lead from a frame to its caller. */
struct Registers {
  uintptr_t address;
  uintptr_t stack;
  uintptr_t base;
};

/*!
 * \brief Replace the registers of a frame by the registers of its caller.
 * \return false when this would read outside the stack. The reason is either that the rule is
 * outdated (the address contains different code now), or that the stack is not this thread's own.
 */
bool step_out(const FrameRule& rule, uintptr_t stack_end, Registers* at) {
  uintptr_t from = rule.kind == FrameRule::kFromStackPointer ? at->stack : at->base;
  uintptr_t caller_stack = from + static_cast<intptr_t>(rule.caller_offset);
  if (caller_stack < at->stack + 8 || caller_stack > stack_end || caller_stack % 8 != 0) {
    return false;
  }
  if (rule.base_offset != FrameRule::kBaseUnchanged) {
    uintptr_t place = caller_stack + static_cast<intptr_t>(rule.base_offset);
    if (place < at->stack || place > stack_end - 8 || place % 8 != 0) return false;
    at->base = *reinterpret_cast<const uintptr_t*>(place);
  }
  at->address = *reinterpret_cast<const uintptr_t*>(caller_stack - 8);
  at->stack = caller_stack;
  return true;
}

/*!
 * \brief Walk the stack by the cached rules of frame_rule.h, at a few nanoseconds per frame.
 * \return false when a frame needs the unwinder; the text is then incomplete.
 */
__attribute__((noinline, no_sanitize("address"))) bool walk_by_rules(Walk* walk) {
  uintptr_t stack_end = walk->buffer->stack_end;
  const auto* own_frame = static_cast<const uintptr_t*>(__builtin_frame_address(0));
  Registers at{own_frame[1], reinterpret_cast<uintptr_t>(own_frame + 2), own_frame[0]};
  if (at.stack >= stack_end) return false;
  std::unique_lock<Mutex> lock(frame_cache_mutex());
  while (at.address != 0 && ++walk->frames <= kMostFrames) {
    bool is_shown = !is_before_first(walk, at.address);
    FrameRule rule;
    if (!visit_frame(walk, at.address - 1, is_shown, &lock, &rule)) return true;
    if (rule.kind == FrameRule::kOutermost) return true;
    if (rule.kind == FrameRule::kComplex || !step_out(rule, stack_end, &at)) return false;
  }
  return true;
}

/*! \brief Return the address behind this thread's stack; 0 if the system does not report it. */
uintptr_t find_stack_end() { return detail::AskForCStackRange().top; }

#else

bool walk_by_rules(Walk*) { return false; }
uintptr_t find_stack_end() { return 0; }

#endif

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
  const Walk at_begin = walk;
  const size_t size_at_begin = buffer->view.size;
  if (!walk_by_rules(&walk)) {
    walk = at_begin;
    buffer->view.size = size_at_begin;
    _Unwind_Backtrace(on_frame, &walk);
  }
  return &buffer->view;
}

void forget_code_addresses() noexcept { clear_frame_cache(); }

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // !_WIN32

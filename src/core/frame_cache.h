// SPDX-License-Identifier: Apache-2.0
// Caches the text that a backtrace shows for a code address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/mutex.h"

namespace tvm::ffi::runtime {

/*! \brief How a backtrace treats a frame. */
enum class FrameKind : uint8_t {
  kOrdinary,
  /*! \brief A call boundary: a backtrace ends before this frame, unless the caller requested a
   * backtrace that crosses boundaries. */
  kBoundary,
  /*! \brief A frame of the binding: treated like kBoundary, except when the binding itself requests
   * the backtrace. */
  kBinding,
};

/*! \brief Text and kind of one frame. */
struct FrameText {
  /*! \brief Complete lines; "" if the frame is not shown. */
  std::string lines;
  int32_t line_count = 0;
  FrameKind kind = FrameKind::kOrdinary;
};

/*! \brief Append one line of a backtrace to `out`. */
void append_frame_line(std::string_view file, int line, std::string_view function,
                       std::string* out);

/*! \brief Whether a frame of this function or source file belongs to the runtime and is hidden. */
bool is_excluded_frame(std::string_view function, std::string_view file);

/*! \brief Find the text of a frame. This is slow, and may throw std::bad_alloc. Not on Windows. */
FrameText describe_frame(uintptr_t address);

/*! \brief The lock of the cache. No code calls foreign code or the dynamic linker while holding
 * it. */
Mutex& frame_cache_mutex();

/*! \brief Return the cached frame at an address, or NULL. Call this with the lock held; the result
 * is valid until the lock is released. */
const FrameText* find_cached_frame(uintptr_t address);

/*! \brief Cache a frame, unless the slots for its address are full. Takes the lock. */
void cache_frame(uintptr_t address, FrameText&& text) noexcept;

/*! \brief Empty the cache. Takes the lock. */
void clear_frame_cache() noexcept;

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// What a backtrace says about an address of code, worked out once per address.
#ifndef TVM_FFI_SRC_CORE_FRAME_CACHE_H_
#define TVM_FFI_SRC_CORE_FRAME_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/frame_rule.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief What a frame means to a backtrace. */
enum class FrameKind : uint8_t {
  kOrdinary,
  /*! \brief A call boundary: backtraces that stay on this side end before it. */
  kBoundary,
  /*! \brief Of our own binding: a boundary, too, except where the backtrace is asked from it. */
  kBinding,
};

/*! \brief Text and meaning of one frame. */
struct FrameText {
  /*! \brief Finished lines, "" when the frame is not shown. */
  std::string lines;
  int32_t line_count = 0;
  FrameKind kind = FrameKind::kOrdinary;
};

/*! \brief One line of a backtrace. */
void append_frame_line(std::string_view file, int line, std::string_view function,
                       std::string* out);

/*! \brief Whether a frame of this function or source file is glue of ours, not worth a line. */
bool is_excluded_frame(std::string_view function, std::string_view file);

/*! \brief Work a frame out. Slow; may throw std::bad_alloc. */
FrameText describe_frame(uintptr_t address);

/*! \brief A remembered frame: this header, then `size` bytes of text. Immutable. */
struct CachedFrame {
  uintptr_t address;
  uint32_t size;
  int32_t line_count;
  FrameKind kind;
  FrameRule rule;

  std::string_view lines() const { return {reinterpret_cast<const char*>(this + 1), size}; }
};

/*! \brief Look a frame up; call under a ReadGuard and drop the result with it. No lock. */
const CachedFrame* find_cached_frame(uintptr_t address);

/*! \brief Remember a frame where there is room; nothing happens where there is none. */
void cache_frame(uintptr_t address, const FrameText& text, const FrameRule& rule) noexcept;

/*! \brief Forget all frames. */
void clear_frame_cache() noexcept;

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FRAME_CACHE_H_

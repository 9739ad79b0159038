// SPDX-License-Identifier: Apache-2.0
// The text that a backtrace shows for an address of code, computed once per address.
#ifndef TVM_FFI_SRC_CORE_FRAME_CACHE_H_
#define TVM_FFI_SRC_CORE_FRAME_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "core/frame_rule.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief What a frame means to a backtrace. */
enum class FrameKind : uint8_t {
  kOrdinary,
  /*! \brief A call boundary: a backtrace ends before it unless it crosses boundaries. */
  kBoundary,
  /*! \brief Of the binding: a boundary, too, except when the binding requests the backtrace. */
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

/*! \brief Whether a frame of this function or source file belongs to this library and is not shown.
 */
bool is_excluded_frame(std::string_view function, std::string_view file);

/*! \brief Find the text of a frame. Slow; may throw std::bad_alloc. Not on Windows. */
FrameText describe_frame(uintptr_t address);

/*! \brief A cached frame: this header, then `size` bytes of text. Immutable. */
struct CachedFrame {
  uintptr_t address;
  uint32_t size;
  int32_t line_count;
  FrameKind kind;
  FrameRule rule;

  std::string_view lines() const { return {reinterpret_cast<const char*>(this + 1), size}; }
};

/*! \brief The lock of the cache. Foreign code and the dynamic linker are not called under it. */
std::mutex& frame_cache_mutex();

/*! \brief Return the cached frame at an address, NULL when there is none. Call it under the lock;
 * the result is valid as long as the lock is held. */
const CachedFrame* find_cached_frame(uintptr_t address);

/*! \brief Cache a frame, unless the cache is full there. Takes the lock. */
void cache_frame(uintptr_t address, const FrameText& text, const FrameRule& rule) noexcept;

/*! \brief Empty the cache. Takes the lock. */
void clear_frame_cache() noexcept;

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FRAME_CACHE_H_

// SPDX-License-Identifier: Apache-2.0
// Text of the calling thread's stack. The build compiles one implementation, for its platform.
#pragma once

#include <tvm/ffi/c_api.h>

namespace tvm::ffi::runtime {

/*! \brief Where a backtrace begins and ends, and the text of its first line. */
struct BacktraceRequest {
  /*! \brief The place that the first line shows, together with `function` and `line`. This line
   * replaces the line of the frame `first_frame`. If `file` is NULL, there is no such line. */
  const char* file = nullptr;
  const char* function = nullptr;
  int line = 0;
  /*! \brief Whether to continue beyond the nearest call boundary (FrameKind::kBoundary), which is
   * an entry point of the ABI or of the Python interpreter. */
  bool cross_boundary = false;
  /*! \brief Return address in the first frame to show. The backtrace omits the frames that were
   * called from that frame. */
  const void* first_frame = nullptr;
};

/*!
 * \brief Return lines `  File "FILE", line N, in FUNC`, most recent call first.
 * \return a thread-local buffer, valid until the next call on this thread; never NULL.
 *
 * Does not throw or print. If memory runs out, the text is incomplete. If all frames are cached,
 * the function takes the lock of the cache, and the unwinder those that a C++ throw takes.
 */
const TVMFFIByteArray* capture_backtrace(const BacktraceRequest& request) noexcept;

/*! \brief Return the maximum number of lines of a backtrace, which TVM_TRACEBACK_LIMIT sets. Tests
 * change this environment variable, so it is read each time. */
int32_t backtrace_line_limit() noexcept;

/*! \brief Empty the cache of code addresses. Call this after closing a library: the next library
 * may be loaded at the same address. */
void forget_code_addresses() noexcept;

}  // namespace tvm::ffi::runtime

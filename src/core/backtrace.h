// SPDX-License-Identifier: Apache-2.0
// Text of the calling thread's stack; one implementation per platform is compiled in.
#ifndef TVM_FFI_SRC_CORE_BACKTRACE_H_
#define TVM_FFI_SRC_CORE_BACKTRACE_H_

#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief What a backtrace begins with and how far it goes. */
struct BacktraceRequest {
  /*! \brief With `function`: a first line that stands for the frame of `first_frame`. */
  const char* file = nullptr;
  const char* function = nullptr;
  int line = 0;
  /*! \brief Go on beyond the nearest call boundary. */
  bool cross_boundary = false;
  /*! \brief Return address in the first frame wanted; frames further in are left out. */
  const void* first_frame = nullptr;
};

/*!
 * \brief Lines `  File "FILE", line N, in FUNC`, most recent call first.
 * \return a thread-local buffer, valid until the next call on this thread; never NULL.
 * Does not throw and prints nothing; short of memory it returns what there is. Once the frames are
 * cached it takes only the lock of that cache, for one frame at a time.
 */
const TVMFFIByteArray* capture_backtrace(const BacktraceRequest& request) noexcept;

/*! \brief Most lines of a backtrace. Read each time, as the reference does: tests change it. */
int32_t backtrace_line_limit() noexcept;

/*!
 * \brief Empty the cache of code addresses. Call it after a library was closed: another one may be
 * loaded at the same address.
 */
void forget_code_addresses() noexcept;

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_BACKTRACE_H_

// SPDX-License-Identifier: Apache-2.0
// Asks the system for the bounds of a thread's stack, once per thread.
#include "core/c_stack.h"

#include <algorithm>

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace tvm {
namespace ffi {
namespace runtime {

// Plain words of a thread: no constructor and no destructor, so they can be read at any time.
thread_local StackRange stack_range = {0, 0};

namespace {

thread_local bool is_range_known = false;

// Kept free below the last hook: its own frames, and unwinding when it fails.
constexpr uintptr_t kMargin = 256 * 1024;
// Of a stack without limit, or with a higher one, so much is used.
constexpr uintptr_t kMaxSize = uintptr_t{64} << 20;

// The lowest usable address and the end of this thread's stack; zeros where the system does not
// tell.
StackRange ask_for_range() {
#if defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  void* low = nullptr;
  size_t size = 0;
  int status = pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  if (status != 0) return {0, 0};
  return {reinterpret_cast<uintptr_t>(low), reinterpret_cast<uintptr_t>(low) + size};
#elif defined(__APPLE__)
  auto top = reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  return {top - pthread_get_stacksize_np(pthread_self()), top};
#else
  return {0, 0};
#endif
}

}  // namespace

bool find_stack_room(uintptr_t here) {
  if (!is_range_known) {
    is_range_known = true;
    StackRange range = ask_for_range();
    // "Unlimited" is a size of which the bounds wrap around.
    if (range.top - range.limit > kMaxSize) range.limit = range.top - kMaxSize;
    uintptr_t margin = std::min(kMargin, (range.top - range.limit) / 2);
    stack_range = {range.limit + margin, range.top};
  }
  // Outside of the whole stack means on one that the thread was not started with.
  bool is_elsewhere = here > stack_range.top || here + kMargin < stack_range.limit;
  return is_elsewhere || here > stack_range.limit;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

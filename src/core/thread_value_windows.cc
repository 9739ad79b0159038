// SPDX-License-Identifier: Apache-2.0
// Values of threads in the slots of Windows for fiber-local storage, which a thread without fibers
// uses like thread-local storage.
#if defined(_WIN32)

#include <new>

#include "core/thread_value.h"
#include "core/windows_api.h"

namespace tvm::ffi::runtime {

uint32_t new_thread_slot(void (*destroy)(void* value)) {
  DWORD slot = FlsAlloc(destroy);
  if (slot == FLS_OUT_OF_INDEXES) throw std::bad_alloc();
  return slot;
}

void* thread_slot_value(uint32_t slot) { return FlsGetValue(slot); }

void set_thread_slot_value(uint32_t slot, void* value) { FlsSetValue(slot, value); }

}  // namespace tvm::ffi::runtime

#endif  // _WIN32

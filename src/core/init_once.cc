// SPDX-License-Identifier: Apache-2.0
// Uses one lock for all handles, and takes the lock only while a handle is NULL.
#include "core/init_once.h"

#include <mutex>

#include "core/error_slot.h"
#include "core/mutex.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief Held while an initializer runs, as TVMFFIHandleInitOnce promises. So an initializer must
 * not initialize another handle. */
TVM_FFI_CONSTINIT Mutex init_mutex;

}  // namespace

int init_handle_once(void** handle, int (*init)(void** result)) {
  if (__atomic_load_n(handle, __ATOMIC_ACQUIRE) != nullptr) return 0;
  void* made = nullptr;
  {
    std::lock_guard<Mutex> lock(init_mutex);
    if (__atomic_load_n(handle, __ATOMIC_ACQUIRE) != nullptr) return 0;
    int status = init(&made);  // runs foreign code
    if (status != 0) return status;
    if (made != nullptr) __atomic_store_n(handle, made, __ATOMIC_RELEASE);
  }
  if (made != nullptr) return 0;
  return raise("RuntimeError", {"init_func must return a non-NULL handle"});
}

int deinit_handle_once(void** handle, int (*deinit)(void* handle)) {
  void* before = __atomic_exchange_n(handle, nullptr, __ATOMIC_ACQ_REL);
  return before == nullptr ? 0 : deinit(before);  // runs foreign code
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// Values with a destructor, one for each thread.
#pragma once

#include <cstdint>
#include <new>
#include <utility>

namespace tvm::ffi::runtime {

/*! \brief An action at the end of a thread. A thread-local variable without initializer, so that it
 * needs no memory. */
struct ThreadExit {
  void (*run)();
  ThreadExit* next;
};

/*!
 * \brief Call `run` when this thread ends, unless `exit` already has an action that did not run.
 *
 * The function allocates no memory and never fails visibly: if the system has no slot left, `run`
 * is not called, and what it would free is leaked. A `thread_local` object with a destructor would
 * end the process when there is no memory to register it (`__cxa_thread_atexit_impl` of glibc).
 * Actions do not run in the main thread at the end of the process. On Windows they never run,
 * because the thread-local variables are freed too early.
 */
void run_at_thread_exit(ThreadExit* exit, void (*run)());

#if defined(_WIN32)

inline void run_at_thread_exit(ThreadExit*, void (*)()) {}

// MinGW-w64 frees the memory of thread-local variables before it runs their destructors. So the
// value is on the heap, and a slot for values with a callback (FlsAlloc) refers to it.

/*! \brief Reserve a slot whose value `destroy` receives when a thread ends. */
uint32_t new_thread_slot(void (*destroy)(void* value));
/*! \brief Return the value of this thread in a slot; NULL before it is set and after the thread has
 * destroyed it. */
void* thread_slot_value(uint32_t slot);
void set_thread_slot_value(uint32_t slot, void* value);

/*! \brief Return the T of this thread. The first call makes it; the end of the thread destroys it.
 */
template <typename T>
T* thread_value() {
  static const uint32_t slot = new_thread_slot([](void* value) { delete static_cast<T*>(value); });
  void* value = thread_slot_value(slot);
  if (value == nullptr) {
    value = new T();
    set_thread_slot_value(slot, value);
  }
  return static_cast<T*>(value);
}

#else

/*!
 * \brief Return the T of this thread. The first call makes it; the end of the thread destroys it.
 * \return NULL if there is no memory.
 */
template <typename T>
T* thread_value() {
  static __thread T* value = nullptr;
  static __thread ThreadExit exit = {};
  if (value == nullptr) {
    value = new (std::nothrow) T();
    if (value != nullptr) run_at_thread_exit(&exit, [] { delete std::exchange(value, nullptr); });
  }
  return value;
}

#endif

}  // namespace tvm::ffi::runtime

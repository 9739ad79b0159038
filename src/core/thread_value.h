// SPDX-License-Identifier: Apache-2.0
// Values with a destructor, one for each thread.
#ifndef TVM_FFI_SRC_CORE_THREAD_VALUE_H_
#define TVM_FFI_SRC_CORE_THREAD_VALUE_H_

#if defined(_WIN32)
#include <cstdint>
#include <memory>
#endif

namespace tvm {
namespace ffi {
namespace runtime {

#if defined(_WIN32)

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
 * \return NULL after that: other destructors of the thread may run later.
 */
template <typename T>
T* thread_value() {
  static thread_local bool is_gone = false;  // without destructor, so it remains readable
  struct Holder {
    T value;
    ~Holder() { is_gone = true; }
  };
  static thread_local Holder holder;
  return is_gone ? nullptr : &holder.value;
}

#endif

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_THREAD_VALUE_H_

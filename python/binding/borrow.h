// SPDX-License-Identifier: Apache-2.0
// What an interpreter without the GIL needs and one with the GIL does not: references that another
// thread cannot release, locks, and sections in which one thread at a time works on an object. With
// the GIL, all of this compiles to nothing.
#pragma once

#include <atomic>
#include <thread>

#include "compat.h"

namespace binding {

#ifdef Py_GIL_DISABLED

// A lock for a few instructions that run no Python code and do not detach the thread. Unlike
// PyMutex, a wait for it does not end the critical sections of the thread.
class ShortLock {
 public:
  void lock() {
    while (BINDING_UNLIKELY(taken_.exchange(true, std::memory_order_acquire))) {
      for (int spins = 0; taken_.load(std::memory_order_relaxed); ++spins) {
        if (spins >= 64) std::this_thread::yield();
      }
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

// Allows `try_inc_ref` for an object that this thread has just made and no other thread knows.
inline void enable_try_inc_ref(PyObject* x) {
#if PY_VERSION_HEX >= 0x030E0000
  PyUnstable_EnableTryIncRef(x);
#else
  Py_ssize_t shared = __atomic_load_n(&x->ob_ref_shared, __ATOMIC_RELAXED);
  while ((shared & _Py_REF_SHARED_FLAG_MASK) == 0 &&
         !__atomic_compare_exchange_n(&x->ob_ref_shared, &shared, shared | _Py_REF_MAYBE_WEAKREF,
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

// Takes a reference to an object whose memory is valid, unless the object is being destroyed.
inline bool try_inc_ref(PyObject* x) {
#if PY_VERSION_HEX >= 0x030E0000
  return PyUnstable_TryIncRef(x) != 0;
#else
  uint32_t local = __atomic_load_n(&x->ob_ref_local, __ATOMIC_RELAXED);
  if (local == _Py_IMMORTAL_REFCNT_LOCAL) return true;  // it has no owner after ease_sharing
  if (_Py_IsOwnedByCurrentThread(x)) {
    if (local == 0) return false;
    __atomic_store_n(&x->ob_ref_local, local + 1, __ATOMIC_RELAXED);
    return true;
  }
  Py_ssize_t shared = __atomic_load_n(&x->ob_ref_shared, __ATOMIC_RELAXED);
  while (shared != 0 && shared != _Py_REF_MERGED) {
    if (__atomic_compare_exchange_n(&x->ob_ref_shared, &shared,
                                    shared + (1 << _Py_REF_SHARED_SHIFT), true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
  return false;
#endif
}

// Lets threads use `x`, which this thread has just made and which lives as long as a class or a
// native function, without writing to its count of references at the same time. CPython treats its
// own functions so; 3.13 keeps them for ever.
inline void ease_sharing(PyObject* x) {
#if PY_VERSION_HEX >= 0x030E0000
  PyUnstable_Object_EnableDeferredRefcount(x);
#else
  if (!_Py_IsOwnedByCurrentThread(x)) return;
  __atomic_store_n(&x->ob_tid, uintptr_t{_Py_UNOWNED_TID}, __ATOMIC_RELAXED);
  __atomic_store_n(&x->ob_ref_local, _Py_IMMORTAL_REFCNT_LOCAL, __ATOMIC_RELAXED);
  __atomic_store_n(&x->ob_ref_shared, Py_ssize_t{0}, __ATOMIC_RELAXED);
#endif
}

// One thread at a time is in a section of an object. As with the GIL, another thread may enter
// where the section runs Python code or waits.
class Section {
 public:
  explicit Section(PyObject* x) : is_own_(BINDING_LIKELY(!is_taken(x)) || may_wait(x)) {
    if (is_own_) PyCriticalSection_Begin(&section_, x);
  }
  ~Section() {
    if (is_own_) PyCriticalSection_End(&section_);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  static bool is_taken(PyObject* x) {
    return __atomic_load_n(&x->ob_mutex._bits, __ATOMIC_RELAXED) != 0;
  }
  static bool may_wait([[maybe_unused]] PyObject* x) {
    // While the interpreter ends, only this thread runs. CPython may have given the section to a
    // thread that it then stopped for ever.
    if (Py_IsFinalizing()) return false;
#if PY_VERSION_HEX < 0x030E0000
    // If the innermost section of this thread is one of `x`, CPython 3.13 would leave it for a
    // moment and wait for other threads. The lowest bits are marks.
    uintptr_t top = PyThreadState_GetUnchecked()->critical_section & ~uintptr_t{3};
    if (top != 0 && reinterpret_cast<PyCriticalSection*>(top)->_cs_mutex == &x->ob_mutex) {
      return false;
    }
#endif
    return true;
  }

  PyCriticalSection section_;
  bool is_own_;
};

// A section of two objects: waiting for one does not leave the other.
class PairSection {
 public:
  PairSection(PyObject* x, PyObject* y) : is_own_(Py_IsFinalizing() == 0) {
    if (is_own_) PyCriticalSection2_Begin(&section_, x, y);
  }
  ~PairSection() {
    if (is_own_) PyCriticalSection2_End(&section_);
  }
  PairSection(const PairSection&) = delete;
  PairSection& operator=(const PairSection&) = delete;

 private:
  PyCriticalSection2 section_;
  bool is_own_;
};

#else

struct ShortLock {
  void lock() {}
  void unlock() {}
};

inline void ease_sharing(PyObject*) {}

class Section {
 public:
  explicit Section(PyObject*) {}
  ~Section() {}  // not trivial, so that a section that is not used gives no warning
};

class PairSection : public Section {
 public:
  PairSection(PyObject* x, PyObject*) : Section(x) {}
};
#endif

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The guards for threads and the GIL. The binding takes and releases the GIL only in this file.
#pragma once

#include "call_mark.h"
#include "compat.h"

namespace binding {

class BorrowedTensorObj;
// A linked list of the tensors of calls in progress whose owner is a PyTorch tensor and not yet its
// storage; see convert/borrowed_tensor.h. Code of the user, which could give other memory to the
// PyTorch tensor, runs only while the list is empty, unless native code lets another extension run
// it. Guarded by the GIL.
extern BorrowedTensorObj* g_without_storage;
// Makes the storages the owners and empties the list. Leaves an exception that is set as it is.
BINDING_COLD void own_storages();
// To be called where a call may run Python code of the user, while its arguments are converted or
// native code runs.
inline void before_python_code() {
  if (BINDING_UNLIKELY(g_without_storage != nullptr)) own_storages();
}

// The thread state that `Detach` saved when this thread last released the GIL, or the thread state
// that `KnownAttached` stored. With it, `Attach` avoids the lookup of PyGILState_Ensure.
extern BINDING_THREAD_LOCAL PyThreadState* t_put_aside;

// Number of native calls in progress that released the GIL, without those that run a Python
// function now. g_holds_calls: whether wait_for_calls() waits in another thread. Both guarded by
// the GIL.
#ifndef Py_GIL_DISABLED
extern int g_detached;
inline int num_detached() { return g_detached; }
inline void count_detached(int change) { g_detached += change; }
extern bool g_holds_calls;
#else
inline void count_detached(int change) { thread_record()->count_detached(change); }
extern std::atomic<bool> g_holds_calls;
#endif
// Number of guards `Attach` of this thread whose native code num_detached() counts.
extern BINDING_THREAD_LOCAL int t_counted;

// Releases the GIL for a short time, until no thread waits in wait_for_calls().
BINDING_COLD void wait_for_release();

// The functions around native code that runs without the GIL. The caller has the GIL.
inline void native_code_begins() {
  if (BINDING_UNLIKELY(g_holds_calls)) wait_for_release();
  count_detached(1);
}
inline void native_code_ends() { count_detached(-1); }

// Waits for a few milliseconds until num_detached() is 0. Meanwhile, other threads cannot begin
// native code. Returns whether num_detached() is 0. Releases the GIL; one thread at a time may call
// this.
bool wait_for_calls();

// Corrects the variables of this file in a child process, in which only this thread exists.
void attach_after_fork();

// Releases the GIL for the lifetime of the guard. Needs an attached thread.
class Detach {
 public:
  Detach() : before_(t_put_aside) {
    native_code_begins();
    state_ = PyEval_SaveThread();
    t_put_aside = state_;
  }
  ~Detach() {
    t_put_aside = before_;
    PyEval_RestoreThread(state_);  // never returns after shutdown, see forced_unwind.cc
    native_code_ends();
  }
  Detach(const Detach&) = delete;
  Detach& operator=(const Detach&) = delete;

 private:
  PyThreadState* before_;
  PyThreadState* state_;
};

// Marks this thread as attached, so that callbacks of a native call need not look up the thread
// state. Needs an attached thread. Intended for calls with many callbacks.
class KnownAttached {
 public:
  KnownAttached() : before_(t_put_aside) { t_put_aside = compat_current_thread_state(); }
  ~KnownAttached() { t_put_aside = before_; }
  KnownAttached(const KnownAttached&) = delete;
  KnownAttached& operator=(const KnownAttached&) = delete;

 private:
  PyThreadState* before_;
};

// Attaches this thread, if it is not attached yet, so that it may run Python code for the lifetime
// of the guard. Works on any thread. The caller must test the guard: it is false during and after
// shutdown of the interpreter, and the caller must not use the Python API then.
class AttachGuard {
 public:
  AttachGuard(const AttachGuard&) = delete;
  AttachGuard& operator=(const AttachGuard&) = delete;

  explicit operator bool() const { return how_ != kRefused; }

 protected:
  AttachGuard() {
    PyThreadState* aside = t_put_aside;
    if (aside != nullptr) {
      // Another guard may have attached this thread again in the meantime.
      if (compat_current_thread_state() == aside) return;
      if (refuses()) return;
      t_put_aside = nullptr;
      PyEval_RestoreThread(aside);
      aside_ = aside;
      how_ = kRestored;
      return;
    }
    attach_unknown_thread();
  }
  ~AttachGuard() {
    if (how_ == kRestored) {
      t_put_aside = PyEval_SaveThread();
    } else if (how_ == kEnsured) {
      PyGILState_Release(gil_state_);
    }
  }
  // Returns whether the guard interrupts native code that runs without the GIL after a call from
  // Python.
  bool interrupts() const { return how_ == kRestored; }

 private:
  enum How { kHeld, kRestored, kEnsured, kRefused };

  bool refuses() {
    if (!compat_is_shut_down()) return false;
    how_ = kRefused;
    return true;
  }
  void attach_unknown_thread();

  How how_ = kHeld;
  PyGILState_STATE gil_state_{};
  PyThreadState* aside_ = nullptr;
};

// The guard for a call of a Python function. Meanwhile the native code is not counted in
// num_detached(): when it calls a function, Python may read its containers.
class AttachForCall : public AttachGuard {
 public:
  AttachForCall() {
    if (interrupts()) native_code_ends();
    if (*this) before_python_code();
  }
  ~AttachForCall() {
    if (interrupts()) native_code_begins();
  }
};

// The guard for all other uses. The native code is still counted in num_detached(), because a
// deleter may run while a container destroys its elements.
class Attach : public AttachGuard {
 public:
  Attach() {
    t_counted += interrupts();
    if (*this) before_python_code();
  }
  ~Attach() { t_counted -= interrupts(); }
};

}  // namespace binding

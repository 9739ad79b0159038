// SPDX-License-Identifier: Apache-2.0
// The guards for threads and the GIL. The binding takes and releases the GIL only in this file.
#pragma once

#include "compat.h"

namespace binding {

// The thread state that `Detach` saved when this thread last released the GIL, or the thread state
// that `KnownAttached` stored. With it, `Attach` avoids the lookup of PyGILState_Ensure.
extern BINDING_THREAD_LOCAL PyThreadState* t_put_aside;

// Number of native calls in progress that released the GIL. Guarded by the GIL.
extern int g_detached;

// Releases the GIL for the lifetime of the guard. Needs an attached thread.
class Detach {
 public:
  Detach() : before_(t_put_aside) {
    ++g_detached;
    state_ = PyEval_SaveThread();
    t_put_aside = state_;
  }
  ~Detach() {
    t_put_aside = before_;
    PyEval_RestoreThread(state_);  // never returns after shutdown, see forced_unwind.cc
    --g_detached;
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
class Attach {
 public:
  Attach() {
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
  ~Attach() {
    if (how_ == kRestored) {
      t_put_aside = PyEval_SaveThread();
    } else if (how_ == kEnsured) {
      PyGILState_Release(gil_state_);
    }
  }
  Attach(const Attach&) = delete;
  Attach& operator=(const Attach&) = delete;

  explicit operator bool() const { return how_ != kRefused; }

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

}  // namespace binding

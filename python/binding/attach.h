// SPDX-License-Identifier: Apache-2.0
// Threads and the GIL: the only place that releases it and the only one that takes it.
#pragma once

#include "compat.h"

namespace binding {

// The thread state that this thread put aside when it last released the GIL through `Detach`, or
// that it has, see `KnownAttached`. It saves `Attach` the look-up of PyGILState_Ensure.
// Initial-exec: one load instead of a call.
extern thread_local PyThreadState* t_put_aside __attribute__((tls_model("initial-exec")));

// Number of native calls under way that released the GIL. Guarded by the GIL.
extern int g_detached;

// Puts this thread to sleep for good.
[[noreturn]] void sleep_for_ever();

// Runs `take`, which takes the GIL. Once the interpreter shuts down, CPython up
// to 3.13 ends a thread that asks for the GIL by unwinding its stack, through frames of C++ that
// would release Python objects without the GIL or abort the process. Such a thread sleeps for good
// instead, as it does from CPython 3.14 on.
template <typename F>
BINDING_INLINE auto take_lock(F&& take) {
  try {
    return take();
  } catch (...) {  // nothing else is thrown; the unwinder has no object to name
    sleep_for_ever();
  }
}

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
    take_lock([this] { PyEval_RestoreThread(state_); });
    --g_detached;
  }
  Detach(const Detach&) = delete;
  Detach& operator=(const Detach&) = delete;

 private:
  PyThreadState* before_;
  PyThreadState* state_;
};

// Tells the callbacks of a native call that this thread is attached, which each would have to find
// out otherwise. Needs an attached thread. For calls that call back many times.
class KnownAttached {
 public:
  KnownAttached() : before_(t_put_aside) { t_put_aside = compat_current_thread_state(); }
  ~KnownAttached() { t_put_aside = before_; }
  KnownAttached(const KnownAttached&) = delete;
  KnownAttached& operator=(const KnownAttached&) = delete;

 private:
  PyThreadState* before_;
};

// Makes sure that this thread may run Python code for the life of the guard, on any thread and
// whether it is attached already or not. Test it: it refuses once the interpreter shuts down, and
// then nothing of Python may be touched.
class Attach {
 public:
  Attach() {
    PyThreadState* aside = t_put_aside;
    if (aside != nullptr) {
      // Another guard may have attached this thread again in the meantime.
      if (compat_current_thread_state() == aside) return;
      if (refuses()) return;
      t_put_aside = nullptr;
      take_lock([aside] { PyEval_RestoreThread(aside); });
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
    if (Py_IsInitialized() && !compat_is_finalizing()) return false;
    how_ = kRefused;
    return true;
  }
  void attach_unknown_thread();

  How how_ = kHeld;
  PyGILState_STATE gil_state_{};
  PyThreadState* aside_ = nullptr;
};

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The parts of attach.h that are not on the fast path.
#include "attach.h"

#include <chrono>
#include <thread>

namespace binding {

#ifndef Py_GIL_DISABLED
int g_detached = 0;
bool g_holds_calls = false;
#else
std::atomic<bool> g_holds_calls{false};
#endif
BINDING_THREAD_LOCAL int t_counted = 0;

namespace {

using Clock = std::chrono::steady_clock;
// A call that takes longer than kPatience is not waited for. The number of polls matters if other
// threads keep the GIL for long.
constexpr auto kPatience = std::chrono::milliseconds(5);
constexpr int kMinPolls = 10;

template <typename Condition>
bool poll(Condition&& condition) {
  auto end = Clock::now() + kPatience;
  for (int polls = 0; !condition(); ++polls) {
    if (polls >= kMinPolls && Clock::now() > end) return false;
    PyThreadState* state = PyEval_SaveThread();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    PyEval_RestoreThread(state);
  }
  return true;
}

}  // namespace

bool wait_for_calls() {
  if (num_detached() == 0) return true;
  g_holds_calls = true;
  bool none = poll([] { return num_detached() == 0; });
  g_holds_calls = false;
  return none;
}

void wait_for_release() {
  poll([] { return !g_holds_calls; });
}

void attach_after_fork() {
#ifndef Py_GIL_DISABLED
  g_detached = t_counted;
#else
  thread_records_after_fork(t_counted);
#endif
  g_holds_calls = false;
}

BINDING_THREAD_LOCAL PyThreadState* t_put_aside = nullptr;

void AttachGuard::attach_unknown_thread() {
  if (!Py_IsInitialized()) {
    how_ = kRefused;
    return;
  }
  if (PyGILState_Check()) return;  // true in the thread that shuts the interpreter down
  if (refuses()) return;
  gil_state_ = PyGILState_Ensure();
  how_ = kEnsured;
}

}  // namespace binding

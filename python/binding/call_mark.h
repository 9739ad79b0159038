// SPDX-License-Identifier: Apache-2.0
// Without the GIL: what each thread tells the others about its calls. A call borrows handles from
// wrappers without counting references; a thread that takes a handle out of its wrapper keeps the
// object alive until the calls in progress have ended. With the GIL, frame.h and attach.h do
// without this file.
#pragma once

#include <tvm/ffi/c_api.h>

#include "borrow.h"

#ifdef Py_GIL_DISABLED
#include <utility>
#include <vector>

namespace binding {

// The record of a thread. Records are never freed; one whose thread has ended serves another
// thread.
struct alignas(128) ThreadRecord {
  // Odd while a call of the thread may borrow handles. Written only by the thread.
  std::atomic<uint64_t> calls{0};
  int depth = 0;
  // Number of native calls in progress that run without a thread state.
  std::atomic<int> detached{0};

  // Objects that are kept alive until the call with this number ends; owned, guarded by `lock`.
  ShortLock lock;
  std::vector<std::pair<uint64_t, TVMFFIObject*>> kept;
  std::atomic<bool> has_kept{false};

  std::atomic<bool> is_used{false};
  ThreadRecord* next = nullptr;

  void enter() {
    // The handles must be read after the number is written: see keep_for_calls.
    if (depth++ == 0) calls.exchange(calls.load(std::memory_order_relaxed) + 1);
  }
  void leave() {
    if (--depth != 0) return;
    calls.exchange(calls.load(std::memory_order_relaxed) + 1);
    if (BINDING_UNLIKELY(has_kept.load())) release_kept();
  }
  BINDING_COLD void release_kept();  // may run Python
  void count_detached(int change) { detached.fetch_add(change); }
};

// The record of all threads for whose own record there is no memory.
extern ThreadRecord g_shared_record;

extern BINDING_THREAD_LOCAL ThreadRecord* t_record;
BINDING_COLD ThreadRecord* thread_record_make();
BINDING_INLINE ThreadRecord* thread_record() {
  ThreadRecord* record = t_record;
  return BINDING_LIKELY(record != nullptr) ? record : thread_record_make();
}

// Keeps `obj`, whose handle has been removed from its wrapper, alive for the calls of other
// threads. Such a call sees one more owner of the object than there is. Returns 0, or -1 if memory
// ran out.
int keep_for_calls(TVMFFIObject* obj);

// The number of native calls in progress without a thread state, in all threads.
int num_detached();

// Forgets the other threads in a child process, in which only this thread exists. May run Python.
void thread_records_after_fork(int detached);

// Marks a call that borrows handles.
class CallMark {
 public:
  CallMark() : record_(thread_record()) {
    if (BINDING_LIKELY(record_ != &g_shared_record)) {
      record_->enter();
    } else {
      shared_call(true);
    }
  }
  ~CallMark() {
    if (BINDING_LIKELY(record_ != &g_shared_record)) {
      record_->leave();
    } else {
      shared_call(false);
    }
  }
  CallMark(const CallMark&) = delete;
  CallMark& operator=(const CallMark&) = delete;

 private:
  BINDING_COLD static void shared_call(bool begins);

  ThreadRecord* record_;
};

}  // namespace binding

// FunctionWrapper::active is not counted: all threads would write to one place. What it prevents,
// that a call goes on with a function that was moved out, a CallMark prevents.
#define BINDING_COUNT_CALL(change) ((void)0)

#else
#define BINDING_COUNT_CALL(change) (change)

namespace binding {
struct CallMark {
  CallMark() {}
  ~CallMark() {}  // not trivial, so that a mark that is not used gives no warning
};
inline int keep_for_calls(TVMFFIObject*) { return 0; }
}  // namespace binding

#endif

// SPDX-License-Identifier: Apache-2.0
// Actions at the end of a thread.
#if !defined(_WIN32)

#include <pthread.h>

#include <utility>

#include "core/thread_value.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief The actions of this thread; the last one is first. */
__thread ThreadExit* first_exit = nullptr;

void run_exits() {
  while (first_exit != nullptr) {
    ThreadExit* exit = std::exchange(first_exit, first_exit->next);
    std::exchange(exit->run, nullptr)();  // runs foreign code, which may add actions
  }
}

#if defined(__APPLE__)

// The system frees thread-local variables before it calls the destructors of most keys.
struct RunExits {
  bool is_used = false;
  ~RunExits() { run_exits(); }
};
thread_local RunExits at_thread_exit;

void watch_thread() { at_thread_exit.is_used = true; }

#else

struct Key {
  pthread_key_t key;
  bool exists;
};

const Key& exit_key() {
  static const Key key = [] {
    Key made = {};
    made.exists = pthread_key_create(&made.key, [](void*) { run_exits(); }) == 0;
    return made;
  }();
  return key;
}

void watch_thread() {
  if (exit_key().exists) pthread_setspecific(exit_key().key, &first_exit);
}

/*! \brief Prevents calls of run_exits() after the library was unloaded. */
__attribute__((destructor)) void delete_key() {
  if (exit_key().exists) pthread_key_delete(exit_key().key);
}

#endif

}  // namespace

void run_at_thread_exit(ThreadExit* exit, void (*run)()) {
  if (exit->run != nullptr) return;
  if (first_exit == nullptr) watch_thread();
  *exit = {run, std::exchange(first_exit, exit)};
}

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32

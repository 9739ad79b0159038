// SPDX-License-Identifier: Apache-2.0
// Runs the registration steps, which start_up.h lists, once.
#include "core/start_up.h"

#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include "core/frame_cache.h"
#include "core/frame_place.h"
#include "core/function_table.h"
#include "core/kept_load_errors.h"
#include "core/load_scope.h"
#include "core/mutex.h"
#include "core/type_attr.h"
#include "core/type_entry.h"

namespace tvm::ffi::runtime {

namespace {

TVM_FFI_CONSTINIT std::atomic<bool> is_done{false};
/*! \brief Held while the steps run. */
TVM_FFI_CONSTINIT Mutex steps_mutex;
/*! \brief Whether this thread runs the steps. They call entry points, which call start_up. */
__thread bool is_running_steps = false;
char failure[512];

void remember_failure(const char* what) {
  if (failure[0] == '\0') std::strncpy(failure, what, sizeof(failure) - 1);
}

using Step = void (*)();

constexpr Step kSteps[] = {
    register_static_types, register_attribute_columns, register_module_type,
    register_functions,    register_module_functions,  register_attributes,
};

#if !defined(_WIN32)

// Other threads load libraries, register types, look up functions and capture backtraces. So a
// thread that forks takes the locks of these operations first. Otherwise the child could inherit a
// lock whose owner exists only in the parent. The lock of the enums is not among them: its owner
// may run Python code, and so may wait for the thread that forks.
constexpr Mutex& (*kLocks[])() = {
    type_attr_mutex,      type_table_mutex,  load_origin_mutex, kept_load_errors_mutex,
    function_table_mutex, source_line_mutex, frame_cache_mutex,
};

void lock_before_fork() {
  LoadScope::lock_before_fork();
  for (auto lock : kLocks) lock().lock();
}

void unlock_after_fork(bool is_child) {
  for (auto lock : kLocks) lock().unlock();
  LoadScope::unlock_after_fork(is_child);
}

void prepare_for_fork() {
  if (pthread_atfork(
          lock_before_fork, [] { unlock_after_fork(false); }, [] { unlock_after_fork(true); }) !=
      0) {
    remember_failure("pthread_atfork failed");
  }
}

#else

void prepare_for_fork() {}

#endif

void run_steps() {
  prepare_for_fork();
  for (Step step : kSteps) {
    try {
      step();
    } catch (const std::exception& error) {
      remember_failure(error.what());
    }
  }
}

/*! \brief Run start-up before the other constructors of this library, and before the constructors
 * of all libraries that are linked against this one. These constructors request indices of types
 * that the steps register. */
__attribute__((constructor(101))) void run_at_load() { start_up(); }

}  // namespace

void start_up() {
  if (__builtin_expect(is_done.load(std::memory_order_acquire), 1)) return;
  if (is_running_steps) return;
  std::lock_guard<Mutex> lock(steps_mutex);
  if (is_done.load(std::memory_order_relaxed)) return;
  is_running_steps = true;
  run_steps();
  is_running_steps = false;
  is_done.store(true, std::memory_order_release);
}

bool is_starting_up() { return !is_done.load(std::memory_order_acquire); }

const char* start_up_failure() { return failure[0] == '\0' ? nullptr : failure; }

}  // namespace tvm::ffi::runtime

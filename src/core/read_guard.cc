// SPDX-License-Identifier: Apache-2.0
// Cells of announcing readers and the writer's side: a barrier on all threads, then a wait.
#include "core/read_guard.h"

#include <chrono>
#include <mutex>
#include <new>
#include <thread>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Thread checkers do not know the kernel's barrier.
#if defined(__linux__) && defined(__NR_membarrier) && !defined(__SANITIZE_THREAD__)
#define TVM_FFI_HAS_MEMBARRIER 1
#else
#define TVM_FFI_HAS_MEMBARRIER 0
#endif

namespace tvm {
namespace ffi {
namespace runtime {

namespace read_guard_state {
__thread ReaderCell* cell = nullptr;
std::atomic<bool> readers_fence{true};
}  // namespace read_guard_state

namespace {

/*! \brief Guards the growth of the list; its cells are never freed, only taken again. */
std::mutex cells_mutex;
std::atomic<ReaderCell*> cells{nullptr};
/*! \brief For threads that cannot have a cell of their own. */
ReaderCell shared_cell{true};

/*! \brief Gives the thread's cell back when the thread ends. */
struct CellOwner {
  ReaderCell* owned = nullptr;
  ~CellOwner() {
    if (owned == nullptr) return;
    read_guard_state::cell = &shared_cell;
    owned->taken.store(false, std::memory_order_release);
    owned = nullptr;
  }
};
thread_local CellOwner cell_owner;

ReaderCell* take_cell() {
  std::lock_guard<std::mutex> lock(cells_mutex);
  ReaderCell* first = cells.load(std::memory_order_relaxed);
  for (ReaderCell* cell = first; cell != nullptr; cell = cell->next) {
    if (!cell->taken.load(std::memory_order_acquire)) {
      cell->taken.store(true, std::memory_order_relaxed);
      return cell;
    }
  }
  ReaderCell* made = new (std::nothrow) ReaderCell(false);
  if (made == nullptr) return nullptr;
  made->next = first;
  cells.store(made, std::memory_order_release);
  return made;
}

bool wait_for_cell(const ReaderCell& cell, std::chrono::steady_clock::time_point deadline) {
  for (int spins = 0; cell.inside.load(std::memory_order_seq_cst) != 0; ++spins) {
    if (spins < 64) continue;
    std::this_thread::yield();
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

#if TVM_FFI_HAS_MEMBARRIER
std::atomic<bool> kernel_fences{false};
#endif

/*!
 * \brief Whether no other thread can be inside.
 *
 * A thread that takes its first cell after this has taken the lock after the replacement, too, and
 * so finds the new value. Threads without a cell of their own count in an order with the
 * replacement.
 */
bool is_only_reader() {
  std::lock_guard<std::mutex> lock(cells_mutex);
  for (ReaderCell* cell = cells.load(std::memory_order_relaxed); cell != nullptr;
       cell = cell->next) {
    if (cell != read_guard_state::cell && cell->taken.load(std::memory_order_acquire)) return false;
  }
  return shared_cell.inside.load(std::memory_order_seq_cst) == 0;
}

}  // namespace

namespace read_guard_state {

ReaderCell* find_cell() {
  ReaderCell* found = take_cell();
  if (found == nullptr) return &shared_cell;
  cell_owner.owned = found;
  cell = found;
  return found;
}

}  // namespace read_guard_state

bool wait_for_readers() {
  if (is_only_reader()) return true;
#if TVM_FFI_HAS_MEMBARRIER
  if (kernel_fences.load(std::memory_order_acquire) &&
      syscall(__NR_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    return false;
  }
#endif
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  bool all_out = wait_for_cell(shared_cell, deadline);
  ReaderCell* cell = cells.load(std::memory_order_seq_cst);
  for (; cell != nullptr; cell = cell->next) all_out = wait_for_cell(*cell, deadline) && all_out;
  return all_out;
}

void prepare_read_guard() {
#if TVM_FFI_HAS_MEMBARRIER
  if (syscall(__NR_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0) return;
  kernel_fences.store(true, std::memory_order_seq_cst);
  read_guard_state::readers_fence.store(false, std::memory_order_seq_cst);
#endif
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

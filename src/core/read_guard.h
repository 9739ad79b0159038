// SPDX-License-Identifier: Apache-2.0
// Lets readers of a table take a reference on a value that a writer may be replacing: the reader
// announces itself in a cell of its own thread, the writer waits until nobody is inside.
#ifndef TVM_FFI_SRC_CORE_READ_GUARD_H_
#define TVM_FFI_SRC_CORE_READ_GUARD_H_

#include <atomic>
#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Announcement cell of one thread; alone on its cache line. */
struct alignas(64) ReaderCell {
  constexpr explicit ReaderCell(bool is_shared) : shared(is_shared) {}

  std::atomic<uint32_t> inside{0};
  /*! \brief Used by several threads at once, so that counting must be atomic. */
  const bool shared;
  /*! \brief A living thread owns it. */
  std::atomic<bool> taken{true};
  ReaderCell* next = nullptr;
};

namespace read_guard_state {
/*! \brief Cell of the calling thread, NULL before its first guard. `__thread`: no wrapper call. */
extern __thread ReaderCell* cell;
/*! \brief Readers must order their announcement themselves; false once the kernel does it for the
 * writers (membarrier), which makes announcing two plain stores. */
extern std::atomic<bool> readers_fence;
/*! \brief Finds a cell; one shared by all when memory is short or the thread is ending. */
ReaderCell* find_cell();
}  // namespace read_guard_state

/*!
 * \brief While alive, values that this thread loads from a replaceable place are not released.
 *
 * Load the value after construction (memory_order_seq_cst), take a reference, destroy the guard.
 * Inside run nothing that may block or call foreign code. Not nestable.
 */
class ReadGuard {
 public:
  ReadGuard() : cell_(read_guard_state::cell) {
    if (__builtin_expect(cell_ == nullptr, 0)) cell_ = read_guard_state::find_cell();
    if (__builtin_expect(must_count(), 0)) {
      cell_->inside.fetch_add(1, std::memory_order_seq_cst);
    } else {
      cell_->inside.store(cell_->inside.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }
  ~ReadGuard() {
    if (__builtin_expect(must_count(), 0)) {
      cell_->inside.fetch_sub(1, std::memory_order_release);
    } else {
      cell_->inside.store(cell_->inside.load(std::memory_order_relaxed) - 1,
                          std::memory_order_release);
    }
  }
  ReadGuard(const ReadGuard&) = delete;
  ReadGuard& operator=(const ReadGuard&) = delete;

 private:
  bool must_count() const {
    return read_guard_state::readers_fence.load(std::memory_order_relaxed) || cell_->shared;
  }

  ReaderCell* cell_;
};

/*!
 * \brief Wait until every reader that may have loaded a value replaced before this call is outside.
 * \return false when one stays inside for a second (a thread that did not survive a fork): the old
 *         value must then be kept for ever.
 *
 * The replacement itself must be a seq_cst exchange. Call without holding a lock.
 */
bool wait_for_readers();

/*! \brief Ask the kernel for the cheap form; called once by start-up. */
void prepare_read_guard();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_READ_GUARD_H_

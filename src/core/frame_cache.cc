// SPDX-License-Identifier: Apache-2.0
// Bounded hash table of frames, guarded by a mutex.
#include "core/frame_cache.h"

#include <mutex>
#include <new>
#include <utility>

namespace tvm::ffi::runtime {

namespace {

/*! \brief Number of slots: many more than the distinct frames in the backtraces of a program. */
constexpr size_t kSlots = 8192;
/*! \brief Number of slots that are tried for one address. If all are taken, the frame is not
 * cached. */
constexpr size_t kWindow = 8;

TVM_FFI_CONSTINIT Mutex cache_mutex;
struct CachedFrame {
  uintptr_t address;
  FrameText text;
};
/*! \brief The entries, guarded by cache_mutex and never destroyed. */
CachedFrame* slots[kSlots];

size_t first_slot(uintptr_t address) {
  return static_cast<size_t>((address * uint64_t{0x9E3779B97F4A7C15}) >> 51);
}
static_assert(kSlots == size_t{1} << (64 - 51), "the hash gives exactly the index");

}  // namespace

Mutex& frame_cache_mutex() { return cache_mutex; }

const FrameText* find_cached_frame(uintptr_t address) {
  size_t at = first_slot(address);
  for (size_t i = 0; i < kWindow; ++i) {
    const CachedFrame* entry = slots[(at + i) % kSlots];
    if (entry == nullptr) return nullptr;
    if (entry->address == address) return &entry->text;
  }
  return nullptr;
}

void cache_frame(uintptr_t address, FrameText&& text) noexcept {
  std::lock_guard<Mutex> lock(cache_mutex);
  size_t at = first_slot(address);
  for (size_t i = 0; i < kWindow; ++i) {
    CachedFrame*& slot = slots[(at + i) % kSlots];
    if (slot == nullptr) {
      slot = new (std::nothrow) CachedFrame{address, std::move(text)};
      return;  // without memory, the frame is not cached
    }
    if (slot->address == address) return;  // another thread has added the frame before
  }
}

void clear_frame_cache() noexcept {
  std::lock_guard<Mutex> lock(cache_mutex);
  for (CachedFrame*& slot : slots) delete std::exchange(slot, nullptr);
}

}  // namespace tvm::ffi::runtime

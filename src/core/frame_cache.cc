// SPDX-License-Identifier: Apache-2.0
// Bounded table of remembered frames: read without a lock, filled by compare-exchange.
#include "core/frame_cache.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "core/read_guard.h"

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

/*! \brief Room for far more distinct frames than error paths of a program have. */
constexpr size_t kSlots = 8192;
/*! \brief Slots tried for one address; when all are taken the frame is worked out each time. */
constexpr size_t kWindow = 8;

std::atomic<CachedFrame*> slots[kSlots];

size_t first_slot(uintptr_t address) {
  return static_cast<size_t>((address * uint64_t{0x9E3779B97F4A7C15}) >> 51);
}
static_assert(kSlots == size_t{1} << (64 - 51), "the hash gives exactly the index");

CachedFrame* make_entry(uintptr_t address, const FrameText& text, const FrameRule& rule) {
  void* memory = std::malloc(sizeof(CachedFrame) + text.lines.size());
  if (memory == nullptr) return nullptr;
  auto* entry = new (memory) CachedFrame{address, static_cast<uint32_t>(text.lines.size()),
                                         text.line_count, text.kind, rule};
  std::memcpy(static_cast<void*>(entry + 1), text.lines.data(), text.lines.size());
  return entry;
}

}  // namespace

const CachedFrame* find_cached_frame(uintptr_t address) {
  size_t at = first_slot(address);
  for (size_t i = 0; i < kWindow; ++i) {
    const CachedFrame* entry = slots[(at + i) % kSlots].load(std::memory_order_seq_cst);
    if (entry == nullptr) return nullptr;
    if (entry->address == address) return entry;
  }
  return nullptr;
}

void cache_frame(uintptr_t address, const FrameText& text, const FrameRule& rule) noexcept {
  CachedFrame* entry = make_entry(address, text, rule);
  if (entry == nullptr) return;
  size_t at = first_slot(address);
  for (size_t i = 0; i < kWindow; ++i) {
    std::atomic<CachedFrame*>& slot = slots[(at + i) % kSlots];
    CachedFrame* expected = nullptr;
    if (slot.compare_exchange_strong(expected, entry, std::memory_order_seq_cst)) return;
  }
  std::free(entry);
}

void clear_frame_cache() noexcept {
  try {
    // One batch, so that readers are waited for once.
    std::unique_ptr<CachedFrame*[]> old(new CachedFrame*[kSlots]);
    for (size_t i = 0; i < kSlots; ++i) {
      old[i] = slots[i].exchange(nullptr, std::memory_order_seq_cst);
    }
    if (!wait_for_readers()) return;
    for (size_t i = 0; i < kSlots; ++i) std::free(old[i]);
  } catch (const std::bad_alloc&) {
    // Stale names are better than none.
  }
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

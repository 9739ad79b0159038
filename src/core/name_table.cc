// SPDX-License-Identifier: Apache-2.0
// Growth of the name table, and insertion of nodes.
#include "core/name_table.h"

#include <memory>

namespace tvm::ffi::runtime {

void NameTable::place(const Slots& slots, NameNode* node) {
  size_t at = node->name_hash & slots.mask;
  while (slots.at[at].load(std::memory_order_relaxed) != nullptr) at = (at + 1) & slots.mask;
  slots.at[at].store(node, std::memory_order_release);
}

void NameTable::reserve_one() {
  Slots* old = slots_.load(std::memory_order_relaxed);
  // Keep at least half of the slots empty, so that an unsuccessful lookup reaches an empty slot
  // after few steps.
  if (old != nullptr && (used_ + 1) * 2 <= old->mask + 1) return;
  size_t capacity = old == nullptr ? 256 : (old->mask + 1) * 2;
  std::unique_ptr<std::atomic<NameNode*>[]> array(new std::atomic<NameNode*>[capacity]());
  Slots* grown = new Slots{capacity - 1, old, array.release()};
  if (old != nullptr) {
    for (size_t i = 0; i <= old->mask; ++i) {
      NameNode* node = old->at[i].load(std::memory_order_relaxed);
      if (node != nullptr) place(*grown, node);
    }
  }
  slots_.store(grown, std::memory_order_release);
}

void NameTable::insert(NameNode* node) {
  reserve_one();
  node->name_hash = hash_name(node->name, node->name_size);
  place(*slots_.load(std::memory_order_relaxed), node);
  ++used_;
}

void NameTable::replace(const NameNode* former, NameNode* node) {
  node->name_hash = former->name_hash;
  const Slots& slots = *slots_.load(std::memory_order_relaxed);
  size_t at = node->name_hash & slots.mask;
  while (slots.at[at].load(std::memory_order_relaxed) != former) at = (at + 1) & slots.mask;
  slots.at[at].store(node, std::memory_order_release);
}

}  // namespace tvm::ffi::runtime

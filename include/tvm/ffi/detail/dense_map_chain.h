// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/dense_map_chain.h
 * \brief Where a key goes in the dense layout: chains, and the eviction of a body from the home of
 * another chain. Part of detail/dense_map.h.
 */
#ifndef TVM_FFI_DETAIL_DENSE_MAP_CHAIN_H_
#define TVM_FFI_DETAIL_DENSE_MAP_CHAIN_H_

#include <tvm/ffi/detail/dense_map.h>

#include <cstdint>
#include <memory>

namespace tvm {
namespace ffi {

inline uint64_t DenseMapBaseObj::PredecessorOf(uint64_t slot, uint64_t hash) const {
  uint64_t at = HomeOf(hash);
  if (IsHead(at)) {
    for (uint64_t next; (next = NextInChain(at)) != kInvalidIndex; at = next) {
      if (next == slot) return at;
    }
  }
  // Only where a hook gives a key another hash than when it came in: look at every slot.
  for (at = 0; at < slots_; ++at) {
    if (Meta(at) < kProtectedSlot && NextInChain(at) == slot) return at;
  }
  ThrowChangedByHook();
}

inline uint64_t DenseMapBaseObj::ClaimSlot(uint64_t hash, uint64_t tail, SlotHashes* known) {
  uint64_t home = HomeOf(hash);
  if (Meta(home) == kEmptySlot) {
    Meta(home) = kNewHead;
    return home;
  }
  if (IsFull()) return kInvalidIndex;
  if (!IsHead(home)) {
    if (!Evict(home, known)) return kInvalidIndex;
    Meta(home) = kNewHead;
    return home;
  }
  if (tail == kInvalidIndex) {
    tail = home;
    for (uint64_t next; (next = NextInChain(tail)) != kInvalidIndex;) tail = next;
  }
  uint8_t jump = JumpToEmpty(tail);
  if (jump == 0) return kInvalidIndex;
  uint64_t slot = Jump(tail, jump);
  Meta(slot) = kBodyBit;
  SetJump(tail, jump);
  return slot;
}

inline bool DenseMapBaseObj::Evict(uint64_t home, SlotHashes* known) {
  uint64_t hash = known != nullptr ? (*known)[home] : HashOfEntry(EntryAt(home));
  if (IsHead(home)) ThrowChangedByHook();
  uint64_t before = PredecessorOf(home, hash);
  uint64_t count = 1;
  for (uint64_t at = home; (at = NextInChain(at)) != kInvalidIndex;) ++count;
  constexpr uint64_t kUsual = 8;
  Move usual[kUsual];
  std::unique_ptr<Move[]> many(count > kUsual ? new Move[count] : nullptr);
  Move* moves = many != nullptr ? many.get() : usual;
  if (!PlanMoves(home, before, moves)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    Relocate(Item(moves[i].to), Item(moves[i].from));
    TakePlaceInOrder(moves[i].to);
    if (known != nullptr) (*known)[moves[i].to] = (*known)[moves[i].from];
  }
  return true;
}

inline bool DenseMapBaseObj::PlanMoves(uint64_t home, uint64_t before, Move* moves) {
  const uint8_t meta_before = Meta(before);
  uint64_t count = 0;
  uint64_t tail = before;
  for (uint64_t at = home; at != kInvalidIndex;) {
    uint8_t jump = JumpToEmpty(tail);
    if (jump == 0) {
      for (; count > 0; --count) {
        Meta(moves[count - 1].to) = kEmptySlot;
        Meta(moves[count - 1].from) = moves[count - 1].meta;
      }
      Meta(before) = meta_before;
      return false;
    }
    uint64_t to = Jump(tail, jump);
    uint64_t next = NextInChain(at);
    moves[count++] = Move{at, to, Meta(at)};
    Meta(to) = kBodyBit;
    Meta(at) = at == home ? kProtectedSlot : kEmptySlot;
    SetJump(tail, jump);
    tail = to;
    at = next;
  }
  return true;
}

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_DENSE_MAP_CHAIN_H_

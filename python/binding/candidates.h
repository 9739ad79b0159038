// SPDX-License-Identifier: Apache-2.0
// Candidates for cycle collection: native objects whose wrapper died while other references kept
// the object alive. collect/collect.h explains how they are collected.
//
// The table does not hold references, neither strong nor weak: a candidate is destroyed when its
// last reference is released, its memory is freed immediately, and `unique()` works as before.
// Instead, candidates are marked with candidate_deleter, which takes the object out of the table
// and calls the original deleter. An object is recorded once however often its wrapper dies.
//
// A candidate keeps its place (an index) in the wrapper table after its wrapper died. The record of
// the candidate has the same index in the table of candidates. Records are guarded by the GIL,
// except for their member `object`: candidate_deleter runs on any thread, with or without the GIL.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/deleter_mark.h>

#include <atomic>
#include <vector>

#include "borrow.h"
#include "compat.h"

namespace binding {

using tvm::ffi::detail::ExchangeMark;
using tvm::ffi::detail::HasMark;
using tvm::ffi::detail::IsReadOnlyTensor;

// The deleter of every candidate.
void candidate_deleter(void* self, int flags);

inline bool is_candidate(const TVMFFIObject* obj) { return HasMark(obj, candidate_deleter); }

// Returns whether an object can be part of a cycle that the collector can find (collect/edges.cc).
bool may_be_in_cycle(TVMFFIObject* obj);
// Returns whether an object now owns a reference of a kind that the collector knows
// (collect/edges.cc).
bool has_edges(TVMFFIObject* obj);

struct Candidate {
  // kNone, kDead, or the address of the object; the bit kBusy is set while the collector takes a
  // reference.
  std::atomic<uintptr_t> object{0};
  // The original deleter of the object.
  tvm::ffi::detail::DeleterMark deleter = nullptr;

  static constexpr uintptr_t kNone = 0;
  static constexpr uintptr_t kBusy = 1;  // a bit; addresses are even
  // The object was destroyed; its place can be used again.
  static constexpr uintptr_t kDead = 2;
};

class CandidateTable {
 public:
  // Records an object whose wrapper is about to die. `place` is the object's place in the wrapper
  // table. The caller holds a reference. Returns false if the object does not become a candidate;
  // then the caller frees the place.
  bool note(uint32_t place, TVMFFIObject* obj);
  // Returns whether a wrapper of the candidate at a place died since the last collection.
  bool is_new(uint32_t place) const { return new_[place] != 0; }
  // Takes a candidate out of the table. The caller holds the only reference to it.
  void forget(uint32_t place, TVMFFIObject* obj);
  // Returns the object at a place as a new strong reference; NULL if there is no candidate, or if
  // the candidate is being destroyed or owns no references. Marks the candidate as seen by a
  // collection.
  TVMFFIObject* acquire(uint32_t place, bool* owns_nothing);
  // Returns whether the candidate at a place was destroyed; if so, removes its record.
  bool take_dead(uint32_t place);

  // Number of times that an object became a new candidate since the last collection.
  uint32_t num_new() const { return num_new_.load(std::memory_order_relaxed); }
  // Returns whether the caller has to call candidates_are_due().
  bool is_due() const { return num_new() >= due_at_.load(std::memory_order_relaxed); }
  // Sets the number of new candidates from which on is_due() returns true.
  void set_due_at(uint32_t num_new) { due_at_.store(num_new, std::memory_order_relaxed); }
  void reset_num_new() { num_new_.store(0, std::memory_order_relaxed); }

 private:
  friend void candidate_deleter(void* self, int flags);

  // Chunk k has kFirstChunk << k records. Chunks never move, since threads without the GIL read
  // them.
  static constexpr int kFirstChunkBits = 10;
  static constexpr int kNumChunks = 32 - kFirstChunkBits;
  struct Position {
    int chunk;
    uint32_t offset;
  };
  static Position position(uint32_t place) {
    uint64_t i = uint64_t{place} + (1u << kFirstChunkBits);
    int bits = 63 - __builtin_clzll(i);
    return {bits - kFirstChunkBits, static_cast<uint32_t>(i - (uint64_t{1} << bits))};
  }
  // Returns the record at a place; NULL if its chunk was never allocated.
  Candidate* find(uint32_t place) {
    Position p = position(place);
    Candidate* chunk = chunks_[p.chunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + p.offset;
  }
  // Returns the record at a place and allocates its chunk if necessary; NULL if memory runs out.
  Candidate* make(uint32_t place);

  std::atomic<Candidate*> chunks_[kNumChunks] = {};
  // Guards the table. A thread that holds the lock of a part of the wrapper table may take this
  // one.
  ShortLock lock_;
  // The values of is_new(), indexed by place; covers all places that ever had a candidate.
  std::vector<uint8_t> new_;
  // Written with the lock, or in the section of the state; read anywhere.
  std::atomic<uint32_t> num_new_{0};
  std::atomic<uint32_t> due_at_{1};
};

extern CandidateTable g_candidates;

// Collects cycles if enough candidates are new, unless `gc.disable()` was called. The caller calls
// this when is_due() holds, at a point where destructors may run (collect/collect.cc). May run
// Python; keeps a raised exception. Afterwards sets the number of new candidates at which is_due()
// holds again.
void candidates_are_due();

}  // namespace binding

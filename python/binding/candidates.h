// SPDX-License-Identifier: Apache-2.0
// Candidates for cycle collection: native objects whose wrapper died while other references kept
// the object alive. collect/collect.h says what is done with them.
//
// The table holds no reference, neither strong nor weak: a candidate is destroyed when its last
// reference goes, its memory is freed immediately, and `unique()` works as before. Instead, the
// deleter in the object's header is replaced by candidate_deleter, which takes the object out of
// the table and calls the original deleter. The replaced deleter is also the mark by which a
// candidate is recognised, so that an object is recorded once however often its wrapper dies.
//
// A candidate keeps its place in the wrapper table after its wrapper died, and its record has the
// same number. Records are guarded by the GIL, except for `object`: candidate_deleter
// runs on any thread, with or without the GIL.
#pragma once

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <vector>

#include "compat.h"

namespace binding {

// The deleter of every candidate.
void candidate_deleter(void* self, int flags);

inline bool is_candidate(const TVMFFIObject* obj) { return obj->deleter == candidate_deleter; }

// Whether an object can be part of a cycle that the collector can find (collect/edges.cc).
bool may_be_in_cycle(TVMFFIObject* obj);
// Whether an object owns a reference now, among those that the collector knows (collect/edges.cc).
bool has_edges(TVMFFIObject* obj);

struct Candidate {
  // kNone, kDead, or the address of the object, with kBusy while the collector takes a reference.
  std::atomic<uintptr_t> object{0};
  // The deleter that the object had.
  void (*deleter)(void*, int) = nullptr;

  static constexpr uintptr_t kNone = 0;
  static constexpr uintptr_t kBusy = 1;  // a bit; addresses are even
  // The object was destroyed; the place can be used again.
  static constexpr uintptr_t kDead = 2;
};

class CandidateTable {
 public:
  // Records the object at a place of the wrapper table, whose wrapper is about to go. The caller
  // holds a reference. False when the object is not a candidate: the place is free then.
  bool note(uint32_t place, TVMFFIObject* obj);
  // Whether a wrapper of the candidate at a place died since the last collection.
  bool is_new(uint32_t place) const { return new_[place] != 0; }
  // Takes a candidate out of the table; the caller holds its only reference.
  void forget(uint32_t place, TVMFFIObject* obj);
  // The object at a place as a new strong reference; NULL when there is no candidate, or when it
  // is being destroyed, or owns no references. Marks it as seen by a collection.
  TVMFFIObject* acquire(uint32_t place, bool* owns_nothing);
  // Whether the candidate at a place was destroyed; then the place has no record any more.
  bool take_dead(uint32_t place);

  // Number of times that an object became new since the last collection.
  uint32_t num_new() const { return num_new_; }
  // Whether candidates_are_due() is to be called.
  bool is_due() const { return num_new_ >= due_at_; }
  // Number of new candidates at which is_due() holds next.
  void set_due_at(uint32_t num_new) { due_at_ = num_new; }
  void reset_num_new() { num_new_ = 0; }

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
  // NULL when the chunk was never needed.
  Candidate* find(uint32_t place) {
    Position p = position(place);
    Candidate* chunk = chunks_[p.chunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + p.offset;
  }
  // NULL without memory.
  Candidate* make(uint32_t place);

  std::atomic<Candidate*> chunks_[kNumChunks] = {};
  // By place: is_new(). As long as the places that ever had a candidate.
  std::vector<uint8_t> new_;
  uint32_t num_new_ = 0;
  uint32_t due_at_ = 1;
};

extern CandidateTable g_candidates;

// Called when is_due() holds, where a destructor may run anyway (collect/collect.cc): collects
// cycles when enough candidates are new, unless `gc.disable()` was called. May run Python; keeps a
// raised exception. Sets when the next call is due.
void candidates_are_due();

}  // namespace binding

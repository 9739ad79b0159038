// SPDX-License-Identifier: Apache-2.0
// The table of candidates for cycle collection.
#include "candidates.h"

#include <mutex>
#include <new>

#include "ref.h"

namespace binding {

CandidateTable g_candidates;

void candidate_deleter(void* self, int flags) {
  auto* obj = static_cast<TVMFFIObject*>(self);
  Candidate* candidate = g_candidates.find(obj->__padding);
  auto* deleter = candidate->deleter;
  auto address = reinterpret_cast<uintptr_t>(obj);
  // The exchange fails while the collector reads the reference count, which takes a few
  // instructions, so repeat the exchange until it succeeds. Afterwards another object may reuse the
  // record immediately.
  for (uintptr_t expected = address; !candidate->object.compare_exchange_weak(
           expected, Candidate::kDead, std::memory_order_acq_rel);) {
    expected = address;
  }
  // After the last weak reference, the deleter is called a second time, to free the memory. That
  // call must reach the original deleter. The original deleter called below releases a weak
  // reference, which makes this assignment visible to the thread of the second call.
  ExchangeMark(obj, deleter);
  deleter(obj, flags);
}

Candidate* CandidateTable::make(uint32_t place) {
  Position p = position(place);
  Candidate* chunk = chunks_[p.chunk].load(std::memory_order_relaxed);
  if (BINDING_UNLIKELY(chunk == nullptr)) {
    size_t size = size_t{1} << (kFirstChunkBits + p.chunk);
    try {
      // `new_` needs an element for each place in this chunk and in all earlier chunks, even if an
      // earlier chunk does not exist yet.
      size_t end = (size_t{2} << (kFirstChunkBits + p.chunk)) - (size_t{1} << kFirstChunkBits);
      if (new_.size() < end) new_.resize(end);
      chunk = new Candidate[size];
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    chunks_[p.chunk].store(chunk, std::memory_order_release);
  }
  return chunk + p.offset;
}

bool CandidateTable::note(uint32_t place, TVMFFIObject* obj) {
  bool is_known = is_candidate(obj);
  if (!is_known && (obj->deleter == nullptr || !may_be_in_cycle(obj))) return false;
  std::lock_guard<ShortLock> guard(lock_);
  if (!is_known) {
    Candidate* candidate = make(place);
    if (candidate == nullptr) return false;
    candidate->deleter = obj->deleter;
    candidate->object.store(reinterpret_cast<uintptr_t>(obj), std::memory_order_release);
    ExchangeMark(obj, candidate_deleter);
  } else if (is_new(place)) {
    return true;
  }
  new_[place] = 1;
  num_new_.store(num_new() + 1, std::memory_order_relaxed);
  return true;
}

void CandidateTable::forget(uint32_t place, TVMFFIObject* obj) {
  Candidate* candidate = find(place);
  ExchangeMark(obj, candidate->deleter);
  candidate->object.store(Candidate::kNone, std::memory_order_relaxed);
}

TVMFFIObject* CandidateTable::acquire(uint32_t place, bool* owns_nothing) {
  Candidate* candidate = find(place);
  if (candidate == nullptr) return nullptr;
  uintptr_t address = candidate->object.load(std::memory_order_acquire);
  if (address == Candidate::kNone || address == Candidate::kDead) return nullptr;
  // While the record is busy, candidate_deleter waits, so the object is not destroyed.
  if (!candidate->object.compare_exchange_strong(address, address | Candidate::kBusy,
                                                 std::memory_order_acq_rel)) {
    return nullptr;  // the object has just been destroyed
  }
  auto* obj = reinterpret_cast<TVMFFIObject*>(address);
  *owns_nothing = !has_edges(obj);
  bool is_wanted = !*owns_nothing && object_try_inc_ref(obj);
  candidate->object.store(address, std::memory_order_release);
  new_[place] = 0;
  return is_wanted ? obj : nullptr;
}

bool CandidateTable::take_dead(uint32_t place) {
  Candidate* candidate = find(place);
  if (candidate == nullptr) return false;
  if (candidate->object.load(std::memory_order_acquire) != Candidate::kDead) return false;
  candidate->object.store(Candidate::kNone, std::memory_order_relaxed);
  return true;
}

}  // namespace binding

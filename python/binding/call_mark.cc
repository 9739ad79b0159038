// SPDX-License-Identifier: Apache-2.0
#include "call_mark.h"

#ifdef Py_GIL_DISABLED
#include <mutex>
#include <new>

#include "core/thread_value.h"
#include "ref.h"

namespace binding {

ThreadRecord g_shared_record;
BINDING_THREAD_LOCAL ThreadRecord* t_record = nullptr;

namespace {

std::atomic<ThreadRecord*> g_records{&g_shared_record};

// Gives the record of an ended thread back.
struct RecordGiver {
  ~RecordGiver() {
    if (record == nullptr) return;
    t_record = nullptr;
    record->is_used.store(false, std::memory_order_release);
  }
  ThreadRecord* record = nullptr;
};

template <typename See>
void each_record(See&& see) {
  for (ThreadRecord* r = g_records.load(std::memory_order_acquire); r != nullptr; r = r->next) {
    see(r);
  }
}

}  // namespace

ThreadRecord* thread_record_make() {
  ThreadRecord* mine = nullptr;
  each_record([&mine](ThreadRecord* r) {
    if (mine != nullptr || r == &g_shared_record) return;
    if (!r->is_used.exchange(true, std::memory_order_acq_rel)) mine = r;
  });
  if (mine == nullptr) {
    mine = new (std::nothrow) ThreadRecord;
    if (mine == nullptr) return &g_shared_record;
    mine->is_used.store(true, std::memory_order_relaxed);
    mine->next = g_records.load(std::memory_order_relaxed);
    while (!g_records.compare_exchange_weak(mine->next, mine, std::memory_order_acq_rel)) {
    }
  }
  auto* giver = tvm::ffi::runtime::thread_value<RecordGiver>();
  if (giver != nullptr) giver->record = mine;  // else the record stays with the ended thread
  return t_record = mine;
}

void CallMark::shared_call(bool begins) {
  static ShortLock lock;
  bool has_kept;
  {
    std::lock_guard<ShortLock> guard(lock);
    ThreadRecord& shared = g_shared_record;
    if (!begins && shared.depth == 0) return;  // the call began before a fork
    shared.depth += begins ? 1 : -1;
    bool changes = shared.depth == (begins ? 1 : 0);
    if (changes) shared.calls.fetch_add(1);
    has_kept = changes && !begins && shared.has_kept.load();
  }
  if (has_kept) g_shared_record.release_kept();
}

void ThreadRecord::release_kept() {
  std::vector<std::pair<uint64_t, TVMFFIObject*>> ended;
  {
    std::lock_guard<ShortLock> guard(lock);
    ended.swap(kept);
    has_kept.store(false);
  }
  RaisedAside aside;
  for (const auto& entry : ended) object_dec_ref(entry.second);  // may run Python
}

int keep_for_calls(TVMFFIObject* obj) {
  int rc = 0;
  each_record([obj, &rc](ThreadRecord* r) {
    // This writes the number that it reads. A call that begins later thus sees the empty wrapper.
    uint64_t number = r->calls.fetch_add(0);
    if (number % 2 == 0 || r == t_record) return;
    std::unique_lock<ShortLock> guard(r->lock);
    try {
      r->kept.emplace_back(number, obj);
    } catch (const std::bad_alloc&) {
      rc = -1;
      return;
    }
    object_inc_ref(obj);
    r->has_kept.store(true);
    if (r->calls.load() == number) return;
    // The call has ended meanwhile, and the thread may have overlooked the entry. This thread has
    // another reference, so the release destroys nothing.
    for (size_t i = r->kept.size(); i-- > 0;) {
      if (r->kept[i] != std::make_pair(number, obj)) continue;
      r->kept.erase(r->kept.begin() + static_cast<std::ptrdiff_t>(i));
      object_dec_ref(obj);
      break;
    }
  });
  return rc;
}

int num_detached() {
  int sum = 0;
  each_record([&sum](ThreadRecord* r) { sum += r->detached.load(); });
  return sum;
}

void thread_records_after_fork(int detached) {
  each_record([detached](ThreadRecord* r) {
    if (r == t_record) {
      r->detached.store(detached);
      return;
    }
    r->lock.~ShortLock();
    new (&r->lock) ShortLock;
    r->depth = 0;
    r->calls.store(r->calls.load() / 2 * 2);
    r->detached.store(0);
    r->is_used.store(false);
  });
  each_record([](ThreadRecord* r) {
    if (r->calls.load() % 2 == 0) r->release_kept();
  });
}

}  // namespace binding

#endif

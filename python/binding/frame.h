// SPDX-License-Identifier: Apache-2.0
// The calls in progress and the handles that they borrow from wrappers. A call borrows handles
// without counting references. Code that takes a handle out of its wrapper during a call must call
// Frame::keep first, which keeps the object alive for the calls that borrow it.
#pragma once

#include <tvm/ffi/c_api.h>

#include "attach.h"
#include "ref.h"

namespace binding {

// One call in progress. The values of a call are on the heap: C stacks do not keep them readable. A
// greenlet copies its part of the stack away while another greenlet runs there, and after a fork
// the stacks of all other threads are gone. Construct and destroy a Frame with the GIL held; the
// GIL may be released in between, and other frames may be constructed and destroyed in any order.
class Frame : private CallMark {
 public:
  // The number of values for which every frame has space.
  static constexpr int32_t kSpace = 33;

  // Makes a frame without values, to be written to space(). The caller must test the frame: it is
  // false, with MemoryError set, if memory runs out.
  Frame() : slot_(take_slot()) {}
  // Makes a frame of values that the caller writes to other memory on the heap.
  explicit Frame(const TVMFFIAny* values) : slot_(take_slot()) {
    if (BINDING_LIKELY(slot_ != nullptr)) slot_->values = values;
  }
  // Always inlined, so that the frame stays in a register.
  BINDING_INLINE ~Frame() {
    if (BINDING_UNLIKELY(slot_ == nullptr)) return;
    if (BINDING_UNLIKELY(slot_->kept != nullptr)) release_kept(slot_);
    give_back(slot_);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  explicit operator bool() const { return slot_ != nullptr; }
  TVMFFIAny* space() { return slot_->space; }
  // Marks the next value as completely written.
  void grow() { ++slot_->size; }
  int32_t size() const { return slot_->size; }
  // Adds the objects among `n` values, at most kSpace.
  void add_objects(const TVMFFIAny* values, int32_t n) {
    for (int32_t i = 0; i < n; ++i) {
      if (is_object_index(values[i].type_index)) slot_->space[slot_->size++] = values[i];
    }
  }

  // Keeps `obj`, which is about to be taken from its wrapper, alive for every call that borrows it.
  // Returns 0, or -1 with MemoryError.
  static int keep(TVMFFIObject* obj);

  // Removes the frames of all threads but this one. Must be called in a child process after a fork.
  // May run Python.
  static void after_fork();

 private:
  struct Kept {
    TVMFFIObject* obj;  // owned
    Kept* next;
  };
  struct Slot {
    bool needs(const TVMFFIObject* obj) const;

    const TVMFFIAny* values;
    int32_t size;
    size_t at;           // index in slots_
    const void* thread;  // address of a thread-local variable of the thread
    Kept* kept;
    TVMFFIAny space[kSpace];
  };

  explicit Frame(Slot* slot) : slot_(slot) {}
  static Slot* add_slot();
  static Slot* take_slot() {
    Slot* slot = slots_[used_];
    if (BINDING_UNLIKELY(slot == nullptr) && (slot = add_slot()) == nullptr) return nullptr;
    ++used_;
    slot->values = slot->space;
    slot->size = 0;
    slot->thread = &t_put_aside;
    return slot;
  }
  static void give_back(Slot* slot) {
    Slot* last = slots_[--used_];
    if (BINDING_LIKELY(last == slot)) return;
    // A frame that is younger is still in use, in another thread or greenlet.
    slots_[slot->at] = last;
    slots_[used_] = slot;
    last->at = slot->at;
    slot->at = used_;
  }
  static void release_kept(Slot* slot);

  // As many slots as were ever needed at the same time, then NULL. Those of the frames come first.
  // Without the GIL, each thread has its own.
  static Slot* no_slots_[1];
  static BINDING_PER_THREAD Slot** slots_;
  static BINDING_PER_THREAD size_t used_;

  Slot* slot_;
};

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The parts of frame.h that are not on the fast path.
#include "frame.h"

#include <cstdlib>
#include <new>

namespace binding {

Frame::Slot* Frame::no_slots_[] = {nullptr};
BINDING_PER_THREAD Frame::Slot** Frame::slots_ = no_slots_;
BINDING_PER_THREAD size_t Frame::used_ = 0;

// Returns whether the call borrows `obj` and does not keep it alive yet.
bool Frame::Slot::needs(const TVMFFIObject* obj) const {
  for (Kept* k = kept; k != nullptr; k = k->next) {
    if (k->obj == obj) return false;
  }
  for (int32_t i = 0; i < size; ++i) {
    if (is_object_index(values[i].type_index) && values[i].v_obj == obj) return true;
  }
  return false;
}

// Called if all slots are used.
BINDING_COLD Frame::Slot* Frame::add_slot() {
  void* memory = std::realloc(slots_ == no_slots_ ? nullptr : slots_, (used_ + 2) * sizeof(Slot*));
  auto* slot = memory == nullptr ? nullptr : new (std::nothrow) Slot;
  if (memory != nullptr) slots_ = static_cast<Slot**>(memory);
  if (slot == nullptr) {
    if (memory != nullptr) slots_[used_] = nullptr;
    PyErr_NoMemory();
    return nullptr;
  }
  slot->at = used_;
  slot->kept = nullptr;
  slots_[used_] = slot;
  slots_[used_ + 1] = nullptr;
  return slot;
}

int Frame::keep(TVMFFIObject* obj) {
  for (size_t at = 0; at < used_; ++at) {
    Slot* slot = slots_[at];
    if (!slot->needs(obj)) continue;
    auto* kept = new (std::nothrow) Kept{obj, slot->kept};
    if (kept == nullptr) {
      PyErr_NoMemory();
      return -1;
    }
    object_inc_ref(obj);
    slot->kept = kept;
  }
  return keep_for_calls(obj);
}

BINDING_COLD void Frame::release_kept(Slot* slot) {
  RaisedAside aside;
  slot->size = 0;  // nothing more is kept
  for (Kept* k = std::exchange(slot->kept, nullptr); k != nullptr;) {
    Kept* next = k->next;
    object_dec_ref(k->obj);  // may run Python
    delete k;
    k = next;
  }
}

void Frame::after_fork() {
  for (size_t at = 0; at < used_; ++at) {
    if (slots_[at]->thread != &t_put_aside) slots_[at]->thread = nullptr;
  }
  for (size_t at = 0; at < used_;) {
    if (slots_[at]->thread != nullptr) {
      ++at;
    } else {
      Frame ended(slots_[at]);  // may run Python, and thus change the order of the slots
      at = 0;
    }
  }
}

}  // namespace binding

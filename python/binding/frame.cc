// SPDX-License-Identifier: Apache-2.0
// The parts of frame.h that are not on the fast path.
#include "frame.h"

#include <new>

namespace binding {

Frame Frame::first_;

bool Frame::borrows(const TVMFFIObject* obj) const {
  for (int32_t i = 0; i < size_; ++i) {
    if (is_object_index(values_[i].type_index) && values_[i].v_obj == obj) return true;
  }
  return false;
}

int Frame::keep_here(TVMFFIObject* obj) {
  for (Kept* k = kept_; k != nullptr; k = k->next) {
    if (k->obj == obj) return 0;
  }
  auto* kept = new (std::nothrow) Kept{obj, kept_};
  if (kept == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  object_inc_ref(obj);
  kept_ = kept;
  return 0;
}

int Frame::keep(TVMFFIObject* obj) {
  for (Frame* frame = first_.next_; frame != &first_; frame = frame->next_) {
    if (frame->borrows(obj) && frame->keep_here(obj) < 0) return -1;
  }
  return 0;
}

BINDING_COLD void Frame::release_kept() {
  RaisedAside aside;
  for (Kept* k = kept_; k != nullptr;) {
    Kept* next = k->next;
    object_dec_ref(k->obj);  // may run Python
    delete k;
    k = next;
  }
}

}  // namespace binding

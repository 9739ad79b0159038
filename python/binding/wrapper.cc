// SPDX-License-Identifier: Apache-2.0
// Makes, finds and frees wrappers of native objects.
#include "wrapper.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

#include "frame.h"
#include "type/types.h"
#include "wrapper_memory.h"

namespace binding {

WrapperTable g_wrappers;

#ifndef Py_GIL_DISABLED
Wrapper WrapperTable::no_wrapper_{};

int WrapperTable::grow() {
  uint32_t size = size_ == 0 ? 1024 : size_ * 2;
  auto** slots = size > (uint32_t{1} << 31)
                     ? nullptr
                     : static_cast<Wrapper**>(std::realloc(slots_, size * sizeof(Wrapper*)));
  if (slots == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  slots_ = slots;
  size_ = size;
  if (used_ == 0) slots_[used_++] = &no_wrapper_;
  return 0;
}

bool WrapperTable::grow_free() {
  uint32_t size = max_free_ == 0 ? 1024 : max_free_ * 2;
  auto* free = static_cast<uint32_t*>(std::realloc(free_, size * sizeof(uint32_t)));
  if (free == nullptr) return false;
  free_ = free;
  max_free_ = size;
  return true;
}

void WrapperTable::free_dead_places() {
  for (uint32_t at = 1; at < used_; ++at) {
    if (g_candidates.take_dead(at)) free_place(at);
  }
}

// Makes free places in the table. First frees the places of candidates for cycle collection that
// were destroyed, and doubles the table only if too few places are free afterwards.
int WrapperTable::make_places() {
  free_dead_places();
  return num_free_ > used_ / 4 ? 0 : grow();
}

int WrapperTable::insert(Wrapper* w) {
  if (BINDING_UNLIKELY(is_candidate(w->handle))) {
    slots_[w->handle->__padding] = w;
    return 0;
  }
  uint32_t at;
  if (BINDING_LIKELY(num_free_ != 0)) {
    at = free_[--num_free_];
  } else {
    if (BINDING_UNLIKELY(used_ == size_) && make_places() < 0) return -1;
    at = num_free_ != 0 ? free_[--num_free_] : used_++;
  }
  slots_[at] = w;
  w->handle->__padding = at;
  return 0;
}

#else

namespace {

uint32_t place_of(const TVMFFIObject* obj) {
  return __atomic_load_n(&obj->__padding, __ATOMIC_RELAXED);
}
void set_place(TVMFFIObject* obj, uint32_t place) {
  __atomic_store_n(&obj->__padding, place, __ATOMIC_RELAXED);
}

}  // namespace

Wrapper** WrapperTable::slot_of(Part& part, uint32_t number, const TVMFFIObject* obj) {
  uint32_t place = place_of(obj);
  uint32_t at = place / kParts;
  if (place == 0 || place % kParts != number || at >= part.slots.size()) return nullptr;
  Wrapper* w = part.slots[at];
  if (w == nullptr) return is_candidate(obj) ? &part.slots[at] : nullptr;
  return w->handle == obj ? &part.slots[at] : nullptr;
}

PyObject* WrapperTable::get(const TVMFFIObject* obj) {
  if (place_of(obj) == 0) return nullptr;
  uint32_t number;
  Part& part = part_of(obj, &number);
  std::lock_guard<ShortLock> guard(part.lock);
  Wrapper** slot = slot_of(part, number, obj);
  if (slot == nullptr || *slot == nullptr || !try_inc_ref(as_py(*slot))) return nullptr;
  return as_py(*slot);
}

bool WrapperTable::has(const TVMFFIObject* obj) {
  Ref live(get(obj));
  return static_cast<bool>(live);
}

int WrapperTable::insert(Wrapper* w, PyObject** first) {
  TVMFFIObject* obj = w->handle;
  enable_try_inc_ref(as_py(w));
  uint32_t number;
  Part& part = part_of(obj, &number);
  Ref live;  // released after the lock
  std::lock_guard<ShortLock> guard(part.lock);
  Wrapper** slot = slot_of(part, number, obj);
  if (slot != nullptr) {
    if (*slot != nullptr && *slot != w && try_inc_ref(as_py(*slot))) {
      live = Ref(as_py(*slot));
      if (first != nullptr) *first = live.release();
    } else {
      *slot = w;
    }
    return 0;
  }
  uint32_t at;
  try {
    if (part.free.empty() && part.slots.size() == part.slots.capacity()) make_places(part, number);
    if (part.free.empty()) {
      at = static_cast<uint32_t>(part.slots.size());
      part.slots.push_back(w);
    } else {
      at = part.free.back();
      part.free.pop_back();
      part.slots[at] = w;
    }
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return -1;
  }
  set_place(obj, at * kParts + number);
  return 0;
}

TVMFFIObject* WrapperTable::take(Wrapper* w) {
  while (TVMFFIObject* obj = w->handle) {
    uint32_t number;
    Part& part = part_of(obj, &number);
    std::lock_guard<ShortLock> guard(part.lock);
    if (w->handle != obj) continue;  // another thread was first
    Wrapper** slot = slot_of(part, number, obj);
    if (slot != nullptr && *slot == w) {
      *slot = nullptr;
      uint32_t place = place_of(obj);
      bool is_noted = false;
      if (BINDING_UNLIKELY(object_strong_count(obj) != 1)) {
        is_noted = g_candidates.note(place, obj);
      } else if (BINDING_UNLIKELY(is_candidate(obj))) {
        g_candidates.forget(place, obj);
      }
      if (!is_noted) {
        set_place(obj, 0);
        part.free.push_back(place / kParts);
      }
    }
    w->handle = nullptr;
    return obj;
  }
  return nullptr;
}

uint32_t WrapperTable::num_places() const {
  size_t size = 0;
  for (const Part& part : parts_) size = std::max(size, part.slots.size());
  return static_cast<uint32_t>(size * kParts);
}

void WrapperTable::make_places(Part& part, uint32_t number) {
  free_dead(part, number);
  if (part.free.size() > part.slots.size() / 4) return;
  size_t size = std::max<size_t>(16, part.slots.size() * 2);
  part.free.reserve(size);
  part.slots.reserve(size);
  if (part.slots.empty()) part.slots.push_back(nullptr);  // place 0 is never used
}

void WrapperTable::free_dead(Part& part, uint32_t number) {
  for (uint32_t at = 1; at < part.slots.size(); ++at) {
    if (g_candidates.take_dead(at * kParts + number)) part.free.push_back(at);
  }
}

void WrapperTable::free_dead_places() {
  for (uint32_t number = 0; number < kParts; ++number) {
    std::lock_guard<ShortLock> guard(parts_[number].lock);
    free_dead(parts_[number], number);
  }
}

std::vector<PyObject*> WrapperTable::all() {
  std::vector<PyObject*> live;
  for (Part& part : parts_) {
    std::lock_guard<ShortLock> guard(part.lock);
    for (Wrapper* w : part.slots) {
      if (w != nullptr && try_inc_ref(as_py(w))) live.push_back(as_py(w));
    }
  }
  return live;
}

#endif

namespace {

// Does the common part of both deallocators; returns the handle to release after `self` is freed.
TVMFFIObject* wrapper_take_apart(PyObject* self, PyTypeObject* type) {
  if (wrapper_has_gc_header(self, type)) PyObject_GC_UnTrack(self);
  return g_wrappers.take(as_wrapper(self));
}

// Returns whether the fields or elements of the object may hold Python objects. If not, the garbage
// collector does not track a plain wrapper of the object.
BINDING_INLINE bool is_tracked(const TVMFFIObject* obj) {
  const ClassInfo* info = class_info_known(obj->type_index);
  return info != nullptr && info->tracked;
}

}  // namespace

PyObject* wrapper_alloc(PyTypeObject* cls) {
  if (!wrapper_is_plain(cls)) return cls->tp_alloc(cls, 0);
  PyObject* self = wrapper_memory_alloc(cls, PyType_IS_GC(cls));
  if (self != nullptr && PyType_IS_GC(cls)) PyObject_GC_Track(self);
  return self;
}

namespace {

// Allocates an empty wrapper for an object; the collector tracks it if necessary.
BINDING_INLINE PyObject* wrapper_alloc_for(PyTypeObject* cls, bool plain, TVMFFIObject* obj) {
  if (!plain) return cls->tp_alloc(cls, 0);
  if (obj->type_index == kTVMFFIArray && wrapper_may_lack_gc_header(cls) &&
      is_small_leaf_array(obj)) {
    return wrapper_memory_alloc(cls, false);
  }
  PyObject* self = wrapper_memory_alloc(cls, PyType_IS_GC(cls));
  // Test the class too: `cls` may be the class of another type and have no GC header.
  if (BINDING_LIKELY(self != nullptr) && is_tracked(obj) && PyType_IS_GC(cls)) {
    PyObject_GC_Track(self);
  }
  return self;
}

}  // namespace

PyObject* wrapper_new_steal(PyTypeObject* cls, bool plain, TVMFFIObject* obj) {
  PyObject* self = wrapper_alloc_for(cls, plain, obj);
  if (BINDING_UNLIKELY(self == nullptr)) {
    object_dec_ref(obj);
    return nullptr;
  }
  as_wrapper(self)->handle = obj;
  return wrapper_publish_steal(self);
}

PyObject* wrapper_beside_steal(PyTypeObject* cls, TVMFFIObject* obj) {
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self == nullptr) {
    object_dec_ref(obj);
    return nullptr;
  }
  as_wrapper(self)->handle = obj;
  return self;
}

bool (*g_is_fixed_variant)(PyObject* self) = [](PyObject*) { return false; };

int wrapper_adopt_steal(Wrapper* self, TVMFFIObject* obj) {
  if (BINDING_UNLIKELY(wrapper_is_fixed(as_py(self)))) {
    if (obj != nullptr) object_dec_ref(obj);  // may run Python
    return -1;
  }
  TVMFFIObject* old = wrapper_detach(self);
  self->handle = obj;
  int rc = 0;
  // If the object has an older live wrapper, lookups continue to return that wrapper.
  if (obj != nullptr && !g_wrappers.has(obj)) rc = g_wrappers.insert(self);
  if (old != nullptr) object_dec_ref(old);  // may run Python
  return rc;
}

TVMFFIObject* wrapper_detach(Wrapper* self) {
  TVMFFIObject* obj;
  {
    Section section(as_py(self));  // code in a section of the wrapper borrows the handle
    obj = g_wrappers.take(self);
  }
  if (obj == nullptr) return nullptr;
  if (BINDING_UNLIKELY(Frame::keep(obj) < 0)) {
    // Memory ran out: leak this reference, so that the argument of a call in progress stays valid.
    clear_error();
    object_inc_ref(obj);
  }
  return obj;
}

void wrapper_dealloc_static(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  TVMFFIObject* obj = wrapper_take_apart(self, type);
  type->tp_free(self);
  if (obj != nullptr) object_dec_ref(obj);  // may run Python
  if (BINDING_UNLIKELY(g_candidates.is_due())) candidates_are_due();
}

void wrapper_dealloc_heap(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  // For a class that adds members, the interpreter's own deallocator runs `__del__` and calls this
  // function. For other classes, this function is the tp_dealloc, and has to run `__del__` itself.
  // Such a class has a `__del__` only if the method was added after the class was created.
  if (type->tp_dealloc == wrapper_dealloc_heap && type->tp_finalize != nullptr) {
    if (wrapper_finalize(self, type)) return;  // resurrected
  }
  TVMFFIObject* obj = wrapper_take_apart(self, type);
  wrapper_memory_free(self, type);
  if (obj != nullptr) object_dec_ref(obj);  // may run Python
  Py_DECREF(type);
  if (BINDING_UNLIKELY(g_candidates.is_due())) candidates_are_due();
}

namespace {

BINDING_COLD void raise_empty(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  bool is_undecorated = type->tp_init == CObjectType.tp_init && !class_is_registered(type) &&
                        (type->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
  PyErr_Format(PyExc_ValueError,
               is_undecorated ? "%s object is empty: the class does not have a constructor; "
                                "decorate it with @py_class(\"...\"), or define __init__"
                              : "%s object is empty: it was moved from, or made without its "
                                "constructor",
               type->tp_name);
}

}  // namespace

TVMFFIObject* wrapper_handle_or_raise(PyObject* self) {
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (BINDING_UNLIKELY(obj == nullptr)) raise_empty(self);
  return obj;
}

}  // namespace binding

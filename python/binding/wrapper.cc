// SPDX-License-Identifier: Apache-2.0
// Making, finding and freeing wrappers of native objects.
#include "wrapper.h"

#include <cstdlib>

#include "frame.h"
#include "type/types.h"

namespace binding {

Wrapper WrapperTable::nobody_{};
WrapperTable g_wrappers;

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
  if (used_ == 0) slots_[used_++] = &nobody_;
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

int WrapperTable::insert(Wrapper* w) {
  uint32_t at;
  if (BINDING_LIKELY(num_free_ != 0)) {
    at = free_[--num_free_];
  } else {
    if (used_ == size_ && grow() < 0) return -1;
    at = used_++;
  }
  slots_[at] = w;
  w->handle->__padding = at;
  return 0;
}

namespace {

// Memory of dead plain wrappers, chained through their handle. Kept for the next one: allocation
// by the interpreter costs about as much as the rest of making a wrapper. A chain for each layout:
// wrappers of classes with garbage collection have the collector's head in front, those of
// containers a word behind.
struct Spare {
  static constexpr int kMax = 2048;
  Wrapper* first = nullptr;
  int size = 0;
};
Spare g_spare[2][2];

BINDING_INLINE bool has_container_size(PyTypeObject* cls) {
  return cls->tp_basicsize == sizeof(ContainerWrapper);
}

BINDING_INLINE Spare& spare_of(PyTypeObject* cls) {
  return g_spare[has_container_size(cls)][(cls->tp_flags & Py_TPFLAGS_HAVE_GC) != 0];
}

// Objects of the class lie in memory exactly as a plain wrapper, or that of a container, does, also
// in front: room for a dictionary or weak references there does not show in tp_basicsize.
BINDING_INLINE bool has_plain_memory(PyTypeObject* cls) {
  unsigned long in_front = 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
  in_front |= Py_TPFLAGS_MANAGED_DICT;
#endif
#ifdef Py_TPFLAGS_MANAGED_WEAKREF
  in_front |= Py_TPFLAGS_MANAGED_WEAKREF;
#endif
#ifdef Py_TPFLAGS_INLINE_VALUES
  in_front |= Py_TPFLAGS_INLINE_VALUES;
#endif
  bool has_gc = (cls->tp_flags & Py_TPFLAGS_HAVE_GC) != 0;
  bool has_size = cls->tp_basicsize == sizeof(Wrapper) ||
                  (has_container_size(cls) && PyType_IsSubtype(cls, &ContainerBaseType));
  return has_size && cls->tp_itemsize == 0 && cls->tp_dictoffset == 0 &&
         cls->tp_weaklistoffset == 0 && (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
         (cls->tp_flags & in_front) == 0 &&
         cls->tp_free == (has_gc ? PyObject_GC_Del : PyObject_Free) && cls->tp_del == nullptr &&
         cls->tp_finalize == nullptr;
}

PyObject* wrapper_alloc_plain(PyTypeObject* cls) {
  Spare& spare = spare_of(cls);
  if (spare.first == nullptr || BINDING_SANITIZED) {
    PyObject* self = cls->tp_alloc(cls, 0);
    if (self != nullptr && PyType_IS_GC(cls)) PyObject_GC_UnTrack(self);
    return self;
  }
  Wrapper* w = spare.first;
  spare.first = reinterpret_cast<Wrapper*>(w->handle);
  --spare.size;
  w->handle = nullptr;
  if (has_container_size(cls)) reinterpret_cast<ContainerWrapper*>(w)->exchange_api = nullptr;
  return compat_init_again(as_py(w), cls);
}

void wrapper_free(PyObject* self, PyTypeObject* type) {
  Spare& spare = spare_of(type);
  if (!BINDING_SANITIZED && spare.size < Spare::kMax && has_plain_memory(type)) {
    as_wrapper(self)->handle = reinterpret_cast<TVMFFIObject*>(spare.first);
    spare.first = as_wrapper(self);
    ++spare.size;
    return;
  }
  type->tp_free(self);
}

// What both kinds of deallocation share: returns the handle to release once `self` is gone.
TVMFFIObject* wrapper_take_apart(PyObject* self, PyTypeObject* type) {
  if (type->tp_flags & Py_TPFLAGS_HAVE_GC) PyObject_GC_UnTrack(self);
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (obj != nullptr) g_wrappers.erase(as_wrapper(self));
  as_wrapper(self)->handle = nullptr;
  return obj;
}

// The fields or elements of the object may hold Python objects. Other plain wrappers are left out
// of garbage collections.
BINDING_INLINE bool is_tracked(const TVMFFIObject* obj) {
  const ClassInfo* info = class_info_known(obj->type_index);
  return info != nullptr && info->tracked;
}

}  // namespace

PyObject* wrapper_alloc(PyTypeObject* cls) {
  if (!wrapper_is_plain(cls)) return cls->tp_alloc(cls, 0);
  PyObject* self = wrapper_alloc_plain(cls);
  if (self != nullptr && PyType_IS_GC(cls)) PyObject_GC_Track(self);
  return self;
}

PyObject* wrapper_new_steal(PyTypeObject* cls, bool plain, TVMFFIObject* obj) {
  PyObject* self = plain ? wrapper_alloc_plain(cls) : cls->tp_alloc(cls, 0);
  if (BINDING_UNLIKELY(self == nullptr)) {
    object_dec_ref(obj);
    return nullptr;
  }
  as_wrapper(self)->handle = obj;
  if (BINDING_UNLIKELY(g_wrappers.insert(as_wrapper(self)) < 0)) {
    Py_DECREF(self);
    return nullptr;
  }
  // The class may be that of another type, whose wrappers are left out.
  if (plain && is_tracked(obj) && PyType_IS_GC(cls)) PyObject_GC_Track(self);
  return self;
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

int wrapper_adopt_steal(Wrapper* self, TVMFFIObject* obj) {
  TVMFFIObject* old = wrapper_detach(self);
  self->handle = obj;
  int rc = 0;
  // An older live wrapper of the same object stays the one that comes back.
  if (obj != nullptr && g_wrappers.find(obj) == nullptr) rc = g_wrappers.insert(self);
  if (old != nullptr) object_dec_ref(old);  // may run Python
  return rc;
}

TVMFFIObject* wrapper_detach(Wrapper* self) {
  TVMFFIObject* obj = self->handle;
  if (obj == nullptr) return nullptr;
  if (BINDING_UNLIKELY(Frame::keep(obj) < 0)) {
    // Out of memory: this reference is left alive instead of a call without its argument.
    PyErr_Clear();
    object_inc_ref(obj);
  }
  g_wrappers.erase(self);
  self->handle = nullptr;
  return obj;
}

void wrapper_dealloc_static(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  TVMFFIObject* obj = wrapper_take_apart(self, type);
  type->tp_free(self);
  if (obj != nullptr) object_dec_ref(obj);  // may run Python
}

void wrapper_dealloc_heap(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  // Called by the interpreter's own deallocator for classes that add something; for the others it
  // is the whole deallocator and has to honour a `__del__` that came later.
  if (type->tp_dealloc == wrapper_dealloc_heap && type->tp_finalize != nullptr) {
    if (PyObject_CallFinalizerFromDealloc(self) < 0) return;  // resurrected
  }
  TVMFFIObject* obj = wrapper_take_apart(self, type);
  wrapper_free(self, type);
  if (obj != nullptr) object_dec_ref(obj);  // may run Python
  Py_DECREF(type);
}

bool wrapper_is_plain(PyTypeObject* cls) {
  return has_plain_memory(cls) && cls->tp_alloc == PyType_GenericAlloc;
}

TVMFFIObject* wrapper_handle_or_raise(PyObject* self) {
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (BINDING_UNLIKELY(obj == nullptr)) {
    PyErr_Format(PyExc_ValueError,
                 "%s object is empty: it was moved from, or made without its constructor",
                 Py_TYPE(self)->tp_name);
  }
  return obj;
}

}  // namespace binding

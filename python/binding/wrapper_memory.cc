// SPDX-License-Identifier: Apache-2.0
#include "wrapper_memory.h"

#include "type/types.h"

namespace binding {
namespace {

// Memory of freed plain wrappers, linked through their handle member and reused for new wrappers.
// With the interpreter's allocator, making a wrapper would take about twice as long. There is one
// list for each layout: with or without a GC header in front, with or without the extra word of
// containers at the end.
constexpr bool kReusesMemory = BINDING_HAS_GIL && !BINDING_SANITIZED;
struct Spare {
  static constexpr int kMax = 2048;
  Wrapper* first = nullptr;
  int size = 0;
};
Spare g_spare[2][2];

BINDING_INLINE bool has_container_size(PyTypeObject* cls) {
  return cls->tp_basicsize == sizeof(ContainerWrapper);
}

BINDING_INLINE Spare& spare_of(PyTypeObject* cls, bool with_gc_header) {
  return g_spare[has_container_size(cls)][with_gc_header];
}

// The tp_free of classes whose instances may lack the GC header; called only for instances that
// have the header.
void free_with_gc_header(void* self) { PyObject_GC_Del(self); }

bool has_usual_free(PyTypeObject* cls) {
  if (!(cls->tp_flags & Py_TPFLAGS_HAVE_GC)) return cls->tp_free == PyObject_Free;
  return cls->tp_free == PyObject_GC_Del || cls->tp_free == free_with_gc_header;
}

// Returns whether objects of the class have exactly the memory layout of a plain wrapper, or of a
// plain container. This includes the memory in front of an object: space for a dictionary or weak
// references there is not part of tp_basicsize.
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
  // Only the classes of containers and the classes that derive from them have this tp_is_gc.
  bool has_size = cls->tp_basicsize == sizeof(Wrapper) ||
                  (has_container_size(cls) && cls->tp_is_gc == container_is_gc);
  return has_size && cls->tp_itemsize == 0 && cls->tp_dictoffset == 0 &&
         cls->tp_weaklistoffset == 0 && (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
         (cls->tp_flags & in_front) == 0 && has_usual_free(cls) && cls->tp_del == nullptr &&
         cls->tp_finalize == nullptr;
}

// Allocates an instance with the interpreter's allocator.
PyObject* memory_new(PyTypeObject* cls, bool with_gc_header) {
  if (with_gc_header == PyType_IS_GC(cls)) {
    PyObject* self = cls->tp_alloc(cls, 0);
    if (self != nullptr && with_gc_header) PyObject_GC_UnTrack(self);
    return self;
  }
  auto* self = static_cast<PyObject*>(PyObject_Calloc(1, cls->tp_basicsize));
  if (self == nullptr) return PyErr_NoMemory();
  return PyObject_Init(self, cls);  // takes a reference to the class
}

}  // namespace

PyObject* wrapper_memory_alloc(PyTypeObject* cls, bool with_gc_header) {
  Spare& spare = spare_of(cls, with_gc_header);
  PyObject* self;
  if (spare.first == nullptr || !kReusesMemory) {
    self = memory_new(cls, with_gc_header);
    if (BINDING_UNLIKELY(self == nullptr)) return nullptr;
  } else {
    Wrapper* w = spare.first;
    spare.first = reinterpret_cast<Wrapper*>(static_cast<TVMFFIObject*>(w->handle));
    --spare.size;
    w->handle = nullptr;
    self = compat_init_again(as_py(w), cls);
  }
  if (has_container_size(cls)) {
    as_container(self)->tag = with_gc_header ? 0 : ContainerWrapper::kNoGcHeader;
  }
  return self;
}

void wrapper_memory_free(PyObject* self, PyTypeObject* type) {
  bool with_gc_header = wrapper_has_gc_header(self, type);
  Spare& spare = spare_of(type, with_gc_header);
  if (kReusesMemory && spare.size < Spare::kMax && has_plain_memory(type)) {
    as_wrapper(self)->handle = reinterpret_cast<TVMFFIObject*>(spare.first);
    spare.first = as_wrapper(self);
    ++spare.size;
  } else if (with_gc_header == PyType_IS_GC(type)) {
    type->tp_free(self);
  } else {
    PyObject_Free(self);
  }
}

bool wrapper_is_plain(PyTypeObject* cls) {
  return has_plain_memory(cls) && cls->tp_alloc == PyType_GenericAlloc;
}

void wrapper_allow_no_gc_header(PyTypeObject* cls) {
  if (BINDING_HAS_GIL && has_container_size(cls) && wrapper_is_plain(cls)) {
    cls->tp_free = free_with_gc_header;
  }
}

bool wrapper_may_lack_gc_header(PyTypeObject* cls) { return cls->tp_free == free_with_gc_header; }

int container_is_gc(PyObject* self) {
  return (as_container(self)->tag & ContainerWrapper::kNoGcHeader) == 0;
}

bool wrapper_finalize(PyObject* self, PyTypeObject* type) {
  if (wrapper_has_gc_header(self, type)) return PyObject_CallFinalizerFromDealloc(self) < 0;
  // The interpreter runs a finalizer only once, because it records the run in the GC header. An
  // instance without a GC header runs its finalizer each time that it is freed.
  Py_SET_REFCNT(self, 1);
  type->tp_finalize(self);
  Py_SET_REFCNT(self, Py_REFCNT(self) - 1);
  return Py_REFCNT(self) > 0;
}

}  // namespace binding

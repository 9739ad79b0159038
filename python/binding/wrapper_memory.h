// SPDX-License-Identifier: Apache-2.0
// The memory of wrappers: taken and given back without the interpreter's allocator where it can be,
// and without the collector's head where the wrapper can never be part of a cycle.
#pragma once

#include "wrapper.h"

namespace binding {

// Memory of a new instance of `cls`, whose wrappers are plain (wrapper_is_plain): initialised, with
// no handle, not tracked. `with_head` says whether the collector's head lies in front, which only
// classes that have it, and wrapper_may_lack_head, may do without. NULL with an exception set.
PyObject* wrapper_memory_take(PyTypeObject* cls, bool with_head);

// Gives back the memory of `self`, which nothing refers to, of a class with our deallocator.
void wrapper_memory_give(PyObject* self, PyTypeObject* type);

// Prepares a plain class of containers for instances without the collector's head. Such a class has
// a tp_free of its own, so that assigning to `__class__` cannot turn such an instance into one of a
// class that expects the head. Does nothing for other classes.
void wrapper_allow_no_head(PyTypeObject* cls);
bool wrapper_may_lack_head(PyTypeObject* cls);

// Whether the collector's head lies in front of `self`.
BINDING_INLINE bool wrapper_has_head(PyObject* self, PyTypeObject* type) {
  if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC)) return false;
  return type->tp_is_gc == nullptr || type->tp_is_gc(self) != 0;
}

// tp_is_gc of containers.
int container_is_gc(PyObject* self);

// Runs `__del__` of an instance that is about to be freed; true when that brought it back to life.
bool wrapper_finalize(PyObject* self, PyTypeObject* type);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The memory of wrappers. It is reused without the interpreter's allocator where possible, and has
// no GC header where the wrapper can never be part of a cycle.
#pragma once

#include "wrapper.h"

namespace binding {

// A new instance of `cls`, whose wrappers are plain (wrapper_is_plain): without a handle, not
// tracked. `with_gc_header` must be PyType_IS_GC(cls), or may be false where
// wrapper_may_lack_gc_header(cls). New reference, or NULL with an exception set.
PyObject* wrapper_memory_alloc(PyTypeObject* cls, bool with_gc_header);

// Frees the memory of `self`, which has no references, of a class with a deallocator of wrapper.h.
void wrapper_memory_free(PyObject* self, PyTypeObject* type);

// Prepares a plain class of containers for instances without a GC header: those of short arrays of
// leaves (is_small_leaf_array). Does nothing for other classes. tp_is_gc tells the interpreter
// which instances have the header. The class gets a tp_free of its own, because the interpreter
// refuses to assign to `__class__` across classes with different tp_free: such an instance can
// never become one of a class that expects the header.
//
// Gain against wrappers with a GC header that are not tracked: 159 bytes instead of 175 for an
// array of one object (`python bench/ffi_bench.py --groups process --filter "inside an Array"`;
// CPython 3.11, g++ 12, x86-64), and 110 ns of CPU time instead of 130 ns to make and keep an array
// of two ints. tests/python/test_array_memory.py checks what this assumes of the running
// interpreter.
void wrapper_allow_no_gc_header(PyTypeObject* cls);
bool wrapper_may_lack_gc_header(PyTypeObject* cls);

// Whether a GC header lies in front of `self`.
BINDING_INLINE bool wrapper_has_gc_header(PyObject* self, PyTypeObject* type) {
  if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC)) return false;
  return type->tp_is_gc == nullptr || type->tp_is_gc(self) != 0;
}

// tp_is_gc of containers.
int container_is_gc(PyObject* self);

// Runs `__del__` of an instance that is about to be freed; true when that brought it back to life.
bool wrapper_finalize(PyObject* self, PyTypeObject* type);

}  // namespace binding

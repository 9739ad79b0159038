// SPDX-License-Identifier: Apache-2.0
// The memory of wrappers. Where possible, it is reused without the interpreter's allocator. A
// wrapper that can never be part of a cycle has no GC header.
#pragma once

#include "wrapper.h"

namespace binding {

// Makes an instance of `cls`, whose wrappers are plain (wrapper_is_plain). The instance has no
// handle and is not tracked. `with_gc_header` must be equal to PyType_IS_GC(cls); but it may be
// false if wrapper_may_lack_gc_header(cls). New reference, or NULL with an exception set.
PyObject* wrapper_memory_alloc(PyTypeObject* cls, bool with_gc_header);

// Frees the memory of `self`, which has no references. Its class has a deallocator of wrapper.h.
void wrapper_memory_free(PyObject* self, PyTypeObject* type);

// Prepares a plain container class for instances without a GC header: the wrappers of small leaf
// arrays (is_small_leaf_array). Does nothing for other classes. tp_is_gc tells the interpreter
// which instances have the header. The class gets its own tp_free: the interpreter refuses an
// assignment to `__class__` between classes with different tp_free, so an instance without a header
// can never get a class that expects the header.
//
// Gain against wrappers with a GC header that are not tracked: 159 bytes instead of 175 for an
// array of one object (`python bench/ffi_bench.py --groups process --filter "inside an Array"`;
// CPython 3.11, g++ 12, x86-64), and 110 ns of CPU time instead of 130 ns to make and keep an array
// of two ints. tests/python/test_array.py checks the assumptions about the running
// interpreter.
void wrapper_allow_no_gc_header(PyTypeObject* cls);
bool wrapper_may_lack_gc_header(PyTypeObject* cls);

// Returns whether a GC header is in front of `self`.
BINDING_INLINE bool wrapper_has_gc_header(PyObject* self, PyTypeObject* type) {
  if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC)) return false;
  return type->tp_is_gc == nullptr || type->tp_is_gc(self) != 0;
}

// The tp_is_gc of containers.
int container_is_gc(PyObject* self);

// Runs `__del__` of an instance that is about to be freed; returns true if `__del__` resurrected
// it.
bool wrapper_finalize(PyObject* self, PyTypeObject* type);

}  // namespace binding

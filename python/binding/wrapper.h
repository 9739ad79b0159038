// SPDX-License-Identifier: Apache-2.0
// Python objects that hold the handle of a native object, and the table that maps a native object
// to its live wrapper.
#pragma once

#include <tvm/ffi/c_api.h>

#include "call_mark.h"
#include "candidates.h"
#include "compat.h"
#include "ref.h"
#include "state.h"

namespace binding {

#ifdef Py_GIL_DISABLED
// A pointer that several threads may read and write.
class Handle {
 public:
  operator TVMFFIObject*() const { return value_.load(std::memory_order_acquire); }
  TVMFFIObject* operator->() const { return *this; }
  TVMFFIObject* operator=(TVMFFIObject* x) {
    value_.store(x, std::memory_order_release);
    return x;
  }

 private:
  std::atomic<TVMFFIObject*> value_;
};
#else
using Handle = TVMFFIObject*;
#endif

// The layout of core.CObject. Instances of every class that holds a handle begin with it.
struct Wrapper {
  PyObject_HEAD
      // Owns one strong reference; NULL if empty (made by __new__, or moved from).
      Handle handle;
};

inline Wrapper* as_wrapper(PyObject* x) { return reinterpret_cast<Wrapper*>(x); }
inline PyObject* as_py(Wrapper* w) { return reinterpret_cast<PyObject*>(w); }
inline TVMFFIObject* handle_in(PyObject* wrapper) { return as_wrapper(wrapper)->handle; }

// The table of live wrappers. The padding word in the header of an object stores the place of its
// wrapper, an index into the table. Since this word may have any value in a foreign object, a place
// is valid only if its wrapper holds that very object. An object that became a candidate for cycle
// collection (candidates.h) keeps its place after its wrapper died. Guarded by the GIL; without the
// GIL, the table has parts with a lock each, and the address of an object chooses its part.
#ifndef Py_GIL_DISABLED
class WrapperTable {
 public:
  // Returns the live wrapper of the object: new reference, or NULL without an exception.
  PyObject* get(const TVMFFIObject* obj) const {
    Wrapper* w = find(obj);
    if (BINDING_LIKELY(w != nullptr)) Py_INCREF(as_py(w));
    return as_py(w);
  }
  bool has(const TVMFFIObject* obj) const { return find(obj) != nullptr; }
  // Makes `w` the wrapper that lookups of its object return. The object must not have one yet.
  // Returns 0, or -1 with MemoryError.
  int insert(Wrapper* w);
  // Removes `w` if it is in the table. Its handle must still be set and own a reference. An object
  // with further references may become a candidate for cycle collection.
  void erase(Wrapper* w) {
    TVMFFIObject* obj = w->handle;
    uint32_t at = obj->__padding;
    if (at >= used_ || slots_[at] != w) return;
    slots_[at] = &no_wrapper_;
    if (BINDING_UNLIKELY(object_strong_count(obj) != 1)) {
      if (BINDING_LIKELY(is_candidate(obj) && g_candidates.is_new(at))) return;
      if (g_candidates.note(at, obj)) return;
    } else if (BINDING_UNLIKELY(is_candidate(obj))) {
      g_candidates.forget(at, obj);
    }
    obj->__padding = 0;
    free_place(at);
  }
  // Empties `w` and removes it from the table if it is there. Returns its object, which the caller
  // owns, or NULL.
  TVMFFIObject* take(Wrapper* w) {
    TVMFFIObject* obj = w->handle;
    if (BINDING_LIKELY(obj != nullptr)) erase(w);
    w->handle = nullptr;
    return obj;
  }
  // Number of places that were ever used; the first place is 1.
  uint32_t num_places() const { return used_; }
  // Frees the places of candidates that were destroyed.
  void free_dead_places();
  // Calls `see` with each live wrapper, until `see` returns something other than 0.
  template <typename F>
  int each(F&& see) const {
    for (uint32_t i = 1; i < used_; ++i) {
      int rc = slots_[i] == &no_wrapper_ ? 0 : see(slots_[i]);
      if (rc != 0) return rc;
    }
    return 0;
  }

 private:
  // Returns the live wrapper of the object, borrowed, or NULL if there is none.
  Wrapper* find(const TVMFFIObject* obj) const {
    uint32_t at = obj->__padding;
    if (BINDING_UNLIKELY(at >= used_)) return nullptr;
    Wrapper* w = slots_[at];
    return w->handle == obj ? w : nullptr;
  }
  void free_place(uint32_t at) {
    if (BINDING_UNLIKELY(num_free_ == max_free_) && !grow_free()) return;
    free_[num_free_++] = at;
  }
  int grow();
  int make_places();
  // Grows the list of free places. Returns false if memory runs out; then the place that was to be
  // added to the list stays unused.
  bool grow_free();

  // The wrapper in all empty places. It holds no object, so that find() needs no test for empty
  // places. Place 0 is never used.
  static Wrapper no_wrapper_;
  // Only `used_` of the `size_` places were ever used; the others were never written and so occupy
  // no physical memory.
  Wrapper** slots_ = nullptr;
  uint32_t size_ = 0;
  uint32_t used_ = 0;
  // Stack of the free places.
  uint32_t* free_ = nullptr;
  uint32_t num_free_ = 0;
  uint32_t max_free_ = 0;
};
#else
class WrapperTable {
 public:
  PyObject* get(const TVMFFIObject* obj);
  bool has(const TVMFFIObject* obj);
  // If another thread was first, stores its wrapper in `*first`, a new reference.
  int insert(Wrapper* w, PyObject** first = nullptr);
  TVMFFIObject* take(Wrapper* w);
  uint32_t num_places() const;
  void free_dead_places();
  template <typename F>
  int each(F&& see) {
    std::vector<PyObject*> live = all();
    int rc = 0;
    for (PyObject* x : live) {
      if (rc == 0) rc = see(as_wrapper(x));
      Py_DECREF(x);
    }
    return rc;
  }

 private:
  static constexpr uint32_t kParts = 64;
  // A place is the index in `slots` times kParts, plus the number of the part.
  struct alignas(64) Part {
    ShortLock lock;
    std::vector<Wrapper*> slots;  // NULL for free places and places of candidates without a wrapper
    std::vector<uint32_t> free;
  };
  Part& part_of(const TVMFFIObject* obj, uint32_t* number) {
    // The memory of two threads often differs only in high bits. The factor is 2^64 by the golden
    // ratio, so that all bits of the address count.
    uint64_t mixed = reinterpret_cast<uintptr_t>(obj) * uint64_t{0x9E3779B97F4A7C15};
    *number = static_cast<uint32_t>(mixed >> 32) % kParts;
    return parts_[*number];
  }
  // Returns the slot of the object; NULL if the object has no place. The lock is held.
  static Wrapper** slot_of(Part& part, uint32_t number, const TVMFFIObject* obj);
  // Frees the places of destroyed candidates, and grows the part if only few places are free then.
  static void make_places(Part& part, uint32_t number);
  static void free_dead(Part& part, uint32_t number);
  std::vector<PyObject*> all();

  Part parts_[kParts];
};
#endif

extern WrapperTable g_wrappers;

// Returns the Python object of a native object: new reference, or NULL with an exception set.
// Steals the native reference, also on failure. May run Python, because a class may have to be
// imported.
PyObject* object_to_py_steal(TVMFFIObject* obj);

// Makes an empty instance of a class that derives from core.CObject; NULL with an exception set.
PyObject* wrapper_alloc(PyTypeObject* cls);

// Makes a wrapper of class `cls` around `obj`, which has no live wrapper. Steals the reference,
// also on failure. New reference, or NULL with an exception set.
PyObject* wrapper_new_steal(PyTypeObject* cls, bool plain, TVMFFIObject* obj);

// Adds a new wrapper with its handle to the table. Steals `self`, also on failure. Returns the
// object's wrapper, or NULL with MemoryError. Without the GIL, this is the wrapper of another
// thread if that thread was first.
BINDING_INLINE PyObject* wrapper_publish_steal(PyObject* self) {
  PyObject* first = nullptr;
#ifdef Py_GIL_DISABLED
  int rc = g_wrappers.insert(as_wrapper(self), &first);
#else
  int rc = g_wrappers.insert(as_wrapper(self));
#endif
  if (BINDING_LIKELY(rc == 0 && first == nullptr)) return self;
  Py_DECREF(self);
  return first;
}

// Makes a second wrapper for an object that normally converts to another Python value: core.Object
// for a string object, core.OpaquePyObject for an opaque object. The wrapper is not in the table,
// because lookups would return it instead of the normal value. Steals the reference, also on
// failure.
PyObject* wrapper_beside_steal(PyTypeObject* cls, TVMFFIObject* obj);

// Raises a TypeError and returns true if `self` is a variant of an enum, whose handle must not
// change. Set by the enum classes (enum/enum.h).
extern bool (*g_is_fixed_variant)(PyObject* self);
inline bool wrapper_is_fixed(PyObject* self) {
  return as_wrapper(self)->handle != nullptr && g_is_fixed_variant(self);
}

// Gives `self` a new handle, which may be NULL, and releases the old handle. Steals `obj`. May run
// Python. Returns 0, or -1 with MemoryError, or with a TypeError if wrapper_is_fixed().
int wrapper_adopt_steal(Wrapper* self, TVMFFIObject* obj);

// Empties `self` and returns its handle, which the caller owns; NULL if it was already empty.
TVMFFIObject* wrapper_detach(Wrapper* self);

// The tp_dealloc of static types and of heap classes; only wrapper_dealloc_heap releases the type.
void wrapper_dealloc_static(PyObject* self);
void wrapper_dealloc_heap(PyObject* self);

// tp_traverse and tp_clear of wrappers that can hold Python references: see wrapper_gc.cc.
int wrapper_traverse(PyObject* self, visitproc visit, void* arg);
int wrapper_clear(PyObject* self);
// Returns whether an array is short and its elements can never be part of a cycle with Python
// objects. Elements do not change, so the wrapper of such an array needs no garbage collection.
bool is_small_leaf_array(const TVMFFIObject* array);

// Empties `self`, calls the constructor with the GIL held, and stores the object that it returns in
// `self`. Returns 0, or -1 with an exception set.
int object_init_by_constructor(PyObject* self, TVMFFIObject* constructor, PyObject* const* args,
                               Py_ssize_t n, PyObject* kwnames);

// Returns whether instances of `cls` have exactly the layout of Wrapper (or, for a container, of
// ContainerWrapper), and `cls` adds nothing to their destruction.
bool wrapper_is_plain(PyTypeObject* cls);

// Returns the handle of an instance of core.CObject; NULL with ValueError if it is empty.
TVMFFIObject* wrapper_handle_or_raise(PyObject* self);

}  // namespace binding

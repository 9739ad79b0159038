// SPDX-License-Identifier: Apache-2.0
// Python objects that hold the handle of a native object, and the way back from a native object to
// its live wrapper.
#pragma once

#include <tvm/ffi/c_api.h>

#include "candidates.h"
#include "compat.h"
#include "ref.h"
#include "state.h"

namespace binding {

// Layout of core.CObject and the beginning of every handle-carrying class.
struct Wrapper {
  PyObject_HEAD
      // Owns one strong reference; NULL when empty (made by __new__, or moved from).
      TVMFFIObject* handle;
};

inline Wrapper* as_wrapper(PyObject* x) { return reinterpret_cast<Wrapper*>(x); }
inline PyObject* as_py(Wrapper* w) { return reinterpret_cast<PyObject*>(w); }

// The live wrappers. The place of an object's wrapper is kept in the header's padding word; as the
// header of a foreign object may hold anything there, a place counts only when the wrapper found
// in it holds that very object. An object that became a candidate for cycle collection
// (candidates.h) keeps its place after its wrapper died. Guarded by the GIL.
class WrapperTable {
 public:
  // Borrowed, or NULL when the object has no live wrapper.
  Wrapper* find(const TVMFFIObject* obj) const {
    uint32_t at = obj->__padding;
    if (BINDING_UNLIKELY(at >= used_)) return nullptr;
    Wrapper* w = slots_[at];
    return w->handle == obj ? w : nullptr;
  }
  // Makes `w` the wrapper that comes back for its object. The object must not have one.
  int insert(Wrapper* w);
  // Removes `w` if it is in the table; its handle must still be set, and own a reference. An object
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
  // The number of places that were ever in use; the first one is 1.
  uint32_t num_places() const { return used_; }
  // Frees the places of candidates that were destroyed.
  void free_dead_places();
  // Calls `see` with each live wrapper, until it returns something other than 0.
  template <typename F>
  int each(F&& see) const {
    for (uint32_t i = 1; i < used_; ++i) {
      int rc = slots_[i] == &no_wrapper_ ? 0 : see(slots_[i]);
      if (rc != 0) return rc;
    }
    return 0;
  }

 private:
  void free_place(uint32_t at) {
    if (BINDING_UNLIKELY(num_free_ == max_free_) && !grow_free()) return;
    free_[num_free_++] = at;
  }
  int grow();
  int make_places();
  // False without memory: the place stays unused then.
  bool grow_free();

  // Stands in empty places. It holds no object, so that find() needs no test for empty places.
  // Place 0 is never used.
  static Wrapper no_wrapper_;
  // `used_` of `size_` places were used at some time; the rest was never written and so
  // costs no memory.
  Wrapper** slots_ = nullptr;
  uint32_t size_ = 0;
  uint32_t used_ = 0;
  // The free places, the last one on top.
  uint32_t* free_ = nullptr;
  uint32_t num_free_ = 0;
  uint32_t max_free_ = 0;
};

extern WrapperTable g_wrappers;

// New reference to the Python object of a native object, or NULL with an exception set. Steals the
// native reference, also on failure. May run Python: a class may have to be imported.
PyObject* object_to_py_steal(TVMFFIObject* obj);

// An empty instance of a class that derives from core.CObject; NULL with an exception set.
PyObject* wrapper_alloc(PyTypeObject* cls);

// New wrapper of class `cls` around `obj`, which has no live wrapper. Steals the reference, also on
// failure. New reference, or NULL with an exception set.
PyObject* wrapper_new_steal(PyTypeObject* cls, bool plain, TVMFFIObject* obj);

// A wrapper beside the usual one, for an object that is normally delivered as a Python value: a
// heap string as core.Object, a box as core.OpaquePyObject. It is not in the table, or else it
// would come back in place of that value. Steals the reference, also on failure.
PyObject* wrapper_beside_steal(PyTypeObject* cls, TVMFFIObject* obj);

// Gives `self` a new handle, which is stolen and may be NULL, and releases the old one. May run
// Python. 0, or -1 with MemoryError.
int wrapper_adopt_steal(Wrapper* self, TVMFFIObject* obj);

// Empties `self` and returns its handle, which the caller owns; NULL when it was empty already.
TVMFFIObject* wrapper_detach(Wrapper* self);

// tp_dealloc of static types and of heap classes: they differ in who releases the type.
void wrapper_dealloc_static(PyObject* self);
void wrapper_dealloc_heap(PyObject* self);

// tp_traverse and tp_clear of wrappers that can hold Python references: see wrapper_gc.cc.
int wrapper_traverse(PyObject* self, visitproc visit, void* arg);
int wrapper_clear(PyObject* self);
// Whether an array is short and holds nothing that could ever be part of a cycle with Python
// objects. Its elements do not change, so its wrapper needs no garbage collection.
bool is_small_leaf_array(const TVMFFIObject* array);

// Empties `self`, calls the constructor (GIL held) and adopts the object it returns. 0 or -1.
int object_init_by_constructor(PyObject* self, TVMFFIObject* constructor, PyObject* const* args,
                               Py_ssize_t n, PyObject* kwnames);

// True when `cls` adds nothing to the layout of Wrapper, or of ContainerWrapper where it is a
// container's, and nothing to its destruction.
bool wrapper_is_plain(PyTypeObject* cls);

// Handle of an object of Python class CObject; NULL with ValueError when it is empty.
TVMFFIObject* wrapper_handle_or_raise(PyObject* self);

}  // namespace binding

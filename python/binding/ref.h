// SPDX-License-Identifier: Apache-2.0
// Ownership: `Ref` owns a Python reference, `ObjectOwner` owns a strong reference to a native
// object. All other pointers in the binding borrow.
#pragma once

#include <tvm/ffi/c_api.h>

#include <utility>

#include "compat.h"

namespace binding {

// Owns at most one Python reference. Where a Ref may release its reference, the thread must be
// attached to the interpreter.
class Ref {
 public:
  Ref() = default;
  // Steals the reference, for example a new reference from the C API; NULL makes an empty Ref.
  explicit Ref(PyObject* owned) : ptr_(owned) {}
  static Ref borrow(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    return Ref(borrowed);
  }
  Ref(Ref&& other) noexcept : ptr_(std::exchange(other.ptr_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(ptr_, other.ptr_);
    return *this;
  }
  Ref(const Ref&) = delete;
  Ref& operator=(const Ref&) = delete;
  ~Ref() { Py_XDECREF(ptr_); }

  PyObject* get() const { return ptr_; }
  PyObject* release() { return std::exchange(ptr_, nullptr); }
  explicit operator bool() const { return ptr_ != nullptr; }

 private:
  PyObject* ptr_ = nullptr;
};

// Returns the value of a key; empty if the key is missing, or with an exception set. Without the
// GIL, a borrowed value could be released by another thread.
inline Ref dict_find(PyObject* dict, PyObject* key) {
#if PY_VERSION_HEX >= 0x030D0000
  PyObject* value = nullptr;
  PyDict_GetItemRef(dict, key, &value);
  return Ref(value);
#else
  return Ref::borrow(PyDict_GetItemWithError(dict, key));
#endif
}

// Returns what a class and its bases have under a name; empty, without an exception, if nothing.
inline Ref type_find(PyTypeObject* type, PyObject* name) {
#ifdef Py_GIL_DISABLED
  return Ref(_PyType_LookupRef(type, name));
#else
  return Ref::borrow(_PyType_Lookup(type, name));
#endif
}

// Stores an owned object in a place that other threads may be reading. Without the GIL, the former
// object is not released, since a reader may be about to count a reference to it; so use this only
// where the object is replaced once.
inline void publish_steal(PyObject** place, PyObject* x) {
#ifdef Py_GIL_DISABLED
  __atomic_store_n(place, x, __ATOMIC_RELEASE);
#else
  Py_XSETREF(*place, x);
#endif
}

// Clears the raised exception, if any, where the code goes on without it. Only an `Exception` is
// dropped. The current code cannot report a request to stop (KeyboardInterrupt, SystemExit,
// GeneratorExit), so the request is raised again as soon as its thread runs Python code. Code that
// can report it tests is_stop_raised() first.
void clear_error();

// Returns whether an exception is raised that is not an `Exception`.
bool is_stop_raised();

// Raises `exc` again, and steals it, after other code ran in between, for example to extend its
// message. Clears an `Exception` of that code. A request to stop of that code is raised instead of
// `exc`, which becomes its context.
void raise_again_steal(PyObject* exc);

// Saves the raised exception while a native object is released, because the destructor of the
// object may be foreign code. For example, a tensor or a capsule may have a deleter written in
// Python; this deleter would otherwise find the exception set, or clear it.
class RaisedAside {
 public:
#if PY_VERSION_HEX >= 0x030C0000
  RaisedAside() : raised_(PyErr_GetRaisedException()) {}
  ~RaisedAside() {
    clear_error();
    PyErr_SetRaisedException(raised_);
  }
#else
  RaisedAside() { PyErr_Fetch(&type_, &raised_, &traceback_); }
  ~RaisedAside() {
    clear_error();
    PyErr_Restore(type_, raised_, traceback_);
  }
#endif
  RaisedAside(const RaisedAside&) = delete;
  RaisedAside& operator=(const RaisedAside&) = delete;

 private:
  PyObject* raised_ = nullptr;
#if PY_VERSION_HEX < 0x030C0000
  PyObject* type_ = nullptr;
  PyObject* traceback_ = nullptr;
#endif
};

// The reference counts of native objects: see TVMFFIObject::combined_ref_count in c_api.h.
constexpr uint64_t kStrongOne = 1;
constexpr uint64_t kWeakOne = uint64_t{1} << 32;

// Makes visible to this thread what other owners wrote before they released their references.
inline void object_acquire([[maybe_unused]] TVMFFIObject* obj) {
#if defined(__SANITIZE_THREAD__)
  // The thread sanitizer does not model fences; a load of the same word has the same effect.
  (void)__atomic_load_n(&obj->combined_ref_count, __ATOMIC_ACQUIRE);
#else
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

inline void object_inc_ref(TVMFFIObject* obj) {
  __atomic_fetch_add(&obj->combined_ref_count, kStrongOne, __ATOMIC_RELAXED);
}

inline uint32_t object_strong_count(const TVMFFIObject* obj) {
  return static_cast<uint32_t>(__atomic_load_n(&obj->combined_ref_count, __ATOMIC_ACQUIRE));
}

// Adds a strong reference for a caller that does not own one; false if the last strong reference is
// gone. The memory of the object must still be valid.
inline bool object_try_inc_ref(TVMFFIObject* obj) {
  uint64_t count = __atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED);
  while (static_cast<uint32_t>(count) != 0) {
    if (__atomic_compare_exchange_n(&obj->combined_ref_count, &count, count + kStrongOne, true,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      return true;
    }
  }
  return false;
}

// Destroys an object after its last strong reference was released, and frees the memory if no weak
// reference is left. Runs native destructors, which may run Python code.
BINDING_COLD inline void object_drop_last(TVMFFIObject* obj, uint64_t old) {
  object_acquire(obj);
  if (old == kStrongOne + kWeakOne) {
    if (obj->deleter != nullptr) obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  if (obj->deleter != nullptr) obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (__atomic_fetch_sub(&obj->combined_ref_count, kWeakOne, __ATOMIC_RELEASE) == kWeakOne) {
    object_acquire(obj);
    if (obj->deleter != nullptr) obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

inline void object_dec_ref(TVMFFIObject* obj) {
  uint64_t old = __atomic_fetch_sub(&obj->combined_ref_count, kStrongOne, __ATOMIC_RELEASE);
  if ((old & 0xffffffffu) == kStrongOne) object_drop_last(obj, old);
}

// Owns at most one strong reference to a native object.
class ObjectOwner {
 public:
  ObjectOwner() = default;
  explicit ObjectOwner(TVMFFIObject* owned) : ptr_(owned) {}
  explicit ObjectOwner(TVMFFIObjectHandle owned) : ptr_(static_cast<TVMFFIObject*>(owned)) {}
  static ObjectOwner borrow(TVMFFIObject* borrowed) {
    if (borrowed != nullptr) object_inc_ref(borrowed);
    return ObjectOwner(borrowed);
  }
  ObjectOwner(ObjectOwner&& other) noexcept : ptr_(std::exchange(other.ptr_, nullptr)) {}
  ObjectOwner& operator=(ObjectOwner&& other) noexcept {
    std::swap(ptr_, other.ptr_);
    return *this;
  }
  ObjectOwner(const ObjectOwner&) = delete;
  ObjectOwner& operator=(const ObjectOwner&) = delete;
  ~ObjectOwner() {
    if (ptr_ != nullptr) object_dec_ref(ptr_);  // may run Python
  }

  TVMFFIObject* get() const { return ptr_; }
  TVMFFIObject* release() { return std::exchange(ptr_, nullptr); }
  explicit operator bool() const { return ptr_ != nullptr; }

 private:
  TVMFFIObject* ptr_ = nullptr;
};

inline bool is_object_index(int32_t type_index) { return type_index >= kTVMFFIStaticObjectBegin; }

// Releases an owned value.
inline void value_release(TVMFFIAny* value) {
  if (is_object_index(value->type_index)) object_dec_ref(value->v_obj);
}

inline TVMFFIAny value_none() {
  TVMFFIAny v;
  v.type_index = kTVMFFINone;
  v.zero_padding = 0;
  v.v_int64 = 0;
  return v;
}

inline void value_set_object(TVMFFIAny* out, TVMFFIObject* obj) {
  out->type_index = obj->type_index;
  out->zero_padding = 0;
  out->v_int64 = 0;
  out->v_obj = obj;
}

inline void value_set_int(TVMFFIAny* out, int64_t x) {
  out->type_index = kTVMFFIInt;
  out->zero_padding = 0;
  out->v_int64 = x;
}

}  // namespace binding

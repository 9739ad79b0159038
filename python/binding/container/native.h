// SPDX-License-Identifier: Apache-2.0
// The C++ containers behind the Python ones. The files of this folder use the public headers: they
// read and change the native objects in place, without a call into the runtime.
#pragma once

#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>

#include "../call.h"
#include "../convert/native_value.h"
#include "../type/types.h"
#include "../wrapper_memory.h"

namespace binding {

namespace ffi = tvm::ffi;

BINDING_INLINE const TVMFFIAny& raw_value(const ffi::Any& value) {
  static_assert(sizeof(ffi::Any) == sizeof(TVMFFIAny), "Any is a value and nothing else");
  return reinterpret_cast<const TVMFFIAny&>(value);
}

// Converts an element or entry to Python. `place` may be invalid after Python code ran.
BINDING_INLINE PyObject* element_to_py(const DLPackExchangeAPI* api, const TVMFFIAny& place) {
  if (BINDING_LIKELY(place.type_index == kTVMFFIInt)) return int_to_py(place.v_int64);
  if (BINDING_LIKELY(api == nullptr)) return value_to_py_borrowed(place);
  TVMFFIAny value = place;
  ObjectOwner keep = ObjectOwner::borrow(is_object_index(value.type_index) ? value.v_obj : nullptr);
  return value_to_framework_borrowed(api, value);
}

inline const DLPackExchangeAPI* container_api(PyObject* self) {
  return as_container(self)->exchange_api();
}

// Makes `type` a class of containers: sets its name, base, flags, and the slots for deallocation
// and garbage collection. The caller sets the other slots.
inline void container_class(PyTypeObject* type, PyTypeObject* base, const char* name,
                            const char* doc, unsigned long pattern) {
  type->tp_name = name;
  type->tp_doc = doc;
  type->tp_base = base;
  type->tp_basicsize = sizeof(ContainerWrapper);
  type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | pattern;
  type->tp_dealloc = wrapper_dealloc_static;
  type->tp_traverse = wrapper_traverse;
  type->tp_clear = wrapper_clear;
  type->tp_is_gc = container_is_gc;
}

// The flags that tell structural pattern matching whether instances are sequences or mappings.
#ifdef Py_TPFLAGS_SEQUENCE
constexpr unsigned long kMatchesSequence = Py_TPFLAGS_SEQUENCE;
constexpr unsigned long kMatchesMapping = Py_TPFLAGS_MAPPING;
#else
constexpr unsigned long kMatchesSequence = 0;
constexpr unsigned long kMatchesMapping = 0;
#endif

// ---- common to sequences and mappings (compare.cc)

// Compares two native objects with `ffi.RecursiveEq`. Returns 1, 0, or -1 with an exception set.
int recursive_equal(TVMFFIObject* a, TVMFFIObject* b);
// Computes tp_hash with `ffi.RecursiveHash`; -1 with an exception set.
Py_hash_t recursive_hash(TVMFFIObject* obj);

// ---- common to sequences and mappings (copy.cc)

// The methods of core.CContainerBase.
extern PyMethodDef container_methods[];

// ---- sequences

// Returns the cell of the array or list that `self` holds; NULL with an exception set if `self`
// does not hold one.
TVMFFISeqCell* sequence_cell_slow(PyObject* self);
BINDING_INLINE TVMFFISeqCell* sequence_cell(PyObject* self) {
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (BINDING_LIKELY(obj != nullptr &&
                     (obj->type_index == kTVMFFIArray || obj->type_index == kTVMFFIList))) {
    return reinterpret_cast<TVMFFISeqCell*>(obj + 1);
  }
  return sequence_cell_slow(self);
}

BINDING_COLD PyObject* raise_index(Py_ssize_t size, Py_ssize_t index);
// Makes a native sequence of the kind of `self` (list or array) with the items of an iterable.
TVMFFIObject* sequence_like(PyObject* self, PyObject* iterable);

int sequence_type_init(PyObject* module);
int array_type_init(PyObject* module);
int list_type_init(PyObject* module);

// ---- mappings

// Returns the map or dict that `self` holds; NULL with an exception set if `self` does not hold
// one.
ffi::MapBaseObj* mapping_body_slow(PyObject* self);
BINDING_INLINE ffi::MapBaseObj* mapping_body(PyObject* self) {
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (BINDING_LIKELY(obj != nullptr &&
                     (obj->type_index == kTVMFFIMap || obj->type_index == kTVMFFIDict))) {
    return reinterpret_cast<ffi::MapBaseObj*>(obj);
  }
  return mapping_body_slow(self);
}

// Owns the native object of a mutable container during a change, in a section of the container.
// `Body` is ListObj or DictObj; `Container` is the reference class whose methods change it.
// Converts to false, with an exception set, if `self` is empty or holds another kind of object.
template <typename Body, typename Container>
class Held {
 public:
  explicit Held(PyObject* self) : section_(self) {
    TVMFFIObject* obj = wrapper_handle_or_raise(self);
    if (obj == nullptr) return;
    if (obj->type_index != Body::_type_index) {
      PyErr_Format(PyExc_TypeError, "this %s holds a native object that is not a %s",
                   Py_TYPE(self)->tp_name, Body::_type_index == kTVMFFIList ? "list" : "dict");
      return;
    }
    body = reinterpret_cast<Body*>(obj);
    object_ = ffi::GetObjectPtr<ffi::Object>(body);
  }
  explicit operator bool() const { return body != nullptr; }
  Py_ssize_t size() const { return static_cast<Py_ssize_t>(body->size()); }
  Container container() const { return Container(object_); }

  Body* body = nullptr;

 private:
  Section section_;  // ends last
  ffi::ObjectPtr<ffi::Object> object_;
};

// The part of a map that an iteration or a view returns.
enum class MapPart : uint8_t { kKeys, kValues, kItems };

// Looks up a Python key. Returns 1 and an owned value, 0 if the key is missing, or -1 with an
// exception set.
int mapping_find(PyObject* self, PyObject* key, TVMFFIAny* value);
PyObject* map_iterator_new(PyObject* mapping, MapPart part);
PyObject* map_view_new(PyObject* mapping, MapPart part);

int mapping_type_init(PyObject* module);
int map_iterator_type_init(PyObject* module);
int map_view_type_init(PyObject* module);
int dict_type_init(PyObject* module);

// Raises KeyError for a key that a Map or Dict does not have. May run Python.
void mapping_refuse_key(PyObject* self, PyObject* key);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Enum classes in Python: a cache of the variants of a class, so that finding one is a dictionary
// lookup. The source is the native state (tvm/ffi/enum.h). Entries are never removed from it, so
// that a cached variant stays valid, and the size of the state tells whether variants were added.
#pragma once

#include <tvm/ffi/enum.h>

#include "../container/native.h"

namespace binding {

// The cache of one class. The dictionary of the class owns it. The class also has a plain pointer
// to it, which is cleared when the cache is destroyed, since any code may remove the cache from the
// dictionary. Guarded by the GIL.
struct EnumCache {
  PyObject_HEAD int32_t type_index;
  // The class has no constructor: its variants are its only instances.
  bool is_closed;
  // The native state, owned; NULL as long as the type is not an enum.
  TVMFFIObject* state;
  // Sizes of the state at the last refresh.
  size_t num_entries;
  size_t num_indexes;
  // Size then of the Dict that an older library fills; 0 without such a library.
  size_t num_in_dict;
  // `lookup` maps name and number to variant; `members` has the variants in order. Owned, never
  // NULL. They keep the wrappers alive, so each variant is one Python object for the life of the
  // class.
  PyObject* lookup;
  PyObject* members;
  // A weak reference to the class, owned.
  PyObject* cls;

  ffi::EnumStateObj* native() const { return reinterpret_cast<ffi::EnumStateObj*>(state); }
};

// The cache of a class whose metaclass is core._EnumMeta; created on first use. Borrowed; NULL with
// an exception set.
EnumCache* enum_cache(PyTypeObject* cls);

// Reads the native state; does nothing when it has not grown. 0 or -1. Runs Python where
// a variant's class must be imported.
int enum_refresh(EnumCache* cache);

// The variant of a name or a number. New reference; NULL without an exception where there is none.
PyObject* enum_find(EnumCache* cache, PyObject* index);

// All variants in order, a tuple. Borrowed; NULL with an exception set.
PyObject* enum_members(PyTypeObject* cls);

// Whether `x` holds an object of the enum, whatever its Python class.
bool enum_is_instance(const EnumCache* cache, PyObject* x);

// The registered name of an object: new reference, NULL with or without an exception.
PyObject* enum_name_of_object(TVMFFIObject* obj);

extern PyTypeObject EnumCacheType;    // core._EnumCache
extern PyTypeObject EnumBaseType;     // core._EnumBase
extern PyTypeObject IntPayloadType;   // core._IntPayload
extern PyTypeObject StrPayloadType;   // core._StrPayload
extern PyTypeObject EnumAttrMapType;  // core._EnumAttrMap

int enum_cache_type_init(PyObject* module);
int enum_meta_type_init(PyObject* module);
int enum_base_type_init(PyObject* module);
int enum_payload_type_init(PyObject* module);
int enum_attr_map_type_init(PyObject* module);
// Adds all types and functions of the enum classes to the module.
inline int enum_init(PyObject* module) {
  return enum_cache_type_init(module) < 0 || enum_meta_type_init(module) < 0 ||
                 enum_base_type_init(module) < 0 || enum_payload_type_init(module) < 0 ||
                 enum_attr_map_type_init(module) < 0
             ? -1
             : 0;
}

// core._EnumMeta; owned.
extern PyTypeObject* g_enum_meta;
inline bool is_enum_class(PyObject* x) {
  return PyType_Check(x) && PyType_IsSubtype(Py_TYPE(x), g_enum_meta);
}

// The memory in a class that has its pointer to its cache.
EnumCache** enum_cache_place(PyTypeObject* cls);

}  // namespace binding

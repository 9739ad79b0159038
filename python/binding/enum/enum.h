// SPDX-License-Identifier: Apache-2.0
// Enum classes in Python: each class has a cache of its variants, so that a variant is found with
// one dictionary lookup. The cache is filled from the native state of the enum (tvm/ffi/enum.h).
// Entries are never removed from this state. So a cached variant stays valid, and a change in the
// number of entries shows that variants were added.
#pragma once

#include <tvm/ffi/enum.h>

#include "../container/native.h"

namespace binding {

// The cache of one class, which the class object owns (enum_cache_place). Guarded by the GIL.
struct EnumCache {
  PyObject_HEAD int32_t type_index;
  // True if the class has no constructor, so that its variants are its only instances.
  bool is_closed;
  // The native state, owned; NULL until the type is marked as an enum.
  TVMFFIObject* state;
  // Sizes of the state at the last refresh.
  size_t num_entries;
  size_t num_indexes;
  // Number of variants in the Dict of an older library (see num_entries_in_dict in cache.cc) at the
  // last refresh; 0 if there is no such Dict.
  size_t num_in_dict;
  // `lookup` maps names and numbers to variants; `members` is the tuple of variants in order.
  // Owned, never NULL. Both keep the wrappers alive, so each variant is one Python object for the
  // life of the class.
  PyObject* lookup;
  PyObject* members;
  // The method `get` of the class, owned; NULL until it is used.
  PyObject* bound_get;

  ffi::EnumStateObj* native() const { return reinterpret_cast<ffi::EnumStateObj*>(state); }
};

// Returns the cache of a class whose metaclass is core._EnumMeta; creates it on first use.
// Borrowed; NULL with an exception set.
EnumCache* enum_cache(PyTypeObject* cls);

// Reads the native state again if it has grown. Returns 0, or -1 with an exception set. Runs Python
// if the class of a variant must be imported.
int enum_refresh(EnumCache* cache);

// Finds a variant by its name or number. New reference; NULL without an exception if there is none.
PyObject* enum_find(EnumCache* cache, PyObject* index);

// Returns the variant that the attribute `name` of the class itself is bound to: an alias has no
// other entry. New reference; NULL without an exception if there is none.
BINDING_COLD PyObject* enum_variant_bound_to(PyTypeObject* cls, PyObject* name);

// Returns 1 if `x` is a registered variant of the class, 0 if it is not, or -1 with an exception
// set.
int enum_is_variant(EnumCache* cache, PyObject* x);

// Returns the tuple of all variants in order. Borrowed; NULL with an exception set.
PyObject* enum_members(PyTypeObject* cls);

// Returns whether `x` holds an object of the enum's type; the Python class of `x` does not matter.
bool enum_is_instance(const EnumCache* cache, PyObject* x);

// Returns the registered name of an object: new reference; NULL without an exception if it has
// none, or with an exception set.
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

// The metaclass core._EnumMeta; owned.
extern PyTypeObject* g_enum_meta;
inline bool is_enum_class(PyObject* x) {
  return PyType_Check(x) && PyType_IsSubtype(Py_TYPE(x), g_enum_meta);
}

// Sets the fast path of `cls(...)`, which looks up a variant.
void enum_set_vectorcall(PyTypeObject* cls);

// Returns the address of the member in a class object that owns the cache of the class.
EnumCache** enum_cache_place(PyTypeObject* cls);

}  // namespace binding

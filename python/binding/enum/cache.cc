// SPDX-License-Identifier: Apache-2.0
// core._EnumCache: fills the cache from the native state, and looks up variants.
#include "../convert/int.h"
#include "enum.h"

namespace binding {
namespace {

// Stores in `*state` the state of a type, owned; NULL if the type is not an enum. Returns 0, or -1
// with an exception set.
int find_enum_state(int32_t type_index, TVMFFIObject** state) {
  static RuntimeFunction find("ffi.EnumFindState");
  TVMFFIAny arg, result;
  value_set_int(&arg, type_index);
  *state = nullptr;
  if (find.call(&arg, 1, &result) < 0) return -1;
  if (is_object_index(result.type_index)) *state = result.v_obj;
  return 0;
}

// Returns the number of variants in the Dict that an older library stores as a type attribute; 0 if
// there is no such Dict. Libraries compiled for 0.1.11 and 0.1.12 add variants to this Dict only.
// The runtime copies these variants to the native state when it next reads the enum.
size_t num_entries_in_dict(int32_t type_index) {
  static const ffi::reflection::TypeAttrColumn column("__ffi_enum_entries__");
  const ffi::AnyView slot = column[type_index];
  if (BINDING_LIKELY(slot.type_index() != kTVMFFIDict)) return 0;
  return reinterpret_cast<const ffi::DictObj*>(slot.CopyToTVMFFIAny().v_obj)->size();
}

// A copy of the state of an enum. Other threads may change the state while Python code runs, but
// not this copy.
struct StateSnapshot {
  // Null at first, because an empty container takes memory, and this code must not throw.
  ffi::Array<ffi::ObjectRef> entries{ffi::UnsafeInit{}};
  ffi::Map<ffi::Any, ffi::ObjectRef> indexes{ffi::UnsafeInit{}};

  // The runtime copies the entries under its lock, because other threads may register entries.
  int take(int32_t type_index) {
    static RuntimeFunction copy("ffi.EnumCopyEntries");
    TVMFFIAny arg, result;
    value_set_int(&arg, type_index);
    if (copy.call(&arg, 1, &result) < 0) return -1;
    ffi::Any owned = ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(result);
    return guarded([&] {
      auto parts = owned.cast<ffi::Array<ffi::Any>>();
      if (parts.empty()) return;
      entries = parts[0].cast<ffi::Array<ffi::ObjectRef>>();
      indexes = parts[1].cast<ffi::Map<ffi::Any, ffi::ObjectRef>>();
    });
  }
};

PyObject* variant_to_py(const ffi::ObjectRef& entry) {
  TVMFFIAny value;
  value_set_object(&value, ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(entry));
  Ref variant(value_to_py_borrowed(value));
  if (!variant || !is_wrapper(variant.get())) return variant.release();
  // The wrapper may be older than the registration of its class. If so, set its `__class__` to the
  // registered class.
  ClassInfo* info = class_info_known(value.type_index);
  if (info == nullptr || info->cls == nullptr || PyObject_TypeCheck(variant.get(), info->cls)) {
    return variant.release();
  }
  Ref name(PyUnicode_InternFromString("__class__"));
  if (!name || PyObject_GenericSetAttr(variant.get(), name.get(),
                                       reinterpret_cast<PyObject*>(info->cls)) < 0) {
    clear_error();  // The two classes differ in layout: the wrapper keeps the class that it has.
  }
  return variant.release();
}

// Converts the name or number of a variant. Interns a name: a name in Python code is interned too,
// so the lookup of the name compares only identities.
PyObject* index_to_py(const ffi::Any& index) {
  PyObject* key = value_to_py_borrowed(raw_value(index));
  if (key != nullptr && PyUnicode_CheckExact(key)) PyUnicode_InternInPlace(&key);
  return key;
}

int fill_lookup(PyObject* lookup, const StateSnapshot& snapshot) {
  for (const auto& [index, entry] : snapshot.indexes) {
    Ref key(index_to_py(index));
    Ref variant(key ? variant_to_py(entry) : nullptr);
    if (!variant || PyDict_SetItem(lookup, key.get(), variant.get()) < 0) return -1;
  }
  return 0;
}

PyObject* members_of(const StateSnapshot& snapshot) {
  Ref members(PyTuple_New(static_cast<Py_ssize_t>(snapshot.entries.size())));
  if (!members) return nullptr;
  Py_ssize_t i = 0;
  for (const ffi::ObjectRef& entry : snapshot.entries) {
    PyObject* variant = variant_to_py(entry);
    if (variant == nullptr) return nullptr;
    PyTuple_SET_ITEM(members.get(), i++, variant);
  }
  return members.release();
}

int cache_traverse(PyObject* self, visitproc visit, void* arg) {
  auto* cache = reinterpret_cast<EnumCache*>(self);
  Py_VISIT(cache->lookup);
  Py_VISIT(cache->members);
  Py_VISIT(cache->bound_get);
  return 0;
}

int cache_clear(PyObject* self) {
  auto* cache = reinterpret_cast<EnumCache*>(self);
  Py_CLEAR(cache->lookup);
  Py_CLEAR(cache->members);
  Py_CLEAR(cache->bound_get);
  return 0;
}

void cache_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  cache_clear(self);
  TVMFFIObject* state = reinterpret_cast<EnumCache*>(self)->state;
  PyObject_GC_Del(self);
  if (state != nullptr) object_dec_ref(state);  // may run Python
}

EnumCache* cache_new(int32_t type_index) {
  Ref self(reinterpret_cast<PyObject*>(PyObject_GC_New(EnumCache, &EnumCacheType)));
  if (!self) return nullptr;
  auto* cache = reinterpret_cast<EnumCache*>(self.get());
  cache->type_index = type_index;
  cache->is_closed = false;
  cache->state = nullptr;
  cache->num_entries = 0;
  cache->num_indexes = 0;
  cache->num_in_dict = 0;
  cache->lookup = PyDict_New();
  cache->members = PyTuple_New(0);
  cache->bound_get = nullptr;
  PyObject_GC_Track(self.get());
  if (cache->lookup == nullptr || cache->members == nullptr) return nullptr;
  self.release();
  return cache;
}

}  // namespace

EnumCache* enum_cache(PyTypeObject* cls) {
  StateSection section;
  EnumCache** place = enum_cache_place(cls);
  if (BINDING_LIKELY(*place != nullptr)) return *place;
  ClassInfo* info = class_info_of(cls);
  EnumCache* cache = cache_new(info == nullptr ? kTVMFFIObject : info->type_index);
  if (cache == nullptr) return nullptr;
  auto* base = reinterpret_cast<PyObject*>(cls->tp_base);
  EnumCache* inherited =
      is_enum_class(base) ? *enum_cache_place(reinterpret_cast<PyTypeObject*>(base)) : nullptr;
  cache->is_closed = inherited != nullptr && inherited->is_closed;
  *place = cache;
  enum_set_vectorcall(cls);
  return cache;
}

int enum_refresh(EnumCache* cache) {
  StateSection section;
  if (cache->state == nullptr) {
    if (find_enum_state(cache->type_index, &cache->state) < 0) return -1;
    if (cache->state == nullptr) return 0;
  }
  const ffi::EnumStateObj* state = cache->native();
  size_t num_in_dict = num_entries_in_dict(cache->type_index);
  if (static_cast<size_t>(state->entries.size()) == cache->num_entries &&
      state->indexes.size() == cache->num_indexes && num_in_dict == cache->num_in_dict) {
    return 0;
  }
  StateSnapshot snapshot;
  if (snapshot.take(cache->type_index) < 0) return -1;
  Ref lookup(PyDict_New());
  if (!lookup || fill_lookup(lookup.get(), snapshot) < 0) return -1;  // runs Python
  Ref members(members_of(snapshot));
  if (!members) return -1;
  cache->num_entries = snapshot.entries.size();
  cache->num_indexes = snapshot.indexes.size();
  cache->num_in_dict = num_in_dict;
  Ref old_lookup(std::exchange(cache->lookup, lookup.release()));
  Ref old_members(std::exchange(cache->members, members.release()));
  return 0;
}

PyObject* enum_find(EnumCache* cache, PyObject* index) {
  StateSection section;
  Ref variant = dict_find(cache->lookup, index);
  if (BINDING_LIKELY(variant)) return variant.release();
  Ref keep = Ref::borrow(reinterpret_cast<PyObject*>(cache));
  if (PyErr_Occurred() || enum_refresh(cache) < 0) return nullptr;
  variant = dict_find(cache->lookup, index);
  if (variant) return variant.release();
  if (PyErr_Occurred() || !PyLong_Check(index)) return nullptr;
  int64_t number;
  if (int64_from_py(index, &number) == IntRange::kTooLarge) {
    PyErr_Format(PyExc_OverflowError, "enum integer index %S is outside int64", index);
  }
  return nullptr;
}

PyObject* enum_members(PyTypeObject* cls) {
  EnumCache* cache = enum_cache(cls);
  return cache == nullptr || enum_refresh(cache) < 0 ? nullptr : cache->members;
}

int enum_is_variant(EnumCache* cache, PyObject* x) {
  StateSection section;
  if (enum_refresh(cache) < 0) return -1;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(cache->members); ++i) {
    if (PyTuple_GET_ITEM(cache->members, i) == x) return 1;
  }
  return 0;
}

bool enum_is_instance(const EnumCache* cache, PyObject* x) {
  if (!is_wrapper(x)) return false;
  TVMFFIObject* obj = as_wrapper(x)->handle;
  if (obj == nullptr) return false;
  if (BINDING_LIKELY(obj->type_index == cache->type_index)) return true;
  const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(obj->type_index);
  for (int32_t i = 0; native != nullptr && i < native->type_depth; ++i) {
    if (native->type_ancestors[i]->type_index == cache->type_index) return true;
  }
  return false;
}

PyObject* enum_name_of_object(TVMFFIObject* obj) {
  static RuntimeFunction name_of("ffi.EnumNameOf");
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  if (name_of.call(&arg, 1, &result) < 0) return nullptr;
  return result.type_index == kTVMFFINone ? nullptr : value_to_py_steal(result);
}

PyTypeObject EnumCacheType = static_type();

int enum_cache_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(&EnumCacheType, "tvm_ffi.core._EnumCache", sizeof(EnumCache),
                               Py_TPFLAGS_HAVE_GC, "What an enum class remembers of its variants.");
  t->tp_dealloc = cache_dealloc;
  t->tp_traverse = cache_traverse;
  t->tp_clear = cache_clear;
  return type_add(module, t);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// core._EnumAttrMap: one column of an enum. Each access reads the native state, so that all maps of
// a column, in all languages, have the same values.
#include "../callback.h"
#include "../named.h"
#include "../utf8.h"
#include "enum.h"

namespace binding {
namespace {

struct EnumAttrMapObject {
  PyObject_HEAD PyObject* cls;
  PyObject* name;
  // The default for variants without a value; core.MISSING if there is none. Owned.
  PyObject* otherwise;
  // The name of the column in the native state; owned.
  TVMFFIAny column;
};

EnumAttrMapObject* as_map(PyObject* x) { return reinterpret_cast<EnumAttrMapObject*>(x); }

// Returns the cache of the enum class; NULL with an exception set, also if the constructor of the
// map has not run.
EnumCache* cache_of_map(EnumAttrMapObject* self) {
  if (BINDING_UNLIKELY(self->cls == nullptr)) {
    PyErr_SetString(PyExc_RuntimeError, "EnumAttrMap.__init__ was not called");
    return nullptr;
  }
  return enum_cache(reinterpret_cast<PyTypeObject*>(self->cls));
}

// Returns whether a value is the native object that `marker`, a sentinel of tvm_ffi.core, holds.
bool is_sentinel(const TVMFFIAny& value, PyObject* marker) {
  return is_object_index(value.type_index) && value.v_obj == as_wrapper(marker)->handle;
}

// Calls a function of the runtime with the GIL released, because the function may wait for a lock
// whose holder waits for the GIL. Returns 0 and an owned `*result`, or -1 with an exception set.
int call_waiting(RuntimeFunction* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIObject* native = function->get();
  if (native == nullptr) return -1;
  *result = value_none();
  int status;
  Py_BEGIN_ALLOW_THREADS;
  status = TVMFFIFunctionCall(native, const_cast<TVMFFIAny*>(args), n, result);
  Py_END_ALLOW_THREADS;
  return status == 0 ? 0 : raise_from_slot(status);
}

// Reads the value from the runtime, which locks the state of the enum. Returns 1 and an owned
// `*value`, 0 if the variant has no value, or -1 with an exception set.
BINDING_INLINE int find_attr(EnumAttrMapObject* self, EnumCache* cache, TVMFFIObject* variant,
                             TVMFFIAny* value) {
  static RuntimeFunction get("ffi.EnumGetAttr");
  TVMFFIAny args[4];
  value_set_int(&args[0], cache->type_index);
  args[1] = self->column;
  value_set_object(&args[2], variant);
  value_set_int(&args[3], 0);
  args[3].type_index = kTVMFFIBool;
  if (get.call(args, 4, value) < 0) return -1;
  if (BINDING_UNLIKELY(is_sentinel(*value, state().kwargs))) {
    // Another thread has the runtime's lock, and may be waiting for the GIL. So release the GIL and
    // call the function again; with `true` as the last argument it waits for the lock.
    value_release(value);
    args[3].v_int64 = 1;
    Ref keep = Ref::borrow(reinterpret_cast<PyObject*>(self));
    if (call_waiting(&get, args, 4, value) < 0) return -1;
  }
  if (!is_sentinel(*value, state().missing)) return 1;
  value_release(value);
  return 0;
}

// Reads the value like find_attr, for any Python key. `*variant` is NULL if the key is not an
// instance of the enum.
int find_attr_of_key(EnumAttrMapObject* self, PyObject* key, TVMFFIObject** variant,
                     TVMFFIAny* value) {
  *variant = nullptr;
  EnumCache* cache = cache_of_map(self);
  if (BINDING_UNLIKELY(cache == nullptr)) return -1;
  if (BINDING_UNLIKELY(!enum_is_instance(cache, key))) return 0;
  *variant = as_wrapper(key)->handle;
  return find_attr(self, cache, *variant, value);
}

// Raises the exception for a key: KeyError if it is an instance of the enum, else TypeError. Runs
// Python code of this package only. Returns -1.
BINDING_COLD int refuse_key(PyObject* self, PyObject* key, bool is_instance) {
  Ref done(PyObject_CallMethod(self, "_refuse_key", "Oi", key, is_instance));
  return -1;
}

PyObject* attr_map_subscript(PyObject* self, PyObject* key) {
  TVMFFIObject* variant;
  TVMFFIAny value;
  int found = find_attr_of_key(as_map(self), key, &variant, &value);
  if (BINDING_UNLIKELY(found < 0)) return nullptr;
  if (BINDING_LIKELY(found != 0)) return stored_to_py_steal(value);
  PyObject* otherwise = as_map(self)->otherwise;
  if (variant != nullptr && otherwise != state().missing) return compat_new_ref(otherwise);
  refuse_key(self, key, variant != nullptr);
  return nullptr;
}

int attr_map_contains(PyObject* self, PyObject* key) {
  TVMFFIObject* variant;
  TVMFFIAny value;
  int found = find_attr_of_key(as_map(self), key, &variant, &value);
  if (found > 0) value_release(&value);
  return found;
}

constexpr Parameters kAttrMapGet = {"get", 1, {"variant", "default"}};

// `get(variant, default=None)`
PyObject* attr_map_get(PyObject* self, PyObject* const* args) {
  TVMFFIObject* variant;
  TVMFFIAny value;
  int found = find_attr_of_key(as_map(self), args[0], &variant, &value);
  if (found < 0) return nullptr;
  if (found > 0) return stored_to_py_steal(value);
  return compat_new_ref(args[1] != nullptr ? args[1] : Py_None);
}

// Returns the variants that have a value, in order of registration: a new list, or NULL with an
// exception set.
PyObject* attr_map_keys(PyObject* x) {
  EnumAttrMapObject* self = as_map(x);
  EnumCache* cache = cache_of_map(self);
  if (cache == nullptr || enum_refresh(cache) < 0) return nullptr;
  Ref keep = Ref::borrow(self->cls);
  Ref members = Ref::borrow(cache->members);
  Ref keys(PyList_New(0));
  for (Py_ssize_t i = 0; keys && i < PyTuple_GET_SIZE(members.get()); ++i) {
    PyObject* member = PyTuple_GET_ITEM(members.get(), i);
    int found = attr_map_contains(x, member);
    if (found < 0 || (found > 0 && PyList_Append(keys.get(), member) < 0)) return nullptr;
  }
  return keys.release();
}

PyObject* attr_map_iter(PyObject* self) {
  Ref keys(attr_map_keys(self));
  return keys ? PyObject_GetIter(keys.get()) : nullptr;
}

Py_ssize_t attr_map_length(PyObject* self) {
  Ref keys(attr_map_keys(self));
  return keys ? PyList_GET_SIZE(keys.get()) : -1;
}

// Replaces the variant in args[2] by its name. `*owner` then owns the name. Returns 0, or -1 with
// an exception set.
int replace_variant_by_name(TVMFFIAny* args, ffi::Any* owner) {
  static RuntimeFunction name_of("ffi.EnumNameOf");
  TVMFFIAny name;
  if (call_waiting(&name_of, &args[2], 1, &name) < 0) return -1;
  *owner = ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(name);
  args[2] = name;
  return 0;
}

// Stores a value with a function of the runtime, which also publishes the column.
int store_attr(EnumAttrMapObject* self, EnumCache* cache, PyObject* key, PyObject* value) {
  static RuntimeFunction try_set("ffi.EnumTrySetAttr");
  static RuntimeFunction set("ffi.EnumSetAttr");
  ffi::Any owned, name;
  if (any_from_py(value, &owned) < 0) return -1;  // may run Python
  if (owned.type_index() == kTVMFFIFunction) callback_mark_stored(raw_value(owned).v_obj, value);
  TVMFFIObject* variant = wrapper_handle_or_raise(key);
  if (variant == nullptr) return -1;
  TVMFFIAny args[4], result;
  value_set_int(&args[0], cache->type_index);
  args[1] = self->column;
  value_set_object(&args[2], variant);
  args[3] = raw_value(owned);
  if (try_set.call(args, 4, &result) < 0) return -1;
  if (BINDING_LIKELY(result.v_int64 != 0)) return 0;
  int is_variant = enum_is_variant(cache, key);
  if (is_variant == 0) {
    Ref name(PyObject_GetAttr(self->cls, state().names.dunder_name));
    if (name) {
      PyErr_Format(PyExc_ValueError, "%R is not a registered variant of %U", key, name.get());
    }
  }
  if (is_variant <= 0) return -1;
  // The usual reason is that another thread has the runtime's lock. The other thread may be waiting
  // for the GIL, so wait for the lock without the GIL.
  if (replace_variant_by_name(args, &name) < 0) return -1;
  if (call_waiting(&set, args, 4, &result) < 0) return -1;
  value_release(&result);
  return 0;
}

int attr_map_store(PyObject* x, PyObject* key, PyObject* value) {
  EnumAttrMapObject* self = as_map(x);
  EnumCache* cache = cache_of_map(self);
  if (cache == nullptr) return -1;
  if (value == nullptr) {
    PyErr_SetString(PyExc_TypeError, "values of enum variants cannot be deleted");
    return -1;
  }
  if (!enum_is_instance(cache, key)) return refuse_key(x, key, false);
  return store_attr(self, cache, key, value);
}

int attr_map_init(PyObject* x, PyObject* args, PyObject* kwargs) {
  // Two keywords exist for the second parameter: `name` and `attr_name`.
  const char* keywords[] = {"enum_cls", "name", "default", "attr_name", nullptr};
  PyObject *cls, *name = nullptr, *attr_name = nullptr, *otherwise = state().missing;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|U$OU:EnumAttrMap", const_cast<char**>(keywords),
                                   &cls, &name, &otherwise, &attr_name)) {
    return -1;
  }
  if ((name == nullptr) == (attr_name == nullptr)) {
    PyErr_SetString(PyExc_TypeError, "EnumAttrMap() takes one name of an attribute");
    return -1;
  }
  if (name == nullptr) name = attr_name;
  if (!is_enum_class(cls)) {
    PyErr_Format(PyExc_TypeError, "EnumAttrMap expects an enum class, got %R", cls);
    return -1;
  }
  TVMFFIAny column;
  if (value_from_py_owned(name, &column) < 0) return -1;
  EnumAttrMapObject* self = as_map(x);
  value_release(&self->column);
  self->column = column;
  Ref old_cls(std::exchange(self->cls, compat_new_ref(cls)));
  Ref old_name(std::exchange(self->name, compat_new_ref(name)));
  Ref old_otherwise(std::exchange(self->otherwise, compat_new_ref(otherwise)));
  return 0;
}

int attr_map_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_map(self)->cls);
  Py_VISIT(as_map(self)->otherwise);
  return 0;
}

int attr_map_clear(PyObject* self) {
  Py_CLEAR(as_map(self)->cls);
  Py_CLEAR(as_map(self)->otherwise);
  return 0;
}

void attr_map_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  attr_map_clear(self);
  Py_CLEAR(as_map(self)->name);
  value_release(&as_map(self)->column);
  Py_TYPE(self)->tp_free(self);
}

PySequenceMethods attr_map_as_sequence = {};
PyMappingMethods attr_map_as_mapping = {};
PyMethodDef attr_map_methods[] = {
    named_method(kAttrMapGet, named_placed<attr_map_get, kAttrMapGet>,
                 "get($self, variant, default=None)\n--\n\n"
                 "The value of a variant, or the default of this call; other keys have no value."),
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "The class in annotations."},
    {nullptr, nullptr, 0, nullptr}};
PyMemberDef attr_map_members[] = {
    {"name", T_OBJECT, offsetof(EnumAttrMapObject, name), READONLY, "Name of the attribute."},
    {"_name", T_OBJECT, offsetof(EnumAttrMapObject, name), READONLY, nullptr},
    {"_attr_name", T_OBJECT, offsetof(EnumAttrMapObject, name), READONLY, nullptr},
    {"_enum_cls", T_OBJECT, offsetof(EnumAttrMapObject, cls), READONLY, nullptr},
    {"_default", T_OBJECT, offsetof(EnumAttrMapObject, otherwise), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

PyTypeObject EnumAttrMapType = static_type();

int enum_attr_map_type_init(PyObject* module) {
  attr_map_as_sequence.sq_contains = attr_map_contains;
  attr_map_as_mapping.mp_length = attr_map_length;
  attr_map_as_mapping.mp_subscript = attr_map_subscript;
  attr_map_as_mapping.mp_ass_subscript = attr_map_store;
  PyTypeObject* t = type_begin(&EnumAttrMapType, "tvm_ffi.core._EnumAttrMap",
                               sizeof(EnumAttrMapObject), Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                               "One column of an enum: values by variant, live.");
  t->tp_new = PyType_GenericNew;
  t->tp_init = attr_map_init;
  t->tp_iter = attr_map_iter;
  t->tp_dealloc = attr_map_dealloc;
  t->tp_traverse = attr_map_traverse;
  t->tp_clear = attr_map_clear;
  t->tp_as_sequence = &attr_map_as_sequence;
  t->tp_as_mapping = &attr_map_as_mapping;
  t->tp_methods = attr_map_methods;
  t->tp_members = attr_map_members;
  return type_add(module, t);
}

}  // namespace binding

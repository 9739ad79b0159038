// SPDX-License-Identifier: Apache-2.0
// core._MappingBase, the read access that Map and Dict share, and core._MapBase.
#include "../named.h"
#include "lookup_key.h"

namespace binding {
namespace {

Py_ssize_t mapping_length(PyObject* self) {
  Section section(self);
  ffi::MapBaseObj* body = mapping_body(self);
  return body == nullptr ? -1 : static_cast<Py_ssize_t>(body->size());
}

int mapping_bool(PyObject* self) {
  Section section(self);
  ffi::MapBaseObj* body = mapping_body(self);
  return body == nullptr ? -1 : body->size() != 0;
}

// Stores the address of the value for `key` in `*place`; NULL if the key is missing. The value is
// borrowed, and the address is valid until Python code runs. Returns 0, or -1 with an exception
// set.
BINDING_INLINE int find_place(PyObject* self, const LookupKey& key, const TVMFFIAny** place) {
  *place = nullptr;
  ffi::MapBaseObj* body = mapping_body(self);  // after the conversion, which may run Python
  if (BINDING_UNLIKELY(body == nullptr)) return -1;
  return guarded([&] {
    auto found = body->find(key.get());
    if (found != body->end()) *place = &raw_value(found->second);
  });
}

PyObject* mapping_subscript(PyObject* self, PyObject* key) {
  Section section(self);
  LookupKey native;
  const TVMFFIAny* place;
  if (native.convert(key) < 0 || find_place(self, native, &place) < 0) return nullptr;
  if (BINDING_LIKELY(place != nullptr)) return element_to_py(container_api(self), *place);
  mapping_refuse_key(self, key);
  return nullptr;
}

int mapping_contains(PyObject* self, PyObject* key) {
  Section section(self);
  LookupKey native;
  const TVMFFIAny* place;
  if (native.convert(key) < 0 || find_place(self, native, &place) < 0) return -1;
  return place != nullptr;
}

// `get(key, default=None)`. A value that is the MISSING sentinel counts as missing.
PyObject* mapping_get(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n < 1 || n > 2) {
    PyErr_SetString(PyExc_TypeError, "get expected a key and at most one default");
    return nullptr;
  }
  PyObject* otherwise = n == 2 ? args[1] : Py_None;
  Section section(self);
  LookupKey native;
  const TVMFFIAny* place;
  if (native.convert(args[0]) < 0 || find_place(self, native, &place) < 0) return nullptr;
  if (place == nullptr ||
      (is_object_index(place->type_index) && place->v_obj == as_wrapper(state().missing)->handle)) {
    return compat_new_ref(otherwise);
  }
  return element_to_py(container_api(self), *place);
}

PyObject* mapping_iter(PyObject* self) { return map_iterator_new(self, MapPart::kKeys); }
PyObject* mapping_keys(PyObject* self, PyObject*) { return map_view_new(self, MapPart::kKeys); }
PyObject* mapping_values(PyObject* self, PyObject*) { return map_view_new(self, MapPart::kValues); }
PyObject* mapping_items(PyObject* self, PyObject*) { return map_view_new(self, MapPart::kItems); }

bool same_family(PyObject* self, PyObject* other) {
  return PyObject_TypeCheck(other, Py_TYPE(self)) || PyObject_TypeCheck(self, Py_TYPE(other));
}

PyObject* mapping_richcompare(PyObject* self, PyObject* other, int op) {
  if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, &MappingBaseType) ||
      !same_family(self, other)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  CallMark mark;
  if (mapping_body(self) == nullptr || mapping_body(other) == nullptr) return nullptr;
  ObjectOwner a = ObjectOwner::borrow(as_wrapper(self)->handle);
  ObjectOwner b = ObjectOwner::borrow(as_wrapper(other)->handle);
  PairSection section(self, other);
  int equal = recursive_equal(a.get(), b.get());
  return equal < 0 ? nullptr : PyBool_FromLong((equal != 0) == (op == Py_EQ));
}

Py_hash_t mapping_hash(PyObject* self) {
  CallMark mark;
  Section section(self);
  return mapping_body(self) == nullptr ? -1 : recursive_hash(as_wrapper(self)->handle);
}

int map_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"input_dict", nullptr};
  PyObject* input;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Map", const_cast<char**>(keywords), &input)) {
    return -1;
  }
  TVMFFIObject* map = map_from_mapping(input);
  return map == nullptr ? -1 : wrapper_adopt_steal(as_wrapper(self), map);
}

// Raises a TypeError that names Dict, the class whose entries can be changed.
int map_ass_subscript(PyObject* self, PyObject*, PyObject* value) {
  const char* what = value == nullptr ? "deletion" : "assignment";
  PyErr_Format(PyExc_TypeError,
               "'%s' object does not support item %s: a Map is immutable; use tvm_ffi.Dict for a "
               "mapping that changes",
               Py_TYPE(self)->tp_name, what);
  return -1;
}

PyMappingMethods map_as_mapping = {};
PySequenceMethods mapping_as_sequence = {};
PyMappingMethods mapping_as_mapping = {};
PyNumberMethods mapping_as_number = {};
constexpr Parameters kGetItemParameters = {"get", 1, {"key", "default"}};

PyMethodDef mapping_methods[] = {
    named_method(kGetItemParameters, named_some<mapping_get, kGetItemParameters>,
                 "get($self, key, default=None)\n--\n\n"
                 "The value of a key, or the default."),
    {"keys", mapping_keys, METH_NOARGS,
     "keys($self)\n--\n\n"
     "A view of the keys."},
    {"values", mapping_values, METH_NOARGS,
     "values($self)\n--\n\n"
     "A view of the values."},
    {"items", mapping_items, METH_NOARGS,
     "items($self)\n--\n\n"
     "A view of the entries as pairs."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "The class in annotations."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

ffi::MapBaseObj* mapping_body_slow(PyObject* self) {
  if (wrapper_handle_or_raise(self) == nullptr) return nullptr;
  PyErr_Format(PyExc_TypeError, "this %s holds a native object that is not a mapping",
               Py_TYPE(self)->tp_name);
  return nullptr;
}

int mapping_find(PyObject* self, PyObject* key, TVMFFIAny* value) {
  Section section(self);
  LookupKey native;
  const TVMFFIAny* place;
  if (native.convert(key) < 0 || find_place(self, native, &place) < 0) return -1;
  if (place == nullptr) return 0;
  *value = *place;
  if (is_object_index(value->type_index)) object_inc_ref(value->v_obj);
  return 1;
}

BINDING_COLD void mapping_refuse_key(PyObject* self, PyObject* key) {
  constexpr Py_ssize_t kMaxShown = 80;
  Py_ssize_t size = mapping_length(self);
  Ref shown(size < 0 ? nullptr : PyObject_Repr(key));  // runs Python
  if (!shown) return;
  const char* more = "";
  if (PyUnicode_GET_LENGTH(shown.get()) > kMaxShown) {
    shown = Ref(PyUnicode_Substring(shown.get(), 0, kMaxShown));
    if (!shown) return;
    more = "...";
  }
  const char* kind = PyObject_TypeCheck(self, &DictBaseType) ? "Dict" : "Map";
  PyErr_Format(PyExc_KeyError, "key is not in Map: a %s with %zd %s does not contain %U%s", kind,
               size, size == 1 ? "key" : "keys", shown.get(), more);
}

PyTypeObject MappingBaseType = static_type();
PyTypeObject MapBaseType = static_type();

int mapping_type_init(PyObject* module) {
  mapping_as_sequence.sq_contains = mapping_contains;
  mapping_as_mapping.mp_length = mapping_length;
  mapping_as_mapping.mp_subscript = mapping_subscript;
  mapping_as_number.nb_bool = mapping_bool;
  PyTypeObject* t = &MappingBaseType;
  container_class(t, &ContainerBaseType, "tvm_ffi.core._MappingBase",
                  "What mappings of FFI values have in common.", kMatchesMapping);
  t->tp_iter = mapping_iter;
  t->tp_richcompare = mapping_richcompare;
  t->tp_hash = mapping_hash;
  t->tp_methods = mapping_methods;
  t->tp_as_sequence = &mapping_as_sequence;
  t->tp_as_mapping = &mapping_as_mapping;
  t->tp_as_number = &mapping_as_number;
  if (type_add(module, t) < 0) return -1;
  PyTypeObject* m = &MapBaseType;
  container_class(m, &MappingBaseType, "tvm_ffi.core._MapBase",
                  "_MapBase(input_dict)\n--\n\nThe behaviour of container.Map.", kMatchesMapping);
  m->tp_init = map_init;
  map_as_mapping.mp_ass_subscript = map_ass_subscript;
  m->tp_as_mapping = &map_as_mapping;
  return type_add(module, m);
}

}  // namespace binding

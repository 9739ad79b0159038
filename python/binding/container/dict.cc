// SPDX-License-Identifier: Apache-2.0
// core._DictBase: the changes that a Dict allows, with the rules of Python's dict.
#include "../named.h"
#include "lookup_key.h"

namespace binding {
namespace {

using AnyDict = ffi::Dict<ffi::Any, ffi::Any>;

using HeldDict = Held<ffi::DictObj, AnyDict>;

int dict_set_item(PyObject* self, PyObject* key, PyObject* value) {
  ffi::Any native_key, native_value;
  if (any_from_py(key, &native_key) < 0 || any_from_py(value, &native_value) < 0) return -1;
  HeldDict held(self);
  if (!held) return -1;
  return guarded([&] { held.container().Set(std::move(native_key), std::move(native_value)); });
}

// Removes a key. Returns 1 and the owned value, 0 if the key is missing, or -1 with an exception
// set.
int dict_take_item(PyObject* self, PyObject* key, ffi::Any* value) {
  LookupKey native;
  if (native.convert(key) < 0) return -1;
  HeldDict held(self);
  if (!held) return -1;
  bool found = false;
  int rc = guarded([&] {
    auto at = held.body->find(native.get());
    found = at != held.body->end();
    if (!found) return;
    *value = at->second;
    held.body->erase(native.get());
  });
  return rc < 0 ? -1 : found;
}

int dict_ass_subscript(PyObject* self, PyObject* key, PyObject* value) {
  if (value != nullptr) return dict_set_item(self, key, value);
  ffi::Any removed;
  int found = dict_take_item(self, key, &removed);
  if (found == 0) PyErr_SetObject(PyExc_KeyError, key);
  return found == 1 ? 0 : -1;
}

PyObject* dict_pop(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n < 1 || n > 2) {
    return PyErr_Format(PyExc_TypeError,
                        n < 1 ? "pop expected at least 1 argument, got %zd"
                              : "pop expected at most 2 arguments, got %zd",
                        n);
  }
  ffi::Any value;
  int found = dict_take_item(self, args[0], &value);
  if (found < 0) return nullptr;
  if (found == 1) return element_to_py(container_api(self), raw_value(value));
  if (n == 2) return compat_new_ref(args[1]);
  PyErr_SetObject(PyExc_KeyError, args[0]);
  return nullptr;
}

// Removes and returns the first entry, like `MutableMapping.popitem`.
PyObject* dict_popitem(PyObject* self, PyObject*) {
  HeldDict held(self);
  if (!held) return nullptr;
  ffi::Any key, value;
  bool found = false;
  if (guarded([&] {
        found = held.body->size() != 0;
        if (!found) return;
        key = held.body->begin()->first;
        value = held.body->begin()->second;
        held.body->erase(held.body->begin());
      }) < 0) {
    return nullptr;
  }
  if (!found) {
    PyErr_SetString(PyExc_KeyError, "popitem(): Dict is empty");
    return nullptr;
  }
  Ref first(element_to_py(container_api(self), raw_value(key)));
  Ref second(first ? element_to_py(container_api(self), raw_value(value)) : nullptr);
  return second ? PyTuple_Pack(2, first.get(), second.get()) : nullptr;
}

PyObject* dict_setdefault(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n < 1 || n > 2) {
    return PyErr_Format(PyExc_TypeError, "setdefault expected 1 or 2 arguments, got %zd", n);
  }
  TVMFFIAny found;
  int rc = mapping_find(self, args[0], &found);
  if (rc < 0) return nullptr;
  if (rc == 0) {
    if (dict_set_item(self, args[0], n == 2 ? args[1] : Py_None) < 0) return nullptr;
    rc = mapping_find(self, args[0], &found);
    if (rc < 0) return nullptr;
    if (rc == 0) return compat_new_ref(n == 2 ? args[1] : Py_None);
  }
  ffi::Any value = ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(found);
  return element_to_py(container_api(self), raw_value(value));
}

PyObject* dict_clear(PyObject* self, PyObject*) {
  HeldDict held(self);
  if (!held || guarded([&] { held.body->clear(); }) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* dict_update(PyObject* self, PyObject* other) {
  ObjectOwner entries(dict_from_mapping(other));
  if (!entries) return nullptr;
  HeldDict held(self);
  if (!held) return nullptr;
  auto* source = reinterpret_cast<ffi::DictObj*>(entries.get());
  int rc = guarded([&] {
    AnyDict dict = held.container();
    for (auto at = source->begin(); at != source->end(); ++at) dict.Set(at->first, at->second);
  });
  if (rc < 0) return nullptr;
  Py_RETURN_NONE;
}

int dict_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"input_dict", nullptr};
  PyObject* input = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Dict", const_cast<char**>(keywords), &input)) {
    return -1;
  }
  TVMFFIObject* dict = dict_from_mapping(input == Py_None ? nullptr : input);
  return dict == nullptr ? -1 : wrapper_adopt_steal(as_wrapper(self), dict);
}

PyMappingMethods dict_as_mapping = {};
constexpr Parameters kSetdefaultParameters = {"setdefault", 1, {"key", "default"}};
constexpr Parameters kDictPopParameters = {"pop", 1, {"key", "default"}};
constexpr Parameters kUpdateParameters = {"update", 1, {"other"}};

PyMethodDef dict_methods[] = {
    named_method(kDictPopParameters, named_some<dict_pop, kDictPopParameters>,
                 "pop($self, key, *args)\n--\n\n"
                 "Remove a key and return its value."),
    {"popitem", dict_popitem, METH_NOARGS,
     "popitem($self)\n--\n\n"
     "Remove and return the first entry as a pair."},
    named_method(kSetdefaultParameters, named_some<dict_setdefault, kSetdefaultParameters>,
                 "setdefault($self, key, default=None)\n--\n\n"
                 "The value of a key, which is set to the default first where it is missing."),
    {"clear", dict_clear, METH_NOARGS,
     "clear($self)\n--\n\n"
     "Remove all entries."},
    named_method(kUpdateParameters, named_one<dict_update, kUpdateParameters>,
                 "update($self, other)\n--\n\n"
                 "Set the entries of another mapping, or of an iterable of pairs."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject DictBaseType = static_type();

int dict_type_init(PyObject* module) {
  dict_as_mapping.mp_ass_subscript = dict_ass_subscript;
  PyTypeObject* t = &DictBaseType;
  container_class(t, &MappingBaseType, "tvm_ffi.core._DictBase",
                  "_DictBase(input_dict=None)\n--\n\nThe behaviour of container.Dict.",
                  kMatchesMapping);
  t->tp_init = dict_init;
  t->tp_methods = dict_methods;
  t->tp_as_mapping = &dict_as_mapping;
  return type_add(module, t);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// core._KeysView, core._ValuesView and core._ItemsView: live views of the keys, values and entries
// of a Map or Dict. tvm_ffi.container adds the set operations of collections.abc.
#include <cstring>

#include "native.h"

namespace binding {
namespace {

struct MapView {
  PyObject_HEAD PyObject* mapping;
};

// Indexed by MapPart.
PyTypeObject ViewTypes[3] = {static_type(), static_type(), static_type()};

PyObject* viewed_mapping(PyObject* self) {
  PyObject* mapping = reinterpret_cast<MapView*>(self)->mapping;
  if (mapping == nullptr) PyErr_SetString(PyExc_ValueError, "this view has no mapping");
  return mapping;
}

MapPart viewed_part(PyObject* self) {
  for (int i = 0; i < 2; ++i) {
    if (PyObject_TypeCheck(self, &ViewTypes[i])) return static_cast<MapPart>(i);
  }
  return MapPart::kItems;
}

int view_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"mapping", nullptr};
  PyObject* mapping;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!", const_cast<char**>(keywords),
                                   &MappingBaseType, &mapping)) {
    return -1;
  }
  Py_XSETREF(reinterpret_cast<MapView*>(self)->mapping, compat_new_ref(mapping));
  return 0;
}

Py_ssize_t view_length(PyObject* self) {
  PyObject* mapping = viewed_mapping(self);
  return mapping == nullptr ? -1 : PyObject_Size(mapping);
}

PyObject* view_iter(PyObject* self) {
  PyObject* mapping = viewed_mapping(self);
  return mapping == nullptr ? nullptr : map_iterator_new(mapping, viewed_part(self));
}

int contains_value(PyObject* mapping, PyObject* wanted) {
  Ref it(map_iterator_new(mapping, MapPart::kValues));
  if (!it) return -1;
  for (;;) {
    Ref value(PyIter_Next(it.get()));
    if (!value) return PyErr_Occurred() ? -1 : 0;
    int equal = PyObject_RichCompareBool(value.get(), wanted, Py_EQ);  // runs Python
    if (equal != 0) return equal;
  }
}

int contains_item(PyObject* mapping, PyObject* item) {
  if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 2) return 0;
  TVMFFIAny found;
  int rc = mapping_find(mapping, PyTuple_GET_ITEM(item, 0), &found);
  if (rc <= 0) return rc;
  Ref value(value_to_py_steal(found));
  return value ? PyObject_RichCompareBool(value.get(), PyTuple_GET_ITEM(item, 1), Py_EQ) : -1;
}

int view_contains(PyObject* self, PyObject* x) {
  PyObject* mapping = viewed_mapping(self);
  if (mapping == nullptr) return -1;
  switch (viewed_part(self)) {
    case MapPart::kKeys:
      return PySequence_Contains(mapping, x);
    case MapPart::kValues:
      return contains_value(mapping, x);
    default:
      return contains_item(mapping, x);
  }
}

PyObject* view_repr(PyObject* self) {
  const char* name = Py_TYPE(self)->tp_name;
  const char* dot = std::strrchr(name, '.');
  PyObject* mapping = reinterpret_cast<MapView*>(self)->mapping;
  return PyUnicode_FromFormat("%s(%R)", dot == nullptr ? name : dot + 1,
                              mapping == nullptr ? Py_None : mapping);
}

int view_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<MapView*>(self)->mapping);
  return 0;
}

int view_clear(PyObject* self) {
  Py_CLEAR(reinterpret_cast<MapView*>(self)->mapping);
  return 0;
}

void view_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  view_clear(self);
  Py_TYPE(self)->tp_free(self);
}

// `core._set_view_classes(keys, values, items)`: sets the classes of the results of `keys()`,
// `values()` and `items()`.
PyObject* set_view_classes(PyObject*, PyObject* args) {
  PyObject* classes[3];
  if (!PyArg_ParseTuple(args, "O!O!O!", &PyType_Type, &classes[0], &PyType_Type, &classes[1],
                        &PyType_Type, &classes[2])) {
    return nullptr;
  }
  for (int i = 0; i < 3; ++i) {
    auto* cls = reinterpret_cast<PyTypeObject*>(classes[i]);
    if (!PyType_IsSubtype(cls, &ViewTypes[i])) {
      return PyErr_Format(PyExc_TypeError, "%s is not a subclass of %s", cls->tp_name,
                          ViewTypes[i].tp_name);
    }
  }
  for (int i = 0; i < 3; ++i) {
    PyTypeObject* old = state().view_classes[i];
    state().view_classes[i] = reinterpret_cast<PyTypeObject*>(compat_new_ref(classes[i]));
    Py_XDECREF(old);
  }
  Py_RETURN_NONE;
}

PyMethodDef view_functions[] = {{"_set_view_classes", set_view_classes, METH_VARARGS,
                                 "Set the classes of keys(), values() and items()."},
                                {nullptr, nullptr, 0, nullptr}};
PySequenceMethods view_as_sequence = {};
PyMemberDef view_members[] = {
    {"_mapping", T_OBJECT_EX, offsetof(MapView, mapping), READONLY, "What this is a view of."},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

PyObject* map_view_new(PyObject* mapping, MapPart part) {
  auto index = static_cast<size_t>(part);
  PyTypeObject* cls = state().view_classes[index];
  if (cls == nullptr) cls = &ViewTypes[index];
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self != nullptr) reinterpret_cast<MapView*>(self)->mapping = compat_new_ref(mapping);
  return self;
}

int map_view_type_init(PyObject* module) {
  const char* names[3] = {"tvm_ffi.core._KeysView", "tvm_ffi.core._ValuesView",
                          "tvm_ffi.core._ItemsView"};
  view_as_sequence.sq_length = view_length;
  view_as_sequence.sq_contains = view_contains;
  for (int i = 0; i < 3; ++i) {
    PyTypeObject* t =
        type_begin(&ViewTypes[i], names[i], sizeof(MapView),
                   Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, "A live view of a Map or Dict.");
    t->tp_new = PyType_GenericNew;
    t->tp_init = view_init;
    t->tp_dealloc = view_dealloc;
    t->tp_traverse = view_traverse;
    t->tp_clear = view_clear;
    t->tp_iter = view_iter;
    t->tp_repr = view_repr;
    t->tp_members = view_members;
    t->tp_as_sequence = &view_as_sequence;
    if (type_add(module, t) < 0) return -1;
  }
  return PyModule_AddFunctions(module, view_functions);
}

}  // namespace binding

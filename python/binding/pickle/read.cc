// SPDX-License-Identifier: Apache-2.0
// Reads pickles of objects; pickle.h describes their parts.
#include "../call.h"
#include "../raise.h"
#include "../recursion.h"
#include "../type/types.h"
#include "../utf8.h"
#include "pickle.h"

namespace binding {
namespace {

// Returns the type index of a type that a pickle names by class or by key. The result is -1 with an
// exception set.
int32_t type_index_of(PyObject* name) {
  if (PyType_Check(name)) {
    auto* cls = reinterpret_cast<PyTypeObject*>(name);
    ClassInfo* info = PyType_IsSubtype(cls, &CObjectType) ? class_info_of(cls) : nullptr;
    if (info != nullptr) return info->type_index;
    PyErr_Format(PyExc_TypeError, "the pickle needs the object type %s, which is not registered",
                 cls->tp_name);
    return -1;
  }
  TVMFFIByteArray key;
  if (!PyUnicode_Check(name)) {
    PyErr_Format(PyExc_ValueError, "the pickle is damaged: a type is a %s", Py_TYPE(name)->tp_name);
    return -1;
  }
  if (utf8_borrowed(name, &key) < 0) return -1;
  int32_t type_index = -1;
  int status = TVMFFITypeKeyToIndex(&key, &type_index);
  if (status == 0) return type_index;
  raise_from_slot(status);
  clear_error();
  PyErr_Format(PyExc_RuntimeError,
               "the pickle needs the type `%U`, which is not known here: import the module or load "
               "the library that registers it first",
               name);
  return -1;
}

// Returns ((type index, names of the fields...), ...) for the types of a pickle.
PyObject* resolved_types(PyObject* types) {
  Py_ssize_t count = PyTuple_GET_SIZE(types);
  Ref resolved(PyTuple_New(count));
  if (!resolved) return nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *name, *fields;
    PyObject* pair = PyTuple_GET_ITEM(types, i);
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "OO!", &name, &PyTuple_Type, &fields)) {
      if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_SetString(PyExc_ValueError, "the pickle is damaged: a type is not described");
      }
      return nullptr;
    }
    int32_t type_index = type_index_of(name);
    if (type_index < 0) return nullptr;
    Py_ssize_t num_fields = PyTuple_GET_SIZE(fields);
    Ref entry(PyTuple_New(num_fields + 1));
    PyObject* number = entry ? PyLong_FromLong(type_index) : nullptr;
    if (number == nullptr) return nullptr;
    PyTuple_SET_ITEM(entry.get(), 0, number);
    for (Py_ssize_t k = 0; k < num_fields; ++k) {
      PyTuple_SET_ITEM(entry.get(), k + 1, compat_new_ref(PyTuple_GET_ITEM(fields, k)));
    }
    PyTuple_SET_ITEM(resolved.get(), i, entry.release());
  }
  return resolved.release();
}

// Returns the object of a value that was unpacked for an instance of `cls`; NULL with an exception
// set. Steals the value.
TVMFFIObject* object_for_steal(PyTypeObject* cls, const TVMFFIAny& value) {
  if (is_object_index(value.type_index) && PyType_IsSubtype(cls, &CObjectType)) return value.v_obj;
  Ref release(value_to_py_steal(value));
  PyErr_Format(PyExc_ValueError, "the pickle is damaged: it does not make a %s", cls->tp_name);
  return nullptr;
}

// Makes an instance of `cls` around a new object. Steals the object.
PyObject* adopt_as(PyTypeObject* cls, const TVMFFIAny& value) {
  TVMFFIObject* made = object_for_steal(cls, value);
  if (made == nullptr) return nullptr;
  ObjectOwner object(made);
  Ref new_object(state_import("copyreg", "__newobj__"));
  Ref self(new_object ? PyObject_CallFunctionObjArgs(new_object.get(), cls, nullptr) : nullptr);
  if (!self || wrapper_adopt_steal(as_wrapper(self.get()), object.release()) < 0) return nullptr;
  return self.release();
}

// Makes the value of the parts of a pickle, owned. Returns 0, or -1 with an exception set.
int unpack(PyObject* program, PyObject* types, PyObject* externals, TVMFFIAny* result) {
  static RuntimeFunction read("ffi._UnpackGraph");
  Ref resolved(resolved_types(types));
  TVMFFIObject* function = resolved ? read.get() : nullptr;
  if (function == nullptr) return -1;
  PyObject* parts[] = {program, resolved.get(), externals};
  return call_native_raw(function, Gil::kHold, parts, 3, nullptr, result);
}

// Makes the object of a state `(program, types)`, owned; NULL with an exception set.
TVMFFIObject* object_from_packed(PyTypeObject* cls, PyObject* content) {
  Ref externals(PyTuple_New(0));
  TVMFFIAny value;
  if (!externals || unpack(PyTuple_GET_ITEM(content, 0), PyTuple_GET_ITEM(content, 1),
                           externals.get(), &value) < 0) {
    return nullptr;
  }
  return object_for_steal(cls, value);
}

bool is_packed(PyObject* content) {
  return PyTuple_Check(content) && PyTuple_GET_SIZE(content) == 2 &&
         PyBytes_Check(PyTuple_GET_ITEM(content, 0)) && PyTuple_Check(PyTuple_GET_ITEM(content, 1));
}

// Makes the object that the JSON text of a graph describes, owned; NULL with an exception set.
TVMFFIObject* object_from_text(PyObject* text) {
  static RuntimeFunction read("ffi.FromJSONGraphString");
  TVMFFIObject* place;
  CallContext context;
  Arguments args{Temporaries(&place), &context};
  TVMFFIAny arg, result;
  if (value_from_py(text, &arg, &args) < 0 || read.call(&arg, 1, &result) < 0) return nullptr;
  if (is_object_index(result.type_index) && result.v_obj != nullptr) return result.v_obj;
  PyErr_SetString(PyExc_ValueError, "the pickled text is that of a plain value, not of an object");
  return nullptr;
}

// Stores in `*obj` the object of a state, owned, or NULL for an empty object. Returns 0, or -1 with
// an exception set.
int object_from_state(PyObject* self, PyObject* content, TVMFFIObject** obj) {
  *obj = nullptr;
  if (is_packed(content)) {
    *obj = object_from_packed(Py_TYPE(self), content);
    return *obj == nullptr ? -1 : 0;
  }
  Ref key(PyUnicode_InternFromString("handle"));
  if (!key) return -1;
  PyObject* text = PyDict_Check(content) ? PyDict_GetItemWithError(content, key.get()) : nullptr;
  if (text == nullptr && PyErr_Occurred()) return -1;
  if (text == Py_None) return 0;
  if (text == nullptr || !PyUnicode_Check(text)) {
    PyErr_Format(PyExc_TypeError, "%s.__setstate__ expects {'handle': str or None}, got %R",
                 Py_TYPE(self)->tp_name, content);
    return -1;
  }
  *obj = object_from_text(text);
  return *obj == nullptr ? -1 : 0;
}

}  // namespace

PyObject* object_setstate(PyObject* self, PyObject* content) {
  TVMFFIObject* obj;
  if (object_from_state(self, content, &obj) < 0 ||
      wrapper_adopt_steal(as_wrapper(self), obj) < 0) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

// core._restore_graph(class or None, program, types, externals): makes an object from a pickle.
PyObject* restore_graph(PyObject*, PyObject* args) {
  PyObject *cls, *program, *types, *externals;
  if (!PyArg_ParseTuple(args, "OO!O!O!:restore_graph", &cls, &PyBytes_Type, &program, &PyTuple_Type,
                        &types, &PyTuple_Type, &externals)) {
    return nullptr;
  }
  if (cls != Py_None && !PyType_Check(cls)) {
    return PyErr_Format(PyExc_TypeError, "restore_graph expects a class or None, got %s",
                        Py_TYPE(cls)->tp_name);
  }
  TVMFFIAny result;
  if (unpack(program, types, externals, &result) < 0) return nullptr;
  return cls == Py_None ? value_to_py_steal(result)
                        : adopt_as(reinterpret_cast<PyTypeObject*>(cls), result);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Pickling of objects. The state of an object is its graph as JSON, written by the runtime;
// `copyreg.__newobj__` and `__setstate__` make an object from it. So a pickle names only the class.
#include "../call.h"
#include "types.h"

namespace binding {
namespace {

// {"handle": text of the graph, or None for an empty object}
PyObject* state_of(PyObject* self) {
  static RuntimeFunction write("ffi.ToJSONGraphString");
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (obj == nullptr) return Py_BuildValue("{s:O}", "handle", Py_None);
  TVMFFIAny args[2] = {value_none(), value_none()};
  TVMFFIAny result;
  value_set_object(&args[0], obj);
  if (write.call(args, 2, &result) < 0) return nullptr;
  Ref text(value_to_py_steal(result));
  Ref plain(text ? PyObject_Str(text.get()) : nullptr);
  return plain ? Py_BuildValue("{s:O}", "handle", plain.get()) : nullptr;
}

PyObject* object_getstate(PyObject* self, PyObject*) { return state_of(self); }

PyObject* object_reduce(PyObject* self, PyObject*) {
  Ref made(state_import("copyreg", "__newobj__"));
  if (!made) return nullptr;
  Ref content(PyObject_CallMethod(self, "__getstate__", nullptr));  // may run Python
  if (!content) return nullptr;
  ClassInfo* info = class_info_of(Py_TYPE(self));
  if (info != nullptr && info->is_fallback && PyDict_Check(content.get())) {
    // The class cannot be imported from any module: the JSON text tells the type.
    PyObject* text = PyDict_GetItemString(content.get(), "handle");
    if (text != nullptr && text != Py_None) {
      Ref read(state_import("tvm_ffi.serialization", "from_json_graph_str"));
      return read ? Py_BuildValue("O(O)", read.get(), text) : nullptr;
    }
  }
  return Py_BuildValue("O(O)O", made.get(), Py_TYPE(self), content.get());
}

// The object that the JSON text of a graph describes, owned; NULL with an exception set.
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

PyObject* object_setstate(PyObject* self, PyObject* content) {
  PyObject* text = PyDict_Check(content) ? PyDict_GetItemString(content, "handle") : nullptr;
  if (text == nullptr || (text != Py_None && !PyUnicode_Check(text))) {
    PyErr_Format(PyExc_TypeError, "%s.__setstate__ expects {'handle': str or None}, got %R",
                 Py_TYPE(self)->tp_name, content);
    return nullptr;
  }
  TVMFFIObject* obj = nullptr;
  if (text != Py_None) {
    obj = object_from_text(text);
    if (obj == nullptr) return nullptr;
  }
  if (wrapper_adopt_steal(as_wrapper(self), obj) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef pickle_methods[] = {
    {"__getstate__", object_getstate, METH_NOARGS, "The object graph as JSON text."},
    {"__setstate__", object_setstate, METH_O, "Become the object of a state."},
    {"__reduce__", object_reduce, METH_NOARGS, "Pickles as class and state."},
    {nullptr, nullptr, 0, nullptr}};

PyObject* container_deepcopy(PyObject* self, PyObject*) {
  static RuntimeFunction copy("ffi.DeepCopy");
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  return copy.call(&arg, 1, &result) < 0 ? nullptr : value_to_py_steal(result);
}

PyMethodDef deepcopy_method = {"__deepcopy__", container_deepcopy, METH_O,
                               "A copy of the whole graph below."};

}  // namespace

int pickle_init(PyObject*) {
  for (PyMethodDef* def = pickle_methods; def->ml_name != nullptr; ++def) {
    Ref method(PyDescr_NewMethod(&CObjectType, def));
    if (!method || PyDict_SetItemString(CObjectType.tp_dict, def->ml_name, method.get()) < 0) {
      return -1;
    }
  }
  Ref method(PyDescr_NewMethod(&ContainerBaseType, &deepcopy_method));
  if (!method ||
      PyDict_SetItemString(ContainerBaseType.tp_dict, "__deepcopy__", method.get()) < 0) {
    return -1;
  }
  PyType_Modified(&CObjectType);
  PyType_Modified(&ContainerBaseType);
  return 0;
}

}  // namespace binding

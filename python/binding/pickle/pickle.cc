// SPDX-License-Identifier: Apache-2.0
// The methods of objects, containers and functions that pickle and copy call.
#include "pickle.h"

#include "../call.h"
#include "../type/types.h"

namespace binding {
namespace {

PyMethodDef pickle_methods[] = {
    {"__getstate__", object_getstate, METH_NOARGS, "The object graph as JSON text."},
    {"__setstate__", object_setstate, METH_O, "Become the object of a state."},
    {"__reduce__", object_reduce, METH_NOARGS, "Pickles as class and state."},
    {nullptr, nullptr, 0, nullptr}};

// core._set_class_attribute(class, name[, value]): works like `type.__setattr__` and
// `type.__delattr__`, which refuse classes whose metaclass overrides these methods.
PyObject* set_class_attribute(PyObject*, PyObject* args) {
  PyObject *cls, *name, *value = nullptr;
  if (!PyArg_ParseTuple(args, "O!U|O:_set_class_attribute", &PyType_Type, &cls, &name, &value) ||
      PyType_Type.tp_setattro(cls, name, value) < 0) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyMethodDef restore_functions[] = {
    {"_set_class_attribute", set_class_attribute, METH_VARARGS,
     "Set or delete an attribute of a class, as `type` itself does."},
    {"_restore_graph", restore_graph, METH_VARARGS,
     "The object of (class or None, program, types, externals)."},
    {nullptr, nullptr, 0, nullptr}};

// ---- copies

PyObject* container_deepcopy(PyObject* self, PyObject*) {
  static RuntimeFunction copy("ffi.DeepCopy");
  CallMark mark;
  Section section(self);
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  return copy.call(&arg, 1, &result) < 0 ? nullptr : value_to_py_steal(result);
}

// ---- functions

PyObject* function_reduce(PyObject* self, PyObject*) {
  Ref reduce(state_import("tvm_ffi._pickle.function", "reduce"));
  return reduce ? PyObject_CallFunctionObjArgs(reduce.get(), self, nullptr) : nullptr;
}

PyObject* function_copy(PyObject* self, PyObject*) { return compat_new_ref(self); }

PyMethodDef function_pickle_methods[] = {
    {"__reduce__", function_reduce, METH_NOARGS, "Pickles as what it is: see docs/clusters.md."},
    {"__copy__", function_copy, METH_NOARGS, "The function itself."},
    {"__deepcopy__", function_copy, METH_O, "The function itself."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef deepcopy_methods[] = {
    {"__deepcopy__", container_deepcopy, METH_O, "A copy of the whole graph below."},
    {nullptr, nullptr, 0, nullptr}};

int add_methods(PyTypeObject* type, PyMethodDef* def) {
  for (; def->ml_name != nullptr; ++def) {
    Ref method(PyDescr_NewMethod(type, def));
    if (!method || PyDict_SetItemString(type->tp_dict, def->ml_name, method.get()) < 0) return -1;
  }
  PyType_Modified(type);
  return 0;
}

}  // namespace

int pickle_init(PyObject* module) {
  if (add_methods(&CObjectType, pickle_methods) < 0 ||
      add_methods(&FunctionType, function_pickle_methods) < 0 ||
      add_methods(&ContainerBaseType, deepcopy_methods) < 0) {
    return -1;
  }
  return PyModule_AddFunctions(module, restore_functions);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The base classes of the conversion protocols: core.ObjectRValueRef, core.ObjectConvertible,
// core.PyNativeObject.
#include "types.h"

namespace binding {
namespace {

RValueRefObject* as_rvalue(PyObject* x) { return reinterpret_cast<RValueRefObject*>(x); }

PyObject* rvalue_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"obj", nullptr};
  PyObject* obj;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:ObjectRValueRef", const_cast<char**>(keywords),
                                   &obj)) {
    return nullptr;
  }
  PyObject* self = type->tp_alloc(type, 0);
  if (self != nullptr) as_rvalue(self)->obj = compat_new_ref(obj);
  return self;
}

int rvalue_set_obj(PyObject* self, PyObject* value, void*) {
  if (as_rvalue(self)->in_call) {
    PyErr_SetString(PyExc_ValueError, "cannot change an ObjectRValueRef during a call");
    return -1;
  }
  Py_XINCREF(value);
  Py_XSETREF(as_rvalue(self)->obj, value);
  return 0;
}

PyObject* rvalue_get_obj(PyObject* self, void*) {
  PyObject* obj = as_rvalue(self)->obj;
  if (obj == nullptr) {
    PyErr_SetString(PyExc_AttributeError, "obj");
    return nullptr;
  }
  return compat_new_ref(obj);
}

int rvalue_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_rvalue(self)->obj);
  return 0;
}

int rvalue_clear(PyObject* self) {
  Py_CLEAR(as_rvalue(self)->obj);
  return 0;
}

void rvalue_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_CLEAR(as_rvalue(self)->obj);
  Py_TYPE(self)->tp_free(self);
}

PyGetSetDef rvalue_getset[] = {
    {"obj", rvalue_get_obj, rvalue_set_obj, "The object to be moved.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* convertible_asobject(PyObject*, PyObject*) {
  PyErr_SetNone(PyExc_NotImplementedError);
  return nullptr;
}

PyMethodDef convertible_methods[] = {
    {"asobject", convertible_asobject, METH_NOARGS,
     "asobject($self)\n--\n\n"
     "The FFI object that stands for this value; to be overridden."},
    {nullptr, nullptr, 0, nullptr}};

// Makes the native form of `self` and caches it.
PyObject* native_init_cached(PyObject* self, PyObject* args) {
  if (PyTuple_GET_SIZE(args) < 1) {
    PyErr_SetString(PyExc_TypeError, "__init_cached_object_by_constructor__ expects a Function");
    return nullptr;
  }
  Ref object(state().object_type->tp_alloc(state().object_type, 0));
  if (!object) return nullptr;
  Ref init(PyObject_GetAttrString(object.get(), "__init_handle_by_constructor__"));
  if (!init) return nullptr;
  Ref done(PyObject_Call(init.get(), args, nullptr));
  if (!done || PyObject_SetAttr(self, state().names.tvm_ffi_cached_object, object.get()) < 0) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyMethodDef native_methods[] = {
    {"__init_cached_object_by_constructor__", native_init_cached, METH_VARARGS,
     "Build the native form of this value with a Function and keep it."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject RValueRefType = static_type();
PyTypeObject ConvertibleType = static_type();
PyTypeObject PyNativeObjectType = static_type();

int protocol_type_init(PyObject* module) {
  PyTypeObject* r =
      type_begin(&RValueRefType, "tvm_ffi.core.ObjectRValueRef", sizeof(RValueRefObject),
                 Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                 "ObjectRValueRef(obj)\n--\n\nA reference that the callee may take over.");
  r->tp_new = rvalue_new;
  r->tp_dealloc = rvalue_dealloc;
  r->tp_traverse = rvalue_traverse;
  r->tp_clear = rvalue_clear;
  r->tp_getset = rvalue_getset;
  if (type_add(module, r) < 0) return -1;

  PyTypeObject* c = type_begin(&ConvertibleType, "tvm_ffi.core.ObjectConvertible", sizeof(PyObject),
                               Py_TPFLAGS_BASETYPE,
                               "Base class of Python values that know how to become an object.");
  c->tp_new = PyType_GenericNew;
  c->tp_methods = convertible_methods;
  if (type_add(module, c) < 0) return -1;

  PyTypeObject* n = type_begin(
      &PyNativeObjectType, "tvm_ffi.core.PyNativeObject", sizeof(PyObject), Py_TPFLAGS_BASETYPE,
      "Base class of Python value types that may carry their native form.");
  n->tp_methods = native_methods;
  return type_add(module, n);
}

}  // namespace binding

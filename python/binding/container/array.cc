// SPDX-License-Identifier: Apache-2.0
// core.CContainerBase and core._ArrayBase: the immutable sequence, which adds a constructor to
// core._SequenceBase.
#include "../named.h"
#include "native.h"

namespace binding {
namespace {

int array_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"input_list", nullptr};
  PyObject* input;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Array", const_cast<char**>(keywords), &input)) {
    return -1;
  }
  TVMFFIObject* array = array_from_iterable(input);
  if (array == nullptr) return -1;
  return wrapper_adopt_steal(as_wrapper(self), array);
}

// Raises a TypeError that names List, the class whose elements can be changed.
int array_ass_subscript(PyObject* self, PyObject*, PyObject* value) {
  const char* what =
      value == nullptr ? "doesn't support item deletion" : "does not support item assignment";
  PyErr_Format(
      PyExc_TypeError,
      "'%s' object %s: an Array is immutable; use tvm_ffi.List for a sequence that changes",
      Py_TYPE(self)->tp_name, what);
  return -1;
}

PyMappingMethods array_as_mapping = {};

// Runs `cls(...)` through __new__ and __init__.
PyObject* call_by_init(PyObject* cls, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  PackedArguments packed(args, n, kwnames);
  return packed ? PyType_Type.tp_call(cls, packed.tuple(), packed.dict()) : nullptr;
}

// The tp_vectorcall: makes the array first, then a wrapper whose size depends on the elements.
PyObject* array_call(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (BINDING_UNLIKELY(n != 1 || kwnames != nullptr)) {
    return call_by_init(cls, args, n, kwnames);
  }
  TVMFFIObject* array = array_from_iterable(args[0]);  // may run Python
  if (BINDING_UNLIKELY(array == nullptr)) return nullptr;
  return wrapper_new_steal(type, true, array);
}

}  // namespace

void container_note_class(PyTypeObject* cls) {
  if (cls->tp_init == array_init && cls->tp_new == CObjectType.tp_new &&
      !(cls->tp_flags & Py_TPFLAGS_IS_ABSTRACT) && Py_TYPE(cls) == state().object_meta) {
    cls->tp_vectorcall = array_call;
  }
}

PyTypeObject ContainerBaseType = static_type();
PyTypeObject ArrayBaseType = static_type();

int array_type_init(PyObject* module) {
  PyTypeObject* c = &ContainerBaseType;
  container_class(c, &CObjectType, "tvm_ffi.core.CContainerBase", "A container of FFI values.", 0);
  c->tp_methods = container_methods;
  if (type_add(module, c) < 0 || sequence_type_init(module) < 0) return -1;
  PyTypeObject* t = &ArrayBaseType;
  container_class(t, &SequenceBaseType, "tvm_ffi.core._ArrayBase",
                  "_ArrayBase(input_list)\n--\n\nThe behaviour of container.Array.",
                  kMatchesSequence);
  t->tp_init = array_init;
  array_as_mapping.mp_ass_subscript = array_ass_subscript;
  t->tp_as_mapping = &array_as_mapping;
  return type_add(module, t);
}

}  // namespace binding

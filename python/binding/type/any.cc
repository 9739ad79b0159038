// SPDX-License-Identifier: Apache-2.0
// core.CAny: one FFI value, stored without conversion.
#include "../call.h"
#include "../named.h"
#include "types.h"

namespace binding {
namespace {

struct AnyObject {
  PyObject_HEAD TVMFFIAny value;  // owned
};

TVMFFIAny* any_value(PyObject* x) { return &reinterpret_cast<AnyObject*>(x)->value; }

PyTypeObject AnyType = static_type();

int any_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"value", nullptr};
  PyObject* x = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:CAny", const_cast<char**>(keywords), &x)) {
    return -1;
  }
  TVMFFIAny value;
  if (value_from_py_owned(x, &value) < 0) return -1;
  TVMFFIAny old = *any_value(self);
  *any_value(self) = value;
  value_release(&old);  // may run Python
  return 0;
}

void any_dealloc(PyObject* self) {
  TVMFFIAny value = *any_value(self);
  Py_TYPE(self)->tp_free(self);
  value_release(&value);  // may run Python
}

PyObject* any_repr(PyObject* self) {
  const TVMFFIAny& value = *any_value(self);
  switch (value.type_index) {
    case kTVMFFINone:
      return PyUnicode_FromString("CAny(None)");
    case kTVMFFIBool:
      return PyUnicode_FromFormat("CAny(bool=%s)", value.v_int64 != 0 ? "True" : "False");
    case kTVMFFIInt:
      return PyUnicode_FromFormat("CAny(int=%lld)", static_cast<long long>(value.v_int64));
    case kTVMFFIFloat: {
      Ref number(float_to_py(value.v_float64));
      return number ? PyUnicode_FromFormat("CAny(float=%R)", number.get()) : nullptr;
    }
    default:
      return PyUnicode_FromFormat(
          is_object_index(value.type_index) ? "CAny(object, type_index=%d)" : "CAny(type_index=%d)",
          value.type_index);
  }
}

PyObject* any_get_type_index(PyObject* self, void*) {
  return PyLong_FromLong(any_value(self)->type_index);
}

PyObject* any_reduce(PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "cannot pickle 'tvm_ffi.core.CAny' object");
  return nullptr;
}

PyGetSetDef any_getset[] = {
    {"type_index", any_get_type_index, nullptr, "Type index of the value.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef any_methods[] = {
    {"__reduce__", any_reduce, METH_NOARGS, "Refuses: a raw value cannot be pickled."},
    {nullptr, nullptr, 0, nullptr}};

// Steals `plain`, a str or bytes, and returns it as an instance of `cls` (String or Bytes). A
// TVMFFIAny stores a short text directly, and the usual conversion returns a plain str or bytes.
// This function gives a short text the same class as a long text, which is a native object.
PyObject* in_class(PyTypeObject* cls, PyObject* plain) {
  Ref owner(plain);
  return owner ? PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(cls), plain, nullptr)
               : nullptr;
}

PyObject* to_py_class_value(PyObject*, PyObject* x) {
  if (!PyObject_TypeCheck(x, &AnyType)) {
    PyErr_Format(PyExc_TypeError, "expected a CAny, got %s", Py_TYPE(x)->tp_name);
    return nullptr;
  }
  const TVMFFIAny& value = *any_value(x);
  if (value.type_index == kTVMFFISmallStr) {
    return in_class(state().string_type, small_str_to_py(value));
  }
  if (value.type_index == kTVMFFISmallBytes) {
    return in_class(state().bytes_type, small_bytes_to_py(value));
  }
  return value_to_py_borrowed(value);
}

constexpr Parameters kToPyClassValueParameters = {"_to_py_class_value", 1, {"self"}};

PyMethodDef any_functions[] = {
    named_method(kToPyClassValueParameters, named_one<to_py_class_value, kToPyClassValueParameters>,
                 "_to_py_class_value($module, self)\n--\n\n"
                 "The value of a CAny as a Python object."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* any_new_steal(const TVMFFIAny& value) {
  PyObject* self = AnyType.tp_alloc(&AnyType, 0);
  if (self == nullptr) {
    TVMFFIAny lost = value;
    value_release(&lost);
    return nullptr;
  }
  *any_value(self) = value;
  return self;
}

int any_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&AnyType, "tvm_ffi.core.CAny", sizeof(AnyObject), Py_TPFLAGS_BASETYPE,
                 "CAny(value=None)\n--\n\nOne FFI value, kept as it is.");
  t->tp_new = PyType_GenericNew;
  t->tp_init = any_init;
  t->tp_dealloc = any_dealloc;
  t->tp_repr = any_repr;
  t->tp_getset = any_getset;
  t->tp_methods = any_methods;
  if (type_add(module, t) < 0) return -1;
  return PyModule_AddFunctions(module, any_functions);
}

}  // namespace binding

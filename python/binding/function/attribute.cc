// SPDX-License-Identifier: Apache-2.0
// The attributes that describe a core.Function: `__name__`, `__qualname__`, `__module__`, `__doc__`
// and `__signature__`. They are not stored: tvm_ffi._signatures.function computes each from the
// runtime's description when it is read. A value that the user sets on the function hides the
// computed one, since the descriptors have no setter.
#include "../call.h"
#include "../callback.h"
#include "../convert/convert.h"
#include "../type/types.h"
#include "function.h"

namespace binding {
namespace {

// The descriptor of one attribute.
struct AttributeObject {
  PyObject_HEAD const char* name;
};

const char* attribute_name(PyObject* self) {
  return reinterpret_cast<AttributeObject*>(self)->name;
}

// Computes the attribute for `function`. Runs Python.
PyObject* attribute_get(PyObject* self, PyObject* function, PyObject* type) {
  if (function == nullptr || function == Py_None) {
    // Raise AttributeError, because inspect.signature would use an attribute of the class as the
    // signature of the constructor.
    return PyErr_Format(PyExc_AttributeError, "type object '%s' has no attribute '%s'",
                        type == nullptr || !PyType_Check(type)
                            ? "tvm_ffi.core.Function"
                            : reinterpret_cast<PyTypeObject*>(type)->tp_name,
                        attribute_name(self));
  }
  Ref read(state_import("tvm_ffi._signatures.function", "attribute"));
  return read ? PyObject_CallFunction(read.get(), "Os", function, attribute_name(self)) : nullptr;
}

PyTypeObject AttributeType = static_type();

// Adds one attribute to core.Function. Returns 0, or -1 with an exception set.
int attribute_add(const char* name) {
  auto* attribute = PyObject_New(AttributeObject, &AttributeType);
  if (attribute == nullptr) return -1;
  attribute->name = name;
  Ref owned(reinterpret_cast<PyObject*>(attribute));
  return PyDict_SetItemString(FunctionType.tp_dict, name, owned.get());
}

}  // namespace

int function_attributes_init() {
  PyTypeObject* t = &AttributeType;
  t->tp_name = "tvm_ffi.core._FunctionAttribute";
  t->tp_basicsize = sizeof(AttributeObject);
  t->tp_flags = Py_TPFLAGS_DEFAULT;
  t->tp_descr_get = attribute_get;
  if (PyType_Ready(t) < 0) return -1;
  for (const char* name : {"__name__", "__qualname__", "__module__", "__doc__", "__signature__"}) {
    if (attribute_add(name) < 0) return -1;
  }
  PyType_Modified(&FunctionType);
  return 0;
}

PyObject* function_describe(PyObject*, PyObject* function) {
  static RuntimeFunction describe("ffi._FunctionDescribe");
  if (!PyObject_TypeCheck(function, &FunctionType)) {
    return PyErr_Format(PyExc_TypeError, "_describe_function expects a Function, got %s",
                        Py_TYPE(function)->tp_name);
  }
  TVMFFIObject* handle = function_handle_or_raise(function);
  if (handle == nullptr) return nullptr;
  PyObject* known = function_wrapper_name(function);
  Ref name = Ref::borrow(known == nullptr ? state().names.empty : known);
  const char* text = PyUnicode_AsUTF8(name.get());
  if (text == nullptr) return nullptr;
  TVMFFIAny args[2] = {value_none(), value_none()}, result;
  args[0].type_index = kTVMFFIFunction;
  args[0].v_obj = handle;
  args[1].type_index = kTVMFFIRawStr;
  args[1].v_c_str = text;
  ObjectOwner keep = ObjectOwner::borrow(handle);
  if (describe.call(args, 2, &result) < 0) return nullptr;  // may run code of a library
  Ref description(value_to_py_steal(result));
  PyObject* callable = callback_callable(handle);
  if (callable == nullptr) callable = Py_None;
  PyObject* parameters = reinterpret_cast<FunctionWrapper*>(function)->parameters;
  if (parameters == nullptr) parameters = Py_None;
  return description ? PyTuple_Pack(4, callable, name.get(), description.get(), parameters)
                     : nullptr;
}

}  // namespace binding

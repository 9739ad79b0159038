// SPDX-License-Identifier: Apache-2.0
// The slots that make core.Tensor an array: length, items, iteration, and the number of a tensor
// with one element. Arithmetic and assignment are refused with a remedy.
#include "../convert/convert.h"
#include "../type/types.h"
#include "tensor.h"

namespace binding {
namespace {

// Calls `tvm_ffi._values.items.NAME(self, ...)`.
template <typename... Args>
PyObject* call_items(const char* name, Args... args) {
  Ref function(state_import("tvm_ffi._values.items", name));
  return function ? PyObject_CallFunctionObjArgs(function.get(), args..., nullptr) : nullptr;
}

PyObject* tensor_item(PyObject* self, PyObject* key) { return call_items("item", self, key); }

PyObject* tensor_number(PyObject* self, PyTypeObject* kind) {
  return call_items("number_of", self, reinterpret_cast<PyObject*>(kind));
}

// Without these slots, int() and float() would parse the buffer of a tensor as text.
PyObject* tensor_int(PyObject* self) { return tensor_number(self, &PyLong_Type); }
PyObject* tensor_float(PyObject* self) { return tensor_number(self, &PyFloat_Type); }

int tensor_bool(PyObject* self) {
  Ref number(tensor_number(self, &PyBool_Type));
  return number ? number.get() == Py_True : -1;
}

Py_ssize_t tensor_length(PyObject* self) {
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return -1;
  if (t->ndim != 0) return static_cast<Py_ssize_t>(t->shape[0]);
  PyErr_SetString(PyExc_TypeError, "a tensor of 0 dimensions has no len()");
  return -1;
}

int refuse_use(const char* what) {
  PyErr_Format(PyExc_TypeError, "a Tensor does not support %s: use numpy.asarray(x)", what);
  return -1;
}

// Without this slot, `in` would compare the items of the first dimension.
int tensor_contains(PyObject*, PyObject*) { return refuse_use("`in`"); }

int tensor_assign(PyObject*, PyObject*, PyObject*) {
  return refuse_use("assignment to items, or their deletion");
}

PyObject* refuse_unary(PyObject*) {
  refuse_use("arithmetic");
  return nullptr;
}

// Returns whether no method of the operand can handle an operation with a tensor.
bool has_no_tensors(PyObject* x) {
  return PyLong_CheckExact(x) || PyFloat_CheckExact(x) || PyComplex_CheckExact(x) ||
         PyBool_Check(x) || PyObject_TypeCheck(x, &TensorType);
}

// Refuses arithmetic with numbers and tensors. Arrays of other libraries, which may accept tensors,
// are asked first, whether they are on the left or on the right.
PyObject* refuse_binary(PyObject* a, PyObject* b) {
  if (!has_no_tensors(a) || !has_no_tensors(b)) Py_RETURN_NOTIMPLEMENTED;
  return refuse_unary(a);
}

PyObject* refuse_power(PyObject* a, PyObject* b, PyObject*) { return refuse_binary(a, b); }

}  // namespace

PyObject* tensor_iter(PyObject* self) { return call_items("items", self); }

PyObject* tensor_to_list(PyObject* self, PyObject*) { return call_items("list_of", self); }

PySequenceMethods tensor_sequence_methods = [] {
  PySequenceMethods methods{};
  methods.sq_contains = tensor_contains;
  return methods;
}();

PyMappingMethods tensor_mapping_methods = {tensor_length, tensor_item, tensor_assign};

PyNumberMethods tensor_number_methods = [] {
  PyNumberMethods methods{};
  methods.nb_int = tensor_int;
  methods.nb_float = tensor_float;
  methods.nb_bool = tensor_bool;
  methods.nb_power = refuse_power;
  for (unaryfunc* slot :
       {&methods.nb_negative, &methods.nb_positive, &methods.nb_absolute, &methods.nb_invert}) {
    *slot = refuse_unary;
  }
  for (binaryfunc* slot :
       {&methods.nb_add, &methods.nb_subtract, &methods.nb_multiply, &methods.nb_matrix_multiply,
        &methods.nb_true_divide, &methods.nb_floor_divide, &methods.nb_remainder,
        &methods.nb_divmod, &methods.nb_lshift, &methods.nb_rshift, &methods.nb_and, &methods.nb_or,
        &methods.nb_xor}) {
    *slot = refuse_binary;
  }
  return methods;
}();

}  // namespace binding

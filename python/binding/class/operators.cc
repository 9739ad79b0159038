// SPDX-License-Identifier: Apache-2.0
// Functions for comparison, hash and deep copy of data classes, over all objects that can be
// reached. The Python part of the package adds the functions to a class as methods; _use_operators
// also sets the slots, so that the interpreter calls the functions without looking up a method.
#include <iterator>

#include "../call.h"
#include "../raise.h"
#include "initializer.h"

namespace binding {
namespace {

RuntimeFunction runtime_recursive_eq("ffi.RecursiveEq");
RuntimeFunction runtime_recursive_lt("ffi.RecursiveLt");
RuntimeFunction runtime_recursive_le("ffi.RecursiveLe");
RuntimeFunction runtime_recursive_gt("ffi.RecursiveGt");
RuntimeFunction runtime_recursive_ge("ffi.RecursiveGe");
RuntimeFunction runtime_recursive_hash("ffi.RecursiveHash");
RuntimeFunction runtime_deep_copy("ffi.DeepCopy");

RuntimeFunction& recursive_of(int op) {
  switch (op) {
    case Py_LT:
      return runtime_recursive_lt;
    case Py_LE:
      return runtime_recursive_le;
    case Py_GT:
      return runtime_recursive_gt;
    case Py_GE:
      return runtime_recursive_ge;
    default:
      return runtime_recursive_eq;
  }
}

bool operands_are_related(PyObject* self, PyObject* other) {
  PyTypeObject *a = Py_TYPE(self), *b = Py_TYPE(other);
  return a == b || (is_wrapper(self) && is_wrapper(other) &&
                    (PyType_IsSubtype(a, b) || PyType_IsSubtype(b, a)));
}

// Computes `self op other` by content; NotImplemented for unrelated classes. Runs Python hooks.
PyObject* compare_by_value(PyObject* self, PyObject* other, int op) {
  if (!operands_are_related(self, other)) Py_RETURN_NOTIMPLEMENTED;
  CallMark mark;
  PairSection section(self, other);
  TVMFFIObject *a = as_wrapper(self)->handle, *b = as_wrapper(other)->handle;
  bool is_equality = op == Py_EQ || op == Py_NE;
  if (is_equality && (a == b || a == nullptr || b == nullptr)) {
    return PyBool_FromLong((a == b) == (op == Py_EQ));
  }
  if (a == nullptr || b == nullptr) {
    wrapper_handle_or_raise(a == nullptr ? self : other);
    return nullptr;
  }
  TVMFFIAny args[2], result;
  value_set_object(&args[0], a);
  value_set_object(&args[1], b);
  if (recursive_of(op).call(args, 2, &result) < 0) return nullptr;
  return PyBool_FromLong((result.v_int64 != 0) != (op == Py_NE));
}

Py_hash_t hash_by_value(PyObject* self) {
  CallMark mark;
  Section section(self);
  TVMFFIObject* object = as_wrapper(self)->handle;
  if (object == nullptr) return CObjectType.tp_hash(self);
  TVMFFIAny arg, result;
  value_set_object(&arg, object);
  if (runtime_recursive_hash.call(&arg, 1, &result) < 0) return -1;
  auto hash = static_cast<Py_hash_t>(result.v_int64);
  return hash == -1 ? -2 : hash;
}

// ---- the operators as methods

template <int op>
PyObject* operator_compare(PyObject* self, PyObject* other) {
  return compare_by_value(self, other, op);
}

PyObject* operator_hash(PyObject* self, PyObject*) {
  Py_hash_t hash = hash_by_value(self);
  return hash == -1 ? nullptr : PyLong_FromSsize_t(hash);
}

PyObject* operator_deepcopy(PyObject* self, PyObject*) {
  CallMark mark;
  Section section(self);
  TVMFFIObject* object = wrapper_handle_or_raise(self);
  if (object == nullptr) return nullptr;
  TVMFFIAny arg, result;
  value_set_object(&arg, object);
  if (BINDING_LIKELY(runtime_deep_copy.call(&arg, 1, &result) == 0)) {
    return value_to_py_steal(result);
  }
  add_refused_place("deepcopy", self, Py_None);
  return nullptr;
}

PyMethodDef operator_methods[] = {
    {"__eq__", operator_compare<Py_EQ>, METH_O, "Whether the fields are equal."},
    {"__ne__", operator_compare<Py_NE>, METH_O, "Whether some field differs."},
    {"__lt__", operator_compare<Py_LT>, METH_O, "Whether the fields come before the other's."},
    {"__le__", operator_compare<Py_LE>, METH_O, "Whether the fields do not come after."},
    {"__gt__", operator_compare<Py_GT>, METH_O, "Whether the fields come after the other's."},
    {"__ge__", operator_compare<Py_GE>, METH_O, "Whether the fields do not come before."},
    {"__hash__", operator_hash, METH_NOARGS, "Hash of the fields."},
    {"__deepcopy__", operator_deepcopy, METH_VARARGS,
     "A copy that shares nothing with the object; the memo is not used."},
};

// ---- the operators as slots

// Returns whether the method lookup of the class finds this operator in `operator_methods`.
bool operator_is_ours(PyTypeObject* cls, const char* name) {
  Ref key(PyUnicode_FromString(name));
  PyObject* found = key ? _PyType_Lookup(cls, key.get()) : nullptr;
  if (found == nullptr || !PyObject_TypeCheck(found, &PyMethodDescr_Type)) return false;
  auto* def = reinterpret_cast<PyMethodDescrObject*>(found)->d_method;
  return def >= std::begin(operator_methods) && def < std::end(operator_methods);
}

// Returns whether the class inherits this operator from `object`.
bool operator_is_plain(PyTypeObject* cls, const char* name) {
  Ref key(PyUnicode_FromString(name));
  PyObject* found = key ? _PyType_Lookup(cls, key.get()) : nullptr;
  return found != nullptr && Py_TYPE(found) == &PyWrapperDescr_Type;
}

PyObject* compare_equality_alone(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  return compare_by_value(self, other, op);
}

constexpr const char* kOrder[] = {"__lt__", "__le__", "__gt__", "__ge__"};

PyObject* use_operators(PyObject*, PyObject* cls_object) {
  if (!PyType_Check(cls_object) ||
      !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls_object), &CObjectType)) {
    return PyErr_Format(PyExc_TypeError, "%R is not a class of objects", cls_object);
  }
  auto* cls = reinterpret_cast<PyTypeObject*>(cls_object);
  if (operator_is_ours(cls, "__eq__") && operator_is_ours(cls, "__ne__")) {
    int ours = 0, plain = 0;
    for (const char* name : kOrder) {
      ours += operator_is_ours(cls, name);
      plain += operator_is_plain(cls, name);
    }
    // The slot tp_richcompare implements all six comparisons. When a method of the class is changed
    // later, the interpreter sets its own function in the slot again.
    if (ours == 4) cls->tp_richcompare = compare_by_value;
    if (plain == 4) cls->tp_richcompare = compare_equality_alone;
  }
  if (operator_is_ours(cls, "__hash__")) cls->tp_hash = hash_by_value;
  if (PyErr_Occurred()) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef operator_functions[] = {
    {"_use_operators", use_operators, METH_O,
     "_use_operators($module, cls, /)\n--\n\n"
     "Use the fast path to the operators of `core._operators` that the class has."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int operators_init(PyObject* module) {
  Ref table(PyDict_New());
  if (!table) return -1;
  for (PyMethodDef& def : operator_methods) {
    Ref method(shared_method_new(module, &def));
    if (!method || PyDict_SetItemString(table.get(), def.ml_name, method.get()) < 0) return -1;
  }
  if (PyModule_AddObject(module, "_operators", table.get()) < 0) return -1;
  table.release();
  return PyModule_AddFunctions(module, operator_functions);
}

}  // namespace binding

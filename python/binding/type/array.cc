// SPDX-License-Identifier: Apache-2.0
// core.CContainerBase and core._ArrayBase: the sequence behaviour of container.Array in C slots
// that read the native cells, without a call into the runtime.
#include <cstring>

#include "../call.h"
#include "types.h"

namespace binding {
namespace {

struct ArrayIterator {
  PyObject_HEAD PyObject* array;  // NULL when exhausted
  int64_t next;
};

// Cells of the array in `self`; NULL with an exception set when it is empty or holds no array.
BINDING_INLINE TVMFFISeqCell* array_cell(PyObject* self) {
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (BINDING_UNLIKELY(obj == nullptr)) {
    wrapper_handle_or_raise(self);
    return nullptr;
  }
  if (BINDING_UNLIKELY(obj->type_index != kTVMFFIArray)) {
    PyErr_SetString(PyExc_TypeError, "this Array holds a native object that is no array");
    return nullptr;
  }
  return reinterpret_cast<TVMFFISeqCell*>(obj + 1);
}

BINDING_INLINE PyObject* array_element(PyObject* self, const TVMFFISeqCell* cell, int64_t i) {
  const TVMFFIAny& value = static_cast<const TVMFFIAny*>(cell->data)[i];
  if (BINDING_LIKELY(value.type_index == kTVMFFIInt)) return PyLong_FromLongLong(value.v_int64);
  const DLPackExchangeAPI* api = reinterpret_cast<ContainerWrapper*>(self)->exchange_api;
  if (BINDING_UNLIKELY(api != nullptr)) return value_to_framework_borrowed(api, value);
  return value_to_py_borrowed(value);
}

Py_ssize_t array_length(PyObject* self) {
  TVMFFISeqCell* cell = array_cell(self);
  return cell == nullptr ? -1 : static_cast<Py_ssize_t>(cell->size);
}

int array_bool(PyObject* self) {
  TVMFFISeqCell* cell = array_cell(self);
  return cell == nullptr ? -1 : cell->size != 0;
}

BINDING_COLD PyObject* raise_index(const TVMFFISeqCell* cell, Py_ssize_t index) {
  PyErr_Format(PyExc_IndexError, "Index out of range. size: %zd, got index %zd",
               static_cast<Py_ssize_t>(cell->size), index);
  return nullptr;
}

// `index` as Python gives it, negative from the end.
BINDING_INLINE PyObject* array_at(PyObject* self, Py_ssize_t index) {
  TVMFFISeqCell* cell = array_cell(self);
  if (BINDING_UNLIKELY(cell == nullptr)) return nullptr;
  Py_ssize_t i = index < 0 ? index + cell->size : index;
  if (BINDING_UNLIKELY(i < 0 || i >= cell->size)) return raise_index(cell, index);
  return array_element(self, cell, i);
}

// sq_item is called with the length already added to negative indices.
PyObject* array_item(PyObject* self, Py_ssize_t i) {
  TVMFFISeqCell* cell = array_cell(self);
  if (cell == nullptr) return nullptr;
  if (i < 0 || i >= cell->size) return raise_index(cell, i);
  return array_element(self, cell, i);
}

PyObject* array_slice(PyObject* self, PyObject* slice) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(slice, &start, &stop, &step) < 0) return nullptr;
  TVMFFISeqCell* cell = array_cell(self);
  if (cell == nullptr) return nullptr;
  Py_ssize_t n = PySlice_AdjustIndices(cell->size, &start, &stop, step);
  Ref list(PyList_New(n));
  if (!list) return nullptr;
  // Element conversion may run Python, so the array is kept, whatever happens to `self`.
  ObjectOwner keep = ObjectOwner::borrow(as_wrapper(self)->handle);
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = array_element(self, cell, start + i * step);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(list.get(), i, item);
  }
  return list.release();
}

BINDING_COLD PyObject* array_subscript_other(PyObject* self, PyObject* key) {
  if (PySlice_Check(key)) return array_slice(self, key);
  if (!PyIndex_Check(key)) {
    PyErr_Format(PyExc_TypeError, "indices must be integers or slices, not %s",
                 Py_TYPE(key)->tp_name);
    return nullptr;
  }
  Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);  // runs Python
  if (index == -1 && PyErr_Occurred()) return nullptr;
  return array_at(self, index);
}

PyObject* array_subscript(PyObject* self, PyObject* key) {
  int64_t index;
  if (BINDING_LIKELY(PyLong_CheckExact(key) && compat_compact_int(key, &index))) {
    return array_at(self, static_cast<Py_ssize_t>(index));
  }
  return array_subscript_other(self, key);
}

// One of the runtime's functions, looked up when first wanted; NULL with an exception set.
TVMFFIObject* runtime_function(const char* name, TVMFFIObject** kept) {
  if (*kept == nullptr) {
    TVMFFIByteArray key{name, std::strlen(name)};
    TVMFFIObjectHandle out = nullptr;
    if (TVMFFIFunctionGetGlobal(&key, &out) == 0) *kept = static_cast<TVMFFIObject*>(out);
    if (*kept == nullptr) PyErr_Format(PyExc_RuntimeError, "the runtime lacks %s", name);
  }
  return *kept;
}

// 1, 0, or -1 with an exception set: a Python value that an array can be compared with.
int is_foreign_sequence(PyObject* x) {
  if (PyList_Check(x) || PyTuple_Check(x)) return 1;
  if (PyUnicode_Check(x) || PyBytes_Check(x) || PyDict_Check(x) || PyLong_Check(x) ||
      PyFloat_Check(x) || x == Py_None) {
    return 0;
  }
  static PyObject* sequence = nullptr;  // collections.abc.Sequence, owned for ever
  if (sequence == nullptr) {
    sequence = state_import("collections.abc", "Sequence");
    if (sequence == nullptr) return -1;
  }
  return PyObject_IsInstance(x, sequence);  // may run Python
}

// Native array of a Python sequence for a comparison; NULL without an exception where the elements
// cannot be converted, which only means that the two differ.
TVMFFIObject* array_to_compare(PyObject* x) {
  TVMFFIObject* array = array_from_iterable(x);
  if (array == nullptr &&
      (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError))) {
    PyErr_Clear();
  }
  return array;
}

// Recursive equality of two native arrays by the runtime. 1, 0 or -1.
int arrays_equal(TVMFFIObject* a, TVMFFIObject* b) {
  static TVMFFIObject* kept = nullptr;  // never changes once set
  TVMFFIObject* f = runtime_function("ffi.RecursiveEq", &kept);
  if (f == nullptr) return -1;
  TVMFFIAny args[2], result;
  value_set_object(&args[0], a);
  value_set_object(&args[1], b);
  if (call_values(f, args, 2, &result) < 0) return -1;
  return result.v_int64 != 0;
}

PyObject* array_richcompare(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  TVMFFISeqCell* cell = array_cell(self);
  if (cell == nullptr) return nullptr;
  ObjectOwner mine = ObjectOwner::borrow(as_wrapper(self)->handle);
  ObjectOwner theirs;
  if (PyObject_TypeCheck(other, &ArrayBaseType)) {
    if (array_cell(other) == nullptr) return nullptr;
    theirs = ObjectOwner::borrow(as_wrapper(other)->handle);
  } else {
    int is = is_foreign_sequence(other);
    if (is < 0) return nullptr;
    if (is == 0) Py_RETURN_NOTIMPLEMENTED;
    theirs = ObjectOwner(array_to_compare(other));
    if (!theirs) {
      if (PyErr_Occurred()) return nullptr;
      Py_RETURN_NOTIMPLEMENTED;
    }
  }
  int equal = arrays_equal(mine.get(), theirs.get());
  return equal < 0 ? nullptr : PyBool_FromLong((equal != 0) == (op == Py_EQ));
}

Py_hash_t array_hash(PyObject* self) {
  static TVMFFIObject* kept = nullptr;  // never changes once set
  if (array_cell(self) == nullptr) return -1;
  TVMFFIObject* f = runtime_function("ffi.RecursiveHash", &kept);
  if (f == nullptr) return -1;
  TVMFFIAny arg, result;
  value_set_object(&arg, as_wrapper(self)->handle);
  if (call_values(f, &arg, 1, &result) < 0) return -1;
  Ref number(PyLong_FromLongLong(result.v_int64));
  return number ? PyObject_Hash(number.get()) : -1;
}

// An element that equals a Python sequence, which no FFI value does by identity. 1, 0 or -1.
int array_contains_sequence(PyObject* self, PyObject* value) {
  ObjectOwner wanted(array_to_compare(value));
  if (!wanted) return PyErr_Occurred() ? -1 : 0;
  ObjectOwner keep = ObjectOwner::borrow(as_wrapper(self)->handle);
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(keep.get() + 1);
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny& item = static_cast<const TVMFFIAny*>(cell->data)[i];
    if (item.type_index != kTVMFFIArray) continue;
    int equal = arrays_equal(item.v_obj, wanted.get());
    if (equal != 0) return equal;
  }
  return 0;
}

int array_contains(PyObject* self, PyObject* value) {
  static TVMFFIObject* kept = nullptr;  // never changes once set
  if (array_cell(self) == nullptr) return -1;
  TVMFFIObject* f = runtime_function("ffi.ArrayContains", &kept);
  if (f == nullptr) return -1;
  PyObject* args[] = {self, value};
  TVMFFIAny result;
  if (call_native_raw(f, Lock::kHold, args, 2, nullptr, &result) < 0) return -1;
  if (result.v_int64 != 0) return 1;
  int is = is_foreign_sequence(value);
  return is <= 0 ? is : array_contains_sequence(self, value);
}

PyObject* array_iter(PyObject* self) {
  if (array_cell(self) == nullptr) return nullptr;
  auto* it = PyObject_New(ArrayIterator, &ArrayIteratorType);
  if (it == nullptr) return nullptr;
  it->array = compat_new_ref(self);
  it->next = 0;
  return reinterpret_cast<PyObject*>(it);
}

PyObject* iterator_next(PyObject* self) {
  auto* it = reinterpret_cast<ArrayIterator*>(self);
  if (BINDING_UNLIKELY(it->array == nullptr)) return nullptr;
  TVMFFISeqCell* cell = array_cell(it->array);
  if (BINDING_UNLIKELY(cell == nullptr)) return nullptr;
  if (BINDING_LIKELY(it->next < cell->size)) return array_element(it->array, cell, it->next++);
  Py_CLEAR(it->array);
  return nullptr;
}

PyObject* iterator_length_hint(PyObject* self, PyObject*) {
  auto* it = reinterpret_cast<ArrayIterator*>(self);
  TVMFFISeqCell* cell = it->array == nullptr ? nullptr : array_cell(it->array);
  PyErr_Clear();
  return PyLong_FromLongLong(cell == nullptr || cell->size < it->next ? 0 : cell->size - it->next);
}

void iterator_dealloc(PyObject* self) {
  Py_XDECREF(reinterpret_cast<ArrayIterator*>(self)->array);
  PyObject_Free(self);
}

// Items of both sides in one tuple, then one array.
PyObject* array_concat(PyObject* lhs, PyObject* rhs) {
  PyObject* self = PyObject_TypeCheck(lhs, &ArrayBaseType) ? lhs : rhs;
  for (PyObject* side : {lhs, rhs}) {
    if (Py_TYPE(side)->tp_iter == nullptr && !PySequence_Check(side)) Py_RETURN_NOTIMPLEMENTED;
  }
  Ref items(PySequence_List(lhs));
  if (!items) return nullptr;
  Ref more(PySequence_List(rhs));
  if (!more ||
      PyList_SetSlice(items.get(), PyList_GET_SIZE(items.get()), PY_SSIZE_T_MAX, more.get()) < 0) {
    return nullptr;
  }
  ObjectOwner array(array_from_iterable(items.get()));
  if (!array) return nullptr;
  PyTypeObject* type = Py_TYPE(self);
  return wrapper_new_steal(type, false, array.release());
}

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

int container_traverse(PyObject*, visitproc, void*) { return 0; }
int container_clear(PyObject*) { return 0; }

PySequenceMethods array_as_sequence = {};
PyMappingMethods array_as_mapping = {};
PyNumberMethods array_as_number = {};
PyMethodDef array_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "Array[T] in annotations."},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef iterator_methods[] = {
    {"__length_hint__", iterator_length_hint, METH_NOARGS, "Number of elements left."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject ContainerBaseType = static_type();
PyTypeObject ArrayBaseType = static_type();
PyTypeObject ArrayIteratorType = static_type();

int container_type_init(PyObject* module) {
  PyTypeObject* c = &ContainerBaseType;
  c->tp_name = "tvm_ffi.core.CContainerBase";
  c->tp_doc = "A container of FFI values.";
  c->tp_base = &CObjectType;
  c->tp_basicsize = sizeof(ContainerWrapper);
  c->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  c->tp_dealloc = wrapper_dealloc_static;
  c->tp_traverse = container_traverse;
  c->tp_clear = container_clear;
  if (type_add(module, c) < 0) return -1;

  PyTypeObject* it = &ArrayIteratorType;
  it->tp_name = "tvm_ffi.core._ArrayIterator";
  it->tp_basicsize = sizeof(ArrayIterator);
  it->tp_flags = Py_TPFLAGS_DEFAULT;
  it->tp_dealloc = iterator_dealloc;
  it->tp_iter = PyObject_SelfIter;
  it->tp_iternext = iterator_next;
  it->tp_methods = iterator_methods;
  if (PyType_Ready(it) < 0) return -1;

  array_as_sequence.sq_length = array_length;
  array_as_sequence.sq_item = array_item;
  array_as_sequence.sq_contains = array_contains;
  array_as_mapping.mp_length = array_length;
  array_as_mapping.mp_subscript = array_subscript;
  array_as_number.nb_add = array_concat;
  array_as_number.nb_bool = array_bool;
  PyTypeObject* t = &ArrayBaseType;
  t->tp_name = "tvm_ffi.core._ArrayBase";
  t->tp_doc = "The sequence behaviour of container.Array.";
  t->tp_base = &ContainerBaseType;
  t->tp_basicsize = sizeof(ContainerWrapper);
  t->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
#ifdef Py_TPFLAGS_SEQUENCE
  t->tp_flags |= Py_TPFLAGS_SEQUENCE;
#endif
  t->tp_dealloc = wrapper_dealloc_static;
  t->tp_traverse = container_traverse;
  t->tp_clear = container_clear;
  t->tp_init = array_init;
  t->tp_iter = array_iter;
  t->tp_richcompare = array_richcompare;
  t->tp_hash = array_hash;
  t->tp_methods = array_methods;
  t->tp_as_sequence = &array_as_sequence;
  t->tp_as_mapping = &array_as_mapping;
  t->tp_as_number = &array_as_number;
  return type_add(module, t);
}

}  // namespace binding

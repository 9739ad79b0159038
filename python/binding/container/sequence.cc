// SPDX-License-Identifier: Apache-2.0
// core._SequenceBase, the read access that Array and List share: its slots read the native cells.
#include <charconv>
#include <cstring>
#include <string_view>

#include "../named.h"
#include "../state.h"
#include "search.h"

namespace binding {
namespace {

struct SequenceIterator {
  PyObject_HEAD PyObject* sequence;  // NULL when exhausted
  int64_t next;
  int64_t end;  // elements added during the iteration are not visited
};

PyTypeObject SequenceIteratorType = static_type();

Py_ssize_t sequence_length(PyObject* self) {
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  return cell == nullptr ? -1 : static_cast<Py_ssize_t>(cell->size);
}

int sequence_bool(PyObject* self) {
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  return cell == nullptr ? -1 : cell->size != 0;
}

BINDING_INLINE PyObject* sequence_element(PyObject* self, const TVMFFISeqCell* cell, int64_t i) {
  return element_to_py(container_api(self), static_cast<const TVMFFIAny*>(cell->data)[i]);
}

// Returns the element at `index`; a negative index counts from the end, as in Python.
BINDING_INLINE PyObject* sequence_at(PyObject* self, Py_ssize_t index) {
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  if (BINDING_UNLIKELY(cell == nullptr)) return nullptr;
  Py_ssize_t i = index < 0 ? index + cell->size : index;
  if (BINDING_UNLIKELY(i < 0 || i >= cell->size)) return raise_index(cell->size, index);
  return sequence_element(self, cell, i);
}

// sq_item is called with the length already added to negative indices.
PyObject* sequence_item(PyObject* self, Py_ssize_t i) {
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  if (cell == nullptr) return nullptr;
  if (i < 0 || i >= cell->size) return raise_index(cell->size, i);
  return sequence_element(self, cell, i);
}

PyObject* sequence_slice(PyObject* self, PyObject* slice) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(slice, &start, &stop, &step) < 0) return nullptr;
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  if (cell == nullptr) return nullptr;
  Py_ssize_t n = PySlice_AdjustIndices(cell->size, &start, &stop, step);
  Ref list(PyList_New(n));
  if (!list) return nullptr;
  // Element conversion may run Python, which may release `self` or shorten a list.
  ObjectOwner keep = ObjectOwner::borrow(as_wrapper(self)->handle);
  for (Py_ssize_t i = 0; i < n; ++i) {
    Py_ssize_t at = start + i * step;
    if (at >= cell->size) return raise_index(cell->size, at);
    PyObject* item = sequence_element(self, cell, at);
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(list.get(), i, item);
  }
  return list.release();
}

BINDING_COLD PyObject* sequence_subscript_other(PyObject* self, PyObject* key) {
  if (PySlice_Check(key)) return sequence_slice(self, key);
  if (!PyIndex_Check(key)) {
    PyErr_Format(PyExc_TypeError, "indices must be integers or slices, not %s",
                 Py_TYPE(key)->tp_name);
    return nullptr;
  }
  Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);  // runs Python
  if (index == -1 && PyErr_Occurred()) return nullptr;
  return sequence_at(self, index);
}

PyObject* sequence_subscript(PyObject* self, PyObject* key) {
  int64_t index;
  if (BINDING_LIKELY(PyLong_CheckExact(key) && compat_compact_int(key, &index))) {
    return sequence_at(self, static_cast<Py_ssize_t>(index));
  }
  return sequence_subscript_other(self, key);
}

// Returns 1 if a native sequence can be compared with the Python value `x`, 0 if not, or -1 with an
// exception set.
int is_foreign_sequence(PyObject* x) {
  if (PyList_Check(x) || PyTuple_Check(x)) return 1;
  if (PyUnicode_Check(x) || PyBytes_Check(x) || PyDict_Check(x) || PyLong_Check(x) ||
      PyFloat_Check(x) || x == Py_None) {
    return 0;
  }
  return is_instance_of_lazy(x, &state().sequence_abc);  // may run Python
}

// Returns `made`. If the conversion refused the elements, clears the exception and returns NULL,
// because then the two sides of the comparison differ.
TVMFFIObject* or_different(TVMFFIObject* made) {
  if (made == nullptr &&
      (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError))) {
    clear_error();
  }
  return made;
}

bool same_class(PyObject* self, PyObject* other) {
  return PyObject_TypeCheck(self, &ListBaseType) == PyObject_TypeCheck(other, &ListBaseType);
}

PyObject* sequence_richcompare(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  CallMark mark;
  if (sequence_cell(self) == nullptr) return nullptr;
  ObjectOwner mine = ObjectOwner::borrow(as_wrapper(self)->handle);
  ObjectOwner theirs;
  if (PyObject_TypeCheck(other, &SequenceBaseType) && same_class(self, other)) {
    if (sequence_cell(other) == nullptr) return nullptr;
    theirs = ObjectOwner::borrow(as_wrapper(other)->handle);
  } else {
    int is = is_foreign_sequence(other);
    if (is < 0) return nullptr;
    if (is == 0) Py_RETURN_NOTIMPLEMENTED;
    theirs = ObjectOwner(or_different(sequence_like(self, other)));
    if (!theirs) {
      if (PyErr_Occurred()) return nullptr;
      Py_RETURN_NOTIMPLEMENTED;
    }
  }
  PairSection section(self, other);
  int equal = recursive_equal(mine.get(), theirs.get());
  return equal < 0 ? nullptr : PyBool_FromLong((equal != 0) == (op == Py_EQ));
}

Py_hash_t sequence_hash(PyObject* self) {
  CallMark mark;
  Section section(self);
  return sequence_cell(self) == nullptr ? -1 : recursive_hash(as_wrapper(self)->handle);
}

PyObject* sequence_iter(PyObject* self) {
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  if (cell == nullptr) return nullptr;
  auto* it = PyObject_New(SequenceIterator, &SequenceIteratorType);
  if (it == nullptr) return nullptr;
  it->sequence = compat_new_ref(self);
  it->next = 0;
  it->end = cell->size;
  return reinterpret_cast<PyObject*>(it);
}

// Write a text or a number to `at`, and return the position behind it.
char* append(char* at, std::string_view text) {
  return static_cast<char*>(std::memcpy(at, text.data(), text.size())) + text.size();
}
char* append(char* at, Py_ssize_t number) {
  constexpr int kMostCharacters = 20;  // of an integer of 64 bits
  return std::to_chars(at, at + kMostCharacters, number).ptr;
}

BINDING_COLD PyObject* raise_shrunk(int64_t index, int64_t size) {
  PyErr_Format(PyExc_IndexError, "Index %lld out of bounds %lld", static_cast<long long>(index),
               static_cast<long long>(size));
  return nullptr;
}

PyObject* sequence_iterator_next(PyObject* self) {
  auto* it = reinterpret_cast<SequenceIterator*>(self);
  if (BINDING_UNLIKELY(it->sequence == nullptr)) return nullptr;
  Section section(it->sequence);
  TVMFFISeqCell* cell = sequence_cell(it->sequence);
  if (BINDING_UNLIKELY(cell == nullptr)) return nullptr;
  if (BINDING_LIKELY(it->next < it->end)) {
    if (BINDING_UNLIKELY(it->next >= cell->size)) return raise_shrunk(it->next, cell->size);
    return sequence_element(it->sequence, cell, it->next++);
  }
  if (BINDING_HAS_GIL) Py_CLEAR(it->sequence);  // else another thread may use the same iterator
  return nullptr;
}

PyObject* sequence_iterator_length_hint(PyObject* self, PyObject*) {
  auto* it = reinterpret_cast<SequenceIterator*>(self);
  return PyLong_FromLongLong(it->sequence == nullptr ? 0 : it->end - it->next);
}

void sequence_iterator_dealloc(PyObject* self) {
  Py_XDECREF(reinterpret_cast<SequenceIterator*>(self)->sequence);
  PyObject_Free(self);
}

// Concatenates the items of both sides in a Python list, then makes a sequence of the class of the
// operand that is a native sequence.
PyObject* sequence_concat(PyObject* lhs, PyObject* rhs) {
  PyObject* self = PyObject_TypeCheck(lhs, &SequenceBaseType) ? lhs : rhs;
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
  TVMFFIObject* made = sequence_like(self, items.get());
  return made == nullptr ? nullptr : wrapper_new_steal(Py_TYPE(self), false, made);
}

PySequenceMethods sequence_as_sequence = {};
PyMappingMethods sequence_as_mapping = {};
PyNumberMethods sequence_as_number = {};
constexpr Parameters kIndexParameters = {"index", 1, {"value", "start", "stop"}};
constexpr Parameters kCountParameters = {"count", 1, {"value"}};
PyMethodDef sequence_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "The class in annotations."},
    named_method(kIndexParameters, named_placed<sequence_index, kIndexParameters>,
                 "index($self, value, start=0, stop=None)\n--\n\n"
                 "Return the place of the first element that `in` finds.\n\n"
                 "Raises ValueError where there is none."),
    named_method(kCountParameters, named_one<sequence_count, kCountParameters>,
                 "count($self, value)\n--\n\n"
                 "Return the number of elements that `in` finds."),
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef sequence_iterator_methods[] = {
    {"__length_hint__", sequence_iterator_length_hint, METH_NOARGS, "Number of elements left."},
    {nullptr, nullptr, 0, nullptr}};

int sequence_iterator_type_init() {
  PyTypeObject* it = &SequenceIteratorType;
  it->tp_name = "tvm_ffi.core._SequenceIterator";
  it->tp_basicsize = sizeof(SequenceIterator);
  it->tp_flags = Py_TPFLAGS_DEFAULT;
  it->tp_dealloc = sequence_iterator_dealloc;
  it->tp_iter = PyObject_SelfIter;
  it->tp_iternext = sequence_iterator_next;
  it->tp_methods = sequence_iterator_methods;
  return PyType_Ready(it);
}

}  // namespace

TVMFFISeqCell* sequence_cell_slow(PyObject* self) {
  if (wrapper_handle_or_raise(self) == nullptr) return nullptr;
  PyErr_Format(PyExc_TypeError, "this %s holds a native object that is not a sequence",
               Py_TYPE(self)->tp_name);
  return nullptr;
}

PyObject* raise_index(Py_ssize_t size, Py_ssize_t index) {
  // PyErr_Format would take more time than the rest of the failed access.
  char message[96];
  char* end = append(message, "Index out of range. size: ");
  end = append(append(append(end, size), ", got index "), index);
  *end = '\0';
  PyErr_SetString(PyExc_IndexError, message);
  return nullptr;
}

TVMFFIObject* sequence_like(PyObject* self, PyObject* iterable) {
  return PyObject_TypeCheck(self, &ListBaseType) ? list_from_iterable(iterable)
                                                 : array_from_iterable(iterable);
}

PyTypeObject SequenceBaseType = static_type();

int sequence_type_init(PyObject* module) {
  if (sequence_iterator_type_init() < 0) return -1;
  sequence_as_sequence.sq_length = sequence_length;
  sequence_as_sequence.sq_item = sequence_item;
  sequence_as_sequence.sq_contains = sequence_contains;
  sequence_as_mapping.mp_length = sequence_length;
  sequence_as_mapping.mp_subscript = sequence_subscript;
  sequence_as_number.nb_add = sequence_concat;
  sequence_as_number.nb_bool = sequence_bool;
  PyTypeObject* t = &SequenceBaseType;
  container_class(t, &ContainerBaseType, "tvm_ffi.core._SequenceBase",
                  "What sequences of FFI values have in common.", kMatchesSequence);
  t->tp_iter = sequence_iter;
  t->tp_richcompare = sequence_richcompare;
  t->tp_hash = sequence_hash;
  t->tp_methods = sequence_methods;
  t->tp_as_sequence = &sequence_as_sequence;
  t->tp_as_mapping = &sequence_as_mapping;
  t->tp_as_number = &sequence_as_number;
  return type_add(module, t);
}

}  // namespace binding

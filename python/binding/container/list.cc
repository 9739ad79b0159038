// SPDX-License-Identifier: Apache-2.0
// core._ListBase: the changes that a List allows, with the rules of Python's list. Every value is
// converted before the first change, since a conversion may run Python code; indices are checked
// again after the conversion.
#include <vector>

#include "../named.h"
#include "search.h"

namespace binding {
namespace {

using AnyList = ffi::List<ffi::Any>;

using HeldList = Held<ffi::ListObj, AnyList>;

PyObject* none_if(int rc) {
  if (rc < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* list_append(PyObject* self, PyObject* x) {
  ffi::Any value;
  if (any_from_py(x, &value) < 0) return nullptr;
  HeldList held(self);
  if (!held) return nullptr;
  return none_if(guarded([&] { held.container().push_back(std::move(value)); }));
}

// Replaces the range [start, stop) by the elements of a native list. `values` may be `self`.
int replace_range(const HeldList& held, Py_ssize_t start, Py_ssize_t stop, TVMFFIObject* values) {
  return guarded([&] {
    auto* source = reinterpret_cast<ffi::ListObj*>(values);
    std::vector<ffi::Any> inserted(source->begin(), source->end());
    std::vector<ffi::Any> erased(held.body->begin() + start, held.body->begin() + stop);
    AnyList list = held.container();
    list.reserve(static_cast<int64_t>(held.body->size() + inserted.size() - erased.size()));
    held.body->erase(start, stop);
    held.body->insert(start, inserted.begin(), inserted.end());
  });
}

PyObject* list_extend(PyObject* self, PyObject* iterable) {
  ObjectOwner values(list_from_iterable(iterable));
  if (!values) return nullptr;
  HeldList held(self);
  if (!held) return nullptr;
  return none_if(replace_range(held, held.size(), held.size(), values.get()));
}

PyObject* list_inplace_concat(PyObject* self, PyObject* iterable) {
  Ref done(list_extend(self, iterable));
  return done ? compat_new_ref(self) : nullptr;
}

PyObject* list_insert(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n != 2) {
    PyErr_Format(PyExc_TypeError, "insert expected 2 arguments, got %zd", n);
    return nullptr;
  }
  Py_ssize_t index = PyNumber_AsSsize_t(args[0], nullptr);  // clamps a huge int; runs Python
  if (index == -1 && PyErr_Occurred()) return nullptr;
  ffi::Any value;
  if (any_from_py(args[1], &value) < 0) return nullptr;
  HeldList held(self);
  if (!held) return nullptr;
  if (index < 0) index += held.size();
  if (index < 0) index = 0;
  if (index > held.size()) index = held.size();
  return none_if(guarded([&] {
    AnyList list = held.container();
    list.insert(list.begin() + index, std::move(value));
  }));
}

PyObject* list_pop(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n > 1) {
    PyErr_Format(PyExc_TypeError, "pop expected at most 1 argument, got %zd", n);
    return nullptr;
  }
  Py_ssize_t index = -1;
  if (n == 1) {
    index = PyNumber_AsSsize_t(args[0], PyExc_IndexError);  // runs Python
    if (index == -1 && PyErr_Occurred()) return nullptr;
  }
  HeldList held(self);
  if (!held) return nullptr;
  if (held.size() == 0) {
    PyErr_SetString(PyExc_IndexError, "pop from empty list");
    return nullptr;
  }
  Py_ssize_t i = index < 0 ? index + held.size() : index;
  if (i < 0 || i >= held.size()) return raise_index(held.size(), index);
  ffi::Any popped;
  if (guarded([&] {
        popped = held.body->at(i);
        held.body->erase(i);
      }) < 0) {
    return nullptr;
  }
  return element_to_py(container_api(self), raw_value(popped));
}

PyObject* list_remove(PyObject* self, PyObject* value) {
  HeldList held(self);
  if (!held) return nullptr;
  Wanted wanted;
  if (wanted.convert(value) < 0) return nullptr;
  int64_t found = sequence_find(self, wanted, 0, INT64_MAX);
  if (found == -2) return nullptr;
  if (found >= 0 && found < held.size()) {
    return none_if(guarded([&] { held.body->erase(found); }));
  }
  PyErr_SetString(PyExc_ValueError, "List.remove(x): x not in list");
  return nullptr;
}

PyObject* list_clear(PyObject* self, PyObject*) {
  HeldList held(self);
  // All values are moved out before the first one is released: a destructor may use the list.
  return held ? none_if(guarded([&] { held.body->erase(0, held.size()); })) : nullptr;
}

PyObject* list_reverse(PyObject* self, PyObject*) {
  HeldList held(self);
  return held ? none_if(guarded([&] { held.body->Reverse(); })) : nullptr;
}

// ---- assignment and deletion by index

int list_set_index(PyObject* self, Py_ssize_t index, PyObject* x) {
  ffi::Any value;
  if (x != nullptr && any_from_py(x, &value) < 0) return -1;
  HeldList held(self);
  if (!held) return -1;
  Py_ssize_t i = index < 0 ? index + held.size() : index;
  if (i < 0 || i >= held.size()) {
    raise_index(held.size(), index);
    return -1;
  }
  return guarded([&] {
    if (x == nullptr) {
      held.body->erase(i);
    } else {
      held.body->SetItem(i, std::move(value));
    }
  });
}

// ---- assignment and deletion by slice

int list_delete_strided(const HeldList& held, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n) {
  return guarded([&] {
    if (step < 0) {
      start += (n - 1) * step;
      step = -step;
    }
    std::vector<ffi::Any> kept, removed;
    Py_ssize_t next = start;
    for (Py_ssize_t i = 0; i < held.size(); ++i) {
      bool gone = i == next && static_cast<Py_ssize_t>(removed.size()) < n;
      if (gone) next += step;
      (gone ? removed : kept).push_back(held.body->begin()[i]);
    }
    held.body->erase(0, held.size());
    held.body->insert(0, kept.begin(), kept.end());
  });
}

int list_set_strided(const HeldList& held, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n,
                     TVMFFIObject* values) {
  auto* source = reinterpret_cast<ffi::ListObj*>(values);
  if (static_cast<Py_ssize_t>(source->size()) != n) {
    PyErr_Format(PyExc_ValueError,
                 "attempt to assign sequence of size %zd to extended slice of size %zd",
                 static_cast<Py_ssize_t>(source->size()), n);
    return -1;
  }
  return guarded([&] {
    std::vector<ffi::Any> items(source->begin(), source->end());
    for (Py_ssize_t k = 0; k < n; ++k) {
      held.body->SetItem(start + k * step, std::move(items[static_cast<size_t>(k)]));
    }
  });
}

int list_set_slice(PyObject* self, PyObject* slice, PyObject* iterable) {
  Py_ssize_t start, stop, step;
  ObjectOwner values;
  if (PySlice_Unpack(slice, &start, &stop, &step) < 0) return -1;  // runs Python
  values =
      ObjectOwner(iterable != nullptr ? list_from_iterable(iterable) : list_from_items(nullptr, 0));
  if (!values) return -1;
  HeldList held(self);
  if (!held) return -1;
  Py_ssize_t n = PySlice_AdjustIndices(held.size(), &start, &stop, step);
  if (step == 1) return replace_range(held, start, start + n, values.get());
  if (iterable != nullptr) return list_set_strided(held, start, step, n, values.get());
  return n == 0 ? 0 : list_delete_strided(held, start, step, n);
}

int list_ass_subscript(PyObject* self, PyObject* key, PyObject* value) {
  if (PySlice_Check(key)) return list_set_slice(self, key, value);
  if (!PyIndex_Check(key)) {
    PyErr_Format(PyExc_TypeError, "indices must be integers or slices, not %s",
                 Py_TYPE(key)->tp_name);
    return -1;
  }
  Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);  // runs Python
  if (index == -1 && PyErr_Occurred()) return -1;
  return list_set_index(self, index, value);
}

// sq_ass_item is called with the length already added to negative indices.
int list_ass_item(PyObject* self, Py_ssize_t i, PyObject* value) {
  return i < 0 ? (raise_index(0, i), -1) : list_set_index(self, i, value);
}

int list_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"input_list", nullptr};
  PyObject* input = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:List", const_cast<char**>(keywords), &input)) {
    return -1;
  }
  TVMFFIObject* list = input == nullptr ? list_from_items(nullptr, 0) : list_from_iterable(input);
  if (list == nullptr) return -1;
  return wrapper_adopt_steal(as_wrapper(self), list);
}

PySequenceMethods list_as_sequence = {};
PyMappingMethods list_as_mapping = {};
PyNumberMethods list_as_number = {};
constexpr Parameters kAppendParameters = {"append", 1, {"value"}};
constexpr Parameters kExtendParameters = {"extend", 1, {"values"}};
constexpr Parameters kInsertParameters = {"insert", 2, {"index", "value"}};
constexpr Parameters kPopParameters = {"pop", 0, {"index"}};
constexpr Parameters kRemoveParameters = {"remove", 1, {"value"}};

PyMethodDef list_methods[] = {
    named_method(kAppendParameters, named_one<list_append, kAppendParameters>,
                 "append($self, value)\n--\n\n"
                 "Add a value at the end."),
    named_method(kExtendParameters, named_one<list_extend, kExtendParameters>,
                 "extend($self, values)\n--\n\n"
                 "Add the items of an iterable at the end."),
    named_method(kInsertParameters, named_some<list_insert, kInsertParameters>,
                 "insert($self, index, value)\n--\n\n"
                 "Insert a value before an index."),
    named_method(kPopParameters, named_some<list_pop, kPopParameters>,
                 "pop($self, index=-1)\n--\n\n"
                 "Remove and return a value, by default the last."),
    named_method(kRemoveParameters, named_one<list_remove, kRemoveParameters>,
                 "remove($self, value)\n--\n\n"
                 "Remove the first value that equals the argument."),
    {"clear", list_clear, METH_NOARGS,
     "clear($self)\n--\n\n"
     "Remove all values."},
    {"reverse", list_reverse, METH_NOARGS,
     "reverse($self)\n--\n\n"
     "Reverse the order in place."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject ListBaseType = static_type();

int list_type_init(PyObject* module) {
  list_as_sequence.sq_ass_item = list_ass_item;
  list_as_mapping.mp_ass_subscript = list_ass_subscript;
  list_as_number.nb_inplace_add = list_inplace_concat;
  PyTypeObject* t = &ListBaseType;
  container_class(t, &SequenceBaseType, "tvm_ffi.core._ListBase",
                  "_ListBase(input_list=())\n--\n\nThe behaviour of container.List.",
                  kMatchesSequence);
  t->tp_init = list_init;
  t->tp_methods = list_methods;
  t->tp_as_sequence = &list_as_sequence;
  t->tp_as_mapping = &list_as_mapping;
  t->tp_as_number = &list_as_number;
  return type_add(module, t);
}

}  // namespace binding

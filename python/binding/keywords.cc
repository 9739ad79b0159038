// SPDX-License-Identifier: Apache-2.0
// Binding of keywords, with the messages of Python's own functions.
#include "keywords.h"

#include <new>

#include "state.h"

namespace binding {
namespace {

// Index of a name among the parameters; -1 where there is none, -2 with an exception set.
Py_ssize_t index_of(PyObject* names, PyObject* name) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    int equal = PyObject_RichCompareBool(PyTuple_GET_ITEM(names, i), name, Py_EQ);
    if (equal != 0) return equal < 0 ? -2 : i;
  }
  return -1;
}

int refuse(const char* format, PyObject* name, PyObject* parameter) {
  PyErr_Format(PyExc_TypeError, format, name, parameter);
  return -1;
}

}  // namespace

int BoundArguments::bind(PyObject* name, PyObject* parameters, PyObject* const* args, Py_ssize_t n,
                         PyObject* kwnames) {
  PyObject* names = PyTuple_GET_ITEM(parameters, 0);
  PyObject* defaults = PyTuple_GET_ITEM(parameters, 1);
  size_ = PyTuple_GET_SIZE(names);
  if (n > size_) {
    PyErr_Format(PyExc_TypeError, "%U() takes %zd positional arguments but %zd were given", name,
                 size_, n);
    return -1;
  }
  items_.reset(new (std::nothrow) PyObject*[static_cast<size_t>(size_) + 1]());
  if (items_ == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < n; ++i) items_[i] = args[i];
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(kwnames, k);
    Py_ssize_t i = index_of(names, keyword);
    if (i == -2) return -1;
    if (i == -1) return refuse("%U() got an unexpected keyword argument '%U'", name, keyword);
    if (items_[i] != nullptr) {
      return refuse("%U() got multiple values for argument '%U'", name, keyword);
    }
    items_[i] = args[n + k];
  }
  Py_ssize_t required = size_ - PyTuple_GET_SIZE(defaults);
  for (Py_ssize_t i = 0; i < size_; ++i) {
    if (items_[i] != nullptr) continue;
    if (i < required) {
      return refuse("%U() missing required argument: '%U'", name, PyTuple_GET_ITEM(names, i));
    }
    items_[i] = PyTuple_GET_ITEM(defaults, i - required);
  }
  return 0;
}

PyObject* keyword_parameters(PyObject** place) {
  if (*place != nullptr && (PyUnicode_Check(*place) || PyBytes_Check(*place))) {
    Ref find(
        state_import("tvm_ffi._keywords", PyUnicode_Check(*place) ? "of_global" : "of_metadata"));
    if (!find) return nullptr;
    PyObject* found = PyObject_CallFunctionObjArgs(find.get(), *place, nullptr);  // runs Python
    if (found == nullptr) return nullptr;
    Py_XSETREF(*place, found);
  }
  return *place != nullptr && PyTuple_Check(*place) ? *place : nullptr;
}

}  // namespace binding

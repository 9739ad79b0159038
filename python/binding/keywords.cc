// SPDX-License-Identifier: Apache-2.0
// Binding of keywords and defaults, with the messages of Python's own functions.
#include "keywords.h"

#include <cstdio>
#include <new>
#include <string_view>

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

// What a native function says of a call with the wrong number of arguments.
struct CountMismatch {
  std::string_view function;  // the last part of its name
  Py_ssize_t expected = -1;
  Py_ssize_t given = -1;

  explicit CountMismatch(std::string_view text) {
    constexpr std::string_view kHead = "Mismatched number of arguments when calling: `";
    constexpr std::string_view kTail = "`. Expected ";
    size_t counts = text.rfind(kTail);
    if (text.substr(0, kHead.size()) != kHead || counts == text.npos) return;
    std::string_view name = text.substr(kHead.size(), counts - kHead.size());
    name = last_part(name.substr(0, name.find('(')));
    // The text ends in a NUL, being all of a Python string.
    if (std::sscanf(text.data() + counts + kTail.size(), "%zd but got %zd arguments", &expected,
                    &given) == 2) {
      function = name;
    }
  }

  static std::string_view last_part(std::string_view name) {
    return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  }
};

// The text of a Python string; empty, with no exception set, for what is none.
std::string_view text_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* data = text == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(text, &size);
  if (data == nullptr) PyErr_Clear();
  return data == nullptr ? std::string_view() : std::string_view(data, static_cast<size_t>(size));
}

}  // namespace

int BoundArguments::reserve(Py_ssize_t size, PyObject* const* args, Py_ssize_t n) {
  size_ = size;
  items_.reset(new (std::nothrow) PyObject*[static_cast<size_t>(size) + 1]());
  if (items_ == nullptr) return -1;
  for (Py_ssize_t i = 0; i < n; ++i) items_[i] = args[i];
  return 0;
}

int BoundArguments::bind(PyObject* name, PyObject* parameters, PyObject* const* args, Py_ssize_t n,
                         PyObject* kwnames) {
  PyObject* names = PyTuple_GET_ITEM(parameters, 0);
  PyObject* defaults = PyTuple_GET_ITEM(parameters, 1);
  Py_ssize_t size = PyTuple_GET_SIZE(names);
  if (n > size) {
    PyErr_Format(PyExc_TypeError, "%U() takes %zd positional arguments but %zd were given", name,
                 size, n);
    return -1;
  }
  if (reserve(size, args, n) < 0) {
    PyErr_NoMemory();
    return -1;
  }
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

bool BoundArguments::fill(PyObject* parameters, PyObject* const* args, Py_ssize_t n) {
  PyObject* defaults = PyTuple_GET_ITEM(parameters, 1);
  Py_ssize_t size = PyTuple_GET_SIZE(PyTuple_GET_ITEM(parameters, 0));
  Py_ssize_t required = size - PyTuple_GET_SIZE(defaults);
  if (n >= size || n < required || reserve(size, args, n) < 0) return false;
  for (Py_ssize_t i = n; i < size; ++i) items_[i] = PyTuple_GET_ITEM(defaults, i - required);
  return true;
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

PyObject* parameters_with_defaults(PyObject** place, PyObject* name, Py_ssize_t n,
                                   Py_ssize_t receivers) {
  if (*place == nullptr || name == nullptr || !PyErr_ExceptionMatches(PyExc_TypeError)) {
    return nullptr;
  }
  Ref raised(compat_take_raised());
  Ref text(PyObject_Str(raised.get()));
  CountMismatch told(text_of(text.get()));
  if (told.given == n + receivers && told.function == CountMismatch::last_part(text_of(name))) {
    PyObject* parameters = keyword_parameters(place);  // may run Python
    PyErr_Clear();
    Py_ssize_t size = parameters ? PyTuple_GET_SIZE(PyTuple_GET_ITEM(parameters, 0)) : 0;
    Py_ssize_t defaults = parameters ? PyTuple_GET_SIZE(PyTuple_GET_ITEM(parameters, 1)) : 0;
    if (told.expected == size + receivers && n < size && n >= size - defaults) return parameters;
  }
  compat_set_raised_steal(raised.release());
  return nullptr;
}

}  // namespace binding

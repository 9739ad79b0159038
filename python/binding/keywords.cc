// SPDX-License-Identifier: Apache-2.0
// Binding of keywords and defaults, with the messages that Python uses for its own functions. The
// names, number and defaults of the parameters are read from the metadata of the function.
#include "keywords.h"

#include <new>
#include <string_view>

#include "state.h"
#include "utf8.h"

namespace binding {
namespace {

// Returns the index of `name` in `names`, -1 if it is not there, or -2 with an exception set.
Py_ssize_t index_of(PyObject* names, PyObject* name) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    int equal = PyObject_RichCompareBool(PyTuple_GET_ITEM(names, i), name, Py_EQ);
    if (equal != 0) return equal < 0 ? -2 : i;
  }
  return -1;
}

int raise_argument_error(const char* format, PyObject* name, PyObject* parameter) {
  PyErr_Format(PyExc_TypeError, format, name, parameter);
  return -1;
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
    if (i == -1) {
      refuse_unknown_keyword(name, names, keyword);
      return -1;
    }
    if (items_[i] != nullptr) {
      return raise_argument_error("%U() got multiple values for argument '%U'", name, keyword);
    }
    items_[i] = args[n + k];
  }
  Py_ssize_t required = size_ - PyTuple_GET_SIZE(defaults);
  for (Py_ssize_t i = 0; i < size_; ++i) {
    if (items_[i] != nullptr) continue;
    if (i < required) {
      return raise_argument_error("%U() missing required argument: '%U'", name,
                                  PyTuple_GET_ITEM(names, i));
    }
    items_[i] = PyTuple_GET_ITEM(defaults, i - required);
  }
  return 0;
}

bool BoundArguments::fill(PyObject* parameters, PyObject* const* args, Py_ssize_t n) {
  PyObject* defaults = PyTuple_GET_ITEM(parameters, 1);
  Py_ssize_t size = parameters_size(parameters);
  Py_ssize_t required = size - PyTuple_GET_SIZE(defaults);
  if (n >= size || n < required) return true;
  if (reserve(size, args, n) < 0) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t i = n; i < size; ++i) items_[i] = PyTuple_GET_ITEM(defaults, i - required);
  return true;
}

int bind_constructor(ClassInfo* info, PyObject* const* args, Py_ssize_t n, PyObject* kwnames,
                     BoundArguments* bound) {
  PyObject* parameters = keyword_parameters(&info->init_parameters);
  if (parameters == nullptr) return PyErr_Occurred() ? -1 : 0;
  Ref kept = Ref::borrow(parameters);
  if (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0) {
    if (!bound->fill(parameters, args, n)) return -1;
  } else {
    const TVMFFIByteArray& key = info->native->type_key;
    Ref type_key(utf8_to_py(key, "replace"));
    Ref name(type_key ? PyUnicode_FromFormat("%U.__init__", type_key.get()) : nullptr);
    if (!name || bound->bind(name.get(), parameters, args, n, kwnames) < 0) return -1;
  }
  return bound->items() != nullptr;
}

void refuse_unknown_keyword(PyObject* function, PyObject* names, PyObject* keyword) {
  if (names == nullptr) {
    PyErr_Format(
        PyExc_TypeError,
        "%U() got an unexpected keyword argument '%U': it takes positional arguments only, "
        "because it is registered without the names of its parameters (in C++ and Rust: "
        "arg_names)",
        function, keyword);
    return;
  }
  Ref make(state_import("tvm_ffi._signatures.keywords", "hint"));
  Ref hint(make ? PyObject_CallFunctionObjArgs(make.get(), keyword, names, nullptr) : nullptr);
  if (is_stop_raised()) return;
  clear_error();
  PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%U'%V", function, keyword,
               hint ? hint.get() : nullptr, "");
}

PyObject* metadata_with_names(const TVMFFIByteArray& metadata) {
  std::string_view text(metadata.data, metadata.size);
  if (text.find("\"arg_names\"") == text.npos) return nullptr;
  return PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* keyword_parameters(PyObject** place) {
  if (*place == nullptr || PyTuple_Check(*place)) return *place;
  Ref metadata = Ref::borrow(*place);
  Ref read(state_import("tvm_ffi._signatures.keywords", "of_metadata"));
  if (!read) return nullptr;
  Ref found(PyObject_CallFunctionObjArgs(read.get(), metadata.get(), nullptr));  // runs Python
  if (!found) return nullptr;
  PyObject* parameters = found.get() == Py_None ? nullptr : found.release();
  publish_steal(place, parameters);
  return parameters;
}

PyObject* parameters_with_defaults(PyObject** place) {
  PyObject* parameters = keyword_parameters(place);
  if (parameters == nullptr) {
    clear_error();  // Malformed metadata stays in `*place`: a call with keywords reports the error.
    return nullptr;
  }
  return PyTuple_GET_SIZE(PyTuple_GET_ITEM(parameters, 1)) != 0 ? parameters : nullptr;
}

}  // namespace binding

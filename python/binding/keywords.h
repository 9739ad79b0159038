// SPDX-License-Identifier: Apache-2.0
// Calls by keyword of native functions whose metadata names their parameters.
#pragma once

#include <memory>

#include "compat.h"
#include "ref.h"

namespace binding {

// Positional arguments bound from a call with keywords. Needs an attached thread throughout.
class BoundArguments {
 public:
  // `parameters` as tvm_ffi._keywords gives them: a tuple (names, defaults). `name` is that of the
  // function, for messages. 0, or -1 with TypeError as Python words it.
  int bind(PyObject* name, PyObject* parameters, PyObject* const* args, Py_ssize_t n,
           PyObject* kwnames);
  PyObject* const* items() const { return items_.get(); }
  Py_ssize_t size() const { return size_; }

 private:
  std::unique_ptr<PyObject*[]> items_;  // borrowed
  Py_ssize_t size_ = 0;
};

// What stands for the parameters in `*place`: a global name (str) is looked up, metadata (bytes) is
// read, and either replaced by what was found. The tuple, borrowed; NULL where keywords are not
// taken, or with an exception set.
PyObject* keyword_parameters(PyObject** place);

}  // namespace binding

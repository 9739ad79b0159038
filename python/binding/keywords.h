// SPDX-License-Identifier: Apache-2.0
// Calls of native functions whose metadata names their parameters: by keyword, and by position with
// the last ones left out.
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
  // Defaults for what a call by position leaves out. Whether they did; no exception is set.
  bool fill(PyObject* parameters, PyObject* const* args, Py_ssize_t n);
  PyObject* const* items() const { return items_.get(); }
  Py_ssize_t size() const { return size_; }

 private:
  int reserve(Py_ssize_t size, PyObject* const* args, Py_ssize_t n);

  std::unique_ptr<PyObject*[]> items_;  // borrowed
  Py_ssize_t size_ = 0;
};

// What stands for the parameters in `*place`: a global name (str) is looked up, metadata (bytes) is
// read, and either replaced by what was found. The tuple, borrowed; NULL where keywords are not
// taken, or with an exception set.
PyObject* keyword_parameters(PyObject** place);

// After a call by position failed, with the exception set: the parameters, borrowed and put into
// `*place`, when it says that `n` arguments are too few and defaults stand for the others; the
// exception is gone then. The native function tells that before anything of it has run. Else NULL,
// and the exception stands. `receivers`: how many arguments came before those n.
BINDING_COLD PyObject* parameters_with_defaults(PyObject** place, PyObject* name, Py_ssize_t n,
                                                Py_ssize_t receivers);

}  // namespace binding

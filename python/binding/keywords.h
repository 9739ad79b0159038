// SPDX-License-Identifier: Apache-2.0
// Calls of native functions whose metadata names their parameters: by keyword, and by position with
// the last ones left out. Names, number and defaults come from the metadata that is stored when the
// wrapper is made; it is parsed at the first call. No error message is ever parsed, and arguments
// are converted after they are bound, each once.
#pragma once

#include <tvm/ffi/c_api.h>

#include <memory>

#include "class_info.h"
#include "compat.h"
#include "ref.h"

namespace binding {

// Positional arguments bound from a call with keywords. Needs an attached thread throughout.
class BoundArguments {
 public:
  // `parameters` as tvm_ffi._signatures.keywords gives them: a tuple (names, defaults). `name` is
  // that of the function, for messages. 0, or -1 with TypeError as Python words it.
  int bind(PyObject* name, PyObject* parameters, PyObject* const* args, Py_ssize_t n,
           PyObject* kwnames);
  // Appends defaults for the last parameters where `n` positional arguments are too few and
  // defaults exist for all the others; otherwise items() stays NULL. False with MemoryError.
  bool fill(PyObject* parameters, PyObject* const* args, Py_ssize_t n);
  PyObject* const* items() const { return items_.get(); }
  Py_ssize_t size() const { return size_; }

 private:
  int reserve(Py_ssize_t size, PyObject* const* args, Py_ssize_t n);

  std::unique_ptr<PyObject*[]> items_;  // borrowed
  Py_ssize_t size_ = 0;
};

// Arguments of a constructor whose parameters have names, `info->init_parameters`: binds keywords
// and fills in defaults. 1 when `bound` has the arguments, 0 when they stay as they are, -1 with an
// exception set. May run Python.
int bind_constructor(ClassInfo* info, PyObject* const* args, Py_ssize_t n, PyObject* kwnames,
                     BoundArguments* bound);

// Raises TypeError for a keyword that a function does not take, with the parameter that is probably
// meant. `names` is a tuple of str; NULL: the function does not name its parameters. May run
// Python.
BINDING_COLD void refuse_unknown_keyword(PyObject* function, PyObject* names, PyObject* keyword);

// The metadata (JSON) as bytes when it names parameters. NULL otherwise, or with an exception set.
PyObject* metadata_with_names(const TVMFFIByteArray& metadata);

// The parameters, borrowed: a tuple (names, defaults). `*place` holds the tuple, or metadata
// (bytes), which this parses and replaces. NULL when no parameters are named, or with an exception
// set. May run Python.
PyObject* keyword_parameters(PyObject** place);

// The same, but NULL without an exception where the metadata is malformed or has no defaults.
PyObject* parameters_with_defaults(PyObject** place);

// The number of parameters.
inline Py_ssize_t parameters_size(PyObject* parameters) {
  return PyTuple_GET_SIZE(PyTuple_GET_ITEM(parameters, 0));
}

}  // namespace binding

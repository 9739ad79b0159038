// SPDX-License-Identifier: Apache-2.0
// Calls of native functions whose metadata names their parameters: with keywords, and with the last
// arguments omitted. Names, number and defaults of the parameters come from metadata (JSON), which
// is stored when the wrapper of the function is made, and is parsed at the first call. Each
// argument is converted once, after all arguments are bound to parameters.
#pragma once

#include <tvm/ffi/c_api.h>

#include <memory>

#include "class_info.h"
#include "compat.h"
#include "ref.h"

namespace binding {

// Positional arguments bound from a call with keywords. The thread must stay attached to the
// interpreter while the object lives.
class BoundArguments {
 public:
  // Binds keywords. `parameters` is a tuple (names, defaults) from tvm_ffi._signatures.keywords.
  // `name` is the name of the function for messages. Returns 0, or -1 with the same TypeError as
  // for a function written in Python.
  int bind(PyObject* name, PyObject* parameters, PyObject* const* args, Py_ssize_t n,
           PyObject* kwnames);
  // Appends defaults for the last parameters if `n` positional arguments are too few and all
  // omitted parameters have defaults; otherwise items() stays NULL. Returns false with MemoryError
  // set.
  bool fill(PyObject* parameters, PyObject* const* args, Py_ssize_t n);
  PyObject* const* items() const { return items_.get(); }
  Py_ssize_t size() const { return size_; }

 private:
  int reserve(Py_ssize_t size, PyObject* const* args, Py_ssize_t n);

  std::unique_ptr<PyObject*[]> items_;  // borrowed
  Py_ssize_t size_ = 0;
};

// Binds keywords and fills in defaults for a constructor whose parameters have names
// (`info->init_parameters`). Returns 1 if the call must use the arguments in `bound`, 0 if it can
// use the arguments in `args`, or -1 with an exception set. May run Python.
int bind_constructor(ClassInfo* info, PyObject* const* args, Py_ssize_t n, PyObject* kwnames,
                     BoundArguments* bound);

// Raises TypeError for a keyword that a function does not accept, and suggests a similar parameter.
// `names` is a tuple of str, or NULL if the function does not name its parameters. May run Python.
BINDING_COLD void refuse_unknown_keyword(PyObject* function, PyObject* names, PyObject* keyword);

// Returns the metadata (JSON) as bytes if it names parameters. Otherwise returns NULL without an
// exception; on failure, NULL with an exception set.
PyObject* metadata_with_names(const TVMFFIByteArray& metadata);

// Returns the parameters, borrowed: a tuple (names, defaults). `*place` holds the tuple, or
// metadata (bytes), which this function parses and replaces by the tuple. Returns NULL without an
// exception if the parameters have no names, and NULL with an exception set on failure. May run
// Python.
PyObject* keyword_parameters(PyObject** place);

// Returns the parameters like keyword_parameters, but NULL without an exception if the metadata is
// malformed or has no defaults.
PyObject* parameters_with_defaults(PyObject** place);

// Returns the number of parameters.
inline Py_ssize_t parameters_size(PyObject* parameters) {
  return PyTuple_GET_SIZE(PyTuple_GET_ITEM(parameters, 0));
}

}  // namespace binding

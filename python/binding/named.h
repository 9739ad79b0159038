// SPDX-License-Identifier: Apache-2.0
// Methods made in C whose parameters can be given by name as well, as those of a Python function.
#pragma once

#include "compat.h"

namespace binding {

// What a method is called and what its parameters are called; the first `required` must be given.
struct Parameters {
  static constexpr Py_ssize_t kMost = 4;
  const char* method;
  Py_ssize_t required;
  const char* names[kMost];

  Py_ssize_t count() const {
    Py_ssize_t n = 0;
    while (n < kMost && names[n] != nullptr) ++n;
    return n;
  }
};

inline Py_ssize_t parameter_position(const Parameters& p, PyObject* name) {
  for (Py_ssize_t i = 0; i < p.count(); ++i) {
    if (PyUnicode_CompareWithASCIIString(name, p.names[i]) == 0) return i;
  }
  return -1;
}

// Puts the arguments of a vectorcall, which are borrowed, into the order of the parameters. Returns
// how many there are, without gaps, or -1 with a TypeError.
BINDING_COLD inline Py_ssize_t bind_parameters(const Parameters& p, PyObject* const* args,
                                               Py_ssize_t n, PyObject* kwnames, PyObject** bound) {
  Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames), most = p.count();
  if (n > most) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zd argument%s (%zd given)", p.method, most,
                 most == 1 ? "" : "s", n + named);
    return -1;
  }
  for (Py_ssize_t i = 0; i < most; ++i) bound[i] = i < n ? args[i] : nullptr;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, k);
    Py_ssize_t i = parameter_position(p, name);
    if (i < 0 || bound[i] != nullptr) {
      PyErr_Format(PyExc_TypeError,
                   i < 0 ? "%s() got an unexpected keyword argument '%U'"
                         : "%s() got multiple values for argument '%U'",
                   p.method, name);
      return -1;
    }
    bound[i] = args[n + k];
  }
  Py_ssize_t given = 0;
  while (given < most && bound[given] != nullptr) ++given;
  if (given == n + named && given >= p.required) return given;
  PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'", p.method, p.names[given]);
  return -1;
}

using NamedFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);

// Takes one argument, as METH_O does.
template <PyCFunction F, const Parameters& P>
PyObject* named_one(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  if (BINDING_LIKELY(n == 1 && kwnames == nullptr)) return F(self, args[0]);
  PyObject* bound[Parameters::kMost];
  return bind_parameters(P, args, n, kwnames, bound) < 0 ? nullptr : F(self, bound[0]);
}

// Takes an array of arguments, as METH_FASTCALL does; F checks how many.
template <FastFunction F, const Parameters& P>
PyObject* named_some(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  if (BINDING_LIKELY(kwnames == nullptr)) return F(self, args, n);
  PyObject* bound[Parameters::kMost];
  Py_ssize_t given = bind_parameters(P, args, n, kwnames, bound);
  return given < 0 ? nullptr : F(self, bound, given);
}

// Takes a tuple of arguments, as METH_VARARGS does.
template <PyCFunction F, const Parameters& P>
PyObject* named_tuple(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  PyObject* bound[Parameters::kMost];
  Py_ssize_t given = bind_parameters(P, args, n, kwnames, bound);
  if (given < 0) return nullptr;
  PyObject* tuple = PyTuple_New(given);
  if (tuple == nullptr) return nullptr;
  for (Py_ssize_t i = 0; i < given; ++i) {
    Py_INCREF(bound[i]);
    PyTuple_SET_ITEM(tuple, i, bound[i]);
  }
  PyObject* result = F(self, tuple);
  Py_DECREF(tuple);
  return result;
}

// The entry of a method table. `doc` begins with the text signature.
inline PyMethodDef named_method(const Parameters& p, NamedFunction f, const char* doc,
                                int flags = 0) {
  return {p.method, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f)),
          METH_FASTCALL | METH_KEYWORDS | flags, doc};
}

}  // namespace binding

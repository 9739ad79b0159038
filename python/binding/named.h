// SPDX-License-Identifier: Apache-2.0
// Methods made in C whose parameters can also be given by name, like those of a Python function.
#pragma once

#include "compat.h"
#include "ref.h"

namespace binding {

// The name of a method and the names of its parameters. The first `required` parameters must be
// given; the last `keyword_only` parameters are keyword-only.
struct Parameters {
  static constexpr Py_ssize_t kMost = 4;
  const char* method;
  Py_ssize_t required;
  const char* names[kMost];
  Py_ssize_t keyword_only = 0;

  constexpr Py_ssize_t count() const {
    Py_ssize_t n = 0;
    while (n < kMost && names[n] != nullptr) ++n;
    return n;
  }
};

// Returns the names as Python objects, which are made at the first call with keywords and kept. An
// entry is NULL if memory ran out. Guarded by the GIL.
template <const Parameters& P>
PyObject* const* interned_names() {
  static PyObject* names[Parameters::kMost];
  for (Py_ssize_t i = 0; i < P.count(); ++i) {
    if (BINDING_LIKELY(names[i] != nullptr)) continue;
    names[i] = PyUnicode_InternFromString(P.names[i]);
    if (names[i] == nullptr) clear_error();  // parameter_position then compares the text
  }
  return names;
}

// Finds a keyword among the parameters. Keywords are nearly always interned, so the first pass
// compares only identities.
inline Py_ssize_t parameter_position(const Parameters& p, PyObject* const* interned,
                                     PyObject* name) {
  Py_ssize_t count = p.count();
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (interned[i] == name) return i;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (PyUnicode_CompareWithASCIIString(name, p.names[i]) == 0) return i;
  }
  return -1;
}

BINDING_COLD inline void refuse_positional(const Parameters& p, Py_ssize_t n, Py_ssize_t named) {
  Py_ssize_t most = p.count() - p.keyword_only;
  const char* plural = most == 1 ? "" : "s";
  if (p.keyword_only != 0) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd positional argument%s but %zd were given",
                 p.method, most, plural, n);
  } else {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zd argument%s (%zd given)", p.method, most,
                 plural, n + named);
  }
}

BINDING_COLD inline void refuse_name(const Parameters& p, Py_ssize_t position, PyObject* name) {
  PyErr_Format(PyExc_TypeError,
               position < 0 ? "%s() got an unexpected keyword argument '%U'"
                            : "%s() got multiple values for argument '%U'",
               p.method, name);
}

BINDING_COLD inline void refuse_gap(const Parameters& p, Py_ssize_t position) {
  PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'", p.method,
               p.names[position]);
}

// Stores the arguments of a vectorcall, borrowed, in `bound` in the order of the parameters. The
// element of a parameter without an argument is NULL. Returns 0, or -1 with a TypeError set.
template <const Parameters& P>
BINDING_INLINE int place_parameters(PyObject* const* args, Py_ssize_t n, PyObject* kwnames,
                                    PyObject** bound) {
  Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  if (BINDING_UNLIKELY(n > P.count() - P.keyword_only)) {
    refuse_positional(P, n, named);
    return -1;
  }
  for (Py_ssize_t i = 0; i < Parameters::kMost; ++i) bound[i] = i < n ? args[i] : nullptr;
  PyObject* const* interned = named == 0 ? nullptr : interned_names<P>();
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, k);
    Py_ssize_t i = parameter_position(P, interned, name);
    if (BINDING_UNLIKELY(i < 0 || bound[i] != nullptr)) {
      refuse_name(P, i, name);
      return -1;
    }
    bound[i] = args[n + k];
  }
  for (Py_ssize_t i = 0; i < P.required; ++i) {
    if (BINDING_LIKELY(bound[i] != nullptr)) continue;
    refuse_gap(P, i);
    return -1;
  }
  return 0;
}

// Orders the arguments like place_parameters, but refuses a call that omits a parameter and gives a
// later one. Returns the number of arguments, or -1 with a TypeError.
template <const Parameters& P>
BINDING_COLD Py_ssize_t bind_parameters(PyObject* const* args, Py_ssize_t n, PyObject* kwnames,
                                        PyObject** bound) {
  if (place_parameters<P>(args, n, kwnames, bound) < 0) return -1;
  Py_ssize_t all = n + (kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames)), given = 0;
  while (given < P.count() && bound[given] != nullptr) ++given;
  if (given == all) return given;
  refuse_gap(P, given);
  return -1;
}

// Packs the arguments of a vectorcall for __new__ and __init__: a tuple, and a dict or NULL.
class PackedArguments {
 public:
  PackedArguments(PyObject* const* args, Py_ssize_t n, PyObject* kwnames)
      : tuple_(PyTuple_New(n)), dict_(kwnames == nullptr ? nullptr : PyDict_New()) {
    is_whole_ = tuple_ && (dict_ || kwnames == nullptr);
    for (Py_ssize_t i = 0; is_whole_ && i < n; ++i) {
      PyTuple_SET_ITEM(tuple_.get(), i, compat_new_ref(args[i]));
    }
    for (Py_ssize_t i = 0; is_whole_ && dict_ && i < PyTuple_GET_SIZE(kwnames); ++i) {
      is_whole_ = PyDict_SetItem(dict_.get(), PyTuple_GET_ITEM(kwnames, i), args[n + i]) == 0;
    }
  }

  // Returns false after a failure, with an exception set.
  explicit operator bool() const { return is_whole_; }
  PyObject* tuple() const { return tuple_.get(); }
  PyObject* dict() const { return dict_.get(); }

 private:
  Ref tuple_, dict_;
  bool is_whole_;
};

using NamedFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);
using PlacedFunction = PyObject* (*)(PyObject*, PyObject* const*);

// Calls a function that takes one argument, like METH_O.
template <PyCFunction F, const Parameters& P>
PyObject* named_one(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  if (BINDING_LIKELY(n == 1 && kwnames == nullptr)) return F(self, args[0]);
  PyObject* bound[Parameters::kMost];
  return bind_parameters<P>(args, n, kwnames, bound) < 0 ? nullptr : F(self, bound[0]);
}

// Calls a function that takes an array of arguments, like METH_FASTCALL; F checks their number.
template <FastFunction F, const Parameters& P>
PyObject* named_some(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  if (BINDING_LIKELY(kwnames == nullptr)) return F(self, args, n);
  PyObject* bound[Parameters::kMost];
  Py_ssize_t given = bind_parameters<P>(args, n, kwnames, bound);
  return given < 0 ? nullptr : F(self, bound, given);
}

// Calls a function that takes an array with one element for each parameter. The element of a
// parameter without an argument is NULL.
template <PlacedFunction F, const Parameters& P>
PyObject* named_placed(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  PyObject* bound[Parameters::kMost];
  return place_parameters<P>(args, n, kwnames, bound) < 0 ? nullptr : F(self, bound);
}

// Calls a function that takes a tuple of arguments, like METH_VARARGS.
template <PyCFunction F, const Parameters& P>
PyObject* named_tuple(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  PyObject* bound[Parameters::kMost];
  Py_ssize_t given = bind_parameters<P>(args, n, kwnames, bound);
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

// Makes an entry of a method table. `doc` begins with the text signature.
inline PyMethodDef named_method(const Parameters& p, NamedFunction f, const char* doc,
                                int flags = 0) {
  return {p.method, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f)),
          METH_FASTCALL | METH_KEYWORDS | flags, doc};
}

}  // namespace binding

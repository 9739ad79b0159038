// SPDX-License-Identifier: Apache-2.0
// Pickling of objects. The runtime packs the graph of an object into three parts: `program`, bytes
// from which the graph can be built again; `types`, a list of the types in the graph; and
// `externals`, the values that pickle itself has to write (tensors, functions, modules and Python
// objects). `restore_graph` makes an object from these parts. If there are no externals, and
// `types` contains the class of the object, the pickle needs only the class: `__setstate__` of an
// empty instance takes `(program, types)`. A class that overrides `__getstate__` or `__setstate__`
// is pickled with the result of `__getstate__` instead; by default this is the graph as JSON text.
#pragma once

#include "../compat.h"

namespace binding {

// Methods of core.CObject.
PyObject* object_getstate(PyObject* self, PyObject*);
PyObject* object_setstate(PyObject* self, PyObject* content);
PyObject* object_reduce(PyObject* self, PyObject*);

// core._restore_graph(class or None, program, types, externals): returns the object.
PyObject* restore_graph(PyObject*, PyObject* args);

}  // namespace binding

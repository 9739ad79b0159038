// SPDX-License-Identifier: Apache-2.0
// The registry of Python classes of native types.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../type/types.h"

namespace binding {

// Binds a type to a class made in C, without adding members to the class. Returns 0, or -1 with an
// exception set.
int class_register_builtin(int32_t type_index, PyTypeObject* cls);

// Adds the members of a new definition to the class of a type that was defined again; attributes
// that the class body defines are kept. Returns 0, or -1 with an exception set. Runs only Python
// code of the package.
int class_refresh(int32_t type_index);

// Checks whether instances of the class can represent objects of the type. The class must derive
// from tvm_ffi.Object or, for a built-in type, from the class that the extension defines for values
// of this type. The class must not derive from the class of a type with fields that is not an
// ancestor. Returns 0, or -1 with a TypeError. Does not run Python code.
int class_check(const TVMFFITypeInfo* native, PyTypeObject* cls);

// Checks whether a class may define a new child of `parent` in Python: each registered class from
// which it derives must belong to `parent` or to an ancestor. Returns 0, or -1 with a TypeError.
// Does not run Python code.
int class_check_parent(const TVMFFITypeInfo* parent, PyTypeObject* cls);

// Assigns to `cls.__bases__`, unless a registered class among `cls` and its subclasses must not
// derive from the new bases. Returns 0, or -1 with an exception set. Runs
// Python.
int class_set_bases(PyTypeObject* cls, PyObject* name, PyObject* bases);

// Binds a type and a class without adding members to the class: values of the type become instances
// of the class in Python. NULL with an exception set.
ClassInfo* class_bind(int32_t type_index, PyTypeObject* cls);
// Undoes class_bind: removes everything that was recorded for the type.
void class_unbind(int32_t type_index, PyTypeObject* cls);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Class attributes that are also type attributes.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../type/types.h"

namespace binding {

extern PyTypeObject TraitType;  // core._Trait

// Stores the value of a type attribute in `*value`, owned; stores None if the type does not have
// the attribute. Returns 0, or -1 with an exception set.
int type_attr_copy(int32_t type_index, PyObject* name, TVMFFIAny* value);

// Returns whether an assignment to an attribute of a registered class has to change the type
// attribute of that name. If `value` is NULL, the attribute is to be deleted.
int trait_wants_assignment(PyTypeObject* cls, int32_t type_index, PyObject* name, PyObject* value);

// Assigns (or, with `value` NULL, deletes) the class attribute and the type attribute. Returns 0,
// or -1 with an exception set. Runs Python.
int trait_assign(PyObject* cls, PyObject* name, PyObject* value);

int trait_type_init(PyObject* module);

}  // namespace binding

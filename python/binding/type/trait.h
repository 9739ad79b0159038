// SPDX-License-Identifier: Apache-2.0
// Class attributes that are type attributes as well.
#pragma once

#include <tvm/ffi/c_api.h>

#include "types.h"

namespace binding {

extern PyTypeObject TraitType;  // core._Trait

// The value of a type attribute, owned; None when there is none. 0, or -1 with an exception set.
int type_attr_copy(int32_t type_index, PyObject* name, TVMFFIAny* value);

// Whether assigning to a name of a registered class, or deleting it (`value` NULL), has to change
// the type attribute of that name.
int trait_wants_assignment(PyTypeObject* cls, int32_t type_index, PyObject* name, PyObject* value);

// Assigns (deletes: `value` NULL) class attribute and type attribute. 0 or -1. Runs Python.
int trait_assign(PyObject* cls, PyObject* name, PyObject* value);

int trait_type_init(PyObject* module);

}  // namespace binding

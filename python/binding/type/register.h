// SPDX-License-Identifier: Apache-2.0
// The registry of Python classes of native types.
#pragma once

#include <tvm/ffi/c_api.h>

#include "types.h"

namespace binding {

// Binds a type to a class made in C, without adding anything to the class. 0 or -1.
int class_register_builtin(int32_t type_index, PyTypeObject* cls);

// Adds the members of a new definition to the class of a type that was defined again; names that
// its body defines stay. 0, or -1 with an exception set. Runs only Python code of the package.
int class_refresh(int32_t type_index);

// Value of a type's own attribute, borrowed from the type table; NULL when there is none.
const TVMFFIAny* type_attribute(int32_t type_index, const char* name);

// Whether instances of the class can stand for objects of the type: it derives from
// tvm_ffi.Object, or from the class made in C whose layout values of a built-in type have, and from
// no class of a type that is not an ancestor. 0, or -1 with a TypeError set. Runs no Python code.
int class_check(const TVMFFITypeInfo* native, PyTypeObject* cls);

// Binds a type and a class without adding anything to the class: values of the type come to Python
// as its instances. NULL with an exception set.
ClassInfo* class_bind(int32_t type_index, PyTypeObject* cls);
// Undoes class_bind: removes everything that was recorded for the type.
void class_unbind(int32_t type_index, PyTypeObject* cls);

}  // namespace binding

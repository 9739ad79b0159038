// SPDX-License-Identifier: Apache-2.0
// Truth values: the fast path of the conversion from Python, and the conversion to Python.
#pragma once

#include "../ref.h"

namespace binding {

inline void value_set_bool(TVMFFIAny* out, bool x) {
  out->type_index = kTVMFFIBool;
  out->zero_padding = 0;
  out->v_int64 = x;
}

// Converts an exact bool.
BINDING_INLINE void bool_exact_from_py(PyObject* x, TVMFFIAny* out) {
  value_set_bool(out, x == Py_True);
}

// Converts a truth value to Python. New reference; cannot fail.
BINDING_INLINE PyObject* bool_to_py(bool x) { return compat_new_ref(x ? Py_True : Py_False); }

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers: the fast path of the conversion from Python, and the conversion to
// Python.
#pragma once

#include "../ref.h"

namespace binding {

inline void value_set_float(TVMFFIAny* out, double x) {
  out->type_index = kTVMFFIFloat;
  out->zero_padding = 0;
  out->v_float64 = x;
}

// Converts an exact float.
BINDING_INLINE void float_exact_from_py(PyObject* x, TVMFFIAny* out) {
  value_set_float(out, PyFloat_AS_DOUBLE(x));
}

// Converts a float to Python. New reference, or NULL with MemoryError.
BINDING_INLINE PyObject* float_to_py(double x) { return PyFloat_FromDouble(x); }

}  // namespace binding

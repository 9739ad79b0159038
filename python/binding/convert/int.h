// SPDX-License-Identifier: Apache-2.0
// Integers: the fast path of the conversion from Python, and the conversion to Python.
#pragma once

#include "../ref.h"

namespace binding {

// Converts an exact int that has at most one internal digit. Returns false, and leaves `out`
// unspecified, for a longer int.
BINDING_INLINE bool int_exact_from_py(PyObject* x, TVMFFIAny* out) {
  int64_t value;
  if (BINDING_UNLIKELY(!compat_compact_int(x, &value))) return false;
  value_set_int(out, value);
  return true;
}

enum class IntRange : int { kRaised = -1, kFits = 0, kTooLarge = 1 };

// Reads an int as 64 bits. Returns kTooLarge, without an exception, if the int does not fit, and
// kRaised, with TypeError, if `x` is not an int; `*out` is -1 in both cases. Runs Python if `x` is
// not an int but has `__index__`.
inline IntRange int64_from_py(PyObject* x, int64_t* out) {
  int overflow = 0;
  *out = PyLong_AsLongLongAndOverflow(x, &overflow);
  if (BINDING_UNLIKELY(overflow != 0)) return IntRange::kTooLarge;
  return BINDING_UNLIKELY(*out == -1 && PyErr_Occurred()) ? IntRange::kRaised : IntRange::kFits;
}

// Converts an integer to Python. New reference, or NULL with MemoryError.
BINDING_INLINE PyObject* int_to_py(int64_t x) { return PyLong_FromLongLong(x); }

}  // namespace binding

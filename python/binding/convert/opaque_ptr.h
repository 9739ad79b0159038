// SPDX-License-Identifier: Apache-2.0
// Bare pointers: Python represents them as ints and as `ctypes.c_void_p`.
#pragma once

#include "../ref.h"

namespace binding {

inline void value_set_pointer(TVMFFIAny* out, void* address) {
  out->type_index = kTVMFFIOpaquePtr;
  out->zero_padding = 0;
  out->v_int64 = 0;
  out->v_ptr = address;
}

// Reads an address from an int. Returns 0, or -1 with an exception set: TypeError if `x` is not an
// int, OverflowError if the address has more bits than a pointer.
inline int address_from_py(PyObject* x, void** out) {
  *out = PyLong_AsVoidPtr(x);
  return *out == nullptr && PyErr_Occurred() ? -1 : 0;
}

}  // namespace binding

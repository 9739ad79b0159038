// SPDX-License-Identifier: Apache-2.0
// Data types: the parts of their conversion that the class core.DataType needs as well.
#pragma once

#include "../type/types.h"

namespace binding {

inline DLDataType* dtype_of(PyObject* x) { return &reinterpret_cast<DataTypeObject*>(x)->dtype; }

inline void value_set_dtype(TVMFFIAny* out, DLDataType dtype) {
  out->type_index = kTVMFFIDataType;
  out->zero_padding = 0;
  out->v_uint64 = 0;
  out->v_dtype = dtype;
}

inline uint32_t dtype_bits_of(DLDataType d) {
  return d.code | static_cast<uint32_t>(d.bits) << 8 | static_cast<uint32_t>(d.lanes) << 16;
}

// A new instance of a class below core.DataType; NULL with an exception set.
PyObject* dtype_new_value(PyTypeObject* cls, DLDataType dtype);
// A data type from its three numbers; false with OverflowError or ValueError for invalid numbers.
bool dtype_check(long code, long bits, long lanes, DLDataType* out);
// The text of a data type, a new str; NULL with an exception set.
PyObject* dtype_text(DLDataType dtype);

}  // namespace binding

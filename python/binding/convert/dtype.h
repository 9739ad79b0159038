// SPDX-License-Identifier: Apache-2.0
// Conversion of data types: the functions that the class core.DataType also needs.
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

// Makes an instance of a subclass of core.DataType. New reference; NULL with an exception set.
PyObject* dtype_new_value(PyTypeObject* cls, DLDataType dtype);
// Makes a data type from its three numbers; false with OverflowError or ValueError for invalid
// numbers.
bool dtype_check(long code, long bits, long lanes, DLDataType* out);
// Returns the text of a data type as a new str; NULL with an exception set.
PyObject* dtype_text(DLDataType dtype);

}  // namespace binding

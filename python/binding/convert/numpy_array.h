// SPDX-License-Identifier: Apache-2.0
// NumPy arrays, read in place: the C struct of an array has the same layout in every release, and
// the layout is checked against Python attributes before the first use. Reading the struct avoids
// the capsule that `ndarray.__dlpack__` makes for each tensor.
//
// Gain: a call with one array takes 0.33 of the time of a call with an array of a subclass, which
// uses the protocol (timeit with testing.nop; CPython 3.11, NumPy 2.4, x86-64). If the call
// allocates a tensor instead of borrowing the array (numpy_array_borrow), it takes 0.46 of that
// time, and a call with 26 arrays takes 2.5 times as long.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"
#include "convert.h"

namespace binding {

// Returns whether `type` is numpy.ndarray itself and its instances have the known layout. The first
// call with that class runs Python to check the layout. Leaves no exception set.
bool numpy_array_type_is_known(PyTypeObject* type);

// The description of an array. `shape` and `strides` have `ndim` elements; `strides` counts bytes.
struct NumpyArray {
  void* data;
  int32_t ndim;
  const int64_t* shape;
  const int64_t* strides;
  DLDataType dtype;
  int itemsize_log2;
};

// A NumPy data type that was read before and is recognised by its address. Owns the Python object.
class NumpyDtype {
 public:
  NumpyDtype() = default;
  ~NumpyDtype() { Py_XDECREF(descr_); }
  NumpyDtype(const NumpyDtype&) = delete;
  NumpyDtype& operator=(const NumpyDtype&) = delete;

  // Reads and stores the data type `descr`; false, without an exception, if its elements are not
  // numbers of a supported kind in the byte order of the machine.
  bool understand(PyObject* descr);
  bool is(PyObject* descr) const { return descr == descr_; }
  DLDataType dtype() const { return dtype_; }
  int itemsize_log2() const { return itemsize_log2_; }

 private:
  PyObject* descr_ = nullptr;
  DLDataType dtype_{};
  int itemsize_log2_ = 0;
};

// Describes an array of a known type; the pointers are valid until the array is reshaped. Returns
// false, without an exception, if the array is read-only, is not aligned, or has an unsupported
// data type. `last` caches the data type of the previous array, which is usually the same.
bool numpy_array_read(PyObject* array, NumpyDtype* last, NumpyArray* out);

// Makes a tensor for one call over the memory of an array of a known type, see tensor_borrow.
// Owned, or NULL: without an exception if the array cannot be borrowed, otherwise with MemoryError.
TVMFFIObject* numpy_array_borrow(PyObject* array);
// Makes a tensor over the memory of an array of a known type. The tensor keeps the array alive, and
// is read-only if the array is. Owned, or NULL: without an exception if the caller must use
// `__dlpack__` of the array instead, otherwise with an exception set.
TVMFFIObject* tensor_from_numpy_array(PyObject* array);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// NumPy arrays, read in place: the C struct of an array has the same layout in every release, and
// the layout is compared with what Python says before the first use. Reading it saves the capsule
// that `ndarray.__dlpack__` makes for each tensor.
//
// Gain: a call with an array takes 0.37 of the time of one with an array of a subclass, which goes
// through the protocol (python bench/ffi_bench.py --groups calls --filter numpy; CPython 3.11,
// NumPy 2.4, x86-64).
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/tensor.h>

#include "../compat.h"
#include "convert.h"

namespace binding {

// Whether `type` is numpy.ndarray itself, and the layout of its instances is the known one. Asks
// Python at the first call for that class; then may run Python. Leaves no exception set.
bool numpy_array_type_is_known(PyTypeObject* type);

// What native code may use of an array. `shape` has `ndim` extents; `strides` counts bytes.
struct NumpyArray {
  void* data;
  int32_t ndim;
  const int64_t* shape;
  const int64_t* strides;
  DLDataType dtype;
  int itemsize_log2;
};

// A data type of NumPy that was understood, to be recognised by its address. Owns the Python
// object.
class NumpyDtype {
 public:
  NumpyDtype() = default;
  ~NumpyDtype() { Py_XDECREF(descr_); }
  NumpyDtype(const NumpyDtype&) = delete;
  NumpyDtype& operator=(const NumpyDtype&) = delete;

  // Remembers the data type `descr`; false, without an exception, if it is not a plain number in
  // the byte order of the machine.
  bool understand(PyObject* descr);
  bool is(PyObject* descr) const { return descr == descr_; }
  DLDataType dtype() const { return dtype_; }
  int itemsize_log2() const { return itemsize_log2_; }

 private:
  PyObject* descr_ = nullptr;
  DLDataType dtype_{};
  int itemsize_log2_ = 0;
};

// Describes an array of a known type; the pointers are valid while the array is not reshaped.
// False, without an exception, for an array that only `__dlpack__` may export or refuse: read-only,
// not aligned, or with a data type that is not understood. `last` is the data type of the array
// before, which most often is that of this one.
bool numpy_array_read(PyObject* array, NumpyDtype* last, NumpyArray* out);

// A tensor over memory that Python owns. Shape and strides follow it in its allocation.
class BorrowedTensorObj : public tvm::ffi::TensorObj {
 public:
  BorrowedTensorObj();
  ~BorrowedTensorObj();

  // An object for tensors of up to `capacity` dimensions. Owned, or NULL with MemoryError set.
  static TVMFFIObject* make(int32_t capacity);

  // Takes over the description; false when the strides are not whole elements. Needs
  // space for its dimensions.
  bool describe(const NumpyArray& array);
  // The same for a tensor of another owner, on any device.
  void describe(const DLTensor& tensor);
  // Keeps `owner` alive as long as this object.
  void set_owner(PyObject* owner) {
    Py_INCREF(owner);
    owner_ = owner;
  }
  // Takes over a managed tensor, which keeps the memory alive as long as this object.
  void set_managed_steal(DLManagedTensorVersioned* managed) { managed_ = managed; }

 private:
  PyObject* owner_ = nullptr;                    // owned, or NULL
  DLManagedTensorVersioned* managed_ = nullptr;  // owned, or NULL
};

// The tensor behind a handle that BorrowedTensorObj::make returned.
inline BorrowedTensorObj* as_borrowed_tensor(TVMFFIObject* obj) {
  return static_cast<BorrowedTensorObj*>(reinterpret_cast<tvm::ffi::Object*>(obj));
}

// A tensor over the memory of an array of a known type, which it keeps alive; read-only if the
// array is. Owned; NULL, without an exception for an array that only `__dlpack__` may export or
// refuse.
TVMFFIObject* tensor_from_numpy_array(PyObject* array);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Tensors over memory that Python objects own. A tensor made for one call borrows the memory,
// because the caller keeps the arguments alive.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/tensor.h>

#include "convert.h"

namespace binding {

struct NumpyArray;

// A tensor over memory that Python owns. One allocation contains the object and, behind it, the
// shape and the strides.
class BorrowedTensorObj : public tvm::ffi::TensorObj {
 public:
  BorrowedTensorObj();
  ~BorrowedTensorObj();

  // Makes an object for tensors of up to `capacity` dimensions. Owned, or NULL with MemoryError.
  static TVMFFIObject* make(int32_t capacity);

  // Copies the description of an array; false if the strides are not whole elements. The capacity
  // must suffice for the dimensions.
  bool describe(const NumpyArray& array);
  // Copies the description of a tensor of another owner, on any device.
  void describe(const DLTensor& tensor);
  // Keeps `owner` alive for the lifetime of this object.
  void set_owner(PyObject* owner) {
    Py_INCREF(owner);
    owner_ = owner;
  }
  // Makes this object an owner of the tensor's memory: keeps `x` alive and, if `x` still has this
  // memory, a managed tensor of the framework. `api` is the exchange table of the class of `x`, or
  // NULL. May run Python; keeps a set exception.
  BINDING_COLD void own_memory(PyObject* x, const DLPackExchangeAPI* api);

 private:
  friend TVMFFIObject* tensor_borrow(PyObject*, const DLPackExchangeAPI*, const DLTensor&);
  friend TVMFFIObject* tensor_borrow(PyObject*, const NumpyArray&);
  friend void borrowed_tensor_release(TVMFFIObject*);

  PyObject* owner_ = nullptr;                    // owned, or NULL
  DLManagedTensorVersioned* managed_ = nullptr;  // owned, or NULL
  // While the tensor borrows memory for a call: the argument (borrowed) and the exchange table of
  // the argument's class.
  PyObject* argument_ = nullptr;
  const DLPackExchangeAPI* api_ = nullptr;
};

// Returns the tensor of a handle that BorrowedTensorObj::make returned.
inline BorrowedTensorObj* as_borrowed_tensor(TVMFFIObject* obj) {
  return static_cast<BorrowedTensorObj*>(reinterpret_cast<tvm::ffi::Object*>(obj));
}

// A tensor made by tensor_borrow has at most this number of dimensions.
constexpr int32_t kMaxBorrowedDimensions = 8;

// Makes a tensor for one call over the memory of the argument `x`, which `tensor` describes. Owned,
// or NULL with MemoryError. The caller passes the result to Temporaries::keep_borrowed_steal.
TVMFFIObject* tensor_borrow(PyObject* x, const DLPackExchangeAPI* api, const DLTensor& tensor);
// The same for an array of NumPy; NULL without an exception if the strides are not whole elements.
TVMFFIObject* tensor_borrow(PyObject* x, const NumpyArray& array);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Tensors over memory that Python objects own. Each tensor owns a reference to the Python object.
// The tensors that are made for one call come from a pool.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/tensor.h>

#include <utility>

#include "../attach.h"
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
  // Keeps `owner`, whose reference is stolen, alive for the lifetime of this object, or until
  // release_owner is called. The tensor must not have an owner.
  void set_owner_steal(PyObject* owner) { owner_ = owner; }
  // Adds this tensor, whose owner is a PyTorch tensor, to g_without_storage.
  void own_storage_later() {
    previous_ = &g_without_storage;
    next_ = std::exchange(g_without_storage, this);
    if (next_ != nullptr) next_->previous_ = &next_;
  }
  // Makes the storage the owner of a tensor in g_without_storage; nothing happens for other
  // tensors. If memory runs out, the PyTorch tensor stays the owner. Leaves an exception that is
  // set as it is. May run Python.
  void own_storage() {
    if (BINDING_UNLIKELY(previous_ != nullptr)) take_storage();
  }
  // Releases the owner, if any. The tensor must not be used until it is described again. May run
  // Python.
  void release_owner() {
    if (previous_ != nullptr) unlink();
    Py_CLEAR(owner_);
  }

 private:
  BINDING_COLD void take_storage();
  void unlink() {
    *previous_ = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
    previous_ = nullptr;
  }

  PyObject* owner_ = nullptr;  // owned, or NULL
  // The links in g_without_storage; `previous_` is NULL for a tensor that is not in the list.
  BorrowedTensorObj** previous_ = nullptr;
  BorrowedTensorObj* next_ = nullptr;
};

// Returns the tensor of a handle that BorrowedTensorObj::make returned.
inline BorrowedTensorObj* as_borrowed_tensor(TVMFFIObject* obj) {
  return static_cast<BorrowedTensorObj*>(reinterpret_cast<tvm::ffi::Object*>(obj));
}

// A tensor made by tensor_borrow has at most this number of dimensions.
constexpr int32_t kMaxBorrowedDimensions = 8;

// Makes a tensor for one call over memory that `owner` keeps alive, and that `tensor` describes.
// Steals the reference to `owner`. Owned, or NULL with MemoryError. The caller passes the result to
// Temporaries::keep_borrowed_steal.
TVMFFIObject* tensor_borrow_steal(PyObject* owner, const DLTensor& tensor);
// Makes a tensor in the same way, which is released with object_dec_ref.
TVMFFIObject* tensor_own_steal(PyObject* owner, const DLTensor& tensor);
// Makes a tensor for one call over the memory of an array of NumPy; NULL without an exception if
// the strides are not whole elements.
TVMFFIObject* tensor_borrow(PyObject* array, const NumpyArray& described);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
#include "borrowed_tensor.h"

#include <new>

#include "../raise.h"
#include "numpy_array.h"

namespace binding {

BorrowedTensorObj* g_without_storage = nullptr;

BorrowedTensorObj::BorrowedTensorObj() { shape = reinterpret_cast<int64_t*>(this + 1); }

BorrowedTensorObj::~BorrowedTensorObj() {
  if (owner_ == nullptr) return;
  Attach attached;
  // After the interpreter has shut down, Python objects must not be touched.
  if (attached) Py_DECREF(owner_);  // may run Python
}

void BorrowedTensorObj::take_storage() {
  RaisedAside aside;
  unlink();
  DLTensor now = *this;
  const DLPackExchangeAPI* api = exchange_api_of_type(Py_TYPE(owner_));
  Ref storage(api == nullptr ? nullptr : torch_storage(owner_, api, &now));
  if (!storage) return clear_error();
  // `storage` is that of other memory if other extensions ran Python code.
  if (now.data == data) storage = Ref(std::exchange(owner_, storage.release()));
}

void own_storages() {
  while (g_without_storage != nullptr) g_without_storage->own_storage();
}

TVMFFIObject* BorrowedTensorObj::make(int32_t capacity) {
  try {
    auto made = tvm::ffi::make_inplace_array_object<BorrowedTensorObj, int64_t>(
        2 * static_cast<size_t>(capacity));
    return reinterpret_cast<TVMFFIObject*>(
        tvm::ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(made)));
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return nullptr;
  }
}

bool BorrowedTensorObj::describe(const NumpyArray& array) {
  data = array.data;
  byte_offset = 0;
  device = {kDLCPU, 0};
  ndim = array.ndim;
  dtype = array.dtype;
  strides = shape + array.ndim;
  int64_t rest = 0;
  int64_t part = (int64_t{1} << array.itemsize_log2) - 1;
  for (int32_t i = 0; i < array.ndim; ++i) {
    shape[i] = array.shape[i];
    strides[i] = array.strides[i] >> array.itemsize_log2;
    rest |= array.strides[i] & part;
  }
  return rest == 0;
}

void BorrowedTensorObj::describe(const DLTensor& tensor) {
  data = tensor.data;
  byte_offset = tensor.byte_offset;
  device = tensor.device;
  ndim = tensor.ndim;
  dtype = tensor.dtype;
  strides = shape + tensor.ndim;
  if (BINDING_LIKELY(tensor.strides != nullptr)) {
    for (int32_t i = 0; i < tensor.ndim; ++i) {
      shape[i] = tensor.shape[i];
      strides[i] = tensor.strides[i];
    }
    return;
  }
  uint64_t compact = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    shape[i] = tensor.shape[i];
    strides[i] = static_cast<int64_t>(compact);
    compact *= static_cast<uint64_t>(tensor.shape[i]);
  }
}

namespace {

// Tensor objects that tensor_borrow reuses instead of allocating new ones; guarded by the GIL.
// Gain: see numpy_array.h.
class BorrowedTensorPool {
 public:
  TVMFFIObject* take() {
    return size_ == 0 ? BorrowedTensorObj::make(kMaxBorrowedDimensions) : tensors_[--size_];
  }
  // Takes ownership of a tensor to which nothing else refers.
  void give_steal(TVMFFIObject* tensor) {
    // With a sanitizer, each tensor is a separate block, so that the sanitizer can watch it.
    if (BINDING_SANITIZED || !BINDING_HAS_GIL || size_ == kCapacity) return object_dec_ref(tensor);
    tensors_[size_++] = tensor;
  }

 private:
  static constexpr int kCapacity = 32;
  TVMFFIObject* tensors_[kCapacity];
  int size_ = 0;
};

BorrowedTensorPool g_borrowed_tensors;

// Describes `tensor` in `made`, which is NULL after a MemoryError. Steals both references.
BINDING_INLINE TVMFFIObject* fill_steal(TVMFFIObject* made, PyObject* owner,
                                        const DLTensor& tensor) {
  if (BINDING_UNLIKELY(made == nullptr)) {
    RaisedAside aside;
    Py_DECREF(owner);
    return nullptr;
  }
  as_borrowed_tensor(made)->describe(tensor);
  as_borrowed_tensor(made)->set_owner_steal(owner);
  return made;
}

}  // namespace

TVMFFIObject* tensor_borrow_steal(PyObject* owner, const DLTensor& tensor) {
  return fill_steal(g_borrowed_tensors.take(), owner, tensor);
}

TVMFFIObject* tensor_own_steal(PyObject* owner, const DLTensor& tensor) {
  return fill_steal(BorrowedTensorObj::make(tensor.ndim), owner, tensor);
}

TVMFFIObject* tensor_borrow(PyObject* array, const NumpyArray& described) {
  TVMFFIObject* made = g_borrowed_tensors.take();
  if (made == nullptr) return nullptr;
  if (BINDING_UNLIKELY(!as_borrowed_tensor(made)->describe(described))) {
    g_borrowed_tensors.give_steal(made);
    return nullptr;
  }
  as_borrowed_tensor(made)->set_owner_steal(compat_new_ref(array));
  return made;
}

void borrowed_tensor_release(TVMFFIObject* tensor) {
  uint64_t count = __atomic_load_n(&tensor->combined_ref_count, __ATOMIC_ACQUIRE);
  if (BINDING_UNLIKELY(count != kStrongOne + kWeakOne)) {
    as_borrowed_tensor(tensor)->own_storage();
    return object_dec_ref(tensor);
  }
  as_borrowed_tensor(tensor)->release_owner();
  g_borrowed_tensors.give_steal(tensor);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
#include "borrowed_tensor.h"

#include <new>
#include <utility>

#include "../attach.h"
#include "../raise.h"
#include "numpy_array.h"

namespace binding {

BorrowedTensorObj::BorrowedTensorObj() {
  device = {kDLCPU, 0};
  shape = reinterpret_cast<int64_t*>(this + 1);
}

BorrowedTensorObj::~BorrowedTensorObj() {
  if (managed_ != nullptr && managed_->deleter != nullptr) managed_->deleter(managed_);
  if (owner_ == nullptr) return;
  Attach attached;
  // After the interpreter has shut down, Python objects must not be touched.
  if (attached) Py_DECREF(owner_);  // may run Python
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

// Returns the managed tensor that keeps the memory of a framework's tensor alive; NULL, without an
// exception, if that is impossible. For example, the tensor may have got other memory during the
// call.
DLManagedTensorVersioned* managed_of(PyObject* x, const DLPackExchangeAPI* api, const void* data) {
  DLManagedTensorVersioned* managed = nullptr;
  if (api == nullptr) return nullptr;
  if (api->managed_tensor_from_py_object_no_sync(x, &managed) != 0) {  // may run Python
    clear_error();
    return nullptr;
  }
  if (managed == nullptr || managed->dl_tensor.data == data) return managed;
  if (managed->deleter != nullptr) managed->deleter(managed);
  return nullptr;
}

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

}  // namespace

void BorrowedTensorObj::own_memory(PyObject* x, const DLPackExchangeAPI* api) {
  RaisedAside aside;
  set_owner(x);
  managed_ = managed_of(x, api, data);
}

TVMFFIObject* tensor_borrow(PyObject* x, const DLPackExchangeAPI* api, const DLTensor& tensor) {
  TVMFFIObject* made = g_borrowed_tensors.take();
  if (made == nullptr) return nullptr;
  BorrowedTensorObj* object = as_borrowed_tensor(made);
  object->describe(tensor);
  object->argument_ = x;
  object->api_ = api;
  return made;
}

TVMFFIObject* tensor_borrow(PyObject* x, const NumpyArray& array) {
  TVMFFIObject* made = g_borrowed_tensors.take();
  if (made == nullptr) return nullptr;
  BorrowedTensorObj* object = as_borrowed_tensor(made);
  object->argument_ = x;
  object->api_ = nullptr;
  if (BINDING_LIKELY(object->describe(array))) return made;
  g_borrowed_tensors.give_steal(made);
  return nullptr;
}

void borrowed_tensor_release(TVMFFIObject* tensor) {
  uint64_t count = __atomic_load_n(&tensor->combined_ref_count, __ATOMIC_ACQUIRE);
  if (BINDING_LIKELY(count == kStrongOne + kWeakOne)) return g_borrowed_tensors.give_steal(tensor);
  BorrowedTensorObj* object = as_borrowed_tensor(tensor);
  object->own_memory(std::exchange(object->argument_, nullptr), object->api_);
  object_dec_ref(tensor);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion of PyTorch tensors. A call borrows a tensor without an allocation, and refuses tensors
// with a bit that DLPack does not express. For releases whose tensor class has no exchange table,
// this file converts with the Python functions of torch.utils.dlpack, and has a substitute table
// for the conversion of native tensors to PyTorch.
#include "../raise.h"
#include "borrowed_tensor.h"
#include "convert.h"
#include "opaque_ptr.h"
#include "torch_in_place.h"

namespace binding {
namespace {

// Calls `torch.utils.dlpack.NAME(arg)`. New reference, or NULL with an exception set.
PyObject* call_torch_dlpack(const char* name, PyObject* arg) {
  Ref function(state_import("torch.utils.dlpack", name));
  return function ? PyObject_CallFunctionObjArgs(function.get(), arg, nullptr) : nullptr;
}

// Computes the number of bytes from the start of a tensor to the end of its last element. False if
// a stride is negative, or if PyTorch's own computation would overflow.
bool span_of(const DLTensor& tensor, uint64_t* bytes) {
  uint64_t size = (uint64_t{tensor.dtype.bits} * tensor.dtype.lanes + 7) / 8;
  uint64_t last = 0, elements = 1, compact = 1;
  bool fits = true;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    auto extent = static_cast<uint64_t>(tensor.shape[i]);
    if (extent == 0) {
      *bytes = 0;
      return true;
    }
    uint64_t stride =
        tensor.strides == nullptr ? compact : static_cast<uint64_t>(tensor.strides[i]);
    uint64_t step;
    fits &= !__builtin_mul_overflow(stride, extent - 1, &step) &&
            !__builtin_add_overflow(last, step, &last) &&
            !__builtin_mul_overflow(elements, extent, &elements);
    compact = elements;
  }
  return fits && elements <= INT64_MAX && last < INT64_MAX &&
         !__builtin_mul_overflow(last + 1, size, bytes) && *bytes <= INT64_MAX;
}

// The exchange table of PyTorch's tensors that was found last; guarded by the GIL.
const DLPackExchangeAPI* g_torch_table = nullptr;

void release_torch_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// Makes a PyTorch tensor over the memory of a native tensor. New reference, or NULL with an
// exception set.
PyObject* torch_from_tensor(TVMFFIObject* tensor) {
  if (torch_check_import(*TVMFFITensorGetDLTensorPtr(tensor)) < 0) return nullptr;
  DLManagedTensor* managed = nullptr;
  int status = TVMFFITensorToDLPack(tensor, &managed);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  Ref capsule(PyCapsule_New(managed, "dltensor", release_torch_capsule));
  if (!capsule) {
    managed->deleter(managed);
    return nullptr;
  }
  return call_torch_dlpack("from_dlpack", capsule.get());  // runs Python
}

int torch_to_py(DLManagedTensorVersioned* managed, void** out) {
  TVMFFIObjectHandle tensor = nullptr;
  int status = TVMFFITensorFromDLPackVersioned(managed, 0, 0, &tensor);
  if (status != 0) {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
    return raise_from_slot(status);
  }
  ObjectOwner owner(tensor);
  *out = torch_from_tensor(owner.get());
  return *out == nullptr ? -1 : 0;
}

int torch_stream(DLDeviceType type, int32_t id, void** out) {
  *out = nullptr;
  if (type != kDLCUDA && type != kDLROCM) return 0;
  Ref get(state_import("torch._C", "_cuda_getCurrentRawStream"));
  Ref stream(get ? PyObject_CallFunction(get.get(), "i", id) : nullptr);  // runs Python
  if (!stream) return -1;
  return address_from_py(stream.get(), out);
}

// Returns a substitute for the exchange table that the tensor class lacks; immutable.
const DLPackExchangeAPI* torch_fallback_api() {
  static const DLPackExchangeAPI api = [] {
    DLPackExchangeAPI made{};
    made.header.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    made.managed_tensor_to_py_object_no_sync = torch_to_py;
    made.current_work_stream = torch_stream;
    return made;
  }();
  return &api;
}

// Raises BufferError if the method (is_conj or is_neg) returns true. A class without the method has
// no conjugate or negative bit. Returns 0, or -1 with an exception set.
int refuse_bit(PyObject* x, PyObject* name, const char* refusal) {
  if (_PyType_Lookup(Py_TYPE(x), name) == nullptr) return 0;
  Ref answer(PyObject_CallMethodNoArgs(x, name));  // runs Python
  if (!answer) return -1;
  if (BINDING_LIKELY(answer.get() == Py_False)) return 0;
  PyErr_SetString(PyExc_BufferError, refusal);
  return -1;
}

BINDING_COLD int check_bits_by_method(PyObject* x, bool is_complex) {
  before_python_code();
  if (torch_learn_class(Py_TYPE(x)) < 0) return -1;
  if (torch_bits_are_clear(x, is_complex)) return 0;
  if (is_complex &&
      refuse_bit(x, state().names.is_conj,
                 "Can't export tensors with the conjugate bit set, use tensor.resolve_conj()") <
          0) {
    return -1;
  }
  return refuse_bit(x, state().names.is_neg,
                    "Can't export tensors with the negative bit set, use tensor.resolve_neg()");
}

// Returns 1 if the elements of a tensor are within its storage, 0 if not, or -1 with an exception
// set that is not an Exception.
int fits_storage(PyObject* x, const DLTensor& tensor, uint64_t bytes) {
  if (!torch_device_is_known(tensor.device)) return 1;
  TorchStorage storage;
  if (BINDING_UNLIKELY(!torch_read_storage(x, &storage))) {
    int found = torch_storage_memory(x, &storage);
    if (found <= 0) return found < 0 ? -1 : 1;
  }
  const char* data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  return storage.data != nullptr && data >= storage.data && bytes <= storage.bytes &&
         static_cast<uint64_t>(data - storage.data) <= storage.bytes - bytes;
}

// Asks PyTorch to describe a tensor; see torch_describe.
BINDING_COLD int ask(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out) {
  before_python_code();
  bool may_ask = api->dltensor_from_py_object_no_sync != nullptr;
  if (torch_learn_class(Py_TYPE(x)) < 0) return -1;
  if (!may_ask || !exchange_describe(x, api, out) || out->ndim < 0) return 0;
  if (torch_check_bits(x, out->dtype.code == kDLComplex) < 0) return -1;
  if (torch_check_memory(x, *out) < 0) return -1;
  return torch_note_description(x, api, *out) < 0 ? -1 : 1;
}

// Converts a tensor without a managed tensor. Returns 1 on success, 0 without an exception if only
// a managed tensor can give the memory or the reason of a failure, or -1 with an exception set.
BINDING_INLINE int convert(PyObject* x, const DLPackExchangeAPI* api, TVMFFIAny* out,
                           Arguments* args) {
  DLTensor tensor{};
  int described = torch_describe(x, api, &tensor);
  if (BINDING_UNLIKELY(described <= 0)) return described;
  bool later = described == kTorchReadInPlace && args->may_borrow &&
               tensor.ndim <= kMaxBorrowedDimensions && args->storage_can_wait();
  PyObject* owner = later || args->only_views ? compat_new_ref(x) : torch_storage(x, api, &tensor);
  if (BINDING_UNLIKELY(owner == nullptr)) return -1;
  bool pooled = args->may_borrow && tensor.ndim <= kMaxBorrowedDimensions;
  TVMFFIObject* made =
      BINDING_LIKELY(pooled) ? tensor_borrow_steal(owner, tensor) : tensor_own_steal(owner, tensor);
  if (BINDING_UNLIKELY(made == nullptr)) return -1;
  if (later) as_borrowed_tensor(made)->own_storage_later();
  pooled ? args->temporaries.keep_borrowed_steal(made) : args->temporaries.keep_steal(made);
  value_set_object(out, made);
  return note_framework(api, tensor.device, args->context) < 0 ? -1 : 1;
}

}  // namespace

int torch_describe(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out) {
  return BINDING_LIKELY(torch_describe_in_place(x, api, out)) ? kTorchReadInPlace
                                                              : ask(x, api, out);
}

int torch_check_bits(PyObject* x, bool is_complex) {
  return torch_bits_are_clear(x, is_complex) ? 0 : check_bits_by_method(x, is_complex);
}

int torch_check_memory(PyObject* x, const DLTensor& tensor) {
  uint64_t bytes;
  bool is_bounded = span_of(tensor, &bytes);
  if (is_bounded && bytes == 0) return 0;
  int fits = !is_bounded || tensor.data == nullptr ? 0 : fits_storage(x, tensor, bytes);
  if (BINDING_LIKELY(fits != 0)) return fits < 0 ? -1 : 0;
  PyErr_Format(PyExc_BufferError,
               "Can't export a %s that has elements but no memory, or less memory than elements; "
               "pass a tensor with data. To let PyTorch trace the function, register it with "
               "tvm_ffi.torch.register_ops",
               Py_TYPE(x)->tp_name);
  return -1;
}

int torch_check_bits_of_any(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  // The classes that are readable are classes of PyTorch; is_torch_tensor() takes longer than a
  // call.
  bool has_bits = torch_class_is_readable(type) ||
                  (_PyType_Lookup(type, state().names.is_neg) != nullptr && is_torch_tensor(type));
  if (!has_bits) return 0;
  return torch_check_bits(x, true) < 0 ? -1 : 1;
}

TVMFFIObject* torch_tensor_own(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  if (_PyType_Lookup(type, state().names.dlpack_exchange_api) == nullptr) return nullptr;
  const DLPackExchangeAPI* api = exchange_api_of_type(type);
  DLTensor tensor{};
  if (api == nullptr || torch_describe(x, api, &tensor) <= 0) return nullptr;
  PyObject* owner = torch_storage(x, api, &tensor);
  return owner == nullptr ? nullptr : tensor_own_steal(owner, tensor);
}

void torch_note_table(const DLPackExchangeAPI* api) { g_torch_table = api; }

int torch_check_import(const DLTensor& tensor) {
  uint64_t bytes;
  if (BINDING_UNLIKELY(!span_of(tensor, &bytes))) {
    for (int32_t i = 0; i < tensor.ndim; ++i) {
      if (tensor.strides == nullptr || tensor.strides[i] >= 0) continue;
      PyErr_Format(PyExc_BufferError,
                   "a torch.Tensor cannot have negative strides, got a tensor with stride %lld in "
                   "dimension %d; pass a contiguous copy",
                   static_cast<long long>(tensor.strides[i]), static_cast<int>(i));
      return -1;
    }
    PyErr_SetString(PyExc_BufferError,
                    "a torch.Tensor has less than 2**63 elements and bytes, but the shape and "
                    "strides of the given tensor span more");
    return -1;
  }
  int32_t id = tensor.device.device_id;
  if (BINDING_LIKELY(tensor.device.device_type == kDLCPU || (id >= 0 && id <= INT8_MAX))) return 0;
  PyErr_Format(PyExc_BufferError,
               "a torch.Tensor is on a device with a number from 0 to 127, got device number %d",
               static_cast<int>(id));
  return -1;
}

int torch_check_import_by(const DLPackExchangeAPI* api, const DLTensor& tensor) {
  return api == g_torch_table ? torch_check_import(tensor) : 0;
}

int torch_tensor_from_table(PyObject* x, TVMFFIAny* out, Arguments* args) {
  const DLPackExchangeAPI* api = exchange_api_of_type(Py_TYPE(x));
  if (BINDING_UNLIKELY(api == nullptr)) return -1;
  int done = convert(x, api, out, args);
  if (BINDING_LIKELY(done != 0)) return done < 0 ? -1 : 0;
  if (torch_learn_class(Py_TYPE(x)) < 0) return -1;
  if (tensor_from_exchange_api(x, out, args) < 0) return -1;
  const DLTensor* tensor = TVMFFITensorGetDLTensorPtr(out->v_obj);
  if (torch_check_bits(x, tensor->dtype.code == kDLComplex) < 0) return -1;
  return torch_check_memory(x, *tensor);
}

int torch_tensor_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (torch_check_bits(x, true) < 0) return -1;
  Ref capsule(call_torch_dlpack("to_dlpack", x));  // runs Python
  if (!capsule) return -1;
  TVMFFIObject* tensor = tensor_from_any(capsule.get(), 0, false);
  if (tensor == nullptr) return -1;
  note_read_only(tensor, args->context);
  args->temporaries.keep_steal(tensor);
  value_set_object(out, tensor);
  args->context->exchange_api = torch_fallback_api();
  if (torch_check_memory(x, *TVMFFITensorGetDLTensorPtr(tensor)) < 0) return -1;
  DLDevice device = TVMFFITensorGetDLTensorPtr(tensor)->device;
  if (device.device_type == kDLCPU || args->context->has_device()) return 0;
  void* stream;
  if (torch_stream(device.device_type, device.device_id, &stream) < 0) return -1;
  args->context->note_device(device, stream);
  return 0;
}

}  // namespace binding

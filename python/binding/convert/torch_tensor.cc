// SPDX-License-Identifier: Apache-2.0
// What tensors of PyTorch need besides what every framework gets: a check of the bits that DLPack
// does not carry. Releases whose tensor class has no exchange table: through its DLPack functions
// in Python, with a table of our own that makes its tensors from ours.
#include <cstring>

#include "../raise.h"
#include "convert.h"
#include "opaque_ptr.h"

namespace binding {
namespace {

// `torch.utils.dlpack.NAME(arg)`. New reference or NULL with an exception set.
PyObject* call_torch_dlpack(const char* name, PyObject* arg) {
  Ref function(state_import("torch.utils.dlpack", name));
  return function ? PyObject_CallFunctionObjArgs(function.get(), arg, nullptr) : nullptr;
}

void release_torch_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// A PyTorch tensor over the memory of a native tensor. New reference or NULL with an exception set.
PyObject* torch_from_tensor(TVMFFIObject* tensor) {
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

// The one that stands in for the table that the tensor class lacks; never written to again.
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

// Raises BufferError when method `is_set` of the tensor gives true. A class that lacks the method
// has no such bit. 0 or -1.
int refuse_bit(PyObject* x, PyObject* is_set, const char* refusal) {
  if (_PyType_Lookup(Py_TYPE(x), is_set) == nullptr) return 0;
  Ref answer(PyObject_CallMethodNoArgs(x, is_set));  // runs Python where a subclass overrides it
  if (BINDING_LIKELY(answer.get() == Py_False)) return 0;
  if (answer) PyErr_SetString(PyExc_BufferError, refusal);
  return -1;
}

}  // namespace

int torch_check_bits(PyObject* x, bool is_complex) {
  if (is_complex &&
      refuse_bit(x, state().names.is_conj,
                 "Can't export tensors with the conjugate bit set, use tensor.resolve_conj()") <
          0) {
    return -1;
  }
  return refuse_bit(x, state().names.is_neg,
                    "Can't export tensors with the negative bit set, use tensor.resolve_neg()");
}

int torch_tensor_from_table(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (tensor_from_exchange_api(x, out, args) < 0) return -1;
  const DLTensor* tensor = TVMFFITensorGetDLTensorPtr(out->v_obj);
  return torch_check_bits(x, tensor->dtype.code == kDLComplex);
}

int torch_tensor_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (torch_check_bits(x, true) < 0) return -1;
  Ref capsule(call_torch_dlpack("to_dlpack", x));  // runs Python
  if (!capsule) return -1;
  TVMFFIObject* tensor = tensor_from_any(capsule.get(), 0, false);
  if (tensor == nullptr) return -1;
  args->temporaries.keep_steal(tensor);
  value_set_object(out, tensor);
  args->context->exchange_api = torch_fallback_api();
  DLDevice device = TVMFFITensorGetDLTensorPtr(tensor)->device;
  if (device.device_type == kDLCPU || args->context->has_device()) return 0;
  void* stream;
  if (torch_stream(device.device_type, device.device_id, &stream) < 0) return -1;
  args->context->note_device(device, stream);
  return 0;
}

}  // namespace binding

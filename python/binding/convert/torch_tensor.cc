// SPDX-License-Identifier: Apache-2.0
// Support for PyTorch tensors: a check of the bits that DLPack does not express. For releases whose
// tensor class has no exchange table: conversion with the Python functions of torch.utils.dlpack,
// and a substitute table for the conversion of native tensors to PyTorch.
#include <cstring>

#include "../raise.h"
#include "convert.h"
#include "opaque_ptr.h"

namespace binding {
namespace {

// Calls `torch.utils.dlpack.NAME(arg)`. New reference, or NULL with an exception set.
PyObject* call_torch_dlpack(const char* name, PyObject* arg) {
  Ref function(state_import("torch.utils.dlpack", name));
  return function ? PyObject_CallFunctionObjArgs(function.get(), arg, nullptr) : nullptr;
}

void release_torch_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// Makes a PyTorch tensor over the memory of a native tensor. New reference, or NULL with an
// exception set.
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

// Calls a method without parameters that is implemented in C; caches the function to avoid the
// lookup. Gain: the check of one bit takes 0.2 of the time of a check with a lookup (python
// bench/ffi_bench.py --groups calls --filter torch).
class CMethod {
 public:
  // Calls `x.name()`; new reference, or NULL with an exception set. If the class does not have the
  // method, sets `*missing` and returns NULL without an exception. May run Python.
  PyObject* call(PyObject* x, PyObject* name, bool* missing) {
    PyTypeObject* type = Py_TYPE(x);
    if (BINDING_LIKELY(type == type_ && type_version(type) == version_)) {
      return function_(x, nullptr);
    }
    PyObject* found = _PyType_Lookup(type, name);  // borrowed
    *missing = found == nullptr;
    if (found == nullptr) return nullptr;
    remember(type, found);
    return PyObject_CallMethodNoArgs(x, name);
  }

 private:
  void remember(PyTypeObject* type, PyObject* found) {
    if (!Py_IS_TYPE(found, &PyMethodDescr_Type) || type_version(type) == 0) return;
    const PyMethodDef* method = reinterpret_cast<PyMethodDescrObject*>(found)->d_method;
    if (method->ml_flags != METH_NOARGS) return;
    type_ = type;
    version_ = type_version(type);
    function_ = method->ml_meth;
  }

  PyTypeObject* type_ = nullptr;  // only compared, with its version
  unsigned int version_ = 0;
  PyCFunction function_ = nullptr;  // points to static memory
};

// Raises BufferError if the method (is_conj or is_neg) returns true. A class without the method has
// no conjugate or negative bit. Returns 0, or -1 with an exception set.
int refuse_bit(PyObject* x, CMethod* method, PyObject* name, const char* refusal) {
  bool missing = false;
  PyObject* answer = method->call(x, name, &missing);
  if (missing) return 0;
  bool is_clear = answer == Py_False;
  bool raised = answer == nullptr;
  Py_XDECREF(answer);
  if (BINDING_LIKELY(is_clear)) return 0;
  if (!raised) PyErr_SetString(PyExc_BufferError, refusal);
  return -1;
}

}  // namespace

int torch_check_bits(PyObject* x, bool is_complex) {
  static CMethod is_conj, is_neg;
  if (is_complex &&
      refuse_bit(x, &is_conj, state().names.is_conj,
                 "Can't export tensors with the conjugate bit set, use tensor.resolve_conj()") <
          0) {
    return -1;
  }
  return refuse_bit(x, &is_neg, state().names.is_neg,
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
  note_read_only(tensor, args->context);
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

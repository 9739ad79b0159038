// SPDX-License-Identifier: Apache-2.0
// Conversion of tensors: from core.Tensor, DLPack capsules, the `__dlpack__` protocol and the C
// exchange API; to core.Tensor. A `DLTensor*` argument of a callback becomes a core.Tensor that
// borrows the memory during the callback.

#include "../raise.h"
#include "convert.h"
#include "numpy_array.h"
#include "opaque_ptr.h"
#include "schema/converters.h"

namespace binding {
namespace {

constexpr const char* kLegacy = "dltensor";
constexpr const char* kVersioned = "dltensor_versioned";

// Renames a capsule after its tensor was taken, so that the capsule does not release the tensor
// too.
void mark_consumed(PyObject* capsule, const char* name) {
  PyCapsule_SetName(capsule, name);
  PyCapsule_SetDestructor(capsule, nullptr);
}

// Makes a tensor object from a capsule. Owned, or NULL with an exception set; after a failure the
// capsule stays usable.
TVMFFIObject* tensor_from_capsule(PyObject* capsule, int32_t alignment, bool contiguous) {
  TVMFFIObjectHandle out = nullptr;
  int status;
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    auto* managed =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, kVersioned));
    status = TVMFFITensorFromDLPackVersioned(managed, alignment, contiguous, &out);
    if (status == 0) mark_consumed(capsule, "used_dltensor_versioned");
  } else if (PyCapsule_IsValid(capsule, kLegacy)) {
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kLegacy));
    status = TVMFFITensorFromDLPack(managed, alignment, contiguous, &out);
    if (status == 0) mark_consumed(capsule, "used_dltensor");
  } else {
    PyErr_SetString(PyExc_ValueError,
                    "Expect a dltensor field, PyCapsule can only be consumed once");
    return nullptr;
  }
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  return static_cast<TVMFFIObject*>(out);
}

// Requests a capsule: a versioned one, or a legacy one from producers without support for versions.
PyObject* call_dlpack(PyObject* x) {
  Ref method(PyObject_GetAttr(x, state().names.dlpack));
  if (!method) return nullptr;
  StateSection section;
  static PyObject* keywords = nullptr;  // (max_version,), made once
  static PyObject* version = nullptr;   // (1, 3)
  if (keywords == nullptr) keywords = PyTuple_Pack(1, state().names.max_version);
  if (version == nullptr)
    version = Py_BuildValue("(ii)", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION);
  if (keywords == nullptr || version == nullptr) return nullptr;
  PyObject* args[] = {version};
  PyObject* capsule = PyObject_Vectorcall(method.get(), args, 0, keywords);  // runs Python
  if (capsule != nullptr || !PyErr_ExceptionMatches(PyExc_TypeError)) return capsule;
  clear_error();
  return PyObject_CallNoArgs(method.get());  // runs Python
}

// Called with an exception set, after the framework of an array refused to export the array. Adds
// the reason for the refusal, and a remedy, to the exception.
BINDING_COLD void explain_refused_array(PyObject* x) {
  complete_raised("tvm_ffi._values.refused_array", "explain", x);
}

// Called after NumPy refused to export an array; the exception is set. Converts the array if its
// data type comes from package ml_dtypes. Owned, or NULL with an exception set.
BINDING_COLD TVMFFIObject* tensor_from_refused_array(PyObject* x, int32_t alignment,
                                                     bool contiguous) {
  if (!PyErr_ExceptionMatches(PyExc_BufferError)) {
    explain_refused_array(x);
    return nullptr;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  Ref make(state_import("tvm_ffi._values.numpy", "tensor_of"));
  Ref tensor(make ? PyObject_CallFunction(make.get(), "Oii", x, static_cast<int>(alignment),
                                          static_cast<int>(contiguous))
                  : nullptr);  // runs Python
  if (tensor && tensor.get() == Py_None) {
    PyErr_Restore(type, value, traceback);
    explain_refused_array(x);
    return nullptr;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  TVMFFIObject* obj = tensor ? wrapper_handle_or_raise(tensor.get()) : nullptr;
  if (obj != nullptr) object_inc_ref(obj);
  return obj;
}

TVMFFIObject* tensor_from_producer(PyObject* x, PyObject* capsule, int32_t alignment,
                                   bool contiguous) {
  if (!PyCapsule_CheckExact(capsule)) {
    PyErr_Format(PyExc_TypeError, "%s.__dlpack__() must return a capsule, got %s",
                 Py_TYPE(x)->tp_name, Py_TYPE(capsule)->tp_name);
    return nullptr;
  }
  return tensor_from_capsule(capsule, alignment, contiguous);
}

TVMFFIObject* tensor_from_protocol(PyObject* x, int32_t alignment, bool contiguous) {
  Ref capsule(call_dlpack(x));
  if (!capsule) return tensor_from_refused_array(x, alignment, contiguous);
  TVMFFIObject* tensor = tensor_from_producer(x, capsule.get(), alignment, contiguous);
  if (BINDING_UNLIKELY(tensor == nullptr)) {
    RaisedAside aside;
    capsule = Ref();  // runs the producer's destructor
  }
  return tensor;
}

TVMFFIObject* tensor_from_table(PyObject* x, const DLPackExchangeAPI* api, int32_t alignment,
                                bool contiguous) {
  DLManagedTensorVersioned* managed = nullptr;
  if (api->managed_tensor_from_py_object_no_sync(x, &managed) != 0) {  // may run Python
    if (!PyErr_Occurred()) {
      PyErr_SetString(PyExc_RuntimeError, "the exchange API failed without an exception");
    }
    explain_refused_array(x);
    return nullptr;
  }
  TVMFFIObjectHandle out = nullptr;
  int status = TVMFFITensorFromDLPackVersioned(managed, alignment, contiguous, &out);
  if (status == 0) return static_cast<TVMFFIObject*>(out);
  raise_from_slot(status);
  if (managed != nullptr && managed->deleter != nullptr) {
    RaisedAside aside;
    managed->deleter(managed);  // may run Python
  }
  return nullptr;
}

int keep_tensor(TVMFFIObject* tensor, TVMFFIAny* out, Arguments* args) {
  if (tensor == nullptr) return -1;
  note_read_only(tensor, args->context);
  args->temporaries.keep_steal(tensor);
  value_set_object(out, tensor);
  return 0;
}

DLDevice tensor_device(const TVMFFIAny& tensor) {
  return TVMFFITensorGetDLTensorPtr(tensor.v_obj)->device;
}

// Records the stream that a producer names with `__tvm_ffi_env_stream__` for its tensor.
int note_env_stream(PyObject* x, DLDevice device, CallContext* context) {
  if (_PyType_Lookup(Py_TYPE(x), state().names.tvm_ffi_env_stream) == nullptr) return 0;
  Ref stream(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_env_stream));  // runs Python
  if (!stream) return -1;
  void* address;
  if (address_from_py(stream.get(), &address) < 0) return -1;
  context->note_device(device, address);
  return 0;
}

}  // namespace

int tensor_wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  DLTensor* view = reinterpret_cast<TensorWrapper*>(x)->view;
  if (view == nullptr) {
    if (object_from_py(x, out) < 0) return -1;
    note_read_only(out->v_obj, args->context);
    return 0;
  }
  out->type_index = kTVMFFIDLTensorPtr;
  out->v_ptr = view;
  return 0;
}

int tensor_from_dlpack_protocol(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (keep_tensor(tensor_from_protocol(x, 0, false), out, args) < 0) return -1;
  DLDevice device = tensor_device(*out);
  if (BINDING_LIKELY(device.device_type == kDLCPU) || args->context->has_device()) return 0;
  return note_env_stream(x, device, args->context);
}

int numpy_array_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (BINDING_LIKELY(args->may_borrow)) {
    TVMFFIObject* borrowed = numpy_array_borrow(x);
    if (BINDING_LIKELY(borrowed != nullptr)) {
      args->temporaries.keep_borrowed_steal(borrowed);
      value_set_object(out, borrowed);
      return 0;
    }
    if (PyErr_Occurred()) return -1;
  }
  TVMFFIObject* tensor = tensor_from_numpy_array(x);
  if (BINDING_LIKELY(tensor != nullptr)) return keep_tensor(tensor, out, args);
  return PyErr_Occurred() ? -1 : tensor_from_dlpack_protocol(x, out, args);
}

int tensor_from_exchange_api(PyObject* x, TVMFFIAny* out, Arguments* args) {
  const DLPackExchangeAPI* api = exchange_api_of_type(Py_TYPE(x));
  if (api == nullptr) return -1;
  if (keep_tensor(tensor_from_table(x, api, 0, false), out, args) < 0) return -1;
  return note_framework(api, tensor_device(*out), args->context);
}

int note_framework(const DLPackExchangeAPI* api, DLDevice device, CallContext* context) {
  context->exchange_api = api;
  if (BINDING_LIKELY(device.device_type == kDLCPU) || context->has_device()) return 0;
  void* stream;
  if (exchange_stream(api, device, &stream) < 0) return -1;
  context->note_device(device, stream);
  return 0;
}

namespace {

// Converts by the exchange table, as a capsule, as an array of NumPy or by the protocol. Owned, or
// NULL with an exception set.
TVMFFIObject* tensor_from_exporter(PyObject* x, int32_t alignment, bool contiguous) {
  PyTypeObject* type = Py_TYPE(x);
  if (_PyType_Lookup(type, state().names.dlpack_exchange_api) != nullptr) {
    const DLPackExchangeAPI* api = exchange_api_of_type(type);
    if (api == nullptr) return nullptr;
    TVMFFIObject* tensor = tensor_from_table(x, api, alignment, contiguous);
    if (tensor != nullptr || !PyErr_ExceptionMatches(PyExc_BufferError)) return tensor;
    clear_error();
  }
  if (PyCapsule_CheckExact(x)) return tensor_from_capsule(x, alignment, contiguous);
  if (alignment == 0 && !contiguous && numpy_array_type_is_known(type)) {
    TVMFFIObject* tensor = tensor_from_numpy_array(x);
    if (tensor != nullptr || PyErr_Occurred()) return tensor;
  }
  if (_PyType_Lookup(type, state().names.dlpack) != nullptr) {
    return tensor_from_protocol(x, alignment, contiguous);
  }
  PyErr_Format(
      PyExc_TypeError,
      "Expect from_dlpack to take either a compatible tensor or PyCapsule, got %s; make an "
      "array of it first, for example with numpy.asarray(value)",
      type->tp_name);
  return nullptr;
}

}  // namespace

TVMFFIObject* tensor_from_any(PyObject* x, int32_t alignment, bool contiguous) {
  int is_torch = torch_check_bits_of_any(x);
  if (is_torch < 0) return nullptr;
  if (is_torch == 0) return tensor_from_exporter(x, alignment, contiguous);
  ObjectOwner own(torch_tensor_own(x));
  if (PyErr_Occurred() || (own && alignment == 0 && !contiguous)) return own.release();
  // The managed tensor is checked for alignment and contiguity; then it is not needed.
  ObjectOwner managed(tensor_from_exporter(x, alignment, contiguous));
  if (!managed || torch_check_memory(x, *TVMFFITensorGetDLTensorPtr(managed.get())) < 0) {
    return nullptr;
  }
  return own ? own.release() : managed.release();
}

PyObject* tensor_view_to_py(DLTensor* tensor) {
  PyTypeObject* cls = state().class_tensor;
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self != nullptr) reinterpret_cast<TensorWrapper*>(self)->view = tensor;
  return self;
}

namespace schema {

Outcome tensor_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  return pack_as(kTVMFFITensor, c, x, out, why);
}

}  // namespace schema
}  // namespace binding

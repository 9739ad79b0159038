// SPDX-License-Identifier: Apache-2.0
// Exchange tables: the C functions by which a framework's tensor class imports and exports tensors.
// Finds the table of a class, and converts values to tensors of the framework.
#include "../raise.h"
#include "class_cache.h"
#include "convert.h"
#include "opaque_ptr.h"

namespace binding {
namespace {

constexpr const char* kExchangeCapsule = "dlpack_exchange_api";

// The tables of classes that were converted before.
ClassCache<const DLPackExchangeAPI*, 16> g_tables;

// Rejects an int that cannot be the address of a table: the first page is never mapped. All other
// ints are trusted.
bool may_be_table(const void* address) {
  auto bits = reinterpret_cast<uintptr_t>(address);
  return bits >= 4096 && bits % alignof(DLPackExchangeAPIHeader) == 0;
}

PyObject* tensor_to_framework(const DLPackExchangeAPI* api, TVMFFIObject* tensor) {
  if (torch_check_import_by(api, *TVMFFITensorGetDLTensorPtr(tensor)) < 0) return nullptr;
  DLManagedTensorVersioned* managed = nullptr;
  int status = TVMFFITensorToDLPackVersioned(tensor, &managed);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  void* made = nullptr;
  // The function takes ownership of the tensor, also on failure; may run Python.
  if (api->managed_tensor_to_py_object_no_sync(managed, &made) == 0 && made != nullptr) {
    return static_cast<PyObject*>(made);
  }
  if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_RuntimeError, "the exchange API failed without an exception");
  }
  return nullptr;
}

}  // namespace

const DLPackExchangeAPI* exchange_api_of_class(PyObject* cls) {
  Ref field(PyObject_GetAttr(cls, state().names.dlpack_exchange_api));
  if (!field) return nullptr;
  void* address = nullptr;
  if (PyCapsule_IsValid(field.get(), kExchangeCapsule)) {
    address = PyCapsule_GetPointer(field.get(), kExchangeCapsule);
  } else if (PyLong_Check(field.get())) {
    if (address_from_py(field.get(), &address) < 0) return nullptr;
    if (!may_be_table(address)) address = nullptr;
  }
  auto* header = static_cast<DLPackExchangeAPIHeader*>(address);
  while (header != nullptr && header->version.major != DLPACK_MAJOR_VERSION) {
    header = header->prev_api;
  }
  auto* api = reinterpret_cast<const DLPackExchangeAPI*>(header);
  if (api == nullptr || api->managed_tensor_from_py_object_no_sync == nullptr) {
    PyErr_SetString(PyExc_ValueError, "Expect a dlpack_exchange_api field");
    return nullptr;
  }
  if (PyType_Check(cls) && is_torch_tensor(reinterpret_cast<PyTypeObject*>(cls))) {
    torch_note_table(api);
  }
  return api;
}

const DLPackExchangeAPI* exchange_api_of_type(PyTypeObject* type) {
  if (auto* known = g_tables.find(type)) return *known;
  const DLPackExchangeAPI* api = exchange_api_of_class(reinterpret_cast<PyObject*>(type));
  if (api != nullptr) g_tables.store(type, api);
  return api;
}

const DLPackExchangeAPI* exchange_api_for_output(PyObject* cls) {
  const DLPackExchangeAPI* api = exchange_api_of_class(cls);
  if (api == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
      clear_error();
      PyErr_Format(PyExc_TypeError, "tensor_cls %R must expose __dlpack_c_exchange_api__", cls);
    }
    return nullptr;
  }
  if (api->managed_tensor_to_py_object_no_sync == nullptr) {
    PyErr_Format(PyExc_TypeError,
                 "the __dlpack_c_exchange_api__ of tensor_cls %R does not make tensors", cls);
    return nullptr;
  }
  return api;
}

int context_from_container(PyObject* container, CallContext* context) {
  const DLPackExchangeAPI* api = as_container(container)->exchange_api();
  if (context->exchange_api == nullptr) context->exchange_api = api;
  TVMFFIObject* find = state().functions.find_device;
  if (context->has_device() || find == nullptr) return 0;
  TVMFFIAny arg, found = value_none();
  value_set_object(&arg, as_wrapper(container)->handle);
  int status = TVMFFIFunctionGetCellPtr(find)->safe_call(find, &arg, 1, &found);
  if (status != 0) return raise_from_slot(status);
  if (found.type_index != kTVMFFIDevice || found.v_device.device_type == kDLCPU) return 0;
  void* stream = nullptr;
  if (exchange_stream(api, found.v_device, &stream) < 0) return -1;
  context->note_device(found.v_device, stream);
  return 0;
}

bool exchange_describe(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out) {
  if (BINDING_LIKELY(api->dltensor_from_py_object_no_sync(x, out) == 0)) return true;
  clear_error();
  return false;
}

int exchange_stream(const DLPackExchangeAPI* api, DLDevice device, void** stream) {
  *stream = nullptr;
  if (api->current_work_stream == nullptr) return 0;
  if (api->current_work_stream(device.device_type, device.device_id, stream) == 0) return 0;
  if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_RuntimeError, "the exchange API could not tell its current stream");
  }
  return -1;
}

PyObject* result_to_framework_steal(const DLPackExchangeAPI* api, const TVMFFIAny& value) {
  if (!is_object_index(value.type_index) || value.v_obj == nullptr) return value_to_py_steal(value);
  if (value.type_index == kTVMFFITensor && api->managed_tensor_to_py_object_no_sync != nullptr) {
    PyObject* made = tensor_to_framework(api, value.v_obj);
    if (made != nullptr) {
      object_dec_ref(value.v_obj);
      return made;
    }
    clear_error();
  }
  PyObject* x = value_to_py_steal(value);
  if (x != nullptr && PyObject_TypeCheck(x, &ContainerBaseType) &&
      api->managed_tensor_to_py_object_no_sync != nullptr) {
    as_container(x)->set_exchange_api(api);
  }
  return x;
}

PyObject* value_to_framework_borrowed(const DLPackExchangeAPI* api, const TVMFFIAny& value) {
  if (value.type_index == kTVMFFITensor && value.v_obj != nullptr) {
    return tensor_to_framework(api, value.v_obj);
  }
  Ref x(value_to_py_borrowed(value));
  if (!x) return nullptr;
  if (PyObject_TypeCheck(x.get(), &ContainerBaseType)) {
    as_container(x.get())->set_exchange_api(api);
  } else if (PyObject_TypeCheck(x.get(), &TensorType) && as_wrapper(x.get())->handle != nullptr) {
    // `value` is an rvalue reference to a tensor.
    return tensor_to_framework(api, as_wrapper(x.get())->handle);
  }
  return x.release();
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Sets and restores the stream and the tensor allocator of a thread for a call. This file also has
// the Python functions that set and return the current streams of the thread.
#include "environment.h"

#include <utility>

#include "named.h"
#include "raise.h"

namespace binding {

Environment::Environment(const CallContext& context) {
  if (context.has_device()) {
    int status = TVMFFIEnvSetStream(context.device.device_type, context.device.device_id,
                                    context.stream, &stream_before_);
    if (status != 0) {
      raise_from_slot(status);
      return;
    }
    device_ = context.device;
  }
  const DLPackExchangeAPI* api = context.exchange_api;
  if (api != nullptr && api->managed_tensor_allocator != nullptr) {
    int status = TVMFFIEnvSetDLPackManagedTensorAllocator(api->managed_tensor_allocator, 0,
                                                          &allocator_before_);
    if (status != 0) {
      raise_from_slot(status);
      return;
    }
    has_allocator_ = true;
  }
  entered_ = true;
}

int Environment::restore_stream() {
  if (device_.device_type == 0) return 0;
  DLDevice device = std::exchange(device_, DLDevice{});
  if (TVMFFIEnvSetStream(device.device_type, device.device_id, stream_before_, nullptr) == 0) {
    return 0;
  }
  PyErr_SetString(PyExc_RuntimeError, "Failed to recover stream");
  return -1;
}

int Environment::restore_allocator() {
  if (!std::exchange(has_allocator_, false)) return 0;
  if (TVMFFIEnvSetDLPackManagedTensorAllocator(allocator_before_, 0, nullptr) == 0) return 0;
  PyErr_SetString(PyExc_RuntimeError, "Failed to recover DLPack managed tensor allocator");
  return -1;
}

int Environment::restore() {
  int stream = restore_stream();
  int allocator = restore_allocator();
  return stream < 0 ? stream : allocator;
}

Environment::~Environment() {
  if (device_.device_type == 0 && !has_allocator_) return;
  RaisedAside aside;
  restore();
}

namespace {

PyObject* env_set_stream(PyObject*, PyObject* args) {
  int type, id;
  PyObject* stream;
  if (!PyArg_ParseTuple(args, "iiO!:_env_set_current_stream", &type, &id, &PyLong_Type, &stream)) {
    return nullptr;
  }
  unsigned long long address = PyLong_AsUnsignedLongLong(stream);
  if (address == static_cast<unsigned long long>(-1) && PyErr_Occurred()) return nullptr;
  void* before = nullptr;
  int status = TVMFFIEnvSetStream(type, id, reinterpret_cast<void*>(address), &before);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  return PyLong_FromVoidPtr(before);
}

PyObject* env_get_stream(PyObject*, PyObject* args) {
  int type, id;
  if (!PyArg_ParseTuple(args, "ii:_env_get_current_stream", &type, &id)) return nullptr;
  return PyLong_FromVoidPtr(TVMFFIEnvGetStream(type, id));
}

constexpr Parameters kEnvSetCurrentStreamParameters = {
    "_env_set_current_stream", 3, {"device_type", "device_id", "stream"}};
constexpr Parameters kEnvGetCurrentStreamParameters = {
    "_env_get_current_stream", 2, {"device_type", "device_id"}};

PyMethodDef environment_functions[] = {
    named_method(kEnvSetCurrentStreamParameters,
                 named_tuple<env_set_stream, kEnvSetCurrentStreamParameters>,
                 "_env_set_current_stream($module, device_type, device_id, stream)\n--\n\n"
                 "Set this thread's stream of a device (type, id, address); the one before."),
    named_method(
        kEnvGetCurrentStreamParameters, named_tuple<env_get_stream, kEnvGetCurrentStreamParameters>,
        "_env_get_current_stream($module, device_type, device_id)\n--\n\n"
        "This thread's stream of a device (type, id) as an address, 0 where none was set."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int environment_init(PyObject* module) {
  return PyModule_AddFunctions(module, environment_functions);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion of devices: from core.Device, text and `__dlpack_device__`; to core.Device.
#include "device.h"

#include "convert.h"
#include "schema/converters.h"

namespace binding {

bool device_get(PyObject* x, DLDevice* out) {
  if (!PyObject_TypeCheck(x, &DeviceType)) return false;
  *out = *device_of(x);
  return true;
}

int device_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  DLDevice device;
  if (!device_get(x, &device)) {
    Ref pair(PyObject_CallMethodNoArgs(x, state().names.dlpack_device));  // runs Python
    if (!pair) return -1;
    if (!PyTuple_Check(pair.get())) {
      PyErr_Format(PyExc_TypeError, "__dlpack_device__ must return a tuple (type, id), got %s",
                   Py_TYPE(pair.get())->tp_name);
      return -1;
    }
    int type, id;
    if (!PyArg_ParseTuple(pair.get(), "ii:__dlpack_device__", &type, &id)) return -1;
    device = TVMFFIDLDeviceFromIntPair(type, id);
  }
  value_set_device(out, device);
  return 0;
}

PyObject* device_to_py(DLDevice device) {
  PyTypeObject* cls = state().class_device;
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self != nullptr) *device_of(self) = device;
  return self;
}

namespace schema {

Outcome device_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  DLDevice device;
  if (device_get(x, &device)) {
    value_set_device(out, device);
    return kConverted;
  }
  if (!PyUnicode_Check(x) && !is_torch_device(Py_TYPE(x)))
    return pack_as(kTVMFFIDevice, c, x, out, why);
  Ref named(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&DeviceType), x, nullptr));
  if (!named || !device_get(named.get(), &device)) {
    return refuse_text("expected Device, got invalid device string %R", x, why);
  }
  value_set_device(out, device);
  return kConverted;
}

}  // namespace schema
}  // namespace binding

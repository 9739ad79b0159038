// SPDX-License-Identifier: Apache-2.0
// Schemas whose values are what a call would pass, as long as that has the right type: Any, Tensor,
// Device, dtype, ctypes.c_void_p and Callable.
#include "../../raise.h"
#include "rooms.h"

namespace binding::annotated {
namespace {

// Packs, and looks what came of it.
Outcome pack_as(int32_t type_index, const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_builtin_value(x)) return refuse_type(c, x, why);
  Outcome outcome = pack(c, x, out, why);
  if (outcome != kConverted || out->type_index == type_index) return outcome;
  TVMFFIAny other = *out;
  value_release(&other);  // may run Python
  return refuse_type(c, x, why);
}

bool set_device(PyObject* x, TVMFFIAny* out) {
  DLDevice device;
  if (!PyObject_TypeCheck(x, &DeviceType) || !device_get(x, &device)) return false;
  value_set_int(out, 0);
  out->type_index = kTVMFFIDevice;
  out->v_device = device;
  return true;
}

void set_dtype(DLDataType dtype, TVMFFIAny* out) {
  value_set_int(out, 0);
  out->type_index = kTVMFFIDataType;
  out->v_dtype = dtype;
}

Outcome refuse_text(const char* format, PyObject* text, Refusal* why) {
  return take_raised(why) ? refuse(why, format, text) : kRaised;
}

}  // namespace

Outcome pack(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (value_from_py_owned(x, out) == 0) return kConverted;  // may run Python
  return refuse_raised(c, x, why);
}

Outcome any_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  return pack(c, x, out, why);
}

Outcome tensor_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  return pack_as(kTVMFFITensor, c, x, out, why);
}

Outcome opaque_ptr_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (x != Py_None) return pack_as(kTVMFFIOpaquePtr, c, x, out, why);
  value_set_int(out, 0);
  out->type_index = kTVMFFIOpaquePtr;
  return kConverted;
}

Outcome callable_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_wrapper(x)) {
    TVMFFIObject* obj = handle_of(x);
    if (obj == nullptr || obj->type_index != kTVMFFIFunction) return refuse_type(c, x, why);
    object_inc_ref(obj);
    value_set_object(out, obj);
    return kConverted;
  }
  if (!PyCallable_Check(x)) return refuse_type(c, x, why);
  TVMFFIObject* function = function_from_callable(x);
  if (function == nullptr) return refuse_raised(c, x, why);
  value_set_object(out, function);
  return kConverted;
}

Outcome device_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (set_device(x, out)) return kConverted;
  if (PyUnicode_Check(x)) {
    Ref device(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&DeviceType), x, nullptr));
    if (device && set_device(device.get(), out)) return kConverted;
    return refuse_text("expected Device, got invalid device string %R", x, why);
  }
  return pack_as(kTVMFFIDevice, c, x, out, why);
}

Outcome dtype_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  DLDataType dtype;
  if (dtype_get(x, &dtype)) {
    set_dtype(dtype, out);
    return kConverted;
  }
  if (!PyUnicode_Check(x)) return pack_as(kTVMFFIDataType, c, x, out, why);
  TVMFFIByteArray text;
  Py_ssize_t size = 0;
  text.data = PyUnicode_AsUTF8AndSize(x, &size);
  text.size = static_cast<size_t>(size);
  if (text.data == nullptr || dtype_parse(text, &dtype) < 0) {
    return refuse_text("expected dtype, got invalid dtype string %R", x, why);
  }
  set_dtype(dtype, out);
  return kConverted;
}

}  // namespace binding::annotated

// SPDX-License-Identifier: Apache-2.0
// Conversion from a native value to Python: chooses the conversion function by the type index.
#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

BINDING_COLD PyObject* cannot_return(const char* what) {
  PyErr_Format(PyExc_ValueError, "Return value cannot be %s", what);
  return nullptr;
}

// Converts text or bytes that are stored inside the value.
PyObject* small_to_py(const TVMFFIAny& value) {
  if (BINDING_UNLIKELY(value.small_str_len >= sizeof(value.v_bytes))) {
    return raise_malformed(value, "is longer than the 7 bytes that have a place in it");
  }
  return value.type_index == kTVMFFISmallStr ? small_str_to_py(value) : small_bytes_to_py(value);
}

PyObject* inline_value_to_py(const TVMFFIAny& value) {
  switch (value.type_index) {
    case kTVMFFINone:
      Py_RETURN_NONE;
    case kTVMFFIInt:
      return int_to_py(value.v_int64);
    case kTVMFFIBool:
      return bool_to_py(value.v_int64 != 0);
    case kTVMFFIFloat:
      return float_to_py(value.v_float64);
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return small_to_py(value);
    case kTVMFFIOpaquePtr:
      return opaque_ptr_to_py(value.v_ptr);
    case kTVMFFIDataType:
      return dtype_to_py(value.v_dtype);
    case kTVMFFIDevice:
      return device_to_py(value.v_device);
    case kTVMFFIDLTensorPtr:
      if (value.v_ptr == nullptr) return raise_null_pointer(value);
      return tensor_view_to_py(static_cast<DLTensor*>(value.v_ptr));
    case kTVMFFIRawStr:
      return cannot_return("RawStr");
    case kTVMFFIByteArrayPtr:
      return cannot_return("ByteArrayPtr");
    case kTVMFFIObjectRValueRef:
      return cannot_return("ObjectRValueRef");
    default:
      PyErr_Format(PyExc_ValueError, "a value of type index %d has no Python form",
                   value.type_index);
      return nullptr;
  }
}

// Converts an object that has no live wrapper.
PyObject* object_without_wrapper_to_py_steal(TVMFFIObject* obj) {
  ClassInfo* info = class_info_known(obj->type_index);
  if (BINDING_UNLIKELY(info == nullptr)) {
    info = class_info_for_index(obj->type_index);
    if (info == nullptr) {
      object_dec_ref(obj);
      return nullptr;
    }
  }
  if (BINDING_LIKELY(info->to_python == ToPython::kWrapper)) {
    return wrapper_new_steal(info->cls, info->plain, obj);
  }
  ObjectOwner owner(obj);
  switch (info->to_python) {
    case ToPython::kFunction:
      return function_wrapper_new_steal(owner.release(), false);
    case ToPython::kString:
      return string_to_py_steal(owner.release());
    case ToPython::kBytes:
      return bytes_to_py_steal(owner.release());
    case ToPython::kTensor:
      return wrapper_new_steal(state().class_tensor, false, owner.release());
    case ToPython::kOpaque:
      return opaque_object_to_py(obj);
    case ToPython::kBigInt:
      return big_int_to_py(obj);
    default:
      return native_object_to_py_steal(info, owner.release());
  }
}

}  // namespace

PyObject* raise_malformed(const TVMFFIAny& value, const char* what) {
  PyErr_Format(PyExc_ValueError, "a value of type index %d %s", value.type_index, what);
  return nullptr;
}

PyObject* raise_null_pointer(const TVMFFIAny& value) {
  return raise_malformed(value, "has a NULL pointer");
}

PyObject* value_to_py_slow_steal(TVMFFIAny value) {
  if (!is_object_index(value.type_index)) return inline_value_to_py(value);
  if (BINDING_UNLIKELY(value.v_obj == nullptr)) return raise_null_pointer(value);
  return object_to_py_steal(value.v_obj);
}

PyObject* value_to_py_borrowed(const TVMFFIAny& value) {
  if (is_object_index(value.type_index)) {
    if (BINDING_UNLIKELY(value.v_obj == nullptr)) return raise_null_pointer(value);
    PyObject* live = g_wrappers.get(value.v_obj);
    if (live != nullptr) return live;
    object_inc_ref(value.v_obj);
    return object_without_wrapper_to_py_steal(value.v_obj);
  }
  switch (value.type_index) {
    case kTVMFFIRawStr:
      return raw_str_to_py(value);
    case kTVMFFIByteArrayPtr:
      return byte_array_to_py(value);
    case kTVMFFIObjectRValueRef:
      return rvalue_to_py(value);
    default:
      return inline_value_to_py(value);
  }
}

PyObject* object_to_py_steal(TVMFFIObject* obj) {
  PyObject* live = g_wrappers.get(obj);
  if (BINDING_UNLIKELY(live == nullptr)) return object_without_wrapper_to_py_steal(obj);
  object_dec_ref(obj);  // not the last reference: the wrapper holds one
  return live;
}

}  // namespace binding

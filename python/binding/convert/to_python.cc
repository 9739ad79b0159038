// SPDX-License-Identifier: Apache-2.0
// Which room a native value belongs to on its way to Python: by type index.
#include <cstring>

#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

BINDING_COLD PyObject* cannot_return(const char* what) {
  PyErr_Format(PyExc_ValueError, "Return value cannot be %s", what);
  return nullptr;
}

// For values from C code that break the rules of c_api.h where that can be seen.
BINDING_COLD PyObject* malformed(const TVMFFIAny& value, const char* what) {
  PyErr_Format(PyExc_ValueError, "a value of type index %d %s", value.type_index, what);
  return nullptr;
}
constexpr const char* kNullPointer = "has a NULL pointer";

PyObject* raw_str_to_py(const TVMFFIAny& value) {
  if (value.v_c_str == nullptr) return malformed(value, kNullPointer);
  return PyUnicode_DecodeUTF8(value.v_c_str, static_cast<Py_ssize_t>(std::strlen(value.v_c_str)),
                              nullptr);
}

PyObject* byte_array_to_py(const TVMFFIAny& value) {
  const auto* bytes = static_cast<TVMFFIByteArray*>(value.v_ptr);
  if (bytes == nullptr) return malformed(value, kNullPointer);
  if (bytes->data == nullptr && bytes->size != 0) {
    return malformed(value, "has a size but its data is NULL");
  }
  return PyBytes_FromStringAndSize(bytes->data, static_cast<Py_ssize_t>(bytes->size));
}

// Text or bytes inside the value itself.
PyObject* small_to_py(const TVMFFIAny& value) {
  if (BINDING_UNLIKELY(value.small_str_len >= sizeof(value.v_bytes))) {
    return malformed(value, "is longer than the 7 bytes that have a place in it");
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
      return PyBool_FromLong(value.v_int64 != 0);
    case kTVMFFIFloat:
      return PyFloat_FromDouble(value.v_float64);
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
      if (value.v_ptr == nullptr) return malformed(value, kNullPointer);
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

}  // namespace

PyObject* value_to_py_slow_steal(TVMFFIAny value) {
  if (!is_object_index(value.type_index)) return inline_value_to_py(value);
  if (BINDING_UNLIKELY(value.v_obj == nullptr)) return malformed(value, kNullPointer);
  return object_to_py_steal(value.v_obj);
}

PyObject* value_to_py_borrowed(const TVMFFIAny& value) {
  if (is_object_index(value.type_index)) {
    if (BINDING_UNLIKELY(value.v_obj == nullptr)) return malformed(value, kNullPointer);
    Wrapper* live = g_wrappers.find(value.v_obj);
    if (live != nullptr) return compat_new_ref(as_py(live));
    object_inc_ref(value.v_obj);
    return object_to_py_steal(value.v_obj);
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
  Wrapper* live = g_wrappers.find(obj);
  if (BINDING_LIKELY(live != nullptr)) {
    Py_INCREF(as_py(live));
    object_dec_ref(obj);  // not the last one: the wrapper has its own
    return as_py(live);
  }
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

PyObject* native_object_to_py_steal(ClassInfo* info, TVMFFIObject* obj) {
  Ref wrapper(wrapper_beside_steal(state().object_type, obj));
  if (!wrapper) return nullptr;
  Ref make(
      PyObject_GetAttr(reinterpret_cast<PyObject*>(info->cls), state().names.from_tvm_ffi_object));
  if (!make) return nullptr;
  return PyObject_CallFunctionObjArgs(make.get(), info->cls, wrapper.get(), nullptr);  // Python
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion from Python to a native value: chooses the conversion function by the type of the
// object.
#include <cstdlib>
#include <cstring>

#include "../attach.h"
#include "../raise.h"
#include "class_cache.h"
#include "convert.h"
#include "numpy_array.h"

namespace binding {
namespace {

int is_c_void_p(PyObject* x) {
  // Do not import ctypes for this test before an object occurs whose class has this name.
  if (std::strcmp(Py_TYPE(x)->tp_name, "c_void_p") != 0 && !state().c_void_p.is_loaded()) {
    return 0;
  }
  return is_instance_of_lazy(x, &state().c_void_p);
}

// Returns whether TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API is "1"; read for each type at its first
// conversion.
bool skips_exchange_api() {
  const char* text = std::getenv("TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API");
  return text != nullptr && std::strcmp(text, "1") == 0;
}

// Returns whether a class may be recognised later, because it belongs to a framework whose module
// may not be completely imported. Such a class is not cached.
bool may_become_known(PyTypeObject* type) {
  return std::strncmp(type->tp_name, "torch.", 6) == 0 ||
         std::strncmp(type->tp_name, "numpy.", 6) == 0;
}

// Tries to add a protocol that older releases of PyTorch lack. Returns true if the class has the
// attribute `hint` and has the protocol after `tvm_ffi._optional_torch_c_dlpack.PATCH` was called;
// otherwise false, without an exception. `hint` is NULL if there was no memory for the name.
bool torch_patched(PyTypeObject* type, PyObject* hint, PyObject* protocol, const char* patch) {
  if (hint == nullptr || !type_has(type, hint)) return false;
  Ref f(state_import("tvm_ffi._optional_torch_c_dlpack", patch));
  Ref done(f ? PyObject_CallNoArgs(f.get()) : nullptr);  // runs Python
  if (!done) clear_error();
  return type_has(type, protocol);
}

bool torch_has_older_table(PyTypeObject* type) {
  static PyObject* const hint = PyUnicode_InternFromString("__c_dlpack_exchange_api__");
  return is_torch_tensor(type) && !skips_exchange_api() &&
         torch_patched(type, hint, state().names.dlpack_exchange_api, "_patch_torch_tensor");
}

bool is_stream_of_older_torch(PyTypeObject* type) {
  static PyObject* const hint = PyUnicode_InternFromString("cuda_stream");
  return torch_patched(type, hint, state().names.cuda_stream, "patch_torch_cuda_stream_protocol");
}

// Chooses the conversion function. The order of the tests is part of the interface: it decides
// which protocol of an object is used. On failure, returns NULL with an exception set.
FromPy select_from_py(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  const Names& n = state().names;
  if (PyObject_TypeCheck(x, &TensorType)) return tensor_wrapper_from_py;
  if (PyObject_TypeCheck(x, &ContainerBaseType)) return container_from_py;
  if (PyObject_TypeCheck(x, &ErrorType)) return kept_wrapper_from_py;
  if (PyObject_TypeCheck(x, &CObjectType)) return wrapper_from_py;
  if (PyObject_TypeCheck(x, &RValueRefType)) return rvalue_from_py;
  if (type_has(type, n.tvm_ffi_object)) return protocol_object_from_py;
  if (type_has(type, n.dlpack_exchange_api) && !skips_exchange_api()) {
    return is_torch_tensor(type) ? torch_tensor_from_table : tensor_from_exchange_api;
  }
  if (type_has(type, n.cuda_stream)) return cuda_stream_from_py;
  if (type_has(type, n.dlpack)) {
    if (numpy_array_type_is_known(type)) return numpy_array_from_py;
    if (torch_has_older_table(type)) return torch_tensor_from_table;
    return is_torch_tensor(type) ? torch_tensor_from_py : tensor_from_dlpack_protocol;
  }
  if (PyBool_Check(x)) return bool_from_py;
  if (PyLong_Check(x)) return int_from_py;
  if (PyFloat_Check(x)) return float_from_py;
  if (PyObject_TypeCheck(x, state().string_type)) return string_from_py;
  if (type == state().bytes_type) return native_bytes_from_py;
  if (PyObject_TypeCheck(x, &PyNativeObjectType)) return cached_object_from_py;
  // Text, bytes and containers are not numbers; testing them first avoids the slow tests of
  // abstract base classes.
  bool plain = PyUnicode_Check(x) || PyBytes_Check(x) || PyByteArray_Check(x) || PyTuple_Check(x) ||
               PyList_Check(x) || PyDict_Check(x) || PyFunction_Check(x) || PyType_Check(x);
  if (!plain) {
    int is = is_integral(x);
    if (is != 0) return is < 0 ? nullptr : int_from_py;
    is = is_real(x);
    if (is != 0) return is < 0 ? nullptr : float_from_py;
    if (is_numpy_bool(type)) return bool_from_py;
  }
  DLDataType dtype;
  if (dtype_get(x, &dtype)) return dtype_from_py;
  DLDevice device;
  if (PyObject_TypeCheck(x, &DeviceType) && device_get(x, &device)) return device_from_py;
  if (PyUnicode_Check(x)) return str_from_py;
  if (PyBytes_Check(x) || PyByteArray_Check(x)) return bytes_from_py;
  if (PyTuple_Check(x) || PyList_Check(x)) return sequence_from_py;
  if (PyDict_Check(x)) return mapping_from_py;
  int is = is_c_void_p(x);
  if (is != 0) return is < 0 ? nullptr : c_void_p_from_py;
  if (type_has(type, n.tvm_ffi_opaque_ptr)) return protocol_opaque_ptr_from_py;
  if (PyDict_GetItemWithError(state().opaque_ptr_handlers, reinterpret_cast<PyObject*>(type))) {
    return opaque_handler_from_py;
  }
  if (PyErr_Occurred()) return nullptr;
  if (PyCallable_Check(x)) return callable_from_py;
  if (is_stream_of_older_torch(type)) return cuda_stream_from_py;
  if (is_torch_dtype(type)) return torch_dtype_from_py;
  if (is_numpy_dtype(type)) return numpy_dtype_from_py;
  if (type_has(type, n.dlpack_data_type)) return dtype_from_py;
  if (type_has(type, n.dlpack_device)) return device_from_py;
  if (type_has(type, n.tvm_ffi_int)) return protocol_int_from_py;
  if (type_has(type, n.tvm_ffi_float)) return protocol_float_from_py;
  if (type_has(type, n.tvm_ffi_value)) return protocol_value_from_py;
  if (PyObject_TypeCheck(x, reinterpret_cast<PyTypeObject*>(PyExc_Exception))) {
    return error_from_py;
  }
  if (PyObject_TypeCheck(x, &ConvertibleType)) return convertible_from_py;
  return unknown_from_py;
}

// The chosen conversion functions. Not in state.h, because only this file may use the cache.
ClassCache<FromPy, 256> g_from_py_cache;

// Returns whether a conversion function itself calls before_python_code() if it runs Python code.
bool takes_care_of_python(FromPy from_py) {
  return from_py == torch_tensor_from_table || from_py == numpy_array_from_py ||
         from_py == tensor_wrapper_from_py || from_py == wrapper_from_py;
}

// Converts an object whose class is not in the cache. A function of its own, so that the search in
// the cache saves no registers.
BINDING_COLD int choose_and_convert(PyObject* x, TVMFFIAny* out, Arguments* args) {
  FromPy from_py = select_from_py(x);
  if (from_py == nullptr) return -1;
  // A cached result must depend on the type alone; handlers are in a dict that may change.
  PyTypeObject* type = Py_TYPE(x);
  if (from_py != opaque_handler_from_py &&
      !(from_py == unknown_from_py && may_become_known(type))) {
    type_has(type, state().names.dlpack);  // a lookup gives the class the version tag
    g_from_py_cache.store(type, from_py);
  }
  return from_py(x, out, args);
}

}  // namespace

FromPy from_py_of(PyObject* x) { return select_from_py(x); }

int value_from_py_slow(PyObject* x, TVMFFIAny* out, Arguments* args) {
  out->v_int64 = 0;
  if (auto* known = g_from_py_cache.find(Py_TYPE(x))) {
    if (BINDING_UNLIKELY(g_without_storage != nullptr) && !takes_care_of_python(*known)) {
      own_storages();
    }
    return (*known)(x, out, args);
  }
  before_python_code();
  return choose_and_convert(x, out, args);
}

}  // namespace binding

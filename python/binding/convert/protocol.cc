// SPDX-License-Identifier: Apache-2.0
// Values of handle-carrying objects, of numbers and of the methods of the protocols.
#include "protocol.h"

#include "../raise.h"

namespace binding {
namespace {

// An object that a protocol method returned: its handle is kept for the call.
int keep_object(PyObject* x, const char* protocol, TVMFFIAny* out, Arguments* args) {
  if (!is_wrapper(x)) {
    PyErr_Format(PyExc_TypeError, "%s must return an FFI object, got %s", protocol,
                 Py_TYPE(x)->tp_name);
    return -1;
  }
  if (object_from_py(x, out) < 0) return -1;
  object_inc_ref(out->v_obj);
  args->temporaries.keep_steal(out->v_obj);
  return 0;
}

}  // namespace

int wrapper_room(PyObject* x, TVMFFIAny* out, Arguments*) { return object_from_py(x, out); }

int container_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (object_from_py(x, out) < 0) return -1;
  if (BINDING_LIKELY(as_container(x)->exchange_api() == nullptr)) return 0;
  return context_from_container(x, args->context);
}

int tensor_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  DLTensor* view = reinterpret_cast<TensorWrapper*>(x)->view;
  if (view == nullptr) return object_from_py(x, out);
  out->type_index = kTVMFFIDLTensorPtr;
  out->v_ptr = view;
  return 0;
}

int protocol_object_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref obj(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_object));  // runs Python
  return obj ? keep_object(obj.get(), "__tvm_ffi_object__", out, args) : -1;
}

int convertible_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref obj(PyObject_CallMethodNoArgs(x, state().names.asobject));  // runs Python
  return obj ? keep_object(obj.get(), "asobject()", out, args) : -1;
}

int cuda_stream_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref pair(PyObject_CallMethodNoArgs(x, state().names.cuda_stream));  // runs Python
  if (!pair) return -1;
  if (!PyTuple_Check(pair.get()) || PyTuple_GET_SIZE(pair.get()) < 2) {
    PyErr_Format(PyExc_TypeError, "__cuda_stream__ must return a tuple (version, handle), got %s",
                 Py_TYPE(pair.get())->tp_name);
    return -1;
  }
  out->type_index = kTVMFFIOpaquePtr;
  out->v_ptr = PyLong_AsVoidPtr(PyTuple_GET_ITEM(pair.get(), 1));
  return PyErr_Occurred() ? -1 : 0;
}

int opaque_ptr_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref address(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_opaque_ptr));  // runs Python
  if (!address) return -1;
  out->type_index = kTVMFFIOpaquePtr;
  out->v_int64 = 0;
  out->v_ptr = PyLong_AsVoidPtr(address.get());
  return PyErr_Occurred() ? -1 : 0;
}

int c_void_p_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref value(PyObject_GetAttrString(x, "value"));
  if (!value) return -1;
  out->type_index = kTVMFFIOpaquePtr;
  out->v_int64 = 0;
  if (value.get() == Py_None) return 0;
  out->v_ptr = PyLong_AsVoidPtr(value.get());
  return PyErr_Occurred() ? -1 : 0;
}

int opaque_handler_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  PyObject* handler =
      PyDict_GetItemWithError(state().opaque_ptr_handlers, reinterpret_cast<PyObject*>(Py_TYPE(x)));
  if (handler == nullptr) return -1;
  Ref address(PyObject_CallFunctionObjArgs(handler, x, nullptr));  // runs Python
  if (!address) return -1;
  out->type_index = kTVMFFIOpaquePtr;
  out->v_int64 = 0;
  out->v_ptr = PyLong_AsVoidPtr(address.get());
  return PyErr_Occurred() ? -1 : 0;
}

// A class that the table does not know: a handler may be registered for it at any time.
int unknown_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  PyObject* handlers = state().opaque_ptr_handlers;
  if (BINDING_UNLIKELY(PyDict_Size(handlers) != 0)) {
    if (PyDict_GetItemWithError(handlers, reinterpret_cast<PyObject*>(Py_TYPE(x))) != nullptr) {
      return opaque_handler_room(x, out, args);
    }
    if (PyErr_Occurred()) return -1;
  }
  return opaque_from_py(x, out, args);
}

int bool_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  int truth = PyObject_IsTrue(x);
  if (truth < 0) return -1;
  out->type_index = kTVMFFIBool;
  out->v_int64 = truth;
  return 0;
}

int integral_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (PyLong_Check(x)) return int_from_py_slow(x, out, args);
  Ref value(PyNumber_Long(x));  // runs Python
  return value ? int_from_py_slow(value.get(), out, args) : -1;
}

int real_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  double value = PyFloat_Check(x) ? PyFloat_AS_DOUBLE(x) : PyFloat_AsDouble(x);  // runs Python
  if (value == -1.0 && PyErr_Occurred()) return -1;
  out->type_index = kTVMFFIFloat;
  out->v_float64 = value;
  return 0;
}

int protocol_int_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref value(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_int));  // runs Python
  return value ? integral_room(value.get(), out, args) : -1;
}

int protocol_float_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref value(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_float));  // runs Python
  return value ? real_room(value.get(), out, args) : -1;
}

int protocol_value_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (Py_EnterRecursiveCall(" in __tvm_ffi_value__")) return -1;
  int rc = -1;
  Ref value(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_value));  // runs Python
  if (value) {
    // What the method returned may be borrowed by the result, so that is made an owned one.
    rc = value_from_py_owned(value.get(), out, args->context);
    if (rc == 0 && is_object_index(out->type_index)) args->temporaries.keep_steal(out->v_obj);
  }
  Py_LeaveRecursiveCall();
  return rc;
}

// A Python value that remembers the native object it came from.
int cached_object_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref cached(PyObject_GetAttr(x, state().names.tvm_ffi_cached_object));
  if (!cached) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
  }
  if (cached && cached.get() != Py_None) {
    return keep_object(cached.get(), "_tvm_ffi_cached_object", out, args);
  }
  if (PyUnicode_Check(x)) return str_from_py(x, out, args);
  if (PyBytes_Check(x)) return bytes_from_py(x, out, args);
  PyErr_Format(PyExc_ValueError, "_tvm_ffi_cached_object is None for %R", Py_TYPE(x));
  return -1;
}

int string_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* native = reinterpret_cast<StringObject*>(x)->native;
  if (native == nullptr) return str_from_py(x, out, args);
  value_set_object(out, native);
  return 0;
}

}  // namespace binding

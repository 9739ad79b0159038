// SPDX-License-Identifier: Apache-2.0
// Which room a value belongs to: by Python type on the way in, by type index on the way out.
#include <cstdlib>
#include <cstring>

#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

using FromPy = int (*)(PyObject* x, TVMFFIAny* out, Arguments* args);

// Attributes of a protocol are looked up on the type.
bool type_has(PyTypeObject* type, PyObject* name) { return _PyType_Lookup(type, name) != nullptr; }

int wrapper_room(PyObject* x, TVMFFIAny* out, Arguments*) { return object_from_py(x, out); }

int container_room(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (object_from_py(x, out) < 0) return -1;
  if (BINDING_LIKELY(reinterpret_cast<ContainerWrapper*>(x)->exchange_api == nullptr)) return 0;
  return context_from_container(x, args->context);
}

int tensor_room(PyObject* x, TVMFFIAny* out, Arguments*) {
  DLTensor* view = reinterpret_cast<TensorWrapper*>(x)->view;
  if (view == nullptr) return object_from_py(x, out);
  out->type_index = kTVMFFIDLTensorPtr;
  out->v_ptr = view;
  return 0;
}

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

// An instance test against an abstract class that is loaded only when something needs it.
int is_instance_of_lazy(PyObject* x, PyObject** cls, const char* module, const char* name) {
  if (*cls == nullptr) {
    *cls = state_import(module, name);
    if (*cls == nullptr) return -1;
  }
  return PyObject_IsInstance(x, *cls);  // may run Python
}

}  // namespace

int is_integral(PyObject* x) {
  return is_instance_of_lazy(x, &state().integral_abc, "numbers", "Integral");
}

int is_real(PyObject* x) { return is_instance_of_lazy(x, &state().real_abc, "numbers", "Real"); }

namespace {

int is_c_void_p(PyObject* x) {
  // Nothing is a c_void_p before ctypes was imported.
  if (std::strcmp(Py_TYPE(x)->tp_name, "c_void_p") != 0 && state().c_void_p == nullptr) return 0;
  return is_instance_of_lazy(x, &state().c_void_p, "ctypes", "c_void_p");
}

// TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API=1, read when a type is first met.
bool skips_exchange_api() {
  const char* text = std::getenv("TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API");
  return text != nullptr && std::strcmp(text, "1") == 0;
}

// Older releases of PyTorch lack a protocol that newer ones have. True once a class that has
// attribute `hint` got it from `tvm_ffi._optional_torch_c_dlpack.PATCH`; false, without an
// exception, for others. `hint` NULL: there was no memory for the name.
bool torch_patched(PyTypeObject* type, PyObject* hint, PyObject* protocol, const char* patch) {
  if (hint == nullptr || !type_has(type, hint)) return false;
  Ref f(state_import("tvm_ffi._optional_torch_c_dlpack", patch));
  Ref done(f ? PyObject_CallNoArgs(f.get()) : nullptr);  // runs Python
  if (!done) PyErr_Clear();
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

// A class of a framework whose module is not there yet, or not whole: asked again next time.
bool may_become_known(PyTypeObject* type) {
  return std::strncmp(type->tp_name, "torch.", 6) == 0 ||
         std::strncmp(type->tp_name, "numpy.", 6) == 0;
}

// The table of python-core-calls section 2, in its order. NULL with an exception set on failure.
FromPy select_room(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  const Names& n = state().names;
  if (PyObject_TypeCheck(x, &TensorType)) return tensor_room;
  if (PyObject_TypeCheck(x, &ContainerBaseType)) return container_room;
  if (PyObject_TypeCheck(x, &CObjectType)) return wrapper_room;
  if (PyObject_TypeCheck(x, &RValueRefType)) return rvalue_from_py;
  if (type_has(type, n.tvm_ffi_object)) return protocol_object_room;
  if (type_has(type, n.dlpack_exchange_api) && !skips_exchange_api()) {
    return tensor_from_exchange_api;
  }
  if (type_has(type, n.cuda_stream)) return cuda_stream_room;
  if (type_has(type, n.dlpack)) {
    if (torch_has_older_table(type)) return tensor_from_exchange_api;
    return is_torch_tensor(type) ? torch_tensor_from_py : tensor_from_dlpack_protocol;
  }
  if (PyBool_Check(x)) return bool_room;
  if (PyLong_Check(x)) return integral_room;
  if (PyFloat_Check(x)) return real_room;
  if (PyObject_TypeCheck(x, state().string_type)) return string_room;
  if (PyObject_TypeCheck(x, &PyNativeObjectType)) return cached_object_room;
  // Text, bytes and containers are no numbers; testing them first saves the abstract classes.
  bool plain = PyUnicode_Check(x) || PyBytes_Check(x) || PyByteArray_Check(x) || PyTuple_Check(x) ||
               PyList_Check(x) || PyDict_Check(x) || PyFunction_Check(x) || PyType_Check(x);
  if (!plain) {
    int is = is_integral(x);
    if (is != 0) return is < 0 ? nullptr : integral_room;
    is = is_real(x);
    if (is != 0) return is < 0 ? nullptr : real_room;
    if (is_numpy_bool(type)) return bool_room;
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
  if (is != 0) return is < 0 ? nullptr : c_void_p_room;
  if (type_has(type, n.tvm_ffi_opaque_ptr)) return opaque_ptr_room;
  if (PyDict_GetItemWithError(state().opaque_ptr_handlers, reinterpret_cast<PyObject*>(type))) {
    return opaque_handler_room;
  }
  if (PyErr_Occurred()) return nullptr;
  if (PyCallable_Check(x)) return callable_from_py;
  if (is_stream_of_older_torch(type)) return cuda_stream_room;
  if (is_torch_dtype(type)) return torch_dtype_from_py;
  if (is_numpy_dtype(type)) return numpy_dtype_from_py;
  if (type_has(type, n.dlpack_data_type)) return dtype_from_py;
  if (type_has(type, n.dlpack_device)) return device_from_py;
  if (type_has(type, n.tvm_ffi_int)) return protocol_int_room;
  if (type_has(type, n.tvm_ffi_float)) return protocol_float_room;
  if (type_has(type, n.tvm_ffi_value)) return protocol_value_room;
  if (PyObject_TypeCheck(x, reinterpret_cast<PyTypeObject*>(PyExc_Exception))) {
    return error_from_py;
  }
  if (PyObject_TypeCheck(x, &ConvertibleType)) return convertible_room;
  return unknown_room;
}

// The room found for a type, valid while the type's version tag stands; direct mapped and so
// bounded. Types without a tag are looked up each time.
struct RoomCache {
  struct Entry {
    PyTypeObject* type;
    unsigned int version;
    FromPy room;
  };
  static constexpr size_t kSize = 256;
  Entry entries[kSize];

  Entry* place(PyTypeObject* type) {
    auto bits = reinterpret_cast<uintptr_t>(type);
    return &entries[((bits >> 4) ^ (bits >> 12)) % kSize];
  }
};

// Needs its reason: part of the state in spirit, here because nothing else may see it.
RoomCache g_rooms{};

unsigned int type_version(PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030D0000
  if (!(type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG)) return 0;
#endif
  return type->tp_version_tag;
}

}  // namespace

int value_from_py_slow(PyObject* x, TVMFFIAny* out, Arguments* args) {
  PyTypeObject* type = Py_TYPE(x);
  out->v_int64 = 0;
  RoomCache::Entry* entry = g_rooms.place(type);
  if (BINDING_LIKELY(entry->type == type && entry->version == type_version(type) &&
                     entry->version != 0)) {
    return entry->room(x, out, args);
  }
  FromPy room = select_room(x);
  if (room == nullptr) return -1;
  // The answer must depend on the type alone: handlers are a dict that may change.
  if (room != opaque_handler_room && !(room == unknown_room && may_become_known(type))) {
    *entry = RoomCache::Entry{type, type_version(type), room};
  }
  return room(x, out, args);
}

int refuse_to_keep_view() {
  PyErr_SetString(PyExc_ValueError,
                  "a tensor view is valid during its callback only and cannot be kept");
  return -1;
}

int value_from_py_owned(PyObject* x, TVMFFIAny* out, CallContext* context) {
  TVMFFIObject* place;
  CallContext nobody;
  Arguments args{Temporaries(&place), context == nullptr ? &nobody : context};
  if (value_from_py(x, out, &args) < 0) return -1;
  if (is_object_index(out->type_index)) {
    object_inc_ref(out->v_obj);
    return 0;
  }
  if (out->type_index < kTVMFFIDLTensorPtr || out->type_index > kTVMFFIObjectRValueRef) return 0;
  if (out->type_index == kTVMFFIDLTensorPtr) return refuse_to_keep_view();
  TVMFFIAny view = *out;
  *out = value_none();
  int status = TVMFFIAnyViewToOwnedAny(&view, out);
  return status == 0 ? 0 : raise_from_slot(status);
}

namespace {

BINDING_COLD PyObject* cannot_return(const char* what) {
  PyErr_Format(PyExc_ValueError, "Return value cannot be %s", what);
  return nullptr;
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
      return small_str_to_py(value);
    case kTVMFFISmallBytes:
      return small_bytes_to_py(value);
    case kTVMFFIOpaquePtr:
      return opaque_ptr_to_py(value.v_ptr);
    case kTVMFFIDataType:
      return dtype_to_py(value.v_dtype);
    case kTVMFFIDevice:
      return device_to_py(value.v_device);
    case kTVMFFIDLTensorPtr:
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
  if (is_object_index(value.type_index)) return object_to_py_steal(value.v_obj);
  return inline_value_to_py(value);
}

PyObject* value_to_py_borrowed(const TVMFFIAny& value) {
  if (is_object_index(value.type_index)) {
    Wrapper* live = g_wrappers.find(value.v_obj);
    if (live != nullptr) return compat_new_ref(as_py(live));
    object_inc_ref(value.v_obj);
    return object_to_py_steal(value.v_obj);
  }
  switch (value.type_index) {
    case kTVMFFIRawStr:
      return PyUnicode_DecodeUTF8(value.v_c_str,
                                  static_cast<Py_ssize_t>(std::strlen(value.v_c_str)), nullptr);
    case kTVMFFIByteArrayPtr: {
      auto* bytes = static_cast<TVMFFIByteArray*>(value.v_ptr);
      return PyBytes_FromStringAndSize(bytes->data, static_cast<Py_ssize_t>(bytes->size));
    }
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

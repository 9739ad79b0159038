// SPDX-License-Identifier: Apache-2.0
// Conversion of bare pointers: from `ctypes.c_void_p`, from streams, from the protocol
// `__tvm_ffi_opaque_ptr__` and from classes with a registered handler; to `ctypes.c_void_p`.
#include "opaque_ptr.h"

#include "convert.h"
#include "schema/converters.h"

namespace binding {
namespace {

// Converts the int `address`. The caller passes an empty `address` if an exception is already set.
// Returns 0, or -1 with an exception set.
int pointer_from_address(const Ref& address, TVMFFIAny* out) {
  void* pointer;
  if (!address || address_from_py(address.get(), &pointer) < 0) return -1;
  value_set_pointer(out, pointer);
  return 0;
}

}  // namespace

int cuda_stream_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref pair(PyObject_CallMethodNoArgs(x, state().names.cuda_stream));  // runs Python
  if (!pair) return -1;
  if (!PyTuple_Check(pair.get()) || PyTuple_GET_SIZE(pair.get()) < 2) {
    PyErr_Format(PyExc_TypeError, "__cuda_stream__ must return a tuple (version, handle), got %s",
                 Py_TYPE(pair.get())->tp_name);
    return -1;
  }
  return pointer_from_address(Ref::borrow(PyTuple_GET_ITEM(pair.get(), 1)), out);
}

int protocol_opaque_ptr_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref address(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_opaque_ptr));  // runs Python
  return pointer_from_address(address, out);
}

int c_void_p_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref value(PyObject_GetAttrString(x, "value"));
  if (value && value.get() == Py_None) {
    value_set_pointer(out, nullptr);
    return 0;
  }
  return pointer_from_address(value, out);
}

int opaque_handler_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref handler = dict_find(state().opaque_ptr_handlers, reinterpret_cast<PyObject*>(Py_TYPE(x)));
  if (!handler) return -1;
  Ref address(PyObject_CallFunctionObjArgs(handler.get(), x, nullptr));  // runs Python
  return pointer_from_address(address, out);
}

PyObject* opaque_ptr_to_py(void* ptr) {
  PyObject* cls = state().c_void_p.get();
  if (cls == nullptr) return nullptr;
  Ref address(ptr == nullptr ? compat_new_ref(Py_None) : PyLong_FromVoidPtr(ptr));
  return address ? PyObject_CallFunctionObjArgs(cls, address.get(), nullptr) : nullptr;
}

namespace schema {

Outcome opaque_ptr_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (x != Py_None) return pack_as(kTVMFFIOpaquePtr, c, x, out, why);
  value_set_pointer(out, nullptr);
  return kConverted;
}

}  // namespace schema
}  // namespace binding

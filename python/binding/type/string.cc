// SPDX-License-Identifier: Apache-2.0
// core.String and core.Bytes: a str and a bytes that own the native object from which they were
// made, so that passing them back does not copy.
#include "../convert/convert.h"
#include "../named.h"
#include "types.h"

namespace binding {
namespace {

StringObject* as_string(PyObject* x) { return reinterpret_cast<StringObject*>(x); }

void string_dealloc(PyObject* self) {
  TVMFFIObject* native = std::exchange(as_string(self)->native, nullptr);
  PyTypeObject* type = Py_TYPE(self);
  PyUnicode_Type.tp_dealloc(self);
  if (native != nullptr) object_dec_ref(native);
  Py_DECREF(type);
}

PyObject* string_get_cached(PyObject* self, void*) {
  TVMFFIObject* native = as_string(self)->native;
  if (native == nullptr) Py_RETURN_NONE;
  object_inc_ref(native);
  return wrapper_beside_steal(state().object_type, native);
}

int string_set_cached(PyObject* self, PyObject* value, void*) {
  TVMFFIObject* native = nullptr;
  if (value != nullptr && value != Py_None) {
    if (!is_wrapper(value) || as_wrapper(value)->handle == nullptr ||
        as_wrapper(value)->handle->type_index != kTVMFFIStr) {
      PyErr_Format(PyExc_TypeError,
                   "_tvm_ffi_cached_object expects an object that holds a native string, got %s",
                   Py_TYPE(value)->tp_name);
      return -1;
    }
    native = as_wrapper(value)->handle;
    object_inc_ref(native);
  }
  TVMFFIObject* old = std::exchange(as_string(self)->native, native);
  if (old != nullptr) object_dec_ref(old);
  return 0;
}

PyObject* string_reduce(PyObject* self, PyObject*) {
  Ref plain(PyUnicode_FromObject(self));
  return plain ? Py_BuildValue("O(O)", &PyUnicode_Type, plain.get()) : nullptr;
}

PyObject* bytes_reduce(PyObject* self, PyObject*) {
  Ref plain(PyBytes_FromStringAndSize(PyBytes_AS_STRING(self), PyBytes_GET_SIZE(self)));
  return plain ? Py_BuildValue("O(O)", &PyBytes_Type, plain.get()) : nullptr;
}

// Minimum size in bytes for an out-of-band buffer (pickle protocol 5). A buffer for shorter values
// costs more than a copy.
constexpr Py_ssize_t kOutOfBandSize = 1024;

PyObject* bytes_reduce_ex(PyObject* self, PyObject* arg) {
  long protocol = PyLong_AsLong(arg);
  if (protocol == -1 && PyErr_Occurred()) return nullptr;
  if (protocol < 5 || PyBytes_GET_SIZE(self) < kOutOfBandSize) return bytes_reduce(self, nullptr);
  Ref buffer(PyPickleBuffer_FromObject(self));
  return buffer ? Py_BuildValue("O(O)", &PyBytes_Type, buffer.get()) : nullptr;
}

PyGetSetDef string_getset[] = {{"_tvm_ffi_cached_object", string_get_cached, string_set_cached,
                                "The native string as an Object, or None.", nullptr},
                               {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef string_methods[] = {
    {"__reduce__", string_reduce, METH_NOARGS, "Pickles as a plain str."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef bytes_methods[] = {
    {"__reduce__", bytes_reduce, METH_NOARGS, "Pickles as plain bytes."},
    {"__reduce_ex__", bytes_reduce_ex, METH_O,
     "Pickles as plain bytes; from protocol 5 on, long ones as a buffer."}};

// Calls the class with the arguments of str or bytes; a single argument may be given by name.
PyObject* string_vectorcall(PyObject* cls, PyObject* const* args, size_t nargsf,
                            PyObject* kwnames) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (n == 0 && kwnames != nullptr && PyTuple_GET_SIZE(kwnames) == 1 &&
      PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, 0), "value") == 0) {
    n = 1;
    kwnames = nullptr;
  }
  PackedArguments packed(args, n, kwnames);
  return packed ? type->tp_new(type, packed.tuple(), packed.dict()) : nullptr;
}

int string_make(PyObject* module) {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("A str that keeps the native string it came from.")},
      {Py_tp_dealloc, reinterpret_cast<void*>(string_dealloc)},
      {Py_tp_getset, string_getset},
      {Py_tp_methods, string_methods},
      {0, nullptr}};
  PyType_Spec spec = {"tvm_ffi.core.String", sizeof(StringObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  Ref bases(PyTuple_Pack(2, &PyUnicode_Type, &PyNativeObjectType));
  if (!bases) return -1;
  PyObject* cls = PyType_FromSpecWithBases(&spec, bases.get());
  if (cls == nullptr) return -1;
  state().string_type = reinterpret_cast<PyTypeObject*>(cls);
  state().string_type->tp_vectorcall = string_vectorcall;
  Py_INCREF(cls);
  return PyModule_AddObject(module, "String", cls);
}

// Makes core.Bytes. A subclass of bytes cannot have non-empty `__slots__`, because bytes objects
// are of variable size; so instances have a dictionary.
int bytes_make(PyObject* module) {
  Ref cls(PyObject_CallFunction(
      reinterpret_cast<PyObject*>(&PyType_Type), "s(OO){s:s,s:s,s:O}", "Bytes", &PyBytes_Type,
      &PyNativeObjectType, "__module__", "tvm_ffi.core", "__doc__",
      "A bytes that keeps the native bytes it came from.", "_tvm_ffi_cached_object", Py_None));
  if (!cls) return -1;
  auto* type = reinterpret_cast<PyTypeObject*>(cls.get());
  for (PyMethodDef& def : bytes_methods) {
    Ref method(PyDescr_NewMethod(type, &def));
    if (!method || PyObject_SetAttrString(cls.get(), def.ml_name, method.get()) < 0) return -1;
  }
  type->tp_vectorcall = string_vectorcall;
  state().bytes_type = type;
  Py_INCREF(type);
  return PyModule_AddObject(module, "Bytes", cls.release());
}

}  // namespace

int string_type_init(PyObject* module) {
  if (string_make(module) < 0) return -1;
  return bytes_make(module);
}

}  // namespace binding

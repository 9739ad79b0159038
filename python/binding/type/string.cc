// SPDX-License-Identifier: Apache-2.0
// core.String and core.Bytes: a str and a bytes that own the native object from which they were
// made, so that passing them back does not copy.
#include <cstring>

#include "../convert/convert.h"
#include "../named.h"
#include "types.h"

namespace binding {
namespace {

StringObject* as_string(PyObject* x) { return reinterpret_cast<StringObject*>(x); }

void string_dealloc(PyObject* self) {
  if (as_string(self)->shares_text()) {
    as_string(self)->base.data.any = nullptr;
    as_string(self)->base._base.utf8 = nullptr;
  }
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

// Text may be that of the native object, and other threads may read the slot.
int refuse_change() {
  PyErr_SetString(PyExc_AttributeError, "_tvm_ffi_cached_object cannot be changed once it is set");
  return -1;
}

int string_set_cached(PyObject* self, PyObject* value, void*) {
  if (as_string(self)->native != nullptr) return refuse_change();
  if (value == nullptr || value == Py_None) return 0;
  if (!is_wrapper(value) || as_wrapper(value)->handle == nullptr ||
      as_wrapper(value)->handle->type_index != kTVMFFIStr) {
    PyErr_Format(PyExc_TypeError,
                 "_tvm_ffi_cached_object expects an object that holds a native string, got %s",
                 Py_TYPE(value)->tp_name);
    return -1;
  }
  as_string(self)->native = as_wrapper(value)->handle;
  object_inc_ref(as_wrapper(value)->handle);
  return 0;
}

PyObject* string_reduce(PyObject* self, PyObject*) {
  Ref plain(PyUnicode_FromObject(self));
  return plain ? Py_BuildValue("O(O)", &PyUnicode_Type, plain.get()) : nullptr;
}

// CPython puts the content of bytes at the end of the object, so a subclass cannot have a C member.
// The slot lies behind the memory that CPython knows; it is NULL for an object made in Python.
size_t bytes_extent(const PyTypeObject* type, Py_ssize_t size) {
  constexpr size_t kAlign = alignof(TVMFFIObject*) - 1;
  return (static_cast<size_t>(type->tp_basicsize + size) + kAlign) & ~kAlign;
}

PyObject* bytes_alloc(PyTypeObject* type, Py_ssize_t size) {
  constexpr Py_ssize_t kSlot = sizeof(TVMFFIObject*);
  if (size > PY_SSIZE_T_MAX - type->tp_basicsize - 2 * kSlot) return PyErr_NoMemory();
  auto* self = PyObject_GC_NewVar(PyVarObject, type, size + kSlot);
  if (self == nullptr) return nullptr;
  Py_SET_SIZE(self, size);
  char* end = PyBytes_AS_STRING(reinterpret_cast<PyObject*>(self)) + size;
  std::memset(end, 0, reinterpret_cast<char*>(self) + bytes_extent(type, size) + kSlot - end);
  PyObject_GC_Track(self);
  return reinterpret_cast<PyObject*>(self);
}

void bytes_finalize(PyObject* self) {
  TVMFFIObject** slot = bytes_native(self);
  TVMFFIObject* native = slot == nullptr ? nullptr : std::exchange(*slot, nullptr);
  if (native != nullptr) object_dec_ref(native);
}

PyObject* bytes_get_cached(PyObject* self, void*) {
  TVMFFIObject** slot = bytes_native(self);
  if (slot != nullptr && *slot != nullptr) {
    object_inc_ref(*slot);
    return wrapper_beside_steal(state().object_type, *slot);
  }
  Ref dict(PyObject_GenericGetDict(self, nullptr));
  if (!dict) return nullptr;
  PyObject* found = PyDict_GetItemWithError(dict.get(), state().names.tvm_ffi_cached_object);
  if (found == nullptr && PyErr_Occurred()) return nullptr;
  return compat_new_ref(found == nullptr ? Py_None : found);
}

int bytes_set_cached(PyObject* self, PyObject* value, void*) {
  TVMFFIObject** slot = bytes_native(self);
  if (slot != nullptr && *slot != nullptr) return refuse_change();
  Ref dict(PyObject_GenericGetDict(self, nullptr));
  PyObject* stored = value == nullptr ? Py_None : value;
  return dict ? PyDict_SetItem(dict.get(), state().names.tvm_ffi_cached_object, stored) : -1;
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

PyGetSetDef bytes_cached = {"_tvm_ffi_cached_object", bytes_get_cached, bytes_set_cached,
                            "The native bytes as an Object, or None.", nullptr};

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
  state().ascii_string = PyObject_CallFunction(cls, "s", "ASCII");
  if (state().ascii_string == nullptr) return -1;
  Py_INCREF(cls);
  return PyModule_AddObject(module, "String", cls);
}

// Makes core.Bytes, whose instances have a dictionary.
int bytes_make(PyObject* module) {
  Ref cls(PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyType_Type), "s(OO){s:s,s:s}",
                                "Bytes", &PyBytes_Type, &PyNativeObjectType, "__module__",
                                "tvm_ffi.core", "__doc__",
                                "A bytes that keeps the native bytes it came from."));
  if (!cls) return -1;
  auto* type = reinterpret_cast<PyTypeObject*>(cls.get());
  for (PyMethodDef& def : bytes_methods) {
    Ref method(PyDescr_NewMethod(type, &def));
    if (!method || PyObject_SetAttrString(cls.get(), def.ml_name, method.get()) < 0) return -1;
  }
  Ref cached(PyDescr_NewGetSet(type, &bytes_cached));
  if (!cached || PyObject_SetAttrString(cls.get(), bytes_cached.name, cached.get()) < 0) return -1;
  type->tp_alloc = bytes_alloc;
  type->tp_finalize = bytes_finalize;
  type->tp_vectorcall = string_vectorcall;
  state().bytes_type = type;
  Py_INCREF(type);
  return PyModule_AddObject(module, "Bytes", cls.release());
}

}  // namespace

TVMFFIObject** bytes_native(PyObject* self) {
  if (Py_TYPE(self) != state().bytes_type) return nullptr;
  char* at = reinterpret_cast<char*>(self) + bytes_extent(Py_TYPE(self), Py_SIZE(self));
  return reinterpret_cast<TVMFFIObject**>(at);
}

int string_type_init(PyObject* module) {
  if (string_make(module) < 0) return -1;
  return bytes_make(module);
}

}  // namespace binding

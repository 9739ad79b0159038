// SPDX-License-Identifier: Apache-2.0
// core.Error, the wrapper of a native error object (not an exception), and core.OpaquePyObject.
#include <tvm/ffi/extra/c_error.h>

#include "../convert/convert.h"
#include "../named.h"
#include "../raise.h"
#include "../utf8.h"
#include "types.h"

namespace binding {
namespace {

TVMFFIErrorCell* error_cell(PyObject* self) {
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  if (obj->type_index != kTVMFFIError) {
    PyErr_SetString(PyExc_TypeError, "this Error holds a native object that is not an error");
    return nullptr;
  }
  return TVMFFIErrorGetCellPtr(obj);
}

int error_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"kind", "message", "backtrace", nullptr};
  PyObject* parts[3];
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "UUU:Error", const_cast<char**>(keywords),
                                   &parts[0], &parts[1], &parts[2])) {
    return -1;
  }
  TVMFFIByteArray texts[3];
  for (int i = 0; i < 3; ++i) {
    if (utf8_borrowed(parts[i], &texts[i]) < 0) return -1;
  }
  TVMFFIObjectHandle out = nullptr;
  if (TVMFFIErrorCreate(&texts[0], &texts[1], &texts[2], &out) != 0) {
    PyErr_NoMemory();
    return -1;
  }
  return wrapper_adopt_steal(as_wrapper(self), static_cast<TVMFFIObject*>(out));
}

// Returns the kind, the message or the backtrace of an error; `closure` is the offset of this text
// in the cell.
PyObject* error_get_text(PyObject* self, void* closure) {
  TVMFFIErrorCell* cell = error_cell(self);
  if (cell == nullptr) return nullptr;
  auto offset = reinterpret_cast<intptr_t>(closure);
  auto* text = reinterpret_cast<TVMFFIByteArray*>(reinterpret_cast<char*>(cell) + offset);
  return utf8_to_py(*text, "replace");
}

PyObject* error_get_extra_context(PyObject* self, void*) {
  if (error_cell(self) == nullptr) return nullptr;
  auto* context = static_cast<TVMFFIObject*>(tvm_ffi_error_context(as_wrapper(self)->handle));
  if (context == nullptr) Py_RETURN_NONE;
  if (context->type_index == kTVMFFIOpaquePyObject) {
    auto* payload = static_cast<PyObject*>(TVMFFIOpaqueObjectGetCellPtr(context)->handle);
    if (payload != nullptr && PyExceptionInstance_Check(payload)) Py_RETURN_NONE;
  }
  object_inc_ref(context);
  return object_to_py_steal(context);
}

PyObject* error_update_backtrace(PyObject* self, PyObject* arg) {
  if (!PyUnicode_Check(arg)) {
    PyErr_Format(PyExc_TypeError, "update_backtrace expects a str, got %s", Py_TYPE(arg)->tp_name);
    return nullptr;
  }
  TVMFFIByteArray text;
  if (utf8_borrowed(arg, &text) < 0) return nullptr;
  TVMFFIErrorCell* cell = error_cell(self);
  if (cell == nullptr) return nullptr;
  TVMFFIObject* error = as_wrapper(self)->handle;
  if (object_strong_count(error) > 1) {
    // Native code may be reading the text without the GIL.
    TVMFFIObject* copy = error_copy(cell, text);
    if (copy == nullptr || wrapper_adopt_steal(as_wrapper(self), copy) < 0) return nullptr;
  } else if (cell->update_backtrace != nullptr) {
    cell->update_backtrace(error, &text, kTVMFFIBacktraceUpdateModeReplace);
  }
  Py_RETURN_NONE;
}

PyObject* error_py_error(PyObject* self, PyObject*) {
  if (error_cell(self) == nullptr) return nullptr;
  ObjectOwner error = ObjectOwner::borrow(as_wrapper(self)->handle);
  return exception_from_error(error.get());
}

PyObject* error_reduce(PyObject* self, PyObject*) {
  if (as_wrapper(self)->handle == nullptr) {
    Ref make(state_import("copyreg", "__newobj__"));
    return make ? Py_BuildValue("O(O)", make.get(), Py_TYPE(self)) : nullptr;
  }
  return Py_BuildValue(
      "O(NNN)", Py_TYPE(self),
      error_get_text(self, reinterpret_cast<void*>(offsetof(TVMFFIErrorCell, kind))),
      error_get_text(self, reinterpret_cast<void*>(offsetof(TVMFFIErrorCell, message))),
      error_get_text(self, reinterpret_cast<void*>(offsetof(TVMFFIErrorCell, backtrace))));
}

PyGetSetDef error_getset[] = {
    {"kind", error_get_text, nullptr, "Name of the error class.",
     reinterpret_cast<void*>(offsetof(TVMFFIErrorCell, kind))},
    {"message", error_get_text, nullptr, "The text.",
     reinterpret_cast<void*>(offsetof(TVMFFIErrorCell, message))},
    {"backtrace", error_get_text, nullptr, "Lines, most recent call first.",
     reinterpret_cast<void*>(offsetof(TVMFFIErrorCell, backtrace))},
    {"extra_context", error_get_extra_context, nullptr, "Attached FFI value, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr Parameters kUpdateBacktraceParameters = {"update_backtrace", 1, {"backtrace"}};

PyMethodDef error_methods[] = {
    named_method(kUpdateBacktraceParameters,
                 named_one<error_update_backtrace, kUpdateBacktraceParameters>,
                 "update_backtrace($self, backtrace)\n--\n\n"
                 "Replace the stored backtrace."),
    {"py_error", error_py_error, METH_NOARGS,
     "py_error($self)\n--\n\n"
     "The exception that stands for this error."},
    {"__reduce__", error_reduce, METH_NOARGS, "Pickles as kind, message and backtrace."},
    {nullptr, nullptr, 0, nullptr}};

PyObject* opaque_pyobject(PyObject* self, PyObject*) {
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  if (obj->type_index != kTVMFFIOpaquePyObject) {
    PyErr_SetString(PyExc_TypeError, "this OpaquePyObject holds a native object that is not a box");
    return nullptr;
  }
  return opaque_object_to_py(obj);
}

PyMethodDef opaque_methods[] = {{"pyobject", opaque_pyobject, METH_NOARGS,
                                 "pyobject($self)\n--\n\n"
                                 "The Python object in the box."},
                                {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject ErrorType = static_type();
PyTypeObject OpaquePyObjectType = static_type();

int error_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(
      &ErrorType, "tvm_ffi.core.Error", sizeof(Wrapper), Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
      "Error(kind, message, backtrace)\n--\n\nAn error object of the library: kind, message and "
      "backtrace.");
  t->tp_base = &CObjectType;
  t->tp_dealloc = wrapper_dealloc_static;
  t->tp_traverse = wrapper_traverse;
  t->tp_clear = wrapper_clear;
  t->tp_init = error_init;
  t->tp_getset = error_getset;
  t->tp_methods = error_methods;
  return type_add(module, t);
}

int opaque_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&OpaquePyObjectType, "tvm_ffi.core.OpaquePyObject", sizeof(Wrapper),
                 Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, "A native box around a Python object.");
  t->tp_base = &CObjectType;
  t->tp_dealloc = wrapper_dealloc_static;
  t->tp_traverse = wrapper_traverse;
  t->tp_clear = wrapper_clear;
  t->tp_methods = opaque_methods;
  return type_add(module, t);
}

}  // namespace binding

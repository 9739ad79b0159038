// SPDX-License-Identifier: Apache-2.0
// `__copy__` and `__replace__` of data classes, and the allocation of an object for classes whose
// `__init__` the user wrote.
#include "../call.h"
#include "../raise.h"
#include "../state.h"
#include "../type/types.h"
#include "../type_attribute.h"
#include "initializer.h"

namespace binding {
namespace {

BINDING_COLD PyObject* refuse_copy(PyObject* self) {
  return PyErr_Format(PyExc_TypeError,
                      "Type `%s` does not support copy. The underlying C++ type is not "
                      "copy-constructible.",
                      Py_TYPE(self)->tp_name);
}

// Makes a shallow copy of the native object, and a new wrapper of the class of `self` for the copy.
PyObject* copy_of(PyObject* self) {
  static TypeAttribute shallow_copy("__ffi_shallow_copy__");
  CallMark mark;
  Section section(self);  // another thread may write a field
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  int32_t type_index = obj->type_index;  // a hook may move the object away
  const TVMFFIAny* copy = shallow_copy.of(type_index);
  if (copy == nullptr || copy->type_index != kTVMFFIFunction) return refuse_copy(self);
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  if (call_values(copy->v_obj, &arg, 1, &result) < 0) return nullptr;
  PyTypeObject* cls = Py_TYPE(self);
  if (is_object_index(result.type_index) && result.v_obj->type_index == type_index &&
      !g_wrappers.has(result.v_obj)) {
    return wrapper_new_steal(cls, wrapper_is_plain(cls), result.v_obj);
  }
  return value_to_py_steal(result);
}

PyObject* object_copy(PyObject* self, PyObject*) { return copy_of(self); }

// Sets the error for a name that is not a field. Runs Python code of this package only.
BINDING_COLD void refuse_change(PyTypeObject* cls, PyObject* name) {
  static LazyImport function("tvm_ffi.dataclasses.unknown_field", "refuse");
  PyObject* refuse = function.get();
  if (refuse != nullptr) Ref(PyObject_CallFunctionObjArgs(refuse, cls, name, nullptr));
}

// Stores one change. Unlike an assignment, `__replace__` also writes frozen fields.
int change(PyObject* copy, PyObject* name, PyObject* value) {
  Ref found = type_find(Py_TYPE(copy), name);
  if (found && Py_TYPE(found.get()) == &FieldType) return field_force(found.get(), copy, value);
  refuse_change(Py_TYPE(copy), name);
  return -1;
}

PyObject* object_replace(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  if (n != 0) {
    return PyErr_Format(PyExc_TypeError,
                        "__replace__() takes changes by name alone, got %zd "
                        "positional arguments",
                        n);
  }
  Ref copy(copy_of(self));
  Py_ssize_t count = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  if (copy.get() == self && count != 0) {
    return PyErr_Format(PyExc_TypeError,
                        "`__ffi_shallow_copy__` of %s returned the object itself, which "
                        "__replace__() must not change",
                        Py_TYPE(self)->tp_name);
  }
  for (Py_ssize_t i = 0; copy && i < count; ++i) {
    if (change(copy.get(), PyTuple_GET_ITEM(kwnames, i), args[i]) < 0) return nullptr;
  }
  return copy.release();
}

PyMethodDef copy_def = {"__copy__", object_copy, METH_NOARGS,
                        "A new object with the same field values."};
PyMethodDef replace_def = {
    "__replace__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(object_replace)),
    METH_FASTCALL | METH_KEYWORDS, "A copy with other values in some fields, frozen or not."};

// Allocates the native object for a Python instance, unless the instance already has a handle. Sets
// all fields of the object to zero.
PyObject* allocate_for(PyObject*, PyObject* self) {
  if (!is_wrapper(self)) {
    return PyErr_Format(PyExc_TypeError, "_allocate expects an FFI object, got %s",
                        Py_TYPE(self)->tp_name);
  }
  if (as_wrapper(self)->handle != nullptr) Py_RETURN_NONE;
  ClassInfo* info = class_info_of(Py_TYPE(self));
  if (info == nullptr || info->plan == nullptr) {
    return PyErr_Format(PyExc_TypeError, "%s has no fields registered from Python",
                        Py_TYPE(self)->tp_name);
  }
  TVMFFIObject* object = plan_allocate(*info->plan);
  if (object == nullptr || wrapper_adopt_steal(as_wrapper(self), object) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef copying_functions[] = {
    {"_allocate", allocate_for, METH_O,
     "_allocate($module, instance, /)\n--\n\n"
     "Give an empty instance of a class defined in Python an object with all fields unset."},
    {nullptr, nullptr, 0, nullptr}};

int add_method(PyObject* module, const char* name, PyMethodDef* def) {
  PyObject* method = shared_method_new(module, def);
  if (method == nullptr) return -1;
  if (PyModule_AddObject(module, name, method) == 0) return 0;
  Py_DECREF(method);
  return -1;
}

PyTypeObject SharedMethodType = static_type();

}  // namespace

PyObject* shared_method_new(PyObject* module, PyMethodDef* def) {
  PyTypeObject* t = &SharedMethodType;
  if (t->tp_base == nullptr) {
    t->tp_name = "tvm_ffi.core._SharedMethod";
    t->tp_base = &PyMethodDescr_Type;
    t->tp_basicsize = PyMethodDescr_Type.tp_basicsize;
    t->tp_flags =
        PyMethodDescr_Type.tp_flags & (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                       Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_HAVE_VECTORCALL);
    t->tp_dealloc = PyMethodDescr_Type.tp_dealloc;
    t->tp_traverse = PyMethodDescr_Type.tp_traverse;
    t->tp_vectorcall_offset = PyMethodDescr_Type.tp_vectorcall_offset;
    t->tp_call = PyMethodDescr_Type.tp_call;
    t->tp_descr_get = PyMethodDescr_Type.tp_descr_get;
    if (type_add(module, t) < 0) return nullptr;
  }
  PyObject* method = PyDescr_NewMethod(&CObjectType, def);
  if (method != nullptr) Py_SET_TYPE(method, t);
  return method;
}

int copying_init(PyObject* module) {
  if (add_method(module, "_copy_method", &copy_def) < 0 ||
      add_method(module, "_replace_method", &replace_def) < 0) {
    return -1;
  }
  return PyModule_AddFunctions(module, copying_functions);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// core.CObject, the base of all classes whose instances hold a handle, and core.Object, the base of
// reflected classes.
#include <cstring>

#include "../call.h"
#include "../named.h"
#include "../raise.h"
#include "types.h"

namespace binding {
namespace {

// Makes an empty object; the initializer checks the arguments.
PyObject* cobject_new(PyTypeObject* type, PyObject*, PyObject*) {
  if (type->tp_flags & Py_TPFLAGS_IS_ABSTRACT) {
    Ref no_args(PyTuple_New(0));
    return no_args ? PyBaseObject_Type.tp_new(type, no_args.get(), nullptr) : nullptr;
  }
  class_note_instance(type);
  return wrapper_alloc(type);
}

// Returns how a user obtains an object of the class, for the message of cobject_init. NULL for a
// class that a user has written: while it is not registered, calling it makes an empty object.
const char* advice_instead_of_call(PyTypeObject* type) {
  if (PyType_IsSubtype(type, &TensorType)) {
    return "use tvm_ffi.from_dlpack(array) for an array or tensor of another library";
  }
  if (PyType_IsSubtype(type, &FunctionType)) {
    return "use tvm_ffi.convert(callable) or tvm_ffi.get_global_func(name)";
  }
  bool is_ours = type == state().object_type || !(type->tp_flags & Py_TPFLAGS_HEAPTYPE);
  return is_ours ? "it is a base class; call a class that is derived from it" : nullptr;
}

// Refuses the arguments for a class without a constructor. Returns -1 with an exception set.
BINDING_COLD int refuse_arguments_without_init(PyTypeObject* type) {
  const char* text = class_is_registered(type)
                         ? "`%s` takes no arguments: it was registered with init=False, and does "
                           "not define __init__"
                         : "`%s` takes no arguments, because it does not have a constructor: "
                           "decorate the class with @py_class(\"...\"), or define __init__";
  PyErr_Format(PyExc_TypeError, text, type->tp_name);
  return -1;
}

// The `__init__` of classes that do not define one. Refuses built-in classes, because the object
// would be empty, and arguments, unless the class takes them in `__new__`. It is still possible to
// make an empty object with `cls.__new__(cls)`, and a Python `__init__` may call this function.
int cobject_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyTypeObject* type = Py_TYPE(self);
  if (type->tp_init != cobject_init) return 0;
  const char* advice = advice_instead_of_call(type);
  if (advice == nullptr) {
    bool is_given = PyTuple_GET_SIZE(args) != 0 || (kwargs && PyDict_GET_SIZE(kwargs) != 0);
    return is_given && type->tp_new == cobject_new ? refuse_arguments_without_init(type) : 0;
  }
  const char* dot = std::strrchr(type->tp_name, '.');
  PyErr_Format(PyExc_TypeError, "`%s` cannot be constructed directly: %s",
               dot == nullptr ? type->tp_name : dot + 1, advice);
  return -1;
}

PyObject* cobject_chandle(PyObject* self, PyObject*) {
  return PyLong_FromVoidPtr(as_wrapper(self)->handle);
}

PyObject* cobject_get_id(PyObject* self, void*) {
  return PyLong_FromVoidPtr(as_wrapper(self)->handle);
}

PyObject* cobject_ctypes_handle(PyObject* self, PyObject*) {
  return opaque_ptr_to_py(as_wrapper(self)->handle);
}

PyObject* cobject_same_as(PyObject* self, PyObject* other) {
  return PyBool_FromLong(is_wrapper(other) &&
                         as_wrapper(self)->handle == as_wrapper(other)->handle);
}

PyObject* cobject_richcompare(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  bool same =
      self == other || (is_wrapper(other) && as_wrapper(self)->handle == as_wrapper(other)->handle);
  return PyBool_FromLong(same == (op == Py_EQ));
}

Py_hash_t cobject_hash(PyObject* self) {
  auto bits = reinterpret_cast<uintptr_t>(handle_in(self));
  // The hash of an int in Python is the value modulo 2^61 - 1. Addresses are smaller than the
  // modulus, so no division is needed.
  constexpr uintptr_t kModulus = (uintptr_t{1} << 61) - 1;
  return static_cast<Py_hash_t>(BINDING_LIKELY(bits < kModulus) ? bits : bits % kModulus);
}

// Returns the repr of a wrapper if the native repr failed.
PyObject* repr_by_address(PyObject* self) {
  const char* name = Py_TYPE(self)->tp_name;
  const char* dot = std::strrchr(name, '.');
  if (dot != nullptr) name = dot + 1;
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (obj == nullptr) return PyUnicode_FromFormat("%s(chandle=None)", name);
  return PyUnicode_FromFormat("%s(%p)", name, obj);
}

PyObject* cobject_repr(PyObject* self) {
  CallMark mark;
  Section section(self);
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (obj == nullptr || state().functions.repr_print == nullptr) return repr_by_address(self);
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  if (call_values(state().functions.repr_print, &arg, 1, &result) < 0) {
    // If a hook failed, the repr shows the address. Interrupts and MemoryError are propagated.
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
      return nullptr;
    }
    clear_error();
    return repr_by_address(self);
  }
  return plain_str_to_py_steal(result);
}

// Returns HTML for notebooks, or None; for None, a notebook shows the repr.
PyObject* cobject_repr_html(PyObject* self, PyObject*) {
  Ref make(state_import("tvm_ffi._display.tree", "html_of"));
  return make ? PyObject_CallFunctionObjArgs(make.get(), self, nullptr) : nullptr;
}

bool refuses_move(PyObject* self) {
  if (wrapper_is_fixed(self)) return true;
  if (!PyObject_TypeCheck(self, &FunctionType)) return false;
  if (reinterpret_cast<FunctionWrapper*>(self)->active == 0) return false;
  PyErr_SetString(PyExc_ValueError, "cannot move a Function while it is being called");
  return true;
}

PyObject* cobject_move_handle_from(PyObject* self, PyObject* other) {
  if (!is_wrapper(other)) {
    PyErr_Format(PyExc_TypeError, "__move_handle_from__ expects an FFI object, got %s",
                 Py_TYPE(other)->tp_name);
    return nullptr;
  }
  if (self == other) Py_RETURN_NONE;
  if (refuses_move(self) || refuses_move(other)) return nullptr;
  if (wrapper_adopt_steal(as_wrapper(self), wrapper_detach(as_wrapper(other))) < 0) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace

int object_init_by_constructor(PyObject* self, TVMFFIObject* constructor, PyObject* const* args,
                               Py_ssize_t n, PyObject* kwnames) {
  TVMFFIAny result;
  // If the constructor fails, the object stays empty.
  if (wrapper_adopt_steal(as_wrapper(self), nullptr) < 0) return -1;
  if (call_native_raw(constructor, Gil::kHold, args, n, kwnames, &result) < 0) return -1;
  if (!is_object_index(result.type_index) || result.v_obj == nullptr) {
    PyErr_Format(PyExc_TypeError,
                 "the constructor of %s must return an object, got a value of type index %d",
                 Py_TYPE(self)->tp_name, result.type_index);
    return -1;
  }
  return wrapper_adopt_steal(as_wrapper(self), result.v_obj);
}

namespace {

PyObject* cobject_init_handle(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n < 1 || !PyObject_TypeCheck(args[0], &FunctionType)) {
    PyErr_Format(PyExc_TypeError,
                 "__init_handle_by_constructor__ expects a Function as its first argument, got %s",
                 n < 1 ? "nothing" : Py_TYPE(args[0])->tp_name);
    return nullptr;
  }
  TVMFFIObject* constructor = function_handle_or_raise(args[0]);
  if (constructor == nullptr || refuses_move(self)) return nullptr;
  ObjectOwner keep = ObjectOwner::borrow(constructor);
  if (object_init_by_constructor(self, constructor, args + 1, n - 1, nullptr) < 0) return nullptr;
  Py_RETURN_NONE;
}

constexpr Parameters kSameAsParameters = {"same_as", 1, {"other"}};
constexpr Parameters kIsParameters = {"is_", 1, {"other"}};
constexpr Parameters kMoveHandleFromParameters = {"__move_handle_from__", 1, {"other"}};

PyMethodDef cobject_methods[] = {
    {"__chandle__", cobject_chandle, METH_NOARGS,
     "__chandle__($self)\n--\n\n"
     "Address of the native object, 0 when empty."},
    {"__ctypes_handle__", cobject_ctypes_handle, METH_NOARGS,
     "__ctypes_handle__($self)\n--\n\n"
     "Address of the native object as a ctypes.c_void_p."},
    named_method(kSameAsParameters, named_one<cobject_same_as, kSameAsParameters>,
                 "same_as($self, other)\n--\n\n"
                 "Whether both hold the same native object."),
    named_method(kIsParameters, named_one<cobject_same_as, kIsParameters>,
                 "is_($self, other)\n--\n\n"
                 "Alias of same_as."),
    named_method(kMoveHandleFromParameters,
                 named_one<cobject_move_handle_from, kMoveHandleFromParameters>,
                 "__move_handle_from__($self, other)\n--\n\n"
                 "Take the handle of another object and leave that one empty."),
    {"__init_handle_by_constructor__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(cobject_init_handle)),
     METH_FASTCALL,
     "__init_handle_by_constructor__($self, fconstructor, /, *args)\n--\n\n"
     "Call a Function and adopt the object that it returns."},
    {"_repr_html_", cobject_repr_html, METH_NOARGS,
     "_repr_html_($self)\n--\n\n"
     "The fields, or the values of a tensor, for a notebook; None where the text says as much."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef cobject_getset[] = {
    {"id_", cobject_get_id, nullptr, "Address of the native object, 0 when empty.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* object_move(PyObject* self, PyObject*) {
  return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&RValueRefType), self, nullptr);
}

PyMethodDef object_move_def = {"_move", object_move, METH_NOARGS,
                               "_move($self)\n--\n\n"
                               "A reference that a call may take over, leaving this object empty."};

int object_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return wrapper_traverse(self, visit, arg);
}

// core.Object needs the metaclass of this package, so it is made by calling the metaclass. Then it
// gets the slots that a class statement cannot set. No class derives from it yet, so no class has
// inherited the previous slots.
int object_make(PyObject* module) {
  Ref cls(PyObject_CallFunction(reinterpret_cast<PyObject*>(state().object_meta), "s(O){s:s,s:s}",
                                "Object", &CObjectType, "__module__", "tvm_ffi.core", "__doc__",
                                "Base class of every registered object class."));
  if (!cls) return -1;
  auto* type = reinterpret_cast<PyTypeObject*>(cls.get());
  type->tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->tp_traverse = object_traverse;
  type->tp_clear = wrapper_clear;
  type->tp_free = PyObject_GC_Del;
  type->tp_dealloc = wrapper_dealloc_heap;
  PyType_Modified(type);
  Ref move(PyDescr_NewMethod(type, &object_move_def));
  if (!move || PyObject_SetAttrString(cls.get(), "_move", move.get()) < 0) return -1;
  state().object_type = type;
  Py_INCREF(type);
  return PyModule_AddObject(module, "Object", cls.release());
}

}  // namespace

PyTypeObject CObjectType = static_type();

int object_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&CObjectType, "tvm_ffi.core.CObject", sizeof(Wrapper), Py_TPFLAGS_BASETYPE,
                 "Anything that holds a handle to a native object.");
  t->tp_new = cobject_new;
  t->tp_init = cobject_init;
  t->tp_dealloc = wrapper_dealloc_static;
  t->tp_repr = cobject_repr;
  t->tp_hash = cobject_hash;
  t->tp_richcompare = cobject_richcompare;
  t->tp_methods = cobject_methods;
  t->tp_getset = cobject_getset;
  if (type_add(module, t) < 0) return -1;
  if (meta_type_init(module) < 0) return -1;
  return object_make(module);
}

int type_add(PyObject* module, PyTypeObject* type) {
  if (PyType_Ready(type) < 0) return -1;
  const char* dot = std::strrchr(type->tp_name, '.');
  Py_INCREF(type);
  if (PyModule_AddObject(module, dot + 1, reinterpret_cast<PyObject*>(type)) < 0) {
    Py_DECREF(type);
    return -1;
  }
  return 0;
}

}  // namespace binding

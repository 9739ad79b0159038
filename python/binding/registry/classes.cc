// SPDX-License-Identifier: Apache-2.0
// Functions of tvm_ffi.core that register and find the Python classes of native types.
#include "../convert/convert.h"
#include "../function/function.h"
#include "../named.h"
#include "../raise.h"
#include "../type/types.h"
#include "names.h"
#include "register.h"
#include "registry.h"

namespace binding {
namespace {

PyObject* object_type_key_to_index(PyObject*, PyObject* arg) {
  TVMFFIByteArray key;
  if (!name_argument(arg, "_object_type_key_to_index", &key)) return nullptr;
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
  if (index < 0) {
    int loaded = load_testing(key);
    if (loaded < 0) return nullptr;
    if (loaded > 0) index = TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
  }
  if (index < 0) Py_RETURN_NONE;
  return PyLong_FromLong(index);
}

PyObject* register_object_by_index(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"type_index", "cls", "init", nullptr};
  int type_index, init = 1;
  PyObject* cls;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iO!|p:_register_object_by_index",
                                   const_cast<char**>(keywords), &type_index, &PyType_Type, &cls,
                                   &init)) {
    return nullptr;
  }
  if (type_index < 0) {
    PyErr_Format(PyExc_ValueError, "type index %d is negative", type_index);
    return nullptr;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) {
    PyErr_Format(PyExc_TypeError, "cannot set attributes of immutable type '%s'", type->tp_name);
    return nullptr;
  }
  const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(type_index);
  if (native == nullptr) {
    raise_from_slot(-1);
    return nullptr;
  }
  // A class that derives from neither core.CObject nor core.PyNativeObject only describes a type.
  // Values never become instances of such a class, so its layout is not checked.
  bool holds_values =
      PyType_IsSubtype(type, &CObjectType) || PyType_IsSubtype(type, &PyNativeObjectType);
  if (holds_values && class_check(native, type) < 0) return nullptr;
  ClassInfo* info = class_register(type_index, cls, init != 0, false);
  return info == nullptr ? nullptr : compat_new_ref(info->type_info);
}

PyObject* refresh_class(PyObject*, PyObject* arg) {
  long type_index = PyLong_AsLong(arg);
  if (type_index == -1 && PyErr_Occurred()) return nullptr;
  if (class_refresh(static_cast<int32_t>(type_index)) < 0) return nullptr;
  ClassInfo* info = class_info_known(static_cast<int32_t>(type_index));
  if (info == nullptr || info->cls == nullptr) Py_RETURN_NONE;
  return compat_new_ref(reinterpret_cast<PyObject*>(info->cls));
}

// Implements `_set_class_*`: values that are returned from now on become instances of `cls`. Stores
// a strong reference to `cls` in `*keep`, and sets the attribute `name` of the module.
PyObject* set_class(PyObject* cls, PyTypeObject* base, PyTypeObject** keep, const char* name) {
  if (!PyType_Check(cls) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), base)) {
    PyErr_Format(PyExc_TypeError, "_set_class_* expects a subclass of %s, got %R", base->tp_name,
                 cls);
    return nullptr;
  }
  Py_INCREF(cls);
  PyTypeObject* old = *keep;
  *keep = reinterpret_cast<PyTypeObject*>(cls);
  Py_XDECREF(old);
  if (PyObject_SetAttrString(state().module, name, cls) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* set_class_tensor(PyObject*, PyObject* cls) {
  return set_class(cls, &TensorType, &state().class_tensor, "_CLASS_TENSOR");
}
PyObject* set_class_device(PyObject*, PyObject* cls) {
  return set_class(cls, &DeviceType, &state().class_device, "_CLASS_DEVICE");
}
PyObject* set_class_dtype(PyObject*, PyObject* cls) {
  return set_class(cls, &PyUnicode_Type, &state().class_dtype, "_CLASS_DTYPE");
}
PyObject* set_class_object(PyObject*, PyObject* cls) {
  return set_class(cls, state().object_type, &class_info_known(kTVMFFIObject)->cls,
                   "_CLASS_OBJECT");
}

PyObject* object_repr(PyObject*, PyObject* x) { return PyObject_Repr(x); }

PyObject* new_object(PyObject*, PyObject* cls) {
  if (!PyType_Check(cls)) {
    PyErr_Format(PyExc_TypeError, "_new_object expects a class, got %s", Py_TYPE(cls)->tp_name);
    return nullptr;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  Ref no_args(PyTuple_New(0));
  if (!no_args || type->tp_new == nullptr) {
    if (no_args) PyErr_Format(PyExc_TypeError, "cannot make instances of %s", type->tp_name);
    return nullptr;
  }
  return type->tp_new(type, no_args.get(), nullptr);
}

constexpr Parameters kObjectTypeKeyToIndexParameters = {
    "_object_type_key_to_index", 1, {"type_key"}};
constexpr Parameters kSetClassTensorParameters = {"_set_class_tensor", 1, {"cls"}};
constexpr Parameters kSetClassDeviceParameters = {"_set_class_device", 1, {"cls"}};
constexpr Parameters kSetClassDtypeParameters = {"_set_class_dtype", 1, {"cls"}};
constexpr Parameters kSetClassObjectParameters = {"_set_class_object", 1, {"cls"}};
constexpr Parameters kObjectReprParameters = {"object_repr", 1, {"obj"}};
constexpr Parameters kNewObjectParameters = {"_new_object", 1, {"cls"}};

PyMethodDef class_functions[] = {
    named_method(kObjectTypeKeyToIndexParameters,
                 named_one<object_type_key_to_index, kObjectTypeKeyToIndexParameters>,
                 "_object_type_key_to_index($module, type_key)\n--\n\n"
                 "Index of a type key, or None."),
    {"_register_object_by_index", as_c_function(register_object_by_index),
     METH_VARARGS | METH_KEYWORDS,
     "_register_object_by_index($module, type_index, cls, init=True)\n--\n\n"
     "Bind a class to a type and add the reflected members that its body lacks."},
    {"_refresh_class", refresh_class, METH_O,
     "_refresh_class($module, type_index, /)\n--\n\n"
     "Give the class of a type that was defined again its new members, and return the class."},
    {"_describe_type", type_describe, METH_O,
     "_describe_type($module, type_index, /)\n--\n\n"
     "An entry of the type table, or None."},
    {"_describe_function", function_describe, METH_O,
     "_describe_function($module, function, /)\n--\n\n"
     "The Python callable inside a Function, its name, and its entry in the runtime."},
    {"_name_in_module", as_c_function(function_name_in_module), METH_FASTCALL,
     "_name_in_module($module, function, name, /)\n--\n\n"
     "Tell a Function its name in a module; return whether its library describes it."},
    {"_set_metadata", as_c_function(function_set_metadata), METH_FASTCALL,
     "_set_metadata($module, function, metadata, /)\n--\n\n"
     "Store the metadata of a Function whose module is not a library."},
    named_method(kSetClassTensorParameters, named_one<set_class_tensor, kSetClassTensorParameters>,
                 "_set_class_tensor($module, cls)\n--\n\n"
                 "Class of returned tensors."),
    named_method(kSetClassDeviceParameters, named_one<set_class_device, kSetClassDeviceParameters>,
                 "_set_class_device($module, cls)\n--\n\n"
                 "Class of returned devices."),
    named_method(kSetClassDtypeParameters, named_one<set_class_dtype, kSetClassDtypeParameters>,
                 "_set_class_dtype($module, cls)\n--\n\n"
                 "Class of returned data types."),
    named_method(kSetClassObjectParameters, named_one<set_class_object, kSetClassObjectParameters>,
                 "_set_class_object($module, cls)\n--\n\n"
                 "Class of returned plain objects."),
    named_method(kObjectReprParameters, named_one<object_repr, kObjectReprParameters>,
                 "object_repr($module, obj)\n--\n\n"
                 "Text of an object."),
    named_method(kNewObjectParameters, named_one<new_object, kNewObjectParameters>,
                 "_new_object($module, cls)\n--\n\n"
                 "Empty instance of a class."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int classes_init(PyObject* module) { return PyModule_AddFunctions(module, class_functions); }

}  // namespace binding

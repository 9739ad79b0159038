// SPDX-License-Identifier: Apache-2.0
// Functions of tvm_ffi.core: global functions, classes of types, conversion on request.
#include "registry.h"

#include <cstring>

#include "call.h"
#include "convert/convert.h"
#include "named.h"
#include "raise.h"
#include "type/register.h"

namespace binding {
namespace {

// UTF-8 of a str argument; false with TypeError that names the function.
bool name_argument(PyObject* x, const char* what, TVMFFIByteArray* out) {
  Py_ssize_t size;
  out->data = PyUnicode_Check(x) ? PyUnicode_AsUTF8AndSize(x, &size) : nullptr;
  if (out->data == nullptr) {
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_TypeError, "%s expects a str, got %s", what, Py_TYPE(x)->tp_name);
    }
    return false;
  }
  out->size = static_cast<size_t>(size);
  return true;
}

constexpr char kTesting[] = "testing.";

// Lets the test fixtures be loaded when one of their names is asked for the first time. 1: look
// again, 0: nothing to load, -1: failed.
int load_testing(const TVMFFIByteArray& name) {
  if (name.size < sizeof(kTesting) - 1 ||
      std::memcmp(name.data, kTesting, sizeof(kTesting) - 1) != 0) {
    return 0;
  }
  Ref loader(PyObject_GetAttrString(state().module, "_testing_loader"));
  if (!loader) {
    PyErr_Clear();
    return 0;
  }
  if (loader.get() == Py_None) return 0;
  Ref done(PyObject_CallNoArgs(loader.get()));  // runs Python
  return done ? 1 : -1;
}

// Method-info flags of a global function; 0 when the runtime cannot tell.
int64_t global_flags(const TVMFFIByteArray& name) {
  TVMFFIObject* f = state().functions.global_flags;
  if (f == nullptr) return 0;
  TVMFFIAny arg, result;
  arg = value_none();
  arg.type_index = kTVMFFIRawStr;
  arg.v_c_str = name.data;  // NUL-terminated: the UTF-8 buffer of a str
  if (call_values(f, &arg, 1, &result) < 0) {
    PyErr_Clear();
    return 0;
  }
  return result.v_int64;
}

PyObject* get_global_func(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (n != 2) {
    PyErr_Format(PyExc_TypeError, "_get_global_func takes a name and allow_missing, got %zd values",
                 n);
    return nullptr;
  }
  TVMFFIByteArray name;
  if (!name_argument(args[0], "get_global_func", &name)) return nullptr;
  TVMFFIObjectHandle out = nullptr;
  for (int attempt = 0; attempt < 2; ++attempt) {
    int status = TVMFFIFunctionGetGlobal(&name, &out);
    if (status != 0) {
      raise_from_slot(status);
      return nullptr;
    }
    if (out != nullptr) break;
    int loaded = attempt == 0 ? load_testing(name) : 0;
    if (loaded < 0) return nullptr;
    if (loaded == 0) break;
  }
  if (out != nullptr) {
    auto* f = static_cast<TVMFFIObject*>(out);
    Wrapper* live = g_wrappers.find(f);
    bool short_call = live == nullptr && (global_flags(name) & kTVMFFIMethodFlagBitMaskShortCall);
    PyObject* function = function_wrapper_new_steal(f, short_call);
    if (function != nullptr) function_wrapper_name(function, args[0]);
    return function;
  }
  int allow_missing = PyObject_IsTrue(args[1]);
  if (allow_missing < 0) return nullptr;
  if (allow_missing) Py_RETURN_NONE;
  PyErr_Format(PyExc_ValueError, "Cannot find global function %U", args[0]);
  return nullptr;
}

// The Function that stands for `x`: itself, or a new one around a callable. New reference.
PyObject* function_of(PyObject* x) {
  if (PyObject_TypeCheck(x, &FunctionType)) {
    if (wrapper_handle_or_raise(x) == nullptr) return nullptr;
    return compat_new_ref(x);
  }
  TVMFFIObject* f = function_from_callable(x);
  return f == nullptr ? nullptr : function_wrapper_new_steal(f, false);
}

PyObject* register_global_func(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (n != 3) {
    PyErr_Format(PyExc_TypeError,
                 "_register_global_func takes a name, a function and override, got %zd values", n);
    return nullptr;
  }
  TVMFFIByteArray name;
  if (!name_argument(args[0], "register_global_func", &name)) return nullptr;
  int override_it = PyObject_IsTrue(args[2]);
  if (override_it < 0) return nullptr;
  Ref function(function_of(args[1]));
  if (!function) return nullptr;
  int status = TVMFFIFunctionSetGlobal(&name, as_wrapper(function.get())->handle, override_it);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  return function.release();
}

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
  ClassInfo* info = class_register(type_index, cls, init != 0, false);
  return info == nullptr ? nullptr : compat_new_ref(info->type_info);
}

PyObject* convert(PyObject*, PyObject* x) { return convert_to_py(x); }

PyObject* convert_to_ffi_func(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"pyfunc", "tensor_cls", nullptr};
  PyObject *callable, *tensor_cls = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:_convert_to_ffi_func",
                                   const_cast<char**>(keywords), &callable, &tensor_cls)) {
    return nullptr;
  }
  const DLPackExchangeAPI* api = nullptr;
  if (tensor_cls != Py_None) {
    api = exchange_api_for_output(tensor_cls);
    if (api == nullptr) return nullptr;
  }
  TVMFFIObject* f = function_from_callable(callable, api);
  return f == nullptr ? nullptr : function_wrapper_new_steal(f, false);
}

PyObject* convert_to_ffi_error(PyObject*, PyObject* exc) {
  if (!PyExceptionInstance_Check(exc)) {
    PyErr_Format(PyExc_TypeError, "_convert_to_ffi_error expects an exception, got %s",
                 Py_TYPE(exc)->tp_name);
    return nullptr;
  }
  TVMFFIObject* error = error_from_exception(exc, false);
  return error == nullptr ? nullptr : object_to_py_steal(error);
}

PyObject* convert_to_opaque_object(PyObject*, PyObject* x) {
  TVMFFIObject* place;
  CallContext context;
  Arguments args{Temporaries(&place), &context};
  TVMFFIAny box;
  if (opaque_from_py(x, &box, &args) < 0) return nullptr;
  object_inc_ref(box.v_obj);
  return wrapper_beside_steal(&OpaquePyObjectType, box.v_obj);
}

constexpr Parameters kFromDLPackParameters = {
    "from_dlpack", 1, {"ext_tensor", "require_alignment", "require_contiguous"}, 2};

PyObject* from_dlpack(PyObject*, PyObject* const* placed) {
  long alignment = placed[1] == nullptr ? 0 : PyLong_AsLong(placed[1]);
  if (BINDING_UNLIKELY(alignment == -1 && PyErr_Occurred())) return nullptr;
  if (BINDING_UNLIKELY(alignment != static_cast<int>(alignment))) {
    return PyErr_Format(PyExc_OverflowError, "require_alignment is out of range: %ld", alignment);
  }
  int contiguous = placed[2] == nullptr ? 0 : PyObject_IsTrue(placed[2]);  // may run Python
  if (BINDING_UNLIKELY(contiguous < 0)) return nullptr;
  TVMFFIObject* tensor = tensor_from_any(placed[0], static_cast<int>(alignment), contiguous != 0);
  return tensor == nullptr ? nullptr : object_to_py_steal(tensor);
}

// `_set_class_*`: the class of values returned from now on. `keep` becomes a strong reference.
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

// Value of a type attribute, owned; None where there is none. 0 or -1. The general look-up, which
// makes no column of a name.
int get_type_attr(int32_t type_index, const TVMFFIByteArray& name, TVMFFIAny* value) {
  static RuntimeFunction get("ffi.TypeAttrGet");
  TVMFFIAny args[2] = {value_none(), value_none()};
  args[0].type_index = kTVMFFIByteArrayPtr;
  args[0].v_ptr = const_cast<TVMFFIByteArray*>(&name);
  value_set_int(&args[1], type_index);
  return get.call(args, 2, value);
}

PyObject* lookup_type_attr(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"type_index", "attr_key", "ancestor", nullptr};
  int type_index, ancestor = 0;
  PyObject* key;
  TVMFFIByteArray name;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iU|p:_lookup_type_attr",
                                   const_cast<char**>(keywords), &type_index, &key, &ancestor) ||
      !name_argument(key, "_lookup_type_attr", &name)) {
    return nullptr;
  }
  TVMFFIAny value;
  if (get_type_attr(type_index, name, &value) < 0) return nullptr;
  if (value.type_index == kTVMFFINone && ancestor) {
    const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(type_index);
    if (native == nullptr) {
      raise_from_slot(-1);
      return nullptr;
    }
    for (int32_t i = native->type_depth - 1; value.type_index == kTVMFFINone && i >= 0; --i) {
      if (get_type_attr(native->type_ancestors[i]->type_index, name, &value) < 0) return nullptr;
    }
  }
  return value_to_py_steal(value);
}

PyObject* store_type_attr(int type_index, const TVMFFIByteArray& name, PyObject* value) {
  TVMFFIAny native;
  if (value_from_py_owned(value, &native) < 0) return nullptr;
  int status = TVMFFITypeRegisterAttr(type_index, &name, &native);
  value_release(&native);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  Py_RETURN_NONE;
}

// Sets a type attribute that is not there yet; type index 0 makes the column of a name exist.
PyObject* register_type_attr(PyObject*, PyObject* args) {
  int type_index;
  PyObject *key, *value;
  TVMFFIByteArray name;
  if (!PyArg_ParseTuple(args, "iUO:_register_type_attr", &type_index, &key, &value) ||
      !name_argument(key, "_register_type_attr", &name)) {
    return nullptr;
  }
  TVMFFIAny known = value_none();
  if (type_index != kTVMFFINone && get_type_attr(type_index, name, &known) < 0) return nullptr;
  bool is_taken = known.type_index != kTVMFFINone;
  value_release(&known);
  if (!is_taken) return store_type_attr(type_index, name, value);
  PyErr_Format(PyExc_RuntimeError,
               "TypeAttr `%U` is already registered for type index %d. To update the stored value, "
               "register a mutable container (e.g., Dict/List) once and mutate it in place on "
               "subsequent calls.",
               key, type_index);
  return nullptr;
}

// Sets a type attribute, overwriting; RuntimeError where a hook is taken.
PyObject* type_register_attr(PyObject*, PyObject* args) {
  int type_index;
  PyObject *key, *value;
  TVMFFIByteArray name;
  if (!PyArg_ParseTuple(args, "iUO:_type_register_attr", &type_index, &key, &value) ||
      !name_argument(key, "_type_register_attr", &name)) {
    return nullptr;
  }
  return store_type_attr(type_index, name, value);
}

PyCFunction keyworded(PyObject* (*f)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

constexpr Parameters kGetGlobalFuncParameters = {"_get_global_func", 2, {"name", "allow_missing"}};
constexpr Parameters kRegisterGlobalFuncParameters = {
    "_register_global_func", 3, {"name", "pyfunc", "override"}};
constexpr Parameters kObjectTypeKeyToIndexParameters = {
    "_object_type_key_to_index", 1, {"type_key"}};
constexpr Parameters kConvertToFfiErrorParameters = {"_convert_to_ffi_error", 1, {"error"}};
constexpr Parameters kConvertToOpaqueObjectParameters = {
    "_convert_to_opaque_object", 1, {"pyobject"}};
constexpr Parameters kSetClassTensorParameters = {"_set_class_tensor", 1, {"cls"}};
constexpr Parameters kSetClassDeviceParameters = {"_set_class_device", 1, {"cls"}};
constexpr Parameters kSetClassDtypeParameters = {"_set_class_dtype", 1, {"cls"}};
constexpr Parameters kSetClassObjectParameters = {"_set_class_object", 1, {"cls"}};
constexpr Parameters kObjectReprParameters = {"object_repr", 1, {"obj"}};
constexpr Parameters kNewObjectParameters = {"_new_object", 1, {"cls"}};
constexpr Parameters kRegisterTypeAttrParameters = {
    "_register_type_attr", 3, {"type_index", "attr_key", "value"}};
constexpr Parameters kCreateCdtypeFromTupleParameters = {
    "_create_cdtype_from_tuple", 4, {"cls", "code", "bits", "lanes"}};
constexpr Parameters kCreateDeviceFromTupleParameters = {
    "_create_device_from_tuple", 3, {"cls", "device_type", "device_id"}};

PyMethodDef registry_functions[] = {
    named_method(
        kGetGlobalFuncParameters, named_some<get_global_func, kGetGlobalFuncParameters>,
        "_get_global_func($module, name, allow_missing)\n--\n\n"
        "Global function of that name; without one ValueError, or None if that is allowed."),
    named_method(kRegisterGlobalFuncParameters,
                 named_some<register_global_func, kRegisterGlobalFuncParameters>,
                 "_register_global_func($module, name, pyfunc, override)\n--\n\n"
                 "Register a function under a global name and give its Function."),
    named_method(kObjectTypeKeyToIndexParameters,
                 named_one<object_type_key_to_index, kObjectTypeKeyToIndexParameters>,
                 "_object_type_key_to_index($module, type_key)\n--\n\n"
                 "Index of a type key, or None."),
    {"_register_object_by_index", keyworded(register_object_by_index), kKeywords,
     "_register_object_by_index($module, type_index, cls, init=True)\n--\n\n"
     "Bind a class to a type and add the reflected members that its body lacks."},
    {"_describe_type", type_describe, METH_O, "An entry of the type table, or None."},
    {"_convert", convert, METH_O, "The whole of tvm_ffi.convert."},
    {"_convert_to_ffi_func", keyworded(convert_to_ffi_func), kKeywords,
     "_convert_to_ffi_func($module, pyfunc, tensor_cls=None)\n--\n\n"
     "Function around a Python callable."},
    named_method(kConvertToFfiErrorParameters,
                 named_one<convert_to_ffi_error, kConvertToFfiErrorParameters>,
                 "_convert_to_ffi_error($module, error)\n--\n\n"
                 "Error of an exception."),
    named_method(kConvertToOpaqueObjectParameters,
                 named_one<convert_to_opaque_object, kConvertToOpaqueObjectParameters>,
                 "_convert_to_opaque_object($module, pyobject)\n--\n\n"
                 "Box around any value."),
    named_method(kFromDLPackParameters, named_placed<from_dlpack, kFromDLPackParameters>,
                 "from_dlpack($module, ext_tensor, *, require_alignment=0, "
                 "require_contiguous=False)\n--\n\n"
                 "Tensor over the memory of a DLPack producer or capsule."),
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
    {"_lookup_type_attr", keyworded(lookup_type_attr), kKeywords,
     "_lookup_type_attr($module, type_index, attr_key, ancestor=False)\n--\n\n"
     "Value of a type attribute, or None."},
    named_method(kRegisterTypeAttrParameters,
                 named_tuple<register_type_attr, kRegisterTypeAttrParameters>,
                 "_register_type_attr($module, type_index, attr_key, value)\n--\n\n"
                 "Set a type attribute that is not there yet."),
    {"_type_register_attr", type_register_attr, METH_VARARGS,
     "_type_register_attr($module, type_index, attr_key, value, /)\n--\n\n"
     "Set a type attribute, overwriting all but hooks."},
    {"_type_get_attr", keyworded(lookup_type_attr), kKeywords,
     "_type_get_attr($module, type_index, attr_key, ancestor=False)\n--\n\n"
     "Value of a type attribute, or None."},
    named_method(kCreateCdtypeFromTupleParameters,
                 named_tuple<dtype_create, kCreateCdtypeFromTupleParameters>,
                 "_create_cdtype_from_tuple($module, cls, code, bits, lanes)\n--\n\n"
                 "DataType of three numbers."),
    named_method(kCreateDeviceFromTupleParameters,
                 named_tuple<device_create, kCreateDeviceFromTupleParameters>,
                 "_create_device_from_tuple($module, cls, device_type, device_id)\n--\n\n"
                 "Device of two numbers."),
    {nullptr, nullptr, 0, nullptr}};

// 1, 0, or -1 with an exception set: an instance of numbers.Number, as complex numbers, fractions
// and the scalars of NumPy are.
int is_number_of_any_kind(PyObject* x) {
  if (PyTuple_Check(x) || PyList_Check(x) || PyDict_Check(x) || PyFunction_Check(x)) return 0;
  if (state().number_abc == nullptr) {
    state().number_abc = state_import("numbers", "Number");
    if (state().number_abc == nullptr) return -1;
  }
  return PyObject_IsInstance(x, state().number_abc);  // may run Python
}

}  // namespace

PyObject* convert_to_py(PyObject* x) {
  if (x == Py_None || PyBool_Check(x) || PyLong_Check(x) || PyFloat_Check(x) || is_wrapper(x) ||
      PyObject_TypeCheck(x, &PyNativeObjectType) || PyObject_TypeCheck(x, &DataTypeType) ||
      PyObject_TypeCheck(x, &DeviceType)) {
    return compat_new_ref(x);
  }
  DLDataType dtype;
  if (dtype_get(x, &dtype)) return compat_new_ref(x);
  if (PyUnicode_Check(x)) {
    return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(state().string_type), x,
                                        nullptr);
  }
  if (PyBytes_Check(x) || PyByteArray_Check(x)) {
    return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(state().bytes_type), x,
                                        nullptr);
  }
  int is_number = is_number_of_any_kind(x);
  if (is_number != 0) return is_number < 0 ? nullptr : compat_new_ref(x);
  if (is_numpy_dtype(Py_TYPE(x)) || is_torch_dtype(Py_TYPE(x))) return foreign_dtype_to_ours(x);
  TVMFFIAny value;
  if (value_from_py_owned(x, &value) < 0) return nullptr;
  if (value.type_index == kTVMFFIOpaquePtr || value.type_index == kTVMFFIInt ||
      value.type_index == kTVMFFIFloat || value.type_index == kTVMFFIDevice) {
    return compat_new_ref(x);  // numbers, pointers and devices of others stay what they are
  }
  if (value.type_index == kTVMFFIOpaquePyObject) {
    return wrapper_beside_steal(&OpaquePyObjectType, value.v_obj);
  }
  return value_to_py_steal(value);
}

int registry_init(PyObject* module) { return PyModule_AddFunctions(module, registry_functions); }

}  // namespace binding

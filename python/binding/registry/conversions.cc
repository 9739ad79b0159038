// SPDX-License-Identifier: Apache-2.0
// Functions of tvm_ffi.core that convert values explicitly.
#include "../convert/convert.h"
#include "../named.h"
#include "../raise.h"
#include "../type/types.h"
#include "registry.h"

namespace binding {
namespace {

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

// Returns whether `x` is an instance of numbers.Number, such as a complex number, a fraction or a
// NumPy scalar. The result is 1, 0, or -1 with an exception set.
int is_number_of_any_kind(PyObject* x) {
  if (PyTuple_Check(x) || PyList_Check(x) || PyDict_Check(x) || PyFunction_Check(x)) return 0;
  return is_instance_of_lazy(x, &state().number_abc);
}

constexpr Parameters kConvertToFfiErrorParameters = {"_convert_to_ffi_error", 1, {"error"}};
constexpr Parameters kConvertToOpaqueObjectParameters = {
    "_convert_to_opaque_object", 1, {"pyobject"}};
constexpr Parameters kCreateCdtypeFromTupleParameters = {
    "_create_cdtype_from_tuple", 4, {"cls", "code", "bits", "lanes"}};
constexpr Parameters kCreateDeviceFromTupleParameters = {
    "_create_device_from_tuple", 3, {"cls", "device_type", "device_id"}};

PyMethodDef conversion_functions[] = {
    {"_convert", convert, METH_O,
     "_convert($module, value, /)\n--\n\n"
     "The whole of tvm_ffi.convert."},
    {"_convert_to_ffi_func", as_c_function(convert_to_ffi_func), METH_VARARGS | METH_KEYWORDS,
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
    named_method(kCreateCdtypeFromTupleParameters,
                 named_tuple<dtype_create, kCreateCdtypeFromTupleParameters>,
                 "_create_cdtype_from_tuple($module, cls, code, bits, lanes)\n--\n\n"
                 "DataType of three numbers."),
    named_method(kCreateDeviceFromTupleParameters,
                 named_tuple<device_create, kCreateDeviceFromTupleParameters>,
                 "_create_device_from_tuple($module, cls, device_type, device_id)\n--\n\n"
                 "Device of two numbers."),
    {nullptr, nullptr, 0, nullptr}};

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
    return compat_new_ref(x);  // foreign numbers, pointers and devices are not converted
  }
  if (value.type_index == kTVMFFIOpaquePyObject) {
    return wrapper_beside_steal(&OpaquePyObjectType, value.v_obj);
  }
  return value_to_py_steal(value);
}

int conversions_init(PyObject* module) {
  return PyModule_AddFunctions(module, conversion_functions);
}

}  // namespace binding

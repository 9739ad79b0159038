// SPDX-License-Identifier: Apache-2.0
// Conversion of NumPy and PyTorch data types, and of NumPy's truth values. Neither package is
// imported here: such values exist only if other code has imported the package.
#include <cstring>

#include "convert.h"
#include "dtype.h"

namespace binding {
namespace {

// A package whose data types can be converted. The dictionary `known` stays small, since it
// contains only data types that have a native counterpart.
struct Framework {
  const char* module;
  const char*
      convert;  // in tvm_ffi._values.foreign_dtype; raises KeyError if there is no counterpart
  const char* refusal;
  PyObject* known;  // the package's data type -> core.DataType; owned, NULL before the first use
};

Framework g_numpy = {"numpy", "_convert_numpy_dtype_to_ffi_dtype",
                     "Unsupported numpy or ml_dtypes dtype: ", nullptr};
Framework g_torch = {"torch", "_convert_torch_dtype_to_ffi_dtype",
                     "Unsupported torch dtype: ", nullptr};

// Returns an attribute of a module; NULL without an exception if the module has not been imported,
// or does not have the attribute.
PyObject* imported_attribute(const char* module, const char* name) {
  Ref key(PyUnicode_InternFromString(module));
  Ref loaded(key ? PyImport_GetModule(key.get()) : nullptr);
  PyObject* value = loaded ? PyObject_GetAttrString(loaded.get(), name) : nullptr;
  if (value == nullptr) clear_error();
  return value;
}

// Returns whether a class belongs to a module. A class made in C has its module in tp_name, a class
// made by a class statement in its dictionary.
bool is_named_in(PyTypeObject* type, const char* module, size_t length) {
  const char* name = type->tp_name;
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
    PyObject* found = PyDict_GetItemWithError(type->tp_dict, state().names.dunder_module);
    if (found == nullptr || !PyUnicode_Check(found)) return false;
    name = PyUnicode_AsUTF8(found);
    if (name == nullptr) {
      clear_error();
      return false;
    }
  }
  return std::strncmp(name, module, length) == 0 && (name[length] == '.' || name[length] == '\0');
}

// Returns whether `type` is, or derives from, `module.name`. Often called for classes of other
// packages, for which the comparison of module names avoids the lookup of `module.name`.
bool is_class_of_module(PyTypeObject* type, const char* module, const char* name) {
  size_t length = std::strlen(module);
  PyTypeObject* base = type;
  while (base != nullptr && !is_named_in(base, module, length)) base = base->tp_base;
  if (base == nullptr) return false;
  Ref cls(imported_attribute(module, name));
  return cls && PyType_Check(cls.get()) &&
         PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(cls.get()));
}

// Reads the native data type that matches a data type of the framework; false with an exception
// set, which is KeyError if none matches.
bool framework_dtype_get(Framework* framework, PyObject* x, DLDataType* out) {
  StateSection section;
  if (framework->known == nullptr && (framework->known = PyDict_New()) == nullptr) return false;
  Ref known = dict_find(framework->known, x);
  if (known) return dtype_get(known.get(), out);
  if (PyErr_Occurred()) return false;
  Ref convert(state_import("tvm_ffi._values.foreign_dtype", framework->convert));
  if (!convert) return false;
  Ref made(PyObject_CallFunctionObjArgs(convert.get(), x, nullptr));  // runs Python
  Ref inner(made ? PyObject_GetAttrString(made.get(), "_tvm_ffi_dtype") : nullptr);
  return inner && PyDict_SetItem(framework->known, x, inner.get()) == 0 &&
         dtype_get(inner.get(), out);
}

int framework_dtype_from_py(Framework* framework, PyObject* x, TVMFFIAny* out) {
  DLDataType dtype;
  if (framework_dtype_get(framework, x, &dtype)) {
    value_set_dtype(out, dtype);
    return 0;
  }
  if (PyErr_ExceptionMatches(PyExc_KeyError)) {
    clear_error();
    Ref parts(Py_BuildValue("(sO)", framework->refusal, x));
    if (parts) PyErr_SetObject(PyExc_ValueError, parts.get());
  }
  return -1;
}

}  // namespace

bool is_numpy_bool(PyTypeObject* type) { return is_class_of_module(type, "numpy", "bool_"); }
bool is_numpy_dtype(PyTypeObject* type) { return is_class_of_module(type, "numpy", "dtype"); }
bool is_torch_dtype(PyTypeObject* type) { return is_class_of_module(type, "torch", "dtype"); }
bool is_torch_device(PyTypeObject* type) { return is_class_of_module(type, "torch", "device"); }
bool is_torch_tensor(PyTypeObject* type) { return is_class_of_module(type, "torch", "Tensor"); }

int numpy_dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  return framework_dtype_from_py(&g_numpy, x, out);
}

int torch_dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  return framework_dtype_from_py(&g_torch, x, out);
}

PyObject* foreign_dtype_to_ours(PyObject* x) {
  DLDataType dtype;
  Framework* framework = is_torch_dtype(Py_TYPE(x)) ? &g_torch : &g_numpy;
  return framework_dtype_get(framework, x, &dtype) ? dtype_to_py(dtype) : nullptr;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// The native form of tvm_ffi.Shape, which is a tuple in Python.
#include "../call.h"
#include "../convert/int.h"
#include "../named.h"
#include "types.h"

namespace binding {
namespace {

const TVMFFIShapeCell* shape_cell(PyObject* x) {
  if (!is_wrapper(x)) {
    PyErr_Format(PyExc_TypeError, "expected an object that holds a shape, got %s",
                 Py_TYPE(x)->tp_name);
    return nullptr;
  }
  TVMFFIObject* obj = wrapper_handle_or_raise(x);
  if (obj == nullptr) return nullptr;
  if (obj->type_index != kTVMFFIShape) {
    PyErr_SetString(PyExc_TypeError, "this object holds a native object that is not a shape");
    return nullptr;
  }
  return TVMFFIShapeGetCellPtr(obj);
}

PyObject* shape_to_tuple(PyObject*, PyObject* x) {
  const TVMFFIShapeCell* cell = shape_cell(x);
  if (cell == nullptr) return nullptr;
  Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(cell->size)));
  if (!tuple) return nullptr;
  for (size_t i = 0; i < cell->size; ++i) {
    PyObject* item = int_to_py(cell->data[i]);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), item);
  }
  return tuple.release();
}

BINDING_COLD void raise_shape_range(Py_ssize_t index) {
  PyErr_Format(PyExc_ValueError,
               "Expect shape to take list of int arguments; the integer at index %zd is out of "
               "int64 range [-9223372036854775808, 9223372036854775807]",
               index);
}

// `_shape_object(tuple)`: makes an Object around the native shape with these sizes.
PyObject* shape_object(PyObject*, PyObject* sizes) {
  static RuntimeFunction make("ffi.Shape");
  if (!PyTuple_Check(sizes)) {
    PyErr_Format(PyExc_TypeError, "expected a tuple, got %s", Py_TYPE(sizes)->tp_name);
    return nullptr;
  }
  Py_ssize_t n = PyTuple_GET_SIZE(sizes);
  constexpr Py_ssize_t kOnStack = 16;
  TVMFFIAny few[kOnStack];
  TVMFFIAny* values = few;
  if (n > kOnStack) {
    values = static_cast<TVMFFIAny*>(PyMem_Malloc(sizeof(TVMFFIAny) * static_cast<size_t>(n)));
    if (values == nullptr) return PyErr_NoMemory();
  }
  TVMFFIAny result;
  bool ok = n <= INT32_MAX;
  for (Py_ssize_t i = 0; ok && i < n; ++i) {
    int64_t size;
    IntRange range = int64_from_py(PyTuple_GET_ITEM(sizes, i), &size);
    ok = range == IntRange::kFits;
    if (range == IntRange::kTooLarge) raise_shape_range(i);
    value_set_int(&values[i], size);
  }
  if (!ok && !PyErr_Occurred()) {
    PyErr_SetString(PyExc_ValueError, "Expect shape to take list of int arguments");
  }
  ok = ok && make.call(values, static_cast<int32_t>(n), &result) == 0;
  if (values != few) PyMem_Free(values);
  return ok ? wrapper_beside_steal(state().object_type, result.v_obj) : nullptr;
}

// Returns row-major strides in elements.
PyObject* strides_from_shape(PyObject*, PyObject* sizes) {
  if (!PyTuple_Check(sizes)) {
    PyErr_Format(PyExc_TypeError, "expected a tuple, got %s", Py_TYPE(sizes)->tp_name);
    return nullptr;
  }
  Py_ssize_t n = PyTuple_GET_SIZE(sizes);
  Ref strides(PyTuple_New(n));
  Ref product(PyLong_FromLong(1));
  if (!strides || !product) return nullptr;
  for (Py_ssize_t i = n - 1; i >= 0; --i) {
    PyTuple_SET_ITEM(strides.get(), i, compat_new_ref(product.get()));
    product = Ref(PyNumber_Multiply(product.get(), PyTuple_GET_ITEM(sizes, i)));
    if (!product) return nullptr;
  }
  return strides.release();
}

constexpr Parameters kShapeObjGetPyTupleParameters = {"_shape_obj_get_py_tuple", 1, {"obj"}};
constexpr Parameters kMakeStridesFromShapeParameters = {"_make_strides_from_shape", 1, {"shape"}};

PyMethodDef shape_functions[] = {
    named_method(kShapeObjGetPyTupleParameters,
                 named_one<shape_to_tuple, kShapeObjGetPyTupleParameters>,
                 "_shape_obj_get_py_tuple($module, obj)\n--\n\n"
                 "The sizes of a native shape."),
    {"_shape_object", shape_object, METH_O,
     "_shape_object($module, sizes, /)\n--\n\n"
     "The native shape with the sizes of a tuple."},
    named_method(kMakeStridesFromShapeParameters,
                 named_one<strides_from_shape, kMakeStridesFromShapeParameters>,
                 "_make_strides_from_shape($module, shape)\n--\n\n"
                 "Row-major strides in elements."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int shape_init(PyObject* module) { return PyModule_AddFunctions(module, shape_functions); }

}  // namespace binding

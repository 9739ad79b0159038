// SPDX-License-Identifier: Apache-2.0
// core.DataType: a data type in the form of the ABI. Users see tvm_ffi.dtype, a subclass of str;
// each instance has a core.DataType as an attribute.
#include "../convert/dtype.h"

#include "../convert/convert.h"
#include "../raise.h"
#include "../utf8.h"
#include "types.h"

namespace binding {
namespace {

PyObject* dtype_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"dtype_str", nullptr};
  PyObject* name;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:DataType", const_cast<char**>(keywords),
                                   &name)) {
    return nullptr;
  }
  if (!PyUnicode_Check(name)) {
    PyErr_Format(PyExc_TypeError, "DataType expects a str, got %s", Py_TYPE(name)->tp_name);
    return nullptr;
  }
  TVMFFIByteArray text;
  if (utf8_borrowed(name, &text) < 0) return nullptr;
  DLDataType dtype;
  return dtype_parse(text, &dtype) < 0 ? nullptr : dtype_new_value(type, dtype);
}

Py_hash_t dtype_hash(PyObject* self) {
  DLDataType d = *dtype_of(self);
  Ref key(Py_BuildValue("(iii)", d.code, d.bits, static_cast<int>(static_cast<int16_t>(d.lanes))));
  return key ? PyObject_Hash(key.get()) : -1;
}

PyObject* dtype_richcompare(PyObject* self, PyObject* other, int op) {
  if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, &DataTypeType)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  bool same = dtype_bits_of(*dtype_of(self)) == dtype_bits_of(*dtype_of(other));
  return PyBool_FromLong(same == (op == Py_EQ));
}

PyObject* dtype_str(PyObject* self) { return dtype_text(*dtype_of(self)); }

PyObject* dtype_repr(PyObject* self) {
  Ref text(dtype_str(self));
  return text ? PyUnicode_FromFormat("DataType(%R)", text.get()) : nullptr;
}

PyObject* dtype_get_code(PyObject* self, void*) { return PyLong_FromLong(dtype_of(self)->code); }
PyObject* dtype_get_bits(PyObject* self, void*) { return PyLong_FromLong(dtype_of(self)->bits); }
PyObject* dtype_get_lanes(PyObject* self, void*) {
  return PyLong_FromLong(static_cast<int16_t>(dtype_of(self)->lanes));
}

PyObject* dtype_get_itemsize(PyObject* self, void*) {
  DLDataType d = *dtype_of(self);
  auto lanes = static_cast<int16_t>(d.lanes);
  if (lanes < 0) {
    PyErr_SetString(PyExc_ValueError, "Cannot determine itemsize for scalable vector types");
    return nullptr;
  }
  return PyLong_FromLong((static_cast<long>(d.bits) * lanes + 7) / 8);
}

PyObject* dtype_reduce(PyObject* self, PyObject*) {
  DLDataType d = *dtype_of(self);
  Ref make(state_import("tvm_ffi.serialization", "restore_data_type"));
  return make ? Py_BuildValue("O(Oiii)", make.get(), Py_TYPE(self), d.code, d.bits,
                              static_cast<int>(static_cast<int16_t>(d.lanes)))
              : nullptr;
}

PyGetSetDef dtype_getset[] = {
    {"type_code", dtype_get_code, nullptr, "DLPack type code.", nullptr},
    {"bits", dtype_get_bits, nullptr, "Width of one lane in bits.", nullptr},
    {"lanes", dtype_get_lanes, nullptr, "Number of lanes; negative: scalable.", nullptr},
    {"itemsize", dtype_get_itemsize, nullptr, "Bytes per element, rounded up.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef dtype_methods[] = {{"__reduce__", dtype_reduce, METH_NOARGS, nullptr},
                               {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject DataTypeType = static_type();

PyObject* dtype_create(PyObject*, PyObject* args) {
  PyObject* cls;
  long code, bits, lanes;
  DLDataType dtype;
  if (!PyArg_ParseTuple(args, "O!lll:_create_cdtype_from_tuple", &PyType_Type, &cls, &code, &bits,
                        &lanes) ||
      !dtype_check(code, bits, lanes, &dtype)) {
    return nullptr;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (!PyType_IsSubtype(type, &DataTypeType)) {
    PyErr_Format(PyExc_TypeError, "_create_cdtype_from_tuple expects a DataType class, got %s",
                 type->tp_name);
    return nullptr;
  }
  return dtype_new_value(type, dtype);
}

int dtype_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(&DataTypeType, "tvm_ffi.core.DataType", sizeof(DataTypeObject),
                               Py_TPFLAGS_BASETYPE,
                               "DataType(dtype_str)\n--\n\nA data type: (type_code, bits, lanes).");
  t->tp_new = dtype_new;
  t->tp_hash = dtype_hash;
  t->tp_richcompare = dtype_richcompare;
  t->tp_str = dtype_str;
  t->tp_repr = dtype_repr;
  t->tp_getset = dtype_getset;
  t->tp_methods = dtype_methods;
  return type_add(module, t);
}

}  // namespace binding

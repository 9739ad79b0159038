// SPDX-License-Identifier: Apache-2.0
// Conversion of data types: from core.DataType, `dtype`, text and `__dlpack_data_type__`; to
// `dtype`. foreign_dtype.cc converts the data types of NumPy and PyTorch.
#include "dtype.h"

#include "../raise.h"
#include "convert.h"
#include "schema/converters.h"
#include "str.h"

namespace binding {
namespace {

// A dict of the wrappers that were already returned; the key is the data type as a 32-bit number.
// Cleared when the class of wrappers changes.
PyObject* g_returned = nullptr;
PyTypeObject* g_returned_class = nullptr;

PyObject* dtype_class() {
  if (state().class_dtype == nullptr) {
    PyObject* module = PyDict_GetItemString(state().lazy_class_module, "DataType");
    if (module == nullptr) return reinterpret_cast<PyObject*>(&DataTypeType);
    Ref loaded(PyImport_Import(module));  // runs Python
    if (!loaded) return nullptr;
  }
  return reinterpret_cast<PyObject*>(state().class_dtype == nullptr ? &DataTypeType
                                                                    : state().class_dtype);
}

}  // namespace

PyObject* dtype_new_value(PyTypeObject* cls, DLDataType dtype) {
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self != nullptr) *dtype_of(self) = dtype;
  return self;
}

int dtype_parse(const TVMFFIByteArray& text, DLDataType* out) {
  int status = TVMFFIDataTypeFromString(&text, out);  // replaces an error in the error slot
  return status == 0 ? 0 : raise_from_slot(status);
}

// Checks the ranges of (code, bits, lanes); false with an exception set.
bool dtype_check(long code, long bits, long lanes, DLDataType* out) {
  if (code < 0 || code > 255 || bits < 0 || bits > 255 || lanes < INT16_MIN || lanes > INT16_MAX) {
    PyErr_Format(PyExc_OverflowError, "data type (code %ld, bits %ld, lanes %ld) is out of range",
                 code, bits, lanes);
    return false;
  }
  *out = DLDataType{static_cast<uint8_t>(code), static_cast<uint8_t>(bits),
                    static_cast<uint16_t>(lanes)};
  return true;
}

PyObject* dtype_text(DLDataType dtype) {
  TVMFFIAny out = value_none();
  int status = TVMFFIDataTypeToString(&dtype, &out);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  ObjectOwner keep(out.v_obj);
  return utf8_to_py(*TVMFFIBytesGetByteArrayPtr(out.v_obj));
}

bool dtype_get(PyObject* x, DLDataType* out) {
  if (PyObject_TypeCheck(x, &DataTypeType)) {
    *out = *dtype_of(x);
    return true;
  }
  if (state().class_dtype == nullptr || !PyObject_TypeCheck(x, state().class_dtype)) return false;
  Ref inner(PyObject_GetAttrString(x, "_tvm_ffi_dtype"));
  if (!inner || !PyObject_TypeCheck(inner.get(), &DataTypeType)) {
    clear_error();
    return false;
  }
  *out = *dtype_of(inner.get());
  return true;
}

int dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  DLDataType dtype;
  if (!dtype_get(x, &dtype)) {
    Ref triple(PyObject_CallMethodNoArgs(x, state().names.dlpack_data_type));  // runs Python
    if (!triple) return -1;
    long code, bits, lanes;
    if (!PyTuple_Check(triple.get())) {
      PyErr_Format(PyExc_TypeError,
                   "__dlpack_data_type__ must return a tuple (code, bits, lanes), got %s",
                   Py_TYPE(triple.get())->tp_name);
      return -1;
    }
    if (!PyArg_ParseTuple(triple.get(), "lll:__dlpack_data_type__", &code, &bits, &lanes) ||
        !dtype_check(code, bits, lanes, &dtype)) {
      return -1;
    }
  }
  value_set_dtype(out, dtype);
  return 0;
}

PyObject* dtype_to_py(DLDataType dtype) {
  StateSection section;
  PyObject* cls = dtype_class();
  if (cls == nullptr) return nullptr;
  if (g_returned == nullptr || g_returned_class != reinterpret_cast<PyTypeObject*>(cls)) {
    PyObject* fresh = PyDict_New();
    if (fresh == nullptr) return nullptr;
    Py_XSETREF(g_returned, fresh);
    g_returned_class = reinterpret_cast<PyTypeObject*>(cls);
  }
  Ref key(PyLong_FromUnsignedLong(dtype_bits_of(dtype)));
  if (!key) return nullptr;
  Ref known = dict_find(g_returned, key.get());
  if (known) return known.release();
  if (PyErr_Occurred()) return nullptr;
  Ref made;
  if (cls == reinterpret_cast<PyObject*>(&DataTypeType)) {
    made = Ref(dtype_new_value(&DataTypeType, dtype));
  } else {
    Ref text(dtype_text(dtype));
    if (!text) return nullptr;
    made = Ref(PyObject_CallFunctionObjArgs(cls, text.get(), nullptr));  // runs Python
  }
  if (!made || PyDict_SetItem(g_returned, key.get(), made.get()) < 0) return nullptr;
  return made.release();
}

namespace schema {

Outcome dtype_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  DLDataType dtype;
  if (dtype_get(x, &dtype)) {
    value_set_dtype(out, dtype);
    return kConverted;
  }
  if (!PyUnicode_Check(x)) return pack_as(kTVMFFIDataType, c, x, out, why);
  TVMFFIByteArray text;
  if (utf8_borrowed(x, &text) < 0 || dtype_parse(text, &dtype) < 0) {
    return refuse_text("expected dtype, got invalid dtype string %R", x, why);
  }
  value_set_dtype(out, dtype);
  return kConverted;
}

}  // namespace schema
}  // namespace binding

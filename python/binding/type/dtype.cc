// SPDX-License-Identifier: Apache-2.0
// core.DataType: a data type as the ABI has it. Users see tvm_ffi.dtype, a str built on it.
#include <cstring>
#include <string>
#include <string_view>

#include "../convert/convert.h"
#include "../memory_guard.h"
#include "../raise.h"
#include "types.h"

namespace binding {
namespace {

DLDataType* dtype_of(PyObject* x) { return &reinterpret_cast<DataTypeObject*>(x)->dtype; }

PyObject* dtype_new_value(PyTypeObject* cls, DLDataType dtype) {
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self != nullptr) *dtype_of(self) = dtype;
  return self;
}

// A complex type, which has no text in the ABI, read as the float type of the same size.
bool parse_complex(std::string_view text, DLDataType* out) {
  constexpr std::string_view kWord = "complex";
  if (text.substr(0, kWord.size()) != kWord) return false;
  text.remove_prefix(kWord.size());
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  std::string as_float = "float" + std::string(text);
  TVMFFIByteArray bytes{as_float.data(), as_float.size()};
  if (TVMFFIDataTypeFromString(&bytes, out) != 0 || out->code != kDLFloat) return false;
  out->code = kDLComplex;
  return true;
}

}  // namespace

int dtype_parse(const TVMFFIByteArray& text, DLDataType* out) {
  int complex = guard_memory([&]() -> int { return parse_complex({text.data, text.size}, out); });
  if (complex != 0) return complex > 0 ? 0 : -1;
  int status = TVMFFIDataTypeFromString(&text, out);  // replaces an error that is still raised
  return status == 0 ? 0 : raise_from_slot(status);
}

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
  Py_ssize_t size;
  const char* utf8 = PyUnicode_AsUTF8AndSize(name, &size);
  if (utf8 == nullptr) return nullptr;
  TVMFFIByteArray text{utf8, static_cast<size_t>(size)};
  DLDataType dtype;
  return dtype_parse(text, &dtype) < 0 ? nullptr : dtype_new_value(type, dtype);
}

uint32_t dtype_bits_of(DLDataType d) {
  return d.code | static_cast<uint32_t>(d.bits) << 8 | static_cast<uint32_t>(d.lanes) << 16;
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

PyObject* dtype_text(DLDataType dtype) {
  bool is_complex = dtype.code == kDLComplex;
  if (is_complex) dtype.code = kDLFloat;
  TVMFFIAny out = value_none();
  int status = TVMFFIDataTypeToString(&dtype, &out);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  ObjectOwner keep(out.v_obj);
  TVMFFIByteArray* text = TVMFFIBytesGetByteArrayPtr(out.v_obj);
  if (is_complex) return PyUnicode_FromFormat("complex%s", text->data + std::strlen("float"));
  return PyUnicode_DecodeUTF8(text->data, static_cast<Py_ssize_t>(text->size), nullptr);
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

// (code, bits, lanes) with their ranges; false with an exception set.
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

// The wrapper of each data type that was returned before, by its 32 bits; dropped when the class
// changes.
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

bool dtype_get(PyObject* x, DLDataType* out) {
  if (PyObject_TypeCheck(x, &DataTypeType)) {
    *out = *dtype_of(x);
    return true;
  }
  if (state().class_dtype == nullptr || !PyObject_TypeCheck(x, state().class_dtype)) return false;
  Ref inner(PyObject_GetAttrString(x, "_tvm_ffi_dtype"));
  if (!inner || !PyObject_TypeCheck(inner.get(), &DataTypeType)) {
    PyErr_Clear();
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
  out->type_index = kTVMFFIDataType;
  out->v_uint64 = 0;
  out->v_dtype = dtype;
  return 0;
}

PyObject* dtype_to_py(DLDataType dtype) {
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
  PyObject* known = PyDict_GetItemWithError(g_returned, key.get());
  if (known != nullptr) return compat_new_ref(known);
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

int dtype_type_init(PyObject* module) {
  PyTypeObject* t = &DataTypeType;
  t->tp_name = "tvm_ffi.core.DataType";
  t->tp_doc = "DataType(dtype_str)\n--\n\nA data type: (type_code, bits, lanes).";
  t->tp_basicsize = sizeof(DataTypeObject);
  t->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
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

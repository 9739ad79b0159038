// SPDX-License-Identifier: Apache-2.0
// core._IntPayload and core._StrPayload: variants that compare, hash and print like their payload.
#include <cstring>

#include "../convert/int.h"
#include "../utf8.h"
#include "enum.h"

namespace binding {
namespace {

// Returns the native variant in `x`; NULL if there is none.
const ffi::EnumObj* native_enum(PyObject* x) {
  static const int32_t base = ffi::EnumObj::RuntimeTypeIndex();
  TVMFFIObject* obj = is_wrapper(x) ? as_wrapper(x)->handle : nullptr;
  if (obj == nullptr) return nullptr;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(obj->type_index);
  bool is_enum = info->type_depth > 1 && info->type_ancestors[1]->type_index == base;
  return is_enum ? reinterpret_cast<const ffi::EnumObj*>(obj) : nullptr;
}

// Returns the native variant of the receiver of a slot; NULL with an exception set.
const ffi::EnumObj* payload_receiver(PyObject* self) {
  const ffi::EnumObj* variant = native_enum(self);
  if (variant == nullptr && wrapper_handle_or_raise(self) != nullptr) {
    PyErr_Format(PyExc_TypeError, "this %s object is not an enum", Py_TYPE(self)->tp_name);
  }
  return variant;
}

bool same_enum(const ffi::EnumObj* a, const ffi::EnumObj* b) {
  return b != nullptr && a->type_index() == b->type_index();
}

PyObject* equality(bool equal, int op) { return PyBool_FromLong(equal == (op == Py_EQ)); }

PyObject* int_payload_richcompare(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  const ffi::EnumObj* variant = payload_receiver(self);
  if (variant == nullptr) return nullptr;
  if (PyLong_Check(other)) {
    if (PyBool_Check(other)) Py_RETURN_NOTIMPLEMENTED;
    int64_t number;
    bool fits = int64_from_py(other, &number) == IntRange::kFits;
    return equality(fits && number == variant->_int_index, op);
  }
  const ffi::EnumObj* another = native_enum(other);
  if (!same_enum(variant, another)) Py_RETURN_NOTIMPLEMENTED;
  return equality(variant->_int_index == another->_int_index, op);
}

// Hashes like Python's int: the absolute value modulo 2^61 - 1, with its sign, and -2 for -1.
Py_hash_t int_payload_hash(PyObject* self) {
  const ffi::EnumObj* variant = payload_receiver(self);
  if (variant == nullptr) return -1;
  int64_t number = variant->_int_index;
  uint64_t size = number < 0 ? -static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  auto rest = static_cast<Py_hash_t>(size % ((uint64_t{1} << 61) - 1));
  Py_hash_t hash = number < 0 ? -rest : rest;
  return hash == -1 ? -2 : hash;
}

PyObject* int_payload_str(PyObject* self) {
  const ffi::EnumObj* variant = payload_receiver(self);
  if (variant == nullptr) return nullptr;
  return PyUnicode_FromFormat("%lld", static_cast<long long>(variant->_int_index));
}

PyObject* str_payload_text(const ffi::EnumObj* variant) {
  const ffi::String& text = variant->_str_index;
  return utf8_to_py(text.data(), text.size(), "surrogateescape");
}

PyObject* str_payload_richcompare(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  const ffi::EnumObj* variant = payload_receiver(self);
  if (variant == nullptr) return nullptr;
  const ffi::String& text = variant->_str_index;
  if (PyUnicode_Check(other)) {
    TVMFFIByteArray bytes;
    if (utf8_borrowed(other, &bytes) < 0) {
      clear_error();  // `other` contains a lone surrogate, so it cannot equal native text
      return equality(false, op);
    }
    return equality(
        bytes.size == text.size() && std::memcmp(bytes.data, text.data(), text.size()) == 0, op);
  }
  const ffi::EnumObj* another = native_enum(other);
  if (!same_enum(variant, another)) Py_RETURN_NOTIMPLEMENTED;
  return equality(text == another->_str_index, op);
}

PyObject* str_payload_str(PyObject* self) {
  const ffi::EnumObj* variant = payload_receiver(self);
  return variant == nullptr ? nullptr : str_payload_text(variant);
}

Py_hash_t str_payload_hash(PyObject* self) {
  Ref text(str_payload_str(self));
  return text ? PyObject_Hash(text.get()) : -1;
}

int payload_type_add(PyObject* module, PyTypeObject* t, const char* name, const char* doc) {
  t->tp_name = name;
  t->tp_doc = doc;
  t->tp_base = &CObjectType;
  t->tp_basicsize = sizeof(Wrapper);
  t->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  return type_add(module, t);
}

}  // namespace

PyTypeObject IntPayloadType = static_type();
PyTypeObject StrPayloadType = static_type();

int enum_payload_type_init(PyObject* module) {
  IntPayloadType.tp_richcompare = int_payload_richcompare;
  IntPayloadType.tp_hash = int_payload_hash;
  IntPayloadType.tp_str = int_payload_str;
  StrPayloadType.tp_richcompare = str_payload_richcompare;
  StrPayloadType.tp_hash = str_payload_hash;
  StrPayloadType.tp_str = str_payload_str;
  if (payload_type_add(module, &IntPayloadType, "tvm_ffi.core._IntPayload",
                       "Variants that compare, hash and print like their number.") < 0) {
    return -1;
  }
  return payload_type_add(module, &StrPayloadType, "tvm_ffi.core._StrPayload",
                          "Variants that compare, hash and print like their text.");
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// core._IntPayload and core._StrPayload: variants that compare, hash and print like their payload.
#include "../utf8.h"
#include "enum.h"

namespace binding {
namespace {

// Returns the native variant in `x`; NULL if there is none.
const ffi::EnumObj* native_enum(PyObject* x) {
  static const int32_t base = ffi::EnumObj::RuntimeTypeIndex();
  TVMFFIObject* obj = is_wrapper(x) ? handle_in(x) : nullptr;
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

// Returns the payload, an int or a str: new reference, or NULL with an exception set.
template <bool kIsText>
PyObject* payload_of(PyObject* self) {
  const ffi::EnumObj* variant = payload_receiver(self);
  if (variant == nullptr) return nullptr;
  if (!kIsText) return PyLong_FromLongLong(variant->_int_index);
  const ffi::String& text = variant->_str_index;
  return utf8_to_py(text.data(), text.size(), "surrogateescape");
}

// Compares with a variant of the same enum, or with a value of the type of the payload. bool is not
// a payload.
template <bool kIsText>
PyObject* payload_richcompare(PyObject* self, PyObject* other, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  const ffi::EnumObj* variant = payload_receiver(self);
  if (variant == nullptr) return nullptr;
  int64_t number;
  if (!kIsText && PyLong_CheckExact(other) && compat_compact_int(other, &number)) {
    return PyBool_FromLong((number == variant->_int_index) == (op == Py_EQ));
  }
  const ffi::EnumObj* another = native_enum(other);
  bool is_same_enum = another != nullptr && another->type_index() == variant->type_index();
  bool is_payload = kIsText ? PyUnicode_Check(other) : PyLong_Check(other) && !PyBool_Check(other);
  if (!is_same_enum && !is_payload) Py_RETURN_NOTIMPLEMENTED;
  Ref mine(payload_of<kIsText>(self));
  Ref theirs(is_same_enum ? payload_of<kIsText>(other) : compat_new_ref(other));
  return mine && theirs ? PyObject_RichCompare(mine.get(), theirs.get(), op) : nullptr;
}

template <bool kIsText>
Py_hash_t payload_hash(PyObject* self) {
  Ref payload(payload_of<kIsText>(self));
  return payload ? PyObject_Hash(payload.get()) : -1;
}

template <bool kIsText>
PyObject* payload_str(PyObject* self) {
  Ref payload(payload_of<kIsText>(self));
  return payload ? PyObject_Str(payload.get()) : nullptr;
}

template <bool kIsText>
int payload_type_add(PyObject* module, PyTypeObject* t, const char* name, const char* doc) {
  type_begin(t, name, sizeof(Wrapper), Py_TPFLAGS_BASETYPE, doc);
  t->tp_base = &CObjectType;
  t->tp_richcompare = payload_richcompare<kIsText>;
  t->tp_hash = payload_hash<kIsText>;
  t->tp_str = payload_str<kIsText>;
  return type_add(module, t);
}

}  // namespace

PyTypeObject IntPayloadType = static_type();
PyTypeObject StrPayloadType = static_type();

int enum_payload_type_init(PyObject* module) {
  if (payload_type_add<false>(module, &IntPayloadType, "tvm_ffi.core._IntPayload",
                              "Variants that compare, hash and print like their number.") < 0) {
    return -1;
  }
  return payload_type_add<true>(module, &StrPayloadType, "tvm_ffi.core._StrPayload",
                                "Variants that compare, hash and print like their text.");
}

}  // namespace binding

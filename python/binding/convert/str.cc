// SPDX-License-Identifier: Apache-2.0
// Text: inline up to 7 bytes of UTF-8, a heap string beyond; long ones come back as `String`.
#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

int long_str_from_utf8(const char* data, Py_ssize_t size, TVMFFIAny* out, Arguments* args) {
  TVMFFIByteArray text{data, static_cast<size_t>(size)};
  int status = TVMFFIStringFromByteArray(&text, out);
  if (status != 0) return raise_from_slot(status);
  if (is_object_index(out->type_index)) args->temporaries.keep_steal(out->v_obj);
  return 0;
}

}  // namespace

int str_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  const char* data;
  Py_ssize_t size;
  if (BINDING_LIKELY(PyUnicode_IS_COMPACT_ASCII(x))) {
    data = static_cast<const char*>(PyUnicode_DATA(x));
    size = PyUnicode_GET_LENGTH(x);
  } else {
    data = PyUnicode_AsUTF8AndSize(x, &size);  // refuses lone surrogates
    if (data == nullptr) return -1;
  }
  if (size > 7) return long_str_from_utf8(data, size, out, args);
  out->type_index = kTVMFFISmallStr;
  out->small_str_len = static_cast<uint32_t>(size);
  out->v_uint64 = 0;
  for (Py_ssize_t i = 0; i < size; ++i) out->v_bytes[i] = data[i];
  return 0;
}

PyObject* small_str_to_py(const TVMFFIAny& value) {
  return PyUnicode_DecodeUTF8(value.v_bytes, value.small_str_len, nullptr);
}

PyObject* string_to_py_steal(TVMFFIObject* obj) {
  TVMFFIByteArray* text = TVMFFIBytesGetByteArrayPtr(obj);
  ObjectOwner native(obj);
  Ref plain(PyUnicode_DecodeUTF8(text->data, static_cast<Py_ssize_t>(text->size), nullptr));
  if (!plain) return nullptr;
  Ref args(PyTuple_Pack(1, plain.get()));
  if (!args) return nullptr;
  PyObject* self = PyUnicode_Type.tp_new(state().string_type, args.get(), nullptr);
  if (self != nullptr) reinterpret_cast<StringObject*>(self)->native = native.release();
  return self;
}

}  // namespace binding

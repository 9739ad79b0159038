// SPDX-License-Identifier: Apache-2.0
// Conversion of text. Up to 7 bytes of UTF-8 are stored inside the value, longer text in a native
// string object, which converts to `String`. str.h has the fast path.
#include "str.h"

#include <cstring>

#include "../raise.h"
#include "convert.h"
#include "recent_values.h"
#include "schema/converters.h"

namespace binding {
namespace {

int long_str_from_utf8(const char* data, Py_ssize_t size, TVMFFIAny* out, Arguments* args) {
  TVMFFIByteArray text{data, static_cast<size_t>(size)};
  int status = TVMFFIStringFromByteArray(&text, out);
  if (status != 0) return raise_from_slot(status);
  if (is_object_index(out->type_index)) args->temporaries.keep_steal(out->v_obj);
  return 0;
}

bool is_ascii(const TVMFFIByteArray& text) {
  uint64_t bits = 0;
  size_t i = 0;
  for (uint64_t words[4]; i + sizeof(words) <= text.size; i += sizeof(words)) {
    std::memcpy(words, text.data + i, sizeof(words));
    bits |= words[0] | words[1] | words[2] | words[3];
  }
  for (; i < text.size; ++i) bits |= static_cast<uint8_t>(text.data[i]);
  return (bits & 0x8080808080808080) == 0;
}

// CPython keeps the text of an instance of a subclass of str behind a pointer; here it is that of
// the native string, which never changes and ends with a NUL.
PyObject* string_sharing_text(ObjectOwner native, const TVMFFIByteArray& text) {
  PyTypeObject* type = state().string_type;
  auto* self = reinterpret_cast<StringObject*>(type->tp_alloc(type, 0));
  if (self == nullptr) return nullptr;
  PyASCIIObject& head = self->base._base._base;
  head.state = reinterpret_cast<PyASCIIObject*>(state().ascii_string)->state;
  head.hash = -1;
  head.length = self->base._base.utf8_length = static_cast<Py_ssize_t>(text.size);
  self->base.data.any = self->base._base.utf8 = const_cast<char*>(text.data);
  self->native = native.release();
  return reinterpret_cast<PyObject*>(self);
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
  if (size > kMaxInPlace) return long_str_from_utf8(data, size, out, args);
  value_set_short_str(out, data, size);
  return 0;
}

int string_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* native = reinterpret_cast<StringObject*>(x)->native;
  if (native == nullptr) return str_from_py(x, out, args);
  value_set_object(out, native);
  return 0;
}

PyObject* small_str_to_py(const TVMFFIAny& value) {
  static RecentValues recent;
  return recent.find_or_make(value, [](const char* data, Py_ssize_t size) {
    return PyUnicode_DecodeUTF8(data, size, nullptr);
  });
}

PyObject* raw_str_to_py(const TVMFFIAny& value) {
  if (value.v_c_str == nullptr) return raise_null_pointer(value);
  return utf8_to_py(TVMFFIByteArray{value.v_c_str, std::strlen(value.v_c_str)});
}

PyObject* string_to_py_steal(TVMFFIObject* obj) {
  TVMFFIByteArray* text = TVMFFIBytesGetByteArrayPtr(obj);
  ObjectOwner native(obj);
  if (text->size != 0 && is_ascii(*text)) return string_sharing_text(std::move(native), *text);
  Ref plain(utf8_to_py(*text));
  if (!plain) return nullptr;
  Ref args(PyTuple_Pack(1, plain.get()));
  if (!args) return nullptr;
  PyObject* self = PyUnicode_Type.tp_new(state().string_type, args.get(), nullptr);
  if (self != nullptr) reinterpret_cast<StringObject*>(self)->native = native.release();
  return self;
}

PyObject* plain_str_to_py_steal(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFIStr) {
    ObjectOwner native(value.v_obj);
    return utf8_to_py(*TVMFFIBytesGetByteArrayPtr(native.get()));
  }
  Ref x(value_to_py_steal(value));
  return x ? PyObject_Str(x.get()) : nullptr;
}

namespace schema {

Outcome str_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (!PyUnicode_Check(x)) return refuse_type(c, x, why);
  // A `String` keeps its native object; other subclasses of str, such as dtype, are converted as
  // text.
  if (PyObject_TypeCheck(x, state().string_type)) return pack(c, x, out, why);
  return pack_by(str_from_py, c, x, out, why);
}

}  // namespace schema
}  // namespace binding

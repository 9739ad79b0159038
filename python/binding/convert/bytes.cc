// SPDX-License-Identifier: Apache-2.0
// Conversion of bytes. A value of up to 7 bytes is stored inside the TVMFFIAny, a longer one in a
// native object, which converts to `Bytes`.
#include "../raise.h"
#include "convert.h"
#include "recent_values.h"
#include "schema/converters.h"

namespace binding {

int bytes_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  bool is_bytes = PyBytes_Check(x);
  TVMFFIByteArray content{
      is_bytes ? PyBytes_AS_STRING(x) : PyByteArray_AS_STRING(x),
      static_cast<size_t>(is_bytes ? PyBytes_GET_SIZE(x) : PyByteArray_GET_SIZE(x))};
  int status = TVMFFIBytesFromByteArray(&content, out);
  if (BINDING_UNLIKELY(status != 0)) return raise_from_slot(status);
  if (is_object_index(out->type_index)) args->temporaries.keep_steal(out->v_obj);
  return 0;
}

PyObject* small_bytes_to_py(const TVMFFIAny& value) {
  static RecentValues recent;
  return recent.find_or_make(value, PyBytes_FromStringAndSize);
}

PyObject* byte_array_to_py(const TVMFFIAny& value) {
  const auto* bytes = static_cast<TVMFFIByteArray*>(value.v_ptr);
  if (bytes == nullptr) return raise_null_pointer(value);
  if (bytes->data == nullptr && bytes->size != 0) {
    return raise_malformed(value, "has a size but its data is NULL");
  }
  return PyBytes_FromStringAndSize(bytes->data, static_cast<Py_ssize_t>(bytes->size));
}

PyObject* bytes_to_py_steal(TVMFFIObject* obj) {
  ObjectOwner native(obj);
  Ref self(compat_bytes_new(state().bytes_type, *TVMFFIBytesGetByteArrayPtr(obj)));
  if (!self) return nullptr;
  *bytes_native(self.get()) = native.release();
  return self.release();
}

int native_bytes_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* native = *bytes_native(x);
  if (native == nullptr) return cached_object_from_py(x, out, args);
  value_set_object(out, native);
  return 0;
}

namespace schema {

Outcome bytes_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (PyObject_TypeCheck(x, state().bytes_type)) return pack(c, x, out, why);
  if (!PyBytes_Check(x) && !PyByteArray_Check(x)) return refuse_type(c, x, why);
  return pack_by(bytes_from_py, c, x, out, why);
}

}  // namespace schema
}  // namespace binding

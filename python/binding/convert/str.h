// SPDX-License-Identifier: Apache-2.0
// Text: the fast path of the conversion from Python. utf8.h has views of UTF-8.
#pragma once

#include "../ref.h"
#include "../utf8.h"

namespace binding {

// The maximum number of bytes that are stored inside the value, for text and for bytes.
inline constexpr Py_ssize_t kMaxInPlace = 7;

// Stores at most kMaxInPlace bytes of UTF-8 inside the value. Computes the bytes in a register,
// because reading eight bytes that were just written one by one is slow.
BINDING_INLINE void value_set_short_str(TVMFFIAny* out, const char* data, Py_ssize_t size) {
  out->type_index = kTVMFFISmallStr;
  out->small_str_len = static_cast<uint32_t>(size);
  uint64_t bytes = 0;  // little-endian
  for (Py_ssize_t i = size; i-- > 0;) bytes = bytes << 8 | static_cast<unsigned char>(data[i]);
  out->v_uint64 = bytes;
}

// Converts an exact str of at most kMaxInPlace ASCII characters. Returns false, and leaves
// `out` unspecified, for other objects.
BINDING_INLINE bool short_str_from_py(PyObject* x, TVMFFIAny* out) {
  if (Py_TYPE(x) != &PyUnicode_Type || !PyUnicode_IS_COMPACT_ASCII(x)) return false;
  Py_ssize_t size = PyUnicode_GET_LENGTH(x);
  if (size > kMaxInPlace) return false;
  value_set_short_str(out, static_cast<const char*>(PyUnicode_DATA(x)), size);
  return true;
}

// A native string object on the C stack whose text belongs to a Python str. Native code may only
// read the object, and must not keep a reference to it.
class BorrowedStr {
 public:
  // Returns whether borrowing is possible: for an exact ASCII str that is too long to be stored
  // inside the value.
  static BINDING_INLINE bool is_possible(PyObject* x) {
    return PyUnicode_CheckExact(x) && PyUnicode_IS_COMPACT_ASCII(x) &&
           PyUnicode_GET_LENGTH(x) > kMaxInPlace;
  }
  // Sets `*out` to a value that borrows this object and the text of `x`.
  void set(PyObject* x, TVMFFIAny* out) {
    header_.combined_ref_count = kStrongOne + kWeakOne;
    header_.type_index = kTVMFFIStr;
    header_.__padding = 0;
    header_.deleter = nullptr;
    text_ = TVMFFIByteArray{static_cast<const char*>(PyUnicode_DATA(x)),
                            static_cast<size_t>(PyUnicode_GET_LENGTH(x))};
    value_set_object(out, &header_);
  }

 private:
  // These members have the layout of every native string object.
  TVMFFIObject header_;
  TVMFFIByteArray text_;
};

}  // namespace binding

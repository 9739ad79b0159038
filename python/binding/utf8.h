// SPDX-License-Identifier: Apache-2.0
// Conversion of a str to UTF-8, and of UTF-8 to a str.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// Returns the UTF-8 of a str; `x` owns the memory. The result is 0, or -1 with an exception set:
// TypeError if `x` is not a str, UnicodeEncodeError for a lone surrogate. On failure `out->data` is
// NULL.
inline int utf8_borrowed(PyObject* x, TVMFFIByteArray* out) {
  Py_ssize_t size = 0;
  out->data = PyUnicode_AsUTF8AndSize(x, &size);
  out->size = static_cast<size_t>(size);
  return out->data == nullptr ? -1 : 0;
}

// Makes a str from UTF-8 text; if `data` is NULL, the text is empty. `errors` is the error handler
// of the decoder; NULL raises UnicodeDecodeError. New reference, or NULL with an exception set.
inline PyObject* utf8_to_py(const char* data, size_t size, const char* errors = nullptr) {
  return PyUnicode_DecodeUTF8(data == nullptr ? "" : data, static_cast<Py_ssize_t>(size), errors);
}

inline PyObject* utf8_to_py(const TVMFFIByteArray& text, const char* errors = nullptr) {
  return utf8_to_py(text.data, text.size, errors);
}

}  // namespace binding

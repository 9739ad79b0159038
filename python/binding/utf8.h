// SPDX-License-Identifier: Apache-2.0
// UTF-8 text of Python strings, and Python strings of UTF-8 text.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"

namespace binding {

// The UTF-8 form of a str, which `x` owns. 0; or -1 with an exception set: TypeError where `x` is
// not a str, UnicodeEncodeError for a lone surrogate. `out->data` is NULL then.
inline int utf8_borrowed(PyObject* x, TVMFFIByteArray* out) {
  Py_ssize_t size = 0;
  out->data = PyUnicode_AsUTF8AndSize(x, &size);
  out->size = static_cast<size_t>(size);
  return out->data == nullptr ? -1 : 0;
}

// A str of UTF-8 text; `data` NULL stands for no text. `errors` is the error handler of the
// decoder, NULL for UnicodeDecodeError. New reference, or NULL with an exception set.
inline PyObject* utf8_to_py(const char* data, size_t size, const char* errors = nullptr) {
  return PyUnicode_DecodeUTF8(data == nullptr ? "" : data, static_cast<Py_ssize_t>(size), errors);
}

inline PyObject* utf8_to_py(const TVMFFIByteArray& text, const char* errors = nullptr) {
  return utf8_to_py(text.data, text.size, errors);
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Integers: 64-bit values in place, larger ones as ffi.BigInt, in both directions.
#include <memory>
#include <new>

#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

// Bytes of the shortest whole number of 64-bit words that holds `x` with its sign; 0 with an
// exception set on failure.
size_t big_int_size(PyObject* x) {
#if PY_VERSION_HEX >= 0x030D0000
  Py_ssize_t bytes = PyLong_AsNativeBytes(x, nullptr, 0, Py_ASNATIVEBYTES_LITTLE_ENDIAN);
  return bytes < 0 ? 0 : (static_cast<size_t>(bytes) + 7) / 8 * 8;
#else
  size_t bits = _PyLong_NumBits(x);
  return bits == static_cast<size_t>(-1) ? 0 : (bits / 64 + 1) * 8;
#endif
}

int big_int_bytes(PyObject* x, unsigned char* out, size_t size) {
#if PY_VERSION_HEX >= 0x030D0000
  Py_ssize_t bytes =
      PyLong_AsNativeBytes(x, out, static_cast<Py_ssize_t>(size), Py_ASNATIVEBYTES_LITTLE_ENDIAN);
  return bytes < 0 ? -1 : 0;
#else
  return _PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(x), out, size, 1, 1);
#endif
}

int big_int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  constexpr size_t kOnStack = 128;
  unsigned char few[kOnStack];
  std::unique_ptr<unsigned char[]> many;
  size_t size = big_int_size(x);
  if (size == 0) return -1;
  unsigned char* bytes = few;
  if (size > kOnStack) {
    many.reset(new (std::nothrow) unsigned char[size]);
    if (many == nullptr) {
      PyErr_NoMemory();
      return -1;
    }
    bytes = many.get();
  }
  if (big_int_bytes(x, bytes, size) < 0) return -1;
  TVMFFIByteArray words{reinterpret_cast<const char*>(bytes), size};
  int status = TVMFFIBigIntFromByteArray(&words, out);
  if (status != 0) return raise_from_slot(status);
  if (is_object_index(out->type_index)) args->temporaries.keep_steal(out->v_obj);
  return 0;
}

}  // namespace

int int_from_py_slow(PyObject* x, TVMFFIAny* out, Arguments* args) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(x, &overflow);
  if (overflow != 0) return big_int_from_py(x, out, args);
  if (value == -1 && PyErr_Occurred()) return -1;
  value_set_int(out, value);
  return 0;
}

PyObject* int_to_py(int64_t x) { return PyLong_FromLongLong(x); }

PyObject* big_int_to_py(TVMFFIObject* obj) {
  TVMFFIAny value;
  value_set_object(&value, obj);
  TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(&value);
#if PY_VERSION_HEX >= 0x030D0000
  return PyLong_FromNativeBytes(words.data, words.size, Py_ASNATIVEBYTES_LITTLE_ENDIAN);
#else
  return _PyLong_FromByteArray(reinterpret_cast<const unsigned char*>(words.data), words.size, 1,
                               1);
#endif
}

}  // namespace binding

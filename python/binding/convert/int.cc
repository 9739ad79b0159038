// SPDX-License-Identifier: Apache-2.0
// Conversion of integers, in both directions: a 64-bit integer is stored inside the value, a larger
// one becomes an ffi.BigInt. int.h has the fast path.
#include "int.h"

#include <memory>
#include <new>

#include "../raise.h"
#include "convert.h"
#include "schema/converters.h"

namespace binding {
namespace {

// Returns the number of bytes of `x` in two's complement, rounded up to 64-bit words; 0 with an
// exception set.
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

int is_integral(PyObject* x) { return is_instance_of_lazy(x, &state().integral_abc); }

int int_from_py_wide(PyObject* x, TVMFFIAny* out, Arguments* args) {
  int64_t value;
  IntRange range = int64_from_py(x, &value);
  if (range == IntRange::kTooLarge) return big_int_from_py(x, out, args);
  if (range == IntRange::kRaised) return -1;
  value_set_int(out, value);
  return 0;
}

int int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (PyLong_Check(x)) return int_from_py_wide(x, out, args);
  Ref value(PyNumber_Long(x));  // runs Python
  return value ? int_from_py_wide(value.get(), out, args) : -1;
}

int protocol_int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref value(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_int));  // runs Python
  return value ? int_from_py(value.get(), out, args) : -1;
}

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

namespace schema {
namespace {

BINDING_COLD Outcome refuse_range(PyObject* number, Refusal* why) {
  if (why == nullptr) return kRefused;
  Ref text(PyObject_Str(number));
  if (!text) {  // the interpreter limits the number of digits
    if (is_stop_raised()) return kRaised;
    clear_error();
    text = Ref(PyUnicode_FromString("of many digits"));
    if (!text) return kRaised;
  }
  return refuse(why, "integer %U out of int64 range [-9223372036854775808, 9223372036854775807]",
                text.get());
}

// Converts an int or an instance of a subclass. A schema `int` stores 64 bits, so a larger integer
// is refused.
Outcome convert_int_object(PyObject* x, TVMFFIAny* out, Refusal* why) {
  int64_t value;
  if (int64_from_py(x, &value) != IntRange::kFits) return refuse_range(x, why);
  value_set_int(out, value);
  return kConverted;
}

}  // namespace

Outcome int_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (PyLong_Check(x)) return convert_int_object(x, out, why);
  int is = is_integral(x);  // may run Python
  if (is < 0) return refuse_raised(c, x, why);
  if (is > 0) {
    Ref number(PyNumber_Long(x));  // runs Python
    return number ? convert_int_object(number.get(), out, why) : refuse_cast("int", x, why);
  }
  if (is_wrapper(x) || !type_has(Py_TYPE(x), state().names.tvm_ffi_int)) {
    return refuse_type(c, x, why);
  }
  Ref given(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_int));  // runs Python
  Ref number(given ? PyNumber_Long(given.get()) : nullptr);            // runs Python
  return number ? convert_int_object(number.get(), out, why) : refuse_raised(c, x, why);
}

}  // namespace schema
}  // namespace binding

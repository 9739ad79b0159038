// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers: the general path from Python. float.h has the fast path, and the
// conversion to Python.
#include "float.h"

#include "convert.h"
#include "schema/converters.h"

namespace binding {
namespace {

// Converts an object with `__float__` or `__index__`. Returns 0, or -1 with an exception set.
int double_from_py(PyObject* x, TVMFFIAny* out) {
  double value = PyFloat_Check(x) ? PyFloat_AS_DOUBLE(x) : PyFloat_AsDouble(x);  // may run Python
  if (value == -1.0 && PyErr_Occurred()) return -1;
  value_set_float(out, value);
  return 0;
}

}  // namespace

int is_real(PyObject* x) { return is_instance_of_lazy(x, &state().real_abc); }

int float_from_py(PyObject* x, TVMFFIAny* out, Arguments*) { return double_from_py(x, out); }

int protocol_float_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  Ref value(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_float));  // runs Python
  return value ? double_from_py(value.get(), out) : -1;
}

namespace schema {

Outcome float_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  int is = PyFloat_Check(x) || PyLong_Check(x) ? 1 : is_real(x);  // may run Python
  if (is < 0) return refuse_raised(c, x, why);
  if (is > 0) {
    return double_from_py(x, out) == 0 ? kConverted : refuse_cast("float", x, why);
  }
  if (is_wrapper(x) || !type_has(Py_TYPE(x), state().names.tvm_ffi_float)) {
    return refuse_type(c, x, why);
  }
  return protocol_float_from_py(x, out, nullptr) == 0 ? kConverted : refuse_raised(c, x, why);
}

}  // namespace schema
}  // namespace binding

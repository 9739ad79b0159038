// SPDX-License-Identifier: Apache-2.0
// Schemas None, bool, int and float.
#include "rooms.h"

namespace binding::annotated {
namespace {

void set_bool(TVMFFIAny* out, bool x) {
  value_set_int(out, x);
  out->type_index = kTVMFFIBool;
}

void set_float(TVMFFIAny* out, double x) {
  value_set_int(out, 0);
  out->type_index = kTVMFFIFloat;
  out->v_float64 = x;
}

BINDING_COLD Outcome refuse_range(PyObject* number, Refusal* why) {
  if (why == nullptr) return kRefused;
  Ref text(PyObject_Str(number));
  if (!text) {  // More digits than the interpreter is ready to print.
    PyErr_Clear();
    text = Ref(PyUnicode_FromString("of many digits"));
    if (!text) return kRaised;
  }
  return refuse(why, "integer %U out of int64 range [-9223372036854775808, 9223372036854775807]",
                text.get());
}

// `x` is an int of Python, or of a class derived from it.
Outcome from_int(PyObject* x, TVMFFIAny* out, Refusal* why) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(x, &overflow);
  if (overflow != 0) return refuse_range(x, why);
  value_set_int(out, value);
  return kConverted;
}

BINDING_COLD Outcome refuse_cast(const char* cast, PyObject* x, Refusal* why) {
  if (!take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  Ref text(got ? cause_text(*why) : nullptr);
  return text ? refuse(why, "%s() failed for %U: %U", cast, got.get(), text.get()) : kRaised;
}

bool is_protocol(PyObject* x, PyObject* name) {
  return _PyType_Lookup(Py_TYPE(x), name) != nullptr;
}

}  // namespace

Outcome none_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (x != Py_None) return refuse_type(c, x, why);
  *out = value_none();
  return kConverted;
}

Outcome bool_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  int is = PyLong_Check(x) ? 1 : is_integral(x);  // may run Python
  if (is == 0) return refuse_type(c, x, why);
  int truth = is < 0 ? -1 : PyObject_IsTrue(x);  // may run Python
  if (truth < 0) return refuse_raised(c, x, why);
  set_bool(out, truth != 0);
  return kConverted;
}

Outcome int_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (PyLong_Check(x)) return from_int(x, out, why);
  int is = is_integral(x);  // may run Python
  if (is < 0) return refuse_raised(c, x, why);
  if (is > 0) {
    Ref number(PyNumber_Long(x));  // runs Python
    return number ? from_int(number.get(), out, why) : refuse_cast("int", x, why);
  }
  if (is_wrapper(x) || !is_protocol(x, state().names.tvm_ffi_int)) return refuse_type(c, x, why);
  Ref given(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_int));  // runs Python
  Ref number(given ? PyNumber_Long(given.get()) : nullptr);            // runs Python
  return number ? from_int(number.get(), out, why) : refuse_raised(c, x, why);
}

Outcome float_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  int is = PyFloat_Check(x) || PyLong_Check(x) ? 1 : is_real(x);  // may run Python
  if (is < 0) return refuse_raised(c, x, why);
  Ref given;
  if (is == 0) {
    if (is_wrapper(x) || !is_protocol(x, state().names.tvm_ffi_float)) {
      return refuse_type(c, x, why);
    }
    given = Ref(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_float));  // runs Python
    if (!given) return refuse_raised(c, x, why);
  }
  double value = PyFloat_AsDouble(given ? given.get() : x);  // runs Python
  if (value == -1.0 && PyErr_Occurred()) {
    return given ? refuse_raised(c, x, why) : refuse_cast("float", x, why);
  }
  set_float(out, value);
  return kConverted;
}

}  // namespace binding::annotated

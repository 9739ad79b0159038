// SPDX-License-Identifier: Apache-2.0
// The messages and causes of refusals.
#include <cstdarg>

#include "../../utf8.h"
#include "converters.h"

namespace binding::schema {

Outcome refuse(Refusal* why, const char* format, ...) {
  if (why == nullptr) return kRefused;
  va_list args;
  va_start(args, format);
  PyObject* message = PyUnicode_FromFormatV(format, args);
  va_end(args);
  if (message == nullptr) {
    // Formatting fails if `__repr__` of a user's value fails. Propagate interrupts and MemoryError;
    // otherwise use a message without the value.
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
      return kRaised;
    }
    clear_error();
    message = PyUnicode_FromString("a value that cannot be printed was refused");
    if (message == nullptr) return kRaised;
  }
  why->message = Ref(message);
  return kRefused;
}

namespace {

const TVMFFITypeInfo* type_of_object(PyObject* x) {
  TVMFFIObject* obj = handle_of(x);
  return obj == nullptr ? nullptr : TVMFFIGetTypeInfo(obj->type_index);
}

PyObject* key_of_type(const TVMFFITypeInfo* info) { return utf8_to_py(info->type_key, "replace"); }

PyObject* describe_object_type(const TVMFFITypeInfo* info) {
  Ref key(key_of_type(info));
  const ClassInfo* known = class_info_known(info->type_index);
  if (!key || known == nullptr || known->successor == nullptr) return key.release();
  return PyUnicode_FromFormat("an object of an earlier definition of `%U`", key.get());
}

// Refuses an object of a class that derives from a former definition of the schema's class.
// Otherwise returns kRefused without a message.
Outcome refuse_earlier_base(const Converter& c, PyObject* x, Refusal* why) {
  const TVMFFITypeInfo* info = type_of_object(x);
  const ClassInfo* earlier = info == nullptr ? nullptr : earlier_definition(c, info);
  if (earlier == nullptr || earlier->native == info) return kRefused;
  Ref got(key_of_type(info));
  Ref base(got ? key_of_type(earlier->native) : nullptr);
  if (!base) return kRaised;
  return refuse(why, "expected %U, got %U, which derives from an earlier definition of `%U`",
                c.expected.get(), got.get(), base.get());
}

}  // namespace

PyObject* describe_type(PyObject* x) {
  const struct {
    bool is;
    const char* name;
  } names[] = {
      {x == Py_None, "None"},           {PyBool_Check(x) != 0, "bool"},
      {PyLong_Check(x) != 0, "int"},    {PyFloat_Check(x) != 0, "float"},
      {PyUnicode_Check(x) != 0, "str"}, {PyBytes_Check(x) || PyByteArray_Check(x), "bytes"}};
  for (const auto& n : names) {
    if (n.is) return PyUnicode_FromString(n.name);
  }
  if (const TVMFFITypeInfo* info = type_of_object(x)) return describe_object_type(info);
  PyObject* name =
      PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(x)), state().names.dunder_qualname);
  if (name != nullptr && PyUnicode_Check(name)) return name;
  Py_XDECREF(name);
  if (is_stop_raised()) return nullptr;
  clear_error();
  return PyUnicode_FromString(Py_TYPE(x)->tp_name);
}

Outcome refuse_type(const Converter& c, PyObject* x, Refusal* why) {
  if (why == nullptr) return kRefused;
  if (refuse_earlier_base(c, x, why) == kRaised) return kRaised;
  if (why->message) return kRefused;
  Ref got(describe_type(x));
  return got ? refuse(why, "expected %U, got %U", c.expected.get(), got.get()) : kRaised;
}

bool take_raised(Refusal* why) {
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError) ||
      PyErr_ExceptionMatches(PyExc_RecursionError)) {
    return false;
  }
  Ref taken(compat_take_raised());
  if (why != nullptr) why->cause = std::move(taken);
  return true;
}

PyObject* cause_text(const Refusal& why) {
  PyObject* text = PyObject_Str(why.cause.get());  // runs Python
  if (text != nullptr || !PyErr_ExceptionMatches(PyExc_Exception)) return text;
  clear_error();
  return PyUnicode_FromString(Py_TYPE(why.cause.get())->tp_name);
}

Outcome refuse_raised(const Converter& c, PyObject* x, Refusal* why) {
  if (!take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  Ref text(got ? cause_text(*why) : nullptr);
  if (!text) return kRaised;
  return refuse(why, "expected %U, got %U: %U", c.expected.get(), got.get(), text.get());
}

Outcome refuse_cast(const char* cast, PyObject* x, Refusal* why) {
  if (!take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  Ref text(got ? cause_text(*why) : nullptr);
  return text ? refuse(why, "%s() failed for %U: %U", cast, got.get(), text.get()) : kRaised;
}

Outcome refuse_text(const char* format, PyObject* text, Refusal* why) {
  return take_raised(why) ? refuse(why, format, text) : kRaised;
}

void raise_refusal(const Refusal& why) {
  PyObject* kind = why.by_value ? PyExc_ValueError : PyExc_TypeError;
  PyObject* exc = PyObject_CallFunctionObjArgs(kind, why.message.get(), nullptr);
  if (exc == nullptr) return;
  if (why.cause) PyException_SetCause(exc, compat_new_ref(why.cause.get()));
  compat_set_raised_steal(exc);
}

void name_field_in_raised(PyObject* field, const char* type_key) {
  // The conversion raises exactly these types. An instance of a subclass comes from other code, so
  // its message is not changed.
  PyObject* kind = PyErr_Occurred();
  if (kind != PyExc_TypeError && kind != PyExc_ValueError) return;
  Ref raised(compat_take_raised());
  Ref text(raised ? PyObject_Str(raised.get()) : nullptr);
  Ref named;
  if (text && type_key != nullptr) {
    named = Ref(PyUnicode_FromFormat("%U for field `%U` of `%s`", text.get(), field, type_key));
  } else if (text) {
    named = Ref(PyUnicode_FromFormat("%U for field `%U`", text.get(), field));
  }
  Ref args(named ? PyTuple_Pack(1, named.get()) : nullptr);
  if (args) PyObject_SetAttrString(raised.get(), "args", args.get());
  if (raised) raise_again_steal(raised.release());
}

bool can_be_listed(PyObject* x) {
  return Py_TYPE(x)->tp_iter != nullptr && !PyUnicode_Check(x) && !PyBytes_Check(x) &&
         !PyByteArray_Check(x) && !PyDict_Check(x) && !is_wrapper(x);
}

Outcome refuse_nested(Outcome inner, Refusal* why, const char* format, PyObject* where) {
  if (inner != kRefused || why == nullptr) return inner;
  Ref message(std::move(why->message));
  return refuse(why, format, where, message.get());
}

}  // namespace binding::schema

// SPDX-License-Identifier: Apache-2.0
// The error messages of `__ffi_init__`.
#include "../keywords.h"
#include "../raise.h"
#include "plan.h"

namespace binding {
namespace {

// Returns the text with two spaces in front of each line. New str, or NULL with an exception set.
PyObject* indent_all_lines(PyObject* text) {
  Ref line_end(PyUnicode_FromString("\n")), next_line(PyUnicode_FromString("\n  "));
  if (!line_end || !next_line) return nullptr;
  Ref body(PyUnicode_Replace(text, line_end.get(), next_line.get(), -1));
  return body ? PyUnicode_FromFormat("  %U", body.get()) : nullptr;
}

// Returns the names of the parameters of `__init__`. New tuple, or NULL with an exception set.
PyObject* parameter_names(const ClassPlan& plan) {
  PyObject* names = PyTuple_New(static_cast<Py_ssize_t>(plan.parameters.size()));
  for (size_t i = 0; names != nullptr && i < plan.parameters.size(); ++i) {
    PyObject* name = compat_new_ref(plan.fields[plan.parameters[i]]->name);
    PyTuple_SET_ITEM(names, static_cast<Py_ssize_t>(i), name);
  }
  return names;
}

}  // namespace

void refuse_missing(const ClassPlan& plan, const ClassField& field) {
  PyErr_Format(PyExc_TypeError, "%s.__ffi_init__() missing required %sargument: '%U'",
               plan.info->native->type_key.data, field.keyword_only ? "keyword-only " : "",
               field.name);
}

void refuse_keyword(const ClassPlan& plan, PyObject* name) {
  Ref function(PyUnicode_FromFormat("%s.__ffi_init__", plan.info->native->type_key.data));
  Ref names(function ? parameter_names(plan) : nullptr);
  if (names) refuse_unknown_keyword(function.get(), names.get(), name);
}

void refuse_twice(const ClassPlan& plan, PyObject* name) {
  PyErr_Format(PyExc_TypeError, "%s.__ffi_init__() got multiple values for argument '%U'",
               plan.info->native->type_key.data, name);
}

void refuse_too_many(const ClassPlan& plan, Py_ssize_t given) {
  PyErr_Format(PyExc_TypeError,
               "%s.__ffi_init__() takes at most %u positional argument(s), but %zd were given",
               plan.info->native->type_key.data, plan.num_positional, given);
}

void refuse_value(const ClassPlan& plan, const ClassField& field, const char* what) {
  PyObject* kind = PyErr_Occurred();
  if (kind != PyExc_ValueError) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return;
    kind = PyExc_TypeError;
  }
  Ref cause(compat_take_raised());
  if (!cause) return;
  Ref text(PyObject_Str(cause.get()));  // may run Python
  Ref body(text ? indent_all_lines(text.get()) : nullptr);
  if (!body) return;
  PyErr_Format(kind, "%s.__ffi_init__() %s '%U':\n%U", plan.info->native->type_key.data, what,
               field.name, body.get());
  Ref raised(compat_take_raised());
  if (!raised) return;
  PyException_SetCause(raised.get(), cause.release());
  compat_set_raised_steal(raised.release());
}

}  // namespace binding

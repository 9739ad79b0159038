// SPDX-License-Identifier: Apache-2.0
// What the conversions under a schema share: the outcome, the reason of a refusal, and the
// conversion function of each kind of schema.
#pragma once

#include "schema.h"

namespace binding::schema {

// kRaised: an exception is set that is not a refusal; every caller passes it on.
enum Outcome : int { kRaised = -1, kConverted = 0, kRefused = 1 };

// Why a value was refused. A caller that only asks whether a value fits passes NULL, which saves
// building the text.
struct Refusal {
  Ref message;  // str
  Ref cause;    // exception of the user's code, or nothing
};

// ---- schemas (compile.cc)

using Node = std::unique_ptr<Converter>;

// The tree of a TypeSchema; NULL with an exception set.
Node compile(PyObject* schema);

// ---- refusals (refusal.cc)

// kRefused with the formatted message, or kRaised where memory is short. `why` may be NULL.
Outcome refuse(Refusal* why, const char* format, ...);
// "expected X, got T".
BINDING_COLD Outcome refuse_type(const Converter& c, PyObject* x, Refusal* why);
// "expected X, got T: <the raised exception>", which becomes the cause.
BINDING_COLD Outcome refuse_raised(const Converter& c, PyObject* x, Refusal* why);
// "int() failed for T: <the raised exception>", where `cast` names the class.
BINDING_COLD Outcome refuse_cast(const char* cast, PyObject* x, Refusal* why);
// `format` with the str `text`; the raised exception becomes the cause.
BINDING_COLD Outcome refuse_text(const char* format, PyObject* text, Refusal* why);
// True when the raised exception means that a value does not fit; it is moved into `why` then.
// False: it has another reason, and stays raised.
bool take_raised(Refusal* why);
// str of the cause in `why`, whatever `__str__` does. New reference or NULL with an exception.
PyObject* cause_text(const Refusal& why);
// The name of the type of a value in messages. New reference or NULL with an exception set.
PyObject* describe_type(PyObject* x);
// Raises TypeError with the message, and with the cause as its `__cause__`.
void raise_refusal(const Refusal& why);
// Names a field in the TypeError that convert_by_schema has just raised. `type_key` may be NULL.
BINDING_COLD void name_field_in_raised(PyObject* field, const char* type_key);
// Whether `list(x)` is probably what was meant where a sequence is expected.
BINDING_COLD bool can_be_listed(PyObject* x);
// Replaces the message by `format`, whose arguments are `where` and the former message (%U).
Outcome refuse_nested(Outcome inner, Refusal* why, const char* format, PyObject* where);

// ---- one conversion function for each kind of schema. As convert_by_schema, on values that went
// through `normalize`.

using FromPySchema = Outcome(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

FromPySchema any_from_py_schema, none_from_py_schema, bool_from_py_schema, int_from_py_schema,
    float_from_py_schema, str_from_py_schema, bytes_from_py_schema, device_from_py_schema,
    dtype_from_py_schema, opaque_ptr_from_py_schema, tensor_from_py_schema, callable_from_py_schema,
    sequence_from_py_schema, mapping_from_py_schema, optional_from_py_schema, union_from_py_schema,
    literal_from_py_schema, object_from_py_schema, enum_from_py_schema;

// The protocols that replace a value before it is converted: `__tvm_ffi_object__`,
// `__tvm_ffi_value__`, ObjectConvertible. `*x` is borrowed before and owned by `keep` after.
Outcome normalize(const Converter& c, PyObject** x, Ref* keep, Refusal* why);

// By kind; `x` went through `normalize`.
Outcome convert_normal(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// Any value. Guarded against depth.
Outcome convert_value(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

// The value that a call would pass, owned; refused with the text of the exception that was raised.
Outcome pack(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// The same, refused where the value has another type than `type_index`.
Outcome pack_as(int32_t type_index, const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// What one conversion function of convert.h makes, as an owned value.
BINDING_INLINE Outcome pack_by(FromPy from_py, const Converter& c, PyObject* x, TVMFFIAny* out,
                               Refusal* why) {
  TVMFFIObject* place;
  CallContext ignored;
  Arguments args{Temporaries(&place), &ignored};
  out->zero_padding = 0;
  if (from_py(x, out, &args) < 0) return refuse_raised(c, x, why);
  if (is_object_index(out->type_index)) object_inc_ref(out->v_obj);
  return kConverted;
}

// ---- values that are native already (fits.cc)

// True when the value is one that converting to the schema would leave as it is.
bool fits(const Converter& c, const TVMFFIAny& value);
// True when a type is, or derives from, that of the schema or a later definition of it.
bool is_of_type(const Converter& c, int32_t type_index);
// The class among a type and its ancestors of which the type of the schema is a later definition;
// NULL when there is none.
const ClassInfo* earlier_definition(const Converter& c, const TVMFFITypeInfo* info);
// True when the value is of exactly the type that the schema names, so that converting it would
// not change its nature. For choosing in unions.
bool is_exactly(const Converter& c, PyObject* x);

// The handle of an FFI object, or NULL (no exception) for other values and empty wrappers.
inline TVMFFIObject* handle_of(PyObject* x) {
  return is_wrapper(x) ? as_wrapper(x)->handle : nullptr;
}

// None, and instances of built-in classes that have a converter of their own. The other kinds
// refuse them without packing them first.
inline bool is_builtin_value(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyUnicode_Type ||
         type == &PyBool_Type || x == Py_None || type == &PyList_Type || type == &PyTuple_Type ||
         type == &PyDict_Type || type == &PyBytes_Type;
}

}  // namespace binding::schema

// SPDX-License-Identifier: Apache-2.0
// Declarations that the conversions under a schema share: the outcome, the reason of a refusal, and
// the conversion function of each kind of schema.
#pragma once

#include "../storage.h"
#include "schema.h"

namespace binding::schema {

// kRaised: an exception other than a refusal is set; every caller propagates the exception.
enum Outcome : int { kRaised = -1, kConverted = 0, kRefused = 1 };

// The reason why a value was refused. A caller that only tests whether a value fits passes NULL
// instead, so that no text is built.
struct Refusal {
  Ref message;            // str
  Ref cause;              // exception from the user's code, or empty
  bool by_value = false;  // whether the schema refuses the value, and not its type
};

// ---- schemas (compile.cc)

using Node = std::unique_ptr<Converter>;

// Compiles a TypeSchema to a tree; NULL with an exception set.
Node compile(PyObject* schema);

// ---- refusals (refusal.cc)

// Returns kRefused with the formatted message, or kRaised if memory runs out. `why` may be NULL.
Outcome refuse(Refusal* why, const char* format, ...);
// Refuses with "expected X, got T".
BINDING_COLD Outcome refuse_type(const Converter& c, PyObject* x, Refusal* why);
// Refuses with "expected X, got T: <the raised exception>"; the exception becomes the cause.
BINDING_COLD Outcome refuse_raised(const Converter& c, PyObject* x, Refusal* why);
// Refuses with "int() failed for T: <the raised exception>", where `cast` names the class.
BINDING_COLD Outcome refuse_cast(const char* cast, PyObject* x, Refusal* why);
// Refuses with `format` and the str `text`; the raised exception becomes the cause.
BINDING_COLD Outcome refuse_text(const char* format, PyObject* text, Refusal* why);
// Returns true if the raised exception means that a value does not fit, and moves the exception
// into `why`. Returns false for other exceptions, which stay raised.
bool take_raised(Refusal* why);
// Returns the str of the cause in `why`, or a substitute if `__str__` fails. New reference, or NULL
// with an exception set.
PyObject* cause_text(const Refusal& why);
// Returns the name of the type of a value for messages. New reference, or NULL with an exception
// set.
PyObject* describe_type(PyObject* x);
// Raises TypeError, or ValueError for `by_value`, with the message and the cause as `__cause__`.
void raise_refusal(const Refusal& why);
// Adds the name of a field to the error that convert_by_schema has just raised. `type_key` may be
// NULL.
BINDING_COLD void name_field_in_raised(PyObject* field, const char* type_key);
// Returns whether the user probably meant `list(x)` where a sequence is expected.
BINDING_COLD bool can_be_listed(PyObject* x);
// Replaces the message by `format`, whose arguments are `where` and the former message (%U).
Outcome refuse_nested(Outcome inner, Refusal* why, const char* format, PyObject* where);

// ---- one conversion function for each kind of schema. They work like convert_by_schema, on values
// that `normalize` returned.

using FromPySchema = Outcome(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

FromPySchema any_from_py_schema, none_from_py_schema, bool_from_py_schema, int_from_py_schema,
    float_from_py_schema, str_from_py_schema, bytes_from_py_schema, device_from_py_schema,
    dtype_from_py_schema, opaque_ptr_from_py_schema, tensor_from_py_schema, callable_from_py_schema,
    sequence_from_py_schema, mapping_from_py_schema, optional_from_py_schema, union_from_py_schema,
    literal_from_py_schema, object_from_py_schema, enum_from_py_schema;

// Whether values may refer to Python objects: never, always, or if values of the arguments may.
enum class MayHold : uint8_t { kNothing, kPython, kArgs };

// The properties of a kind of schema.
struct KindTraits {
  SchemaKind kind;
  FromPySchema* from_py;
  // The type index of the values; -1 for kinds that need another test.
  int32_t type_index;
  // The storage of fields; a kLiteral with an argument has that of its argument.
  Storage storage;
  MayHold may_hold;
};
const KindTraits& traits_of(SchemaKind kind);

// Applies the protocols by which a value names another value to convert: `__tvm_ffi_object__`,
// `__tvm_ffi_value__`, ObjectConvertible. `*x` is borrowed on entry; `keep` owns a replaced `*x`.
Outcome normalize(const Converter& c, PyObject** x, Ref* keep, Refusal* why);

// Converts a value that `normalize` returned, by the kind of the schema.
Outcome convert_normal(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// Converts any value. Limits the recursion depth.
Outcome convert_value(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

// Converts the value like an argument of a call; owned result. On failure, refuses with the text of
// the raised exception.
Outcome pack(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// Converts like pack, but refuses a value whose type index is not `type_index`.
Outcome pack_as(int32_t type_index, const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// Converts with one conversion function of convert.h; owned result.
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

// Returns whether conversion to the schema would leave the value unchanged.
bool fits(const Converter& c, const TVMFFIAny& value);
// Returns whether a type is, or derives from, the type of the schema or a later definition of that
// type.
bool is_of_type(const Converter& c, int32_t type_index);
// Searches `info` and its ancestors for a former definition of the schema's type. Returns its class
// info, or NULL.
const ClassInfo* earlier_definition(const Converter& c, const TVMFFITypeInfo* info);
// Returns whether the value has exactly the type that the schema names, so that conversion would
// not change the type. Used to choose among the alternatives of a union.
bool is_exactly(const Converter& c, PyObject* x);

// Returns the handle of an FFI object, or NULL (no exception) for other values and empty wrappers.
inline TVMFFIObject* handle_of(PyObject* x) { return is_wrapper(x) ? handle_in(x) : nullptr; }

// Returns whether `x` is None or an instance of a built-in class that has its own converter. The
// converters of other kinds refuse such a value without packing it first.
inline bool is_builtin_value(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  return is_plain(x) || type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type;
}

}  // namespace binding::schema

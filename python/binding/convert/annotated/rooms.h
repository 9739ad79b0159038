// SPDX-License-Identifier: Apache-2.0
// What the rooms of annotated conversion share: the outcome, the reason of a refusal, and the door
// of each room.
#pragma once

#include "annotated.h"

namespace binding::annotated {

// kRaised: an exception is set that is no refusal, and everybody passes it on.
enum Outcome : int { kRaised = -1, kConverted = 0, kRefused = 1 };

// Why a value was refused. Whoever only wants to know whether a value fits gives none, and saves
// the text.
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
// True when the raised exception tells that a value does not fit; it is taken away then, and left
// in `why`. False: it is none of ours, and stays raised.
bool take_raised(Refusal* why);
// str of the cause in `why`, whatever `__str__` does. New reference or NULL with an exception.
PyObject* cause_text(const Refusal& why);
// What a message calls the type of a value. New reference or NULL with an exception set.
PyObject* describe_type(PyObject* x);
// Raises TypeError with the message, a str, by the cause.
void raise_refusal(const Refusal& why);
// Puts `format`, which takes the message as its last %U and before it one argument, in front.
Outcome refuse_nested(Outcome inner, Refusal* why, const char* format, PyObject* where);

// ---- rooms: as convert_annotated, on values that went through `normalize`.

using Room = Outcome(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

Room any_room, none_room, bool_room, int_room, float_room, str_room, bytes_room, device_room,
    dtype_room, opaque_ptr_room, tensor_room, callable_room, sequence_room, mapping_room,
    optional_room, union_room, literal_room, object_room, enum_room;

// The protocols that replace a value before anything else is asked: `__tvm_ffi_object__`,
// `__tvm_ffi_value__`, ObjectConvertible. `*x` is borrowed before and owned by `keep` after.
Outcome normalize(const Converter& c, PyObject** x, Ref* keep, Refusal* why);

// By kind; `x` went through `normalize`.
Outcome convert_normal(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);
// Any value. Guarded against depth.
Outcome convert_value(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

// Whatever a call would pass, as an owned value; refused with the text of what went wrong.
Outcome pack(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why);

// ---- values that are native already (fits.cc)

// True when the value is one that converting to the schema would leave as it is.
bool fits(const Converter& c, const TVMFFIAny& value);
// True when a type is, or derives from, that of the schema or a later definition of it.
bool is_of_type(const Converter& c, int32_t type_index);
// The class among a type and its ancestors of which the type of the schema is a later definition;
// NULL where there is none.
const ClassInfo* earlier_definition(const Converter& c, const TVMFFITypeInfo* info);
// True when the value is of exactly the type that the schema names, so that converting it would
// not change its nature. For choosing in unions.
bool is_exactly(const Converter& c, PyObject* x);

// The handle of an FFI object, or NULL (no exception) for other values and empty wrappers.
inline TVMFFIObject* handle_of(PyObject* x) {
  return is_wrapper(x) ? as_wrapper(x)->handle : nullptr;
}

// None, and instances of the classes that have a converter of their own. Nothing else needs to know
// them: packing them to see what becomes of them would be a waste.
inline bool is_builtin_value(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyUnicode_Type ||
         type == &PyBool_Type || x == Py_None || type == &PyList_Type || type == &PyTuple_Type ||
         type == &PyDict_Type || type == &PyBytes_Type;
}

}  // namespace binding::annotated

// SPDX-License-Identifier: Apache-2.0
// Conversion under a schema: chooses the conversion function from the kind of the schema.
#include "../../recursion.h"
#include "converters.h"

namespace binding {
namespace schema {
namespace {

FromPySchema* from_py_schema_of(SchemaKind kind) {
  switch (kind) {
    case SchemaKind::kAny:
      return any_from_py_schema;
    case SchemaKind::kNone:
      return none_from_py_schema;
    case SchemaKind::kBool:
      return bool_from_py_schema;
    case SchemaKind::kInt:
      return int_from_py_schema;
    case SchemaKind::kFloat:
      return float_from_py_schema;
    case SchemaKind::kStr:
      return str_from_py_schema;
    case SchemaKind::kBytes:
      return bytes_from_py_schema;
    case SchemaKind::kDevice:
      return device_from_py_schema;
    case SchemaKind::kDataType:
      return dtype_from_py_schema;
    case SchemaKind::kOpaquePtr:
      return opaque_ptr_from_py_schema;
    case SchemaKind::kTensor:
      return tensor_from_py_schema;
    case SchemaKind::kCallable:
      return callable_from_py_schema;
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kTuple:
    case SchemaKind::kAnyTuple:
      return sequence_from_py_schema;
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      return mapping_from_py_schema;
    case SchemaKind::kOptional:
      return optional_from_py_schema;
    case SchemaKind::kUnion:
      return union_from_py_schema;
    case SchemaKind::kLiteral:
      return literal_from_py_schema;
    case SchemaKind::kIntEnum:
    case SchemaKind::kStrEnum:
      return enum_from_py_schema;
    default:
      return object_from_py_schema;
  }
}

}  // namespace

// Converts with a recursion guard: a schema may be deep, and part of the stack may be in use
// already.
Outcome convert_normal(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (c.args.empty()) return from_py_schema_of(c.kind)(c, x, out, why);
  RecursionLevel level(" while converting a value to its schema");
  if (!level) return kRaised;
  return from_py_schema_of(c.kind)(c, x, out, why);
}

Outcome convert_value(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (convert_exact(&c, x, out)) return kConverted;
  Ref keep;
  Outcome outcome = normalize(c, &x, &keep, why);  // may run Python
  return outcome == kConverted ? convert_normal(c, x, out, why) : outcome;
}

}  // namespace schema

bool convert_exact_value(const Converter* c, PyObject* x, TVMFFIAny* out) {
  return convert_exact(c, x, out);
}

int convert_by_schema_slow(const Converter* c, PyObject* x, TVMFFIAny* out) {
  schema::Refusal why;
  schema::Outcome outcome = schema::convert_value(*c, x, out, &why);
  if (BINDING_LIKELY(outcome == schema::kConverted)) return 0;
  if (outcome == schema::kRefused) schema::raise_refusal(why);
  return -1;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion under a schema: chooses the conversion function from the kind of the schema.
#include "../../recursion.h"
#include "converters.h"

namespace binding {
namespace schema {
namespace {

constexpr KindTraits kKinds[] = {
    {SchemaKind::kAny, any_from_py_schema, -1, Storage::kValue, MayHold::kPython},
    {SchemaKind::kNone, none_from_py_schema, kTVMFFINone, Storage::kObject, MayHold::kNothing},
    {SchemaKind::kBool, bool_from_py_schema, kTVMFFIBool, Storage::kBool, MayHold::kNothing},
    {SchemaKind::kInt, int_from_py_schema, kTVMFFIInt, Storage::kInt, MayHold::kNothing},
    {SchemaKind::kFloat, float_from_py_schema, kTVMFFIFloat, Storage::kFloat, MayHold::kNothing},
    {SchemaKind::kStr, str_from_py_schema, -1, Storage::kValue, MayHold::kNothing},
    {SchemaKind::kBytes, bytes_from_py_schema, -1, Storage::kValue, MayHold::kNothing},
    {SchemaKind::kDevice, device_from_py_schema, kTVMFFIDevice, Storage::kDevice,
     MayHold::kNothing},
    {SchemaKind::kDataType, dtype_from_py_schema, kTVMFFIDataType, Storage::kDataType,
     MayHold::kNothing},
    {SchemaKind::kOpaquePtr, opaque_ptr_from_py_schema, kTVMFFIOpaquePtr, Storage::kPointer,
     MayHold::kNothing},
    {SchemaKind::kTensor, tensor_from_py_schema, kTVMFFITensor, Storage::kObject,
     MayHold::kNothing},
    {SchemaKind::kCallable, callable_from_py_schema, kTVMFFIFunction, Storage::kObject,
     MayHold::kPython},
    {SchemaKind::kArray, sequence_from_py_schema, kTVMFFIArray, Storage::kObject, MayHold::kArgs},
    {SchemaKind::kList, sequence_from_py_schema, kTVMFFIList, Storage::kObject, MayHold::kArgs},
    {SchemaKind::kTuple, sequence_from_py_schema, kTVMFFIArray, Storage::kObject, MayHold::kArgs},
    {SchemaKind::kAnyTuple, sequence_from_py_schema, kTVMFFIArray, Storage::kObject,
     MayHold::kPython},
    {SchemaKind::kMap, mapping_from_py_schema, kTVMFFIMap, Storage::kObject, MayHold::kArgs},
    {SchemaKind::kDict, mapping_from_py_schema, kTVMFFIDict, Storage::kObject, MayHold::kArgs},
    {SchemaKind::kOptional, optional_from_py_schema, -1, Storage::kValue, MayHold::kArgs},
    {SchemaKind::kUnion, union_from_py_schema, -1, Storage::kValue, MayHold::kArgs},
    {SchemaKind::kLiteral, literal_from_py_schema, -1, Storage::kValue, MayHold::kNothing},
    {SchemaKind::kObject, object_from_py_schema, -1, Storage::kObject, MayHold::kPython},
    {SchemaKind::kIntEnum, enum_from_py_schema, -1, Storage::kObject, MayHold::kPython},
    {SchemaKind::kStrEnum, enum_from_py_schema, -1, Storage::kObject, MayHold::kPython},
};

constexpr bool kinds_are_in_order() {
  for (const KindTraits& kind : kKinds) {
    if (&kind - kKinds != static_cast<int>(kind.kind)) return false;
  }
  return true;
}
static_assert(kinds_are_in_order(), "traits_of uses the kind as an index");

}  // namespace

const KindTraits& traits_of(SchemaKind kind) { return kKinds[static_cast<int>(kind)]; }

// Converts with a recursion guard: a schema may be deep, and part of the stack may be in use
// already.
Outcome convert_normal(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (c.args.empty()) return traits_of(c.kind).from_py(c, x, out, why);
  RecursionLevel level(" while converting a value to its schema");
  if (!level) return kRaised;
  return traits_of(c.kind).from_py(c, x, out, why);
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

// SPDX-License-Identifier: Apache-2.0
// Which room a schema belongs to, and the way in for everybody outside.
#include "rooms.h"

namespace binding {
namespace annotated {
namespace {

Room* room_of(SchemaKind kind) {
  switch (kind) {
    case SchemaKind::kAny:
      return any_room;
    case SchemaKind::kNone:
      return none_room;
    case SchemaKind::kBool:
      return bool_room;
    case SchemaKind::kInt:
      return int_room;
    case SchemaKind::kFloat:
      return float_room;
    case SchemaKind::kStr:
      return str_room;
    case SchemaKind::kBytes:
      return bytes_room;
    case SchemaKind::kDevice:
      return device_room;
    case SchemaKind::kDataType:
      return dtype_room;
    case SchemaKind::kOpaquePtr:
      return opaque_ptr_room;
    case SchemaKind::kTensor:
      return tensor_room;
    case SchemaKind::kCallable:
      return callable_room;
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kTuple:
    case SchemaKind::kAnyTuple:
      return sequence_room;
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      return mapping_room;
    case SchemaKind::kOptional:
      return optional_room;
    case SchemaKind::kUnion:
      return union_room;
    case SchemaKind::kLiteral:
      return literal_room;
    case SchemaKind::kIntEnum:
    case SchemaKind::kStrEnum:
      return enum_room;
    default:
      return object_room;
  }
}

}  // namespace

// A schema may be as deep as the interpreter lets one be compiled, and the stack be used already.
Outcome convert_normal(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (c.args.empty()) return room_of(c.kind)(c, x, out, why);
  if (Py_EnterRecursiveCall(" while converting a value to its schema")) return kRaised;
  Outcome outcome = room_of(c.kind)(c, x, out, why);
  Py_LeaveRecursiveCall();
  return outcome;
}

Outcome convert_value(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (convert_exact(&c, x, out)) return kConverted;
  Ref keep;
  Outcome outcome = normalize(c, &x, &keep, why);  // may run Python
  return outcome == kConverted ? convert_normal(c, x, out, why) : outcome;
}

}  // namespace annotated

bool convert_exact_value(const Converter* c, PyObject* x, TVMFFIAny* out) {
  return convert_exact(c, x, out);
}

int convert_annotated_slow(const Converter* c, PyObject* x, TVMFFIAny* out) {
  annotated::Refusal why;
  annotated::Outcome outcome = annotated::convert_value(*c, x, out, &why);
  if (BINDING_LIKELY(outcome == annotated::kConverted)) return 0;
  if (outcome == annotated::kRefused) annotated::raise_refusal(why);
  return -1;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion under the schemas Optional, Union and Literal.
#include <tvm/ffi/any.h>

#include "../native_value.h"
#include "converters.h"

namespace binding::schema {

Outcome optional_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (x != Py_None) return convert_normal(*c.args[0], x, out, why);
  *out = value_none();
  return kConverted;
}

// First tries the alternatives that name exactly the value's type, so that the type is not changed
// without need. Then tries all alternatives in order.
Outcome union_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  for (bool exact : {true, false}) {
    for (const auto& alternative : c.args) {
      if (exact && !is_exactly(*alternative, x)) continue;
      Outcome outcome = convert_normal(*alternative, x, out, nullptr);
      if (outcome != kRefused) return outcome;
    }
  }
  for (const auto& alternative : c.args) {
    if (why == nullptr || alternative->kind != SchemaKind::kLiteral) continue;
    Refusal by_literal;
    if (convert_normal(*alternative, x, out, &by_literal) == kRaised) return kRaised;
    if (!by_literal.by_value) continue;
    *why = std::move(by_literal);
    return kRefused;
  }
  return refuse_type(c, x, why);
}

Outcome literal_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  TVMFFIAny value;
  Outcome outcome = convert_normal(*c.args[0], x, &value, nullptr);
  if (outcome == kRefused) return refuse_type(c, x, why);
  if (outcome != kConverted) return outcome;
  if (fits(c, value)) {
    *out = value;
    return kConverted;
  }
  value_release(&value);
  if (why != nullptr) why->by_value = true;
  return refuse(why, "expected %U, got %R", c.expected.get(), x);
}

}  // namespace binding::schema

// SPDX-License-Identifier: Apache-2.0
// Conversion of None under a schema. plain_from_py and value_to_py_steal (convert.h) convert None
// without a schema.
#include "schema/converters.h"

namespace binding::schema {

Outcome none_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (x != Py_None) return refuse_type(c, x, why);
  *out = value_none();
  return kConverted;
}

}  // namespace binding::schema

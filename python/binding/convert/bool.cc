// SPDX-License-Identifier: Apache-2.0
// Truth values: the general path from Python. bool.h has the fast path, and the conversion to
// Python.
#include "bool.h"

#include "convert.h"
#include "schema/converters.h"

namespace binding {

int bool_from_py(PyObject* x, TVMFFIAny* out, Arguments*) {
  int truth = PyObject_IsTrue(x);  // may run Python
  if (truth < 0) return -1;
  value_set_bool(out, truth != 0);
  return 0;
}

namespace schema {

Outcome bool_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  int is = PyLong_Check(x) ? 1 : is_integral(x);  // may run Python
  if (is == 0) return refuse_type(c, x, why);
  if (is < 0 || bool_from_py(x, out, nullptr) < 0) return refuse_raised(c, x, why);
  return kConverted;
}

}  // namespace schema
}  // namespace binding

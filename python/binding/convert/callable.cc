// SPDX-License-Identifier: Apache-2.0
// Conversion of callables: a Python callable becomes a native function object (callback.cc). A
// native function becomes a core.Function in object_to_py_steal.
#include "convert.h"
#include "schema/converters.h"

namespace binding {

int callable_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* f = function_from_callable(x);
  if (f == nullptr) return -1;
  args->temporaries.keep_steal(f);
  value_set_object(out, f);
  return 0;
}

namespace schema {

Outcome callable_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_wrapper(x)) {
    TVMFFIObject* obj = handle_of(x);
    if (obj == nullptr || obj->type_index != kTVMFFIFunction) return refuse_type(c, x, why);
    object_inc_ref(obj);
    value_set_object(out, obj);
    return kConverted;
  }
  if (!PyCallable_Check(x)) return refuse_type(c, x, why);
  TVMFFIObject* function = function_from_callable(x);
  if (function == nullptr) return refuse_raised(c, x, why);
  value_set_object(out, function);
  return kConverted;
}

}  // namespace schema
}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion of any Python object to an owned value, and of objects that stand for another value
// (`__tvm_ffi_value__`).
#include "../raise.h"
#include "../recursion.h"
#include "convert.h"
#include "schema/converters.h"

namespace binding {

int refuse_to_keep_view() {
  PyErr_SetString(PyExc_ValueError,
                  "a tensor view is valid during its callback only and cannot be kept");
  return -1;
}

int value_from_py_owned(PyObject* x, TVMFFIAny* out, CallContext* context) {
  TVMFFIObject* place;
  CallContext ignored;
  Arguments args{Temporaries(&place), context == nullptr ? &ignored : context};
  if (value_from_py(x, out, &args) < 0) {
    *out = value_none();  // the temporary objects, to which `out` may refer, end here
    return -1;
  }
  if (is_object_index(out->type_index)) {
    object_inc_ref(out->v_obj);
    return 0;
  }
  if (out->type_index < kTVMFFIDLTensorPtr || out->type_index > kTVMFFIObjectRValueRef) return 0;
  if (out->type_index == kTVMFFIDLTensorPtr) return refuse_to_keep_view();
  TVMFFIAny view = *out;
  *out = value_none();
  int status = TVMFFIAnyViewToOwnedAny(&view, out);
  return status == 0 ? 0 : raise_from_slot(status);
}

int protocol_value_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  RecursionLevel level(" in __tvm_ffi_value__");
  if (!level) return -1;
  Ref value(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_value));  // runs Python
  if (!value) return -1;
  // The converted value may borrow from the object that the method returned, so make it an owned
  // value.
  if (value_from_py_owned(value.get(), out, args->context) < 0) return -1;
  if (is_object_index(out->type_index)) args->temporaries.keep_steal(out->v_obj);
  return 0;
}

namespace schema {

Outcome pack(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (value_from_py_owned(x, out) == 0) return kConverted;  // may run Python
  return refuse_raised(c, x, why);
}

Outcome pack_as(int32_t type_index, const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_builtin_value(x)) return refuse_type(c, x, why);
  Outcome outcome = pack(c, x, out, why);
  if (outcome != kConverted || out->type_index == type_index) return outcome;
  TVMFFIAny other = *out;
  value_release(&other);  // may run Python
  return refuse_type(c, x, why);
}

Outcome any_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  return pack(c, x, out, why);
}

}  // namespace schema
}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Schemas str and bytes.
#include "rooms.h"

namespace binding::annotated {
namespace {

// One room of convert.h, with an owned result.
template <typename FromPy>
Outcome owned(FromPy* from_py, const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  TVMFFIObject* place;
  CallContext nobody;
  Arguments args{Temporaries(&place), &nobody};
  out->zero_padding = 0;
  if (from_py(x, out, &args) < 0) return refuse_raised(c, x, why);
  if (is_object_index(out->type_index)) object_inc_ref(out->v_obj);
  return kConverted;
}

}  // namespace

Outcome str_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (!PyUnicode_Check(x)) return refuse_type(c, x, why);
  // A `String` keeps its native form; other classes, dtype among them, count as the text they are.
  if (PyObject_TypeCheck(x, state().string_type)) return pack(c, x, out, why);
  return owned(str_from_py, c, x, out, why);
}

Outcome bytes_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (PyObject_TypeCheck(x, state().bytes_type)) return pack(c, x, out, why);
  if (!PyBytes_Check(x) && !PyByteArray_Check(x)) return refuse_type(c, x, why);
  return owned(bytes_from_py, c, x, out, why);
}

}  // namespace binding::annotated

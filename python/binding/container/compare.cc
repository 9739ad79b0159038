// SPDX-License-Identifier: Apache-2.0
// Equality and hash of containers, computed by functions of the runtime that follow all references.
#include "native.h"

namespace binding {

int recursive_equal(TVMFFIObject* a, TVMFFIObject* b) {
  static RuntimeFunction f("ffi.RecursiveEq");
  TVMFFIAny args[2], result;
  value_set_object(&args[0], a);
  value_set_object(&args[1], b);
  if (f.call(args, 2, &result) < 0) return -1;
  return result.v_int64 != 0;
}

Py_hash_t recursive_hash(TVMFFIObject* obj) {
  static RuntimeFunction f("ffi.RecursiveHash");
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  if (f.call(&arg, 1, &result) < 0) return -1;
  Ref number(PyLong_FromLongLong(result.v_int64));
  return number ? PyObject_Hash(number.get()) : -1;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Dictionaries become native maps, in iteration order.
#include <memory>
#include <new>

#include "../call.h"
#include "convert.h"

namespace binding {

int mapping_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (state().functions.make_map == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "the runtime does not provide ffi.Map");
    return -1;
  }
  // A list of pairs keeps keys and values while they are converted.
  Ref pairs(PyDict_Items(x));
  if (!pairs) return -1;
  Py_ssize_t n = PyList_GET_SIZE(pairs.get());
  if (n > INT32_MAX / 2) {
    PyErr_SetString(PyExc_OverflowError, "dict is too large to convert to an FFI map");
    return -1;
  }
  std::unique_ptr<PyObject*[]> flat(new (std::nothrow) PyObject*[2 * n + 1]);
  if (flat == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* pair = PyList_GET_ITEM(pairs.get(), i);
    flat[2 * i] = PyTuple_GET_ITEM(pair, 0);
    flat[2 * i + 1] = PyTuple_GET_ITEM(pair, 1);
  }
  if (Py_EnterRecursiveCall(" while converting a dict to an FFI map")) return -1;
  TVMFFIAny map;
  int rc =
      call_native_raw(state().functions.make_map, Lock::kHold, flat.get(), 2 * n, nullptr, &map);
  Py_LeaveRecursiveCall();
  if (rc < 0) return -1;
  args->temporaries.keep_steal(map.v_obj);
  value_set_object(out, map.v_obj);
  return 0;
}

}  // namespace binding

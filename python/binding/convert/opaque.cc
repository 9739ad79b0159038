// SPDX-License-Identifier: Apache-2.0
// Python objects that have no native form travel in a box and come out as the same object; and
// bare pointers as ctypes.c_void_p.
#include "../attach.h"
#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

void opaque_delete(void* payload) {
  Attach attached;
  if (attached) Py_DECREF(static_cast<PyObject*>(payload));  // may run Python
}

}  // namespace

int opaque_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObjectHandle box = nullptr;
  int status = TVMFFIObjectCreateOpaque(x, kTVMFFIOpaquePyObject, opaque_delete, &box);
  if (status != 0) return raise_from_slot(status);
  Py_INCREF(x);  // owned by the box
  args->temporaries.keep_steal(static_cast<TVMFFIObject*>(box));
  value_set_object(out, static_cast<TVMFFIObject*>(box));
  return 0;
}

PyObject* opaque_object_to_py(TVMFFIObject* obj) {
  return compat_new_ref(static_cast<PyObject*>(TVMFFIOpaqueObjectGetCellPtr(obj)->handle));
}

PyObject* opaque_ptr_to_py(void* ptr) {
  State& s = state();
  if (s.c_void_p == nullptr) {
    s.c_void_p = state_import("ctypes", "c_void_p");
    if (s.c_void_p == nullptr) return nullptr;
  }
  Ref address(ptr == nullptr ? compat_new_ref(Py_None) : PyLong_FromVoidPtr(ptr));
  return address ? PyObject_CallFunctionObjArgs(s.c_void_p, address.get(), nullptr) : nullptr;
}

}  // namespace binding

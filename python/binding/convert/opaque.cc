// SPDX-License-Identifier: Apache-2.0
// Conversion of Python objects without a native form. Such an object is stored in an opaque object,
// from which the conversion to Python returns the same Python object.
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
  Py_INCREF(x);  // the opaque object owns this reference
  args->temporaries.keep_steal(static_cast<TVMFFIObject*>(box));
  value_set_object(out, static_cast<TVMFFIObject*>(box));
  return 0;
}

int unknown_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  PyObject* handlers = state().opaque_ptr_handlers;
  if (BINDING_UNLIKELY(PyDict_Size(handlers) != 0)) {
    if (PyDict_GetItemWithError(handlers, reinterpret_cast<PyObject*>(Py_TYPE(x))) != nullptr) {
      return opaque_handler_from_py(x, out, args);
    }
    if (PyErr_Occurred()) return -1;
  }
  return opaque_from_py(x, out, args);
}

PyObject* opaque_object_to_py(TVMFFIObject* obj) {
  return compat_new_ref(static_cast<PyObject*>(TVMFFIOpaqueObjectGetCellPtr(obj)->handle));
}

}  // namespace binding

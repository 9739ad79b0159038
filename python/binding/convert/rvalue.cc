// SPDX-License-Identifier: Apache-2.0
// References that may be moved from: the callee takes the handle out of the wrapper, or leaves it.
#include "../frame.h"
#include "convert.h"

namespace binding {

int rvalue_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  auto* ref = reinterpret_cast<RValueRefObject*>(x);
  PyObject* obj = ref->obj;
  if (obj == nullptr || !is_wrapper(obj)) {
    PyErr_Format(PyExc_TypeError, "ObjectRValueRef expects an FFI object, got %s",
                 obj == nullptr ? "nothing" : Py_TYPE(obj)->tp_name);
    return -1;
  }
  if (ref->lent) {
    PyErr_SetString(PyExc_ValueError, "the same ObjectRValueRef was passed twice");
    return -1;
  }
  if (PyObject_TypeCheck(obj, &FunctionType) &&
      reinterpret_cast<FunctionWrapper*>(obj)->active != 0) {
    PyErr_SetString(PyExc_ValueError, "cannot move a Function while it is being called");
    return -1;
  }
  if (wrapper_handle_or_raise(obj) == nullptr || Frame::keep(as_wrapper(obj)->handle) < 0) {
    return -1;
  }
  // Whoever receives the object makes a wrapper of its own, so this one leaves the table.
  g_wrappers.erase(as_wrapper(obj));
  Py_INCREF(x);
  ref->lent = true;
  ref->next = args->lent;
  args->lent = ref;
  out->type_index = kTVMFFIObjectRValueRef;
  out->v_ptr = &as_wrapper(obj)->handle;
  return 0;
}

void rvalue_give_back(RValueRefObject* lent) {
  while (lent != nullptr) {
    RValueRefObject* next = lent->next;
    Wrapper* w = as_wrapper(lent->obj);
    lent->lent = false;
    lent->next = nullptr;
    if (w->handle != nullptr && g_wrappers.find(w->handle) == nullptr && g_wrappers.insert(w) < 0) {
      PyErr_Clear();  // without its place the object only gets a second wrapper
    }
    Py_DECREF(reinterpret_cast<PyObject*>(lent));
    lent = next;
  }
}

PyObject* rvalue_to_py(const TVMFFIAny& value) {
  auto** place = static_cast<TVMFFIObject**>(value.v_ptr);
  if (place == nullptr || *place == nullptr) {
    PyErr_SetString(PyExc_ValueError, "RValueRef already moved");
    return nullptr;
  }
  return object_to_py_steal(std::exchange(*place, nullptr));
}

}  // namespace binding

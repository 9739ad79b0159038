// SPDX-License-Identifier: Apache-2.0
// Rvalue references: the callee may take the handle out of the wrapper.
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
  Section section(x);
  if (ref->in_call) {
    PyErr_SetString(PyExc_ValueError, "the same ObjectRValueRef was passed twice");
    return -1;
  }
  if (PyObject_TypeCheck(obj, &FunctionType) &&
      reinterpret_cast<FunctionWrapper*>(obj)->active != 0) {
    PyErr_SetString(PyExc_ValueError, "cannot move a Function while it is being called");
    return -1;
  }
  // Remove this wrapper from the wrapper table, so that Python code that receives the object gets a
  // new wrapper.
#ifdef Py_GIL_DISABLED
  // Native code takes the handle out of its place, which other threads must not read.
  ref->moved = wrapper_detach(as_wrapper(obj));
  if (ref->moved == nullptr) {
    wrapper_handle_or_raise(obj);
    return -1;
  }
  note_read_only(ref->moved, args->context);
  out->v_ptr = &ref->moved;
#else
  if (wrapper_handle_or_raise(obj) == nullptr || Frame::keep(as_wrapper(obj)->handle) < 0) {
    return -1;
  }
  note_read_only(as_wrapper(obj)->handle, args->context);
  g_wrappers.erase(as_wrapper(obj));
  out->v_ptr = &as_wrapper(obj)->handle;
#endif
  Py_INCREF(x);
  ref->in_call = true;
  ref->next = args->rvalues;
  args->rvalues = ref;
  out->type_index = kTVMFFIObjectRValueRef;
  return 0;
}

void rvalues_restore(RValueRefObject* ref) {
  while (ref != nullptr) {
    RValueRefObject* next = ref->next;
    Wrapper* w = as_wrapper(ref->obj);
    ref->in_call = false;
    ref->next = nullptr;
#ifdef Py_GIL_DISABLED
    TVMFFIObject* left = std::exchange(ref->moved, nullptr);
    if (left != nullptr && wrapper_adopt_steal(w, left) < 0) clear_error();
#else
    if (w->handle != nullptr && !g_wrappers.has(w->handle) && g_wrappers.insert(w) < 0) {
      clear_error();  // without an entry in the wrapper table, the object may get a second wrapper
    }
#endif
    Py_DECREF(reinterpret_cast<PyObject*>(ref));
    ref = next;
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

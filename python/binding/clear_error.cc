// SPDX-License-Identifier: Apache-2.0
// The only place that clears exceptions. Requests to stop (KeyboardInterrupt, SystemExit,
// GeneratorExit and other exceptions that are not an `Exception`) are never lost.
#include <new>

#include "ref.h"

namespace binding {
namespace {

// A request to stop that could not be raised where it occurred.
struct Deferred {
  PyObject* exc;
  unsigned long thread;
};

// Runs in the main thread, between two instructions of Python code. Raises the request here if the
// main thread deferred it, and otherwise an exception of the same class in the thread that did.
int raise_deferred(void* data) {
  auto* deferred = static_cast<Deferred*>(data);
  Ref exc(deferred->exc);
  unsigned long thread = deferred->thread;
  delete deferred;
  if (thread == PyThread_get_thread_ident()) {
    compat_set_raised_steal(exc.release());
    return -1;
  }
  PyThreadState_SetAsyncExc(thread, reinterpret_cast<PyObject*>(Py_TYPE(exc.get())));
  return 0;
}

BINDING_COLD void defer_steal(PyObject* exc) {
  unsigned long thread = PyThread_get_thread_ident();
  auto* deferred = new (std::nothrow) Deferred{exc, thread};
  if (deferred != nullptr && Py_AddPendingCall(raise_deferred, deferred) == 0) return;
  // No memory, or too many requests are waiting: keep at least the class.
  delete deferred;
  PyThreadState_SetAsyncExc(thread, reinterpret_cast<PyObject*>(Py_TYPE(exc)));
  Py_DECREF(exc);  // may run Python
}

}  // namespace

bool is_stop_raised() { return PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception); }

void clear_error() {
  if (BINDING_LIKELY(!PyErr_Occurred())) return;
  if (PyErr_ExceptionMatches(PyExc_Exception)) return PyErr_Clear();
  PyObject* exc = compat_take_raised();
  if (exc != nullptr) defer_steal(exc);
}

void raise_again_steal(PyObject* exc) {
  if (!is_stop_raised()) {
    clear_error();
    return compat_set_raised_steal(exc);
  }
  PyObject* stop = compat_take_raised();
  PyException_SetContext(stop, exc);  // steals `exc`
  compat_set_raised_steal(stop);
}

}  // namespace binding

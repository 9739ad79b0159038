// SPDX-License-Identifier: Apache-2.0
// Recording of calls. The recorder is a Python object with two methods: `begin(target, args,
// kwargs)`, called before a call, returns a token, and `end(token, result, error)` is called after
// the call. Calls that the recorder itself makes are not recorded. If the recorder raises an
// exception, recording stops; the caller does not see the exception.
#include "recording.h"

#include "call.h"
#include "raise.h"
#include "type/types.h"

namespace binding {
namespace {

PyObject* g_recorder = nullptr;  // owned, or NULL
// Whether this thread is executing the recorder.
thread_local bool t_in_recorder = false;

class InRecorder {
 public:
  InRecorder() { t_in_recorder = true; }
  ~InRecorder() { t_in_recorder = false; }
  InRecorder(const InRecorder&) = delete;
  InRecorder& operator=(const InRecorder&) = delete;
};

// Stops recording after the recorder failed; reports the exception as unraisable.
BINDING_COLD void give_up() {
  PyErr_WriteUnraisable(g_recorder);
  Ref stop(state_import("tvm_ffi.recording", "_stop_after_failure"));
  Ref done(stop ? PyObject_CallNoArgs(stop.get()) : nullptr);  // runs Python
  PyErr_Clear();
}

PyObject* tuple_of(PyObject* const* args, Py_ssize_t n) {
  PyObject* tuple = PyTuple_New(n);
  for (Py_ssize_t i = 0; tuple != nullptr && i < n; ++i) {
    PyTuple_SET_ITEM(tuple, i, compat_new_ref(args[i]));
  }
  return tuple;
}

// Returns the keywords as a dict, or `None` if there are none.
PyObject* keywords_of(PyObject* const* values, PyObject* kwnames) {
  if (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0) return compat_new_ref(Py_None);
  Ref dict(PyDict_New());
  for (Py_ssize_t i = 0; dict && i < PyTuple_GET_SIZE(kwnames); ++i) {
    if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(kwnames, i), values[i]) < 0) return nullptr;
  }
  return dict.release();
}

// Calls `begin` and returns the token of the call; empty if the call is not recorded. Leaves no
// exception set. Runs Python.
Ref begin(PyObject* recorder, PyObject* target, PyObject* const* args, Py_ssize_t n,
          PyObject* kwnames) {
  InRecorder inside;
  Ref positional(tuple_of(args, n));
  Ref keywords(keywords_of(args + n, kwnames));
  Ref token;
  if (positional && keywords) {
    token = Ref(
        PyObject_CallMethod(recorder, "begin", "OOO", target, positional.get(), keywords.get()));
  }
  if (!token) give_up();
  return token;
}

// Calls `end`. Keeps the exception of the call, if there is one. Runs Python.
void end(PyObject* recorder, PyObject* token, PyObject* result) {
  InRecorder inside;
  Ref raised(result == nullptr ? compat_take_raised() : nullptr);
  Ref done(PyObject_CallMethod(recorder, "end", "OOO", token, result == nullptr ? Py_None : result,
                               raised ? raised.get() : Py_None));
  if (!done) give_up();
  if (raised) compat_set_raised_steal(raised.release());
}

PyObject* call_recorded(vectorcallfunc plain, PyObject* self, PyObject* const* args, size_t nargsf,
                        PyObject* kwnames) {
  if (g_recorder == nullptr || t_in_recorder) return plain(self, args, nargsf, kwnames);
  Ref recorder = Ref::borrow(g_recorder);
  Ref token = begin(recorder.get(), self, args, PyVectorcall_NARGS(nargsf), kwnames);
  PyObject* result = plain(self, args, nargsf, kwnames);
  if (token) end(recorder.get(), token.get(), result);
  return result;
}

// Sets the vectorcall slots of all existing functions and methods: to the recording functions while
// a recorder is set, otherwise to the usual functions. Returns 0, or -1 with an exception set. Runs
// Python.
int switch_all() {
  g_wrappers.each([](Wrapper* w) {
    auto* x = reinterpret_cast<PyObject*>(w);
    if (PyObject_TypeCheck(x, &FunctionType)) function_set_call_path(x);
    return 0;
  });
  // All methods are among the objects that the garbage collector tracks.
  Ref gc(PyImport_ImportModule("gc"));
  Ref objects(gc ? PyObject_CallMethod(gc.get(), "get_objects", nullptr) : nullptr);
  if (!objects || !PyList_Check(objects.get())) return -1;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(objects.get()); ++i) {
    PyObject* x = PyList_GET_ITEM(objects.get(), i);
    if (Py_TYPE(x) == &MethodType) method_set_call_path(x);
  }
  return 0;
}

PyObject* set_recorder(PyObject*, PyObject* recorder) {
  Ref before(g_recorder);
  g_recorder = recorder == Py_None ? nullptr : compat_new_ref(recorder);
  if (switch_all() < 0) return nullptr;
  return before ? before.release() : compat_new_ref(Py_None);
}

PyMethodDef recording_functions[] = {
    {"_set_recorder", set_recorder, METH_O,
     "_set_recorder($module, recorder, /)\n--\n\n"
     "Tell `recorder` about each call from now on; None ends that. Return the recorder before."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool recording_is_on() { return g_recorder != nullptr; }

PyObject* call_function_recorded(PyObject* self, PyObject* const* args, size_t nargsf,
                                 PyObject* kwnames) {
  return call_recorded(function_call_path(self), self, args, nargsf, kwnames);
}

PyObject* call_method_recorded(PyObject* self, PyObject* const* args, size_t nargsf,
                               PyObject* kwnames) {
  return call_recorded(method_call_path(self), self, args, nargsf, kwnames);
}

int recording_init(PyObject* module) { return PyModule_AddFunctions(module, recording_functions); }

}  // namespace binding

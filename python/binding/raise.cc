// SPDX-License-Identifier: Apache-2.0
// Conversion of native errors to Python exceptions, and of Python exceptions to native errors.
#include "raise.h"

#include <tvm/ffi/extra/c_error.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "attach.h"
#include "convert/convert.h"
#include "error_exception.h"
#include "error_message.h"
#include "memory_guard.h"
#include "state.h"
#include "utf8.h"
#include "wrapper.h"

namespace binding {
namespace {

std::string_view view_of(const TVMFFIByteArray& bytes) {
  return std::string_view(bytes.data == nullptr ? "" : bytes.data, bytes.size);
}

// Returns the exception class of an error kind: the registered one, else the built-in exception
// with that name, else RuntimeError. New reference.
PyObject* exception_class_for(const TVMFFIByteArray& kind) {
  Ref name(utf8_to_py(kind, "replace"));
  if (!name) return nullptr;
  Ref found = dict_find(state().error_name_to_type, name.get());
  if (!found && !PyErr_Occurred()) {
    found = dict_find(PyEval_GetBuiltins(), name.get());
    if (found && !PyExceptionClass_Check(found.get())) found = Ref();
  }
  if (found) return found.release();
  return PyErr_Occurred() ? nullptr : compat_new_ref(PyExc_RuntimeError);
}

// Makes an instance of `cls` with one message, or a RuntimeError if the class does not accept a
// message.
PyObject* exception_instance(PyObject* cls, PyObject* message) {
  PyObject* exc = PyObject_CallFunctionObjArgs(cls, message, nullptr);  // may run Python
  if (exc != nullptr && PyExceptionInstance_Check(exc)) return exc;
  if (exc == nullptr && !PyErr_ExceptionMatches(PyExc_Exception)) return nullptr;
  Py_XDECREF(exc);
  clear_error();
  return PyObject_CallFunctionObjArgs(PyExc_RuntimeError, message, nullptr);
}

// Stores `error` (borrowed) as an attribute of its exception `exc`. Exceptions that refuse
// attributes are not changed. The preallocated error of the runtime, which has no deleter, is not
// stored, because all threads share it.
int attach_error(PyObject* exc, TVMFFIObject* error) {
  if (error->deleter == nullptr) return 0;
  object_inc_ref(error);
  Ref wrapper(object_to_py_steal(error));
  if (!wrapper) return -1;
  if (PyObject_SetAttr(exc, state().names.tvm_ffi_error, wrapper.get()) < 0) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return -1;
    clear_error();
  }
  return 0;
}

// Makes an exception for a native error that does not own an exception.
PyObject* exception_make(TVMFFIErrorCell* cell, const Given* given) {
  Ref cls(exception_class_for(cell->kind));
  if (!cls) return nullptr;
  Ref message(error_message_to_py(*cell, given));
  if (!message) return nullptr;
  Ref exc(exception_instance(cls.get(), message.get()));
  if (!exc) return nullptr;
  std::string_view text = view_of(cell->backtrace);
  if (traceback_prepend(exc.get(), text.data(), text.size()) < 0) return nullptr;
  return exc.release();
}

// Maximum number of causes that cross the boundary with one error, so that a cyclic chain ends.
constexpr int kMaxCauses = 100;

// Returns the error that caused an error, borrowed; NULL if there is none.
TVMFFIObject* cause_of(const TVMFFIErrorCell* cell) {
  if (!tvm_ffi_error_has_links(cell)) return nullptr;
  auto* cause = static_cast<TVMFFIObject*>(cell->cause_chain);
  return cause != nullptr && cause->type_index == kTVMFFIError ? cause : nullptr;
}

// Sets `__cause__` of `exc`, which was made from the error `cell`, and of the causes. A cause that
// owns an exception becomes that exception, which has its own `__cause__`. May run Python. Returns
// 0, or -1 with an exception set.
int set_causes(PyObject* exc, TVMFFIErrorCell* cell) {
  Ref effect = Ref::borrow(exc);
  for (int count = 0; count < kMaxCauses; ++count) {
    TVMFFIObject* error = cause_of(cell);
    if (error == nullptr) return 0;
    cell = TVMFFIErrorGetCellPtr(error);
    PyObject* known = error_exception_borrowed(cell);
    if (known == exc) return 0;
    Ref cause = known != nullptr ? Ref::borrow(known) : Ref(exception_make(cell, nullptr));
    if (!cause) return -1;
    PyException_SetCause(effect.get(), compat_new_ref(cause.get()));
    if (known != nullptr) return 0;
    if (attach_error(cause.get(), error) < 0) return -1;
    effect = std::move(cause);
  }
  return 0;
}

constexpr std::string_view kEnvErrorAlreadySet = "EnvErrorAlreadySet";

}  // namespace

// Returns whether native code owns references to an error, beside the reference of the caller and
// the one of the wrapper. Native code reads its errors without the GIL, so they must not be
// changed.
static bool has_native_owner(const TVMFFIObject* error) {
  return object_strong_count(error) > (g_wrappers.has(error) ? 2 : 1);
}

TVMFFIObject* error_copy(const TVMFFIErrorCell* cell, const TVMFFIByteArray& backtrace) {
  TVMFFIObjectHandle out = nullptr;
  if (TVMFFIErrorCreateWithCauseAndExtraContext(&cell->kind, &cell->message, &backtrace,
                                                cause_of(cell), nullptr, &out) != 0) {
    PyErr_NoMemory();
    return nullptr;
  }
  return static_cast<TVMFFIObject*>(out);
}

PyObject* exception_from_error(TVMFFIObject* error, const Given* given) {
  StateSection section;
  TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error);
  bool is_shared = has_native_owner(error);
  Ref exc(is_shared ? Ref::borrow(error_exception_borrowed(cell))
                    : Ref(error_take_exception(cell)));
  ObjectOwner copy;
  if (!exc) {
    exc = Ref(exception_make(cell, given));
    if (!exc || set_causes(exc.get(), cell) < 0) return nullptr;
  } else if (is_shared) {
    // `error` keeps its exception. The exception gets a copy, because a reference to `error` would
    // form a cycle.
    copy = ObjectOwner(error_copy(cell, cell->backtrace));
    if (!copy) return nullptr;
  }
  if (attach_error(exc.get(), copy ? copy.get() : error) < 0) return nullptr;
  return exc.release();
}

int raise_from_slot(int status, const Given* given) {
  before_python_code();
  if (status == -2 && PyErr_Occurred()) return -1;
  TVMFFIObjectHandle raised = nullptr;
  TVMFFIErrorMoveFromRaised(&raised);
  ObjectOwner error(raised);
  if (!error) {
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_SystemError,
                   "a native function returned status %d without raising an error", status);
    }
    return -1;
  }
  if (view_of(TVMFFIErrorGetCellPtr(error.get())->kind) == kEnvErrorAlreadySet) {
    if (!PyErr_Occurred()) {
      PyErr_SetString(PyExc_SystemError,
                      "a native function reported a pending Python exception, but none is set");
    }
    return -1;
  }
  clear_error();
  PyObject* exc = exception_from_error(error.get(), given);
  if (exc != nullptr) compat_set_raised_steal(exc);
  return -1;
}

const char* error_kind_of(PyObject* exc) {
  PyObject* mro = Py_TYPE(exc)->tp_mro;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); ++i) {
    Ref name = dict_find(state().error_type_to_name, PyTuple_GET_ITEM(mro, i));
    if (!name || !PyUnicode_Check(name.get())) continue;
    const char* text = PyUnicode_AsUTF8(name.get());
    if (text != nullptr) return text;
  }
  clear_error();
  // Native code must be able to distinguish requests to stop from errors.
  if (PyErr_GivenExceptionMatches(exc, PyExc_KeyboardInterrupt)) return "KeyboardInterrupt";
  if (PyErr_GivenExceptionMatches(exc, PyExc_SystemExit)) return "SystemExit";
  return PyErr_GivenExceptionMatches(exc, PyExc_Exception) ? "RuntimeError" : "BaseException";
}

namespace {

// Returns the UTF-8 of `str(exc)`, or a substitute if `__str__` fails. New bytes object, or NULL
// with an exception set.
PyObject* message_of(PyObject* exc) {
  Ref text(PyObject_Str(exc));  // runs Python
  if (!text) {
    if (is_stop_raised()) return nullptr;
    clear_error();
    text = Ref(PyUnicode_FromFormat("<%s whose str() failed>", Py_TYPE(exc)->tp_name));
    if (!text) return nullptr;
  }
  return PyUnicode_AsEncodedString(text.get(), "utf-8", "backslashreplace");
}

TVMFFIByteArray bytes_view(PyObject* bytes) {
  return TVMFFIByteArray{PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes))};
}

// Returns the error that `exc` was made from, owned; NULL if there is none, with an exception set
// only for a request to stop.
TVMFFIObject* known_error(PyObject* exc) {
  PyObject* found = nullptr;
  if (compat_find_attr(exc, state().names.tvm_ffi_error, &found) < 0) {  // may run Python
    if (is_stop_raised()) return nullptr;
    clear_error();
  }
  Ref wrapper(found);
  if (!wrapper || !PyObject_TypeCheck(wrapper.get(), &ErrorType)) return nullptr;
  TVMFFIObject* error = as_wrapper(wrapper.get())->handle;
  if (error != nullptr) object_inc_ref(error);
  return error;
}

// Adds the native frames of this thread, up to the nearest call through the ABI, in front of the
// traceback of `exc`. Returns 0, or -1 with an exception set.
int add_native_frames(PyObject* exc) {
  const TVMFFIByteArray* native = TVMFFIBacktrace(nullptr, 0, nullptr, 0);
  return traceback_prepend(exc, native->data, native->size);
}

// The backtrace that Python last wrote to an error. If no other code has changed it since, the next
// update only appends the new entries of the traceback. Guarded by the GIL; the addresses are only
// compared, never dereferenced.
struct WrittenBacktrace {
  const TVMFFIObject* error = nullptr;
  size_t size = 0;
  TracebackPlace newest;
};
WrittenBacktrace g_written;

void note_written(TVMFFIObject* error, PyObject* traceback) {
  g_written = {error, TVMFFIErrorGetCellPtr(error)->backtrace.size, traceback_place(traceback)};
}

// Returns an error that has the content of `error` and the backtrace of `traceback`; steals
// `error`. The result is `error` itself, or a copy if native code owns references to `error`. With
// `raised`, the result can also own an exception: errors of code of older releases have no member
// for an exception. Owned; NULL with MemoryError.
TVMFFIObject* error_with_traceback(ObjectOwner error, PyObject* traceback, bool raised) {
  TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error.get());
  bool is_shared = has_native_owner(error.get());
  bool goes_on = g_written.error == error.get() && g_written.size == cell->backtrace.size &&
                 g_written.newest.is_in(traceback);
  std::string text = traceback_to_text(traceback, goes_on ? g_written.newest : TracebackPlace{});
  bool is_same = goes_on ? text.empty() : text == view_of(cell->backtrace);
  bool must_copy = raised ? is_shared || !tvm_ffi_error_has_links(cell) : is_shared && !is_same;
  if (BINDING_UNLIKELY(must_copy)) {
    if (goes_on) text.insert(0, view_of(cell->backtrace));
    error = ObjectOwner(error_copy(cell, TVMFFIByteArray{text.data(), text.size()}));
    if (!error) return nullptr;
  } else if (!is_same && cell->update_backtrace != nullptr) {
    TVMFFIByteArray view{text.data(), text.size()};
    cell->update_backtrace(
        error.get(), &view,
        goes_on ? kTVMFFIBacktraceUpdateModeAppend : kTVMFFIBacktraceUpdateModeReplace);
  }
  note_written(error.get(), traceback);
  return error.release();
}

TVMFFIObject* error_create(PyObject* exc, const TVMFFIByteArray& backtrace) {
  Ref message(message_of(exc));
  if (!message) return nullptr;
  const char* kind_text = error_kind_of(exc);
  TVMFFIByteArray kind{kind_text, std::strlen(kind_text)};
  TVMFFIByteArray message_view = bytes_view(message.get());
  TVMFFIObjectHandle out = nullptr;
  if (TVMFFIErrorCreate(&kind, &message_view, &backtrace, &out) != 0) {
    PyErr_NoMemory();
    return nullptr;
  }
  return static_cast<TVMFFIObject*>(out);
}

// Puts a native error that owns no exception into the error slot, in place of a Python exception
// that could not be converted.
int raise_to_slot_plain() {
  bool out_of_memory = PyErr_ExceptionMatches(PyExc_MemoryError);
  clear_error();
  if (out_of_memory) {
    TVMFFIErrorSetRaisedFromCStr("MemoryError", "no memory for an error object");
  } else {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "a Python exception has no native error");
  }
  return -1;
}

// Returns the request to stop that was raised while `exc` was converted, with `exc` as its context;
// NULL if another exception is raised. New reference.
PyObject* take_stop_during(PyObject* exc) {
  if (!is_stop_raised()) return nullptr;
  PyObject* stop = compat_take_raised();
  if (stop != exc) PyException_SetContext(stop, compat_new_ref(exc));
  return stop;
}

// Makes a native error with the content of `exc`. Owned; NULL with an exception set.
TVMFFIObject* error_new(PyObject* exc, PyObject* traceback) {
  std::string text = traceback_to_text(traceback, TracebackPlace{});
  return error_create(exc, TVMFFIByteArray{text.data(), text.size()});
}

// Stores native errors of `exc.__cause__` and of further causes in the error `cell` of `exc`, so
// that native code finds them. Each error owns its exception, so it is a new error: an exception
// that also refers to its error would form a cycle. Returns 0, or -1 with an exception set.
int store_causes(TVMFFIErrorCell* cell, PyObject* exc) {
  Ref effect = Ref::borrow(exc);
  for (int count = 0; count < kMaxCauses && tvm_ffi_error_has_links(cell); ++count) {
    Ref cause(PyException_GetCause(effect.get()));
    if (!cause) return 0;
    TVMFFIObject* known = cause_of(cell);
    if (known != nullptr && error_exception_borrowed(TVMFFIErrorGetCellPtr(known)) == cause.get()) {
      return 0;
    }
    Ref traceback(PyException_GetTraceback(cause.get()));
    ObjectOwner error(error_new(cause.get(), traceback.get()));
    if (!error) return -1;
    TVMFFIErrorCell* next = TVMFFIErrorGetCellPtr(error.get());
    if (error_store_exception(next, cause.get()) < 0) return -1;
    void* former = std::exchange(cell->cause_chain, error.release());
    ObjectOwner released(static_cast<TVMFFIObject*>(former));  // may run Python
    effect = std::move(cause);
    cell = next;
  }
  return 0;
}

// Does the work of error_from_exception; may throw std::bad_alloc.
TVMFFIObject* make_error(PyObject* exc, bool raised) {
  if (raised && add_native_frames(exc) < 0) return nullptr;
  Ref traceback(PyException_GetTraceback(exc));
  ObjectOwner error(known_error(exc));
  if (!error && PyErr_Occurred()) return nullptr;
  if (error) {
    error = ObjectOwner(error_with_traceback(std::move(error), traceback.get(), raised));
    if (!error) return nullptr;
  } else {
    error = ObjectOwner(error_new(exc, traceback.get()));
    if (!error) return nullptr;
    note_written(error.get(), traceback.get());
  }
  if (raised) {
    TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error.get());
    if (error_store_exception(cell, exc) < 0 || store_causes(cell, exc) < 0) return nullptr;
  }
  return error.release();
}

}  // namespace

TVMFFIObject* error_from_exception(PyObject* exc, bool raised) {
  StateSection section;
  return guard_memory([=] { return make_error(exc, raised); });
}

void complete_raised(const char* module, const char* name, PyObject* first, PyObject* second,
                     PyObject* third) {
  Ref raised(compat_take_raised());
  if (!raised) return;
  Ref function(state_import(module, name));
  Ref done(function ? PyObject_CallFunctionObjArgs(function.get(), raised.get(), first, second,
                                                   third, nullptr)
                    : nullptr);  // runs Python
  raise_again_steal(raised.release());
}

void add_refused_place(const char* operation, PyObject* first, PyObject* second) {
  Ref name;
  {
    RaisedAside aside;
    name = Ref(PyUnicode_FromString(operation));
    clear_error();
  }
  if (!name) return;
  complete_raised("tvm_ffi._structural.refused_value", "add_place", name.get(), first, second);
}

int raise_to_slot() {
  Ref exc(compat_take_raised());
  if (!exc) {
    TVMFFIErrorSetRaisedFromCStr("SystemError", "a Python call failed without an exception");
    return -1;
  }
  // A request to stop while an exception is converted replaces the exception. The limit ends the
  // loop if the conversion of each request raises the next one.
  for (int attempt = 0; exc && attempt < kMaxCauses; ++attempt) {
    ObjectOwner error(error_from_exception(exc.get(), true));  // runs Python
    if (error) {
      TVMFFIErrorSetRaised(error.get());
      return -1;
    }
    Ref stop(take_stop_during(exc.get()));
    if (!stop) break;
    exc = std::move(stop);
  }
  if (!PyErr_Occurred()) compat_set_raised_steal(exc.release());
  return raise_to_slot_plain();
}

int error_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* error = error_from_exception(x, false);
  if (error == nullptr) return -1;
  args->temporaries.keep_steal(error);
  value_set_object(out, error);
  return 0;
}

}  // namespace binding

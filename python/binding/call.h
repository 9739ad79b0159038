// SPDX-License-Identifier: Apache-2.0
// Calls from Python to native functions: convert the arguments, call, convert the result or raise.
#pragma once

#include <tvm/ffi/c_api.h>

#include "compat.h"
#include "convert/convert.h"
#include "error_message.h"

namespace binding {

// Whether a call releases the GIL around the native function.
enum class Gil { kRelease, kHold };

// Calls native function `f`, which the caller keeps alive, with `first` (the receiver of a method,
// or NULL for none) and `n` further Python arguments. New reference, or NULL with an exception set.
// May run Python.
PyObject* call_native(TVMFFIObject* f, Gil gil, PyObject* first, PyObject* const* args,
                      Py_ssize_t n);

// The same with an owned native result. 0, or -1 with an exception set. Keyword names and
// values, if any, follow the positional ones as the KWARGS sentinel and name, value pairs.
int call_native_raw(TVMFFIObject* f, Gil gil, PyObject* const* args, Py_ssize_t n,
                    PyObject* kwnames, TVMFFIAny* result);

// Calls the function of `given` once the arguments are converted and the frame (frame.h) is in
// place. Stores an owned result, and in `*api` the framework of the tensors among the arguments.
// 0, or -1 with an exception set. May run Python.
int call_converted(Gil gil, const Given& given, const CallContext& context, TVMFFIAny* result,
                   const DLPackExchangeAPI** api);

// Calls with native arguments, holding the GIL. 0 or -1 with an exception set.
int call_values(TVMFFIObject* f, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);

// One of the runtime's functions, looked up on first use and kept for the life of the process.
class RuntimeFunction {
 public:
  constexpr explicit RuntimeFunction(const char* name) : name_(name) {}
  // Borrowed; NULL with RuntimeError when the runtime has no such function.
  TVMFFIObject* get() {
    return BINDING_UNLIKELY(function_ == nullptr) && find() < 0 ? nullptr : function_;
  }
  // As call_values; -1 with RuntimeError when the runtime has no such function.
  int call(const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
    if (BINDING_UNLIKELY(function_ == nullptr) && find() < 0) return -1;
    return call_values(function_, args, n, result);
  }

 private:
  int find();

  const char* name_;
  TVMFFIObject* function_ = nullptr;
};

// tp_vectorcall of classes with a native initializer: `cls(...)` without an `__init__` in between.
PyObject* call_class(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* kwnames);
// The same for a constructor whose parameters have names.
PyObject* call_class_by_name(PyObject* cls, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames);

// Handle of a core.Function, borrowed. NULL with ValueError when the wrapper is empty, with
// TypeError when it holds another object: a handle can be moved in from any wrapper.
TVMFFIObject* function_handle_or_raise(PyObject* self);

// Vectorcall of core.Function for positional arguments.
PyObject* call_function(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames);

// Vectorcall of a core.Function whose metadata names its parameters, until it is called: parses the
// metadata, then replaces itself with the vectorcall that the function needs from then on.
PyObject* call_function_first(PyObject* self, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames);

}  // namespace binding

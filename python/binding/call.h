// SPDX-License-Identifier: Apache-2.0
// Calls from Python to native functions: convert the arguments, call, convert the result or raise.
#pragma once

#include <tvm/ffi/c_api.h>

#include <atomic>

#include "compat.h"
#include "convert/convert.h"
#include "error_message.h"

namespace binding {

class BoundArguments;

// Whether a call releases the GIL while the native function runs.
enum class Gil { kRelease, kHold };

// Calls the native function `f` with `first` (the receiver of a method, or NULL) and `n` further
// Python arguments. The caller keeps `f` alive. New reference, or NULL with an exception set. May
// run Python.
PyObject* call_native(TVMFFIObject* f, Gil gil, PyObject* first, PyObject* const* args,
                      Py_ssize_t n);

// Calls the native function `f` and stores the owned native result. Returns 0, or -1 with an
// exception set. Keyword names and values, if any, are passed after the positional arguments: the
// KWARGS sentinel, then pairs of name and value.
int call_native_raw(TVMFFIObject* f, Gil gil, PyObject* const* args, Py_ssize_t n,
                    PyObject* kwnames, TVMFFIAny* result);

// Calls the function of `given`. The arguments must be converted already, and the frame (frame.h)
// must be in place. Stores an owned result, and in `*api` the framework of the tensors among the
// arguments. Returns 0, or -1 with an exception set. May run Python.
int call_converted(Gil gil, const Given& given, const CallContext& context, TVMFFIAny* result,
                   const DLPackExchangeAPI** api);

// Calls `f` with native arguments, holding the GIL. Returns 0, or -1 with an exception set.
int call_values(TVMFFIObject* f, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);

// A function of the runtime, looked up on first use and kept for the life of the process.
class RuntimeFunction {
 public:
  constexpr explicit RuntimeFunction(const char* name) : name_(name) {}
  // Returns the function, borrowed; NULL with RuntimeError if the runtime does not have the
  // function.
  TVMFFIObject* get() {
    TVMFFIObject* known = function_.load(std::memory_order_acquire);
    return BINDING_UNLIKELY(known == nullptr) ? find() : known;
  }
  // Calls the function as call_values does; -1 with RuntimeError if the runtime does not have the
  // function.
  int call(const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
    TVMFFIObject* known = get();
    return BINDING_UNLIKELY(known == nullptr) ? -1 : call_values(known, args, n, result);
  }

 private:
  BINDING_COLD TVMFFIObject* find();

  const char* name_;
  std::atomic<TVMFFIObject*> function_{nullptr};
};

// The tp_vectorcall of classes with a native initializer: runs `cls(...)` without calling
// `__init__`.
PyObject* call_class(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* kwnames);
// The tp_vectorcall of classes whose native constructor names its parameters.
PyObject* call_class_by_name(PyObject* cls, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames);

// Returns the handle of a core.Function, borrowed. NULL with ValueError if the wrapper is empty, or
// with TypeError if the wrapper holds another kind of object, which is possible because a handle
// can be moved from any wrapper to any other.
TVMFFIObject* function_handle_or_raise(PyObject* self);

// Binds the arguments of a call with keywords of a core.Function. Returns the parameters, which own
// the defaults among the bound arguments: a new reference, or NULL with an exception set. May run
// Python.
PyObject* function_bind_keywords(PyObject* self, PyObject* const* args, Py_ssize_t n,
                                 PyObject* kwnames, BoundArguments* bound);

// Vectorcall of core.Function for positional arguments.
PyObject* call_function(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames);

// The first vectorcall of a core.Function whose metadata names its parameters. Parses the metadata,
// then replaces itself with the vectorcall that suits the parameters.
PyObject* call_function_first(PyObject* self, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames);

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Calls from native code to Python: take the GIL, convert the arguments, call, and convert the
// result or raise the error in native code.
#include "callback.h"

#include <new>
#include <utility>

#include "attach.h"
#include "convert/convert.h"
#include "raise.h"
#include "read_only.h"
#include "recursion.h"

namespace binding {
namespace {

// A native function object that wraps a Python callable. A function object is of this kind if its
// `safe_call` is callback_safe_call.
struct CallbackObject {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  PyObject* callable;  // owned
  // The framework whose tensors the callable receives; NULL for tvm_ffi.Tensor.
  const DLPackExchangeAPI* exchange_api;
  // See callback_mark_stored; guarded by the GIL.
  bool is_stored;
};

void callback_deleter(void* self, int flags) {
  auto* object = static_cast<CallbackObject*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    Attach attached;
    // After the interpreter has shut down, Python objects must not be touched.
    if (attached) Py_DECREF(object->callable);  // may run Python
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete object;
}

// Converts the arguments of a call to owned Python objects. Returns how many were converted: fewer
// than `n` with an exception set.
BINDING_INLINE int32_t arguments_to_py(const DLPackExchangeAPI* api, const TVMFFIAny* args,
                                       int32_t n, PyObject** items) {
  for (int32_t i = 0; i < n; ++i) {
    items[i] = BINDING_LIKELY(api == nullptr) ? value_to_py_borrowed(args[i])
                                              : value_to_framework_borrowed(api, args[i]);
    if (BINDING_UNLIKELY(items[i] == nullptr)) return i;
  }
  return n;
}

BINDING_INLINE void release_arguments(const TVMFFIAny* args, int32_t n, PyObject** items) {
  for (int32_t i = 0; i < n; ++i) {
    // A borrowed tensor is valid only during the callback, even if Python code kept the wrapper.
    if (BINDING_UNLIKELY(args[i].type_index == kTVMFFIDLTensorPtr)) {
      reinterpret_cast<TensorWrapper*>(items[i])->view = nullptr;
    }
    Py_DECREF(items[i]);  // may run Python
  }
}

// Converts what a callable returned. Steals `returned`.
BINDING_INLINE int result_from_py_steal(PyObject* returned, TVMFFIAny* result) {
  int status = 0;
  if (returned == Py_None) {
    *result = value_none();
  } else {
    status = value_from_py_owned(returned, result);
    if (BINDING_LIKELY(status == 0)) status = check_read_only_result(returned, result);
  }
  Py_DECREF(returned);  // may run Python
  return status;
}

// Calls the callable; `items` has space for `n` objects.
BINDING_INLINE int run_with(PyObject** items, PyObject* callable, const DLPackExchangeAPI* api,
                            const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int32_t size = arguments_to_py(api, args, n, items);
  PyObject* returned =
      BINDING_UNLIKELY(size != n)
          ? nullptr
          : PyObject_Vectorcall(callable, items,
                                static_cast<size_t>(n) | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                nullptr);  // runs Python
  int status = BINDING_LIKELY(returned != nullptr) ? result_from_py_steal(returned, result) : -1;
  release_arguments(args, size, items);
  return status;
}

constexpr int kMaxOnStack = 8;

BINDING_COLD int run_with_many(PyObject* callable, const DLPackExchangeAPI* api,
                               const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  auto** space = static_cast<PyObject**>(PyMem_Malloc(sizeof(PyObject*) * (size_t(n) + 1)));
  if (space == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  int status = run_with(space + 1, callable, api, args, n, result);
  PyMem_Free(space);
  return status;
}

int run(PyObject* callable, const DLPackExchangeAPI* api, const TVMFFIAny* args, int32_t n,
        TVMFFIAny* result) {
  if (BINDING_UNLIKELY(n > kMaxOnStack)) return run_with_many(callable, api, args, n, result);
  // PY_VECTORCALL_ARGUMENTS_OFFSET allows the callee to overwrite the element before the first
  // argument, so there is one element more.
  PyObject* space[kMaxOnStack + 1];
  return run_with(space + 1, callable, api, args, n, result);
}

// Returns whether a C caller passed invalid arguments. Detects only errors that can be found
// without dereferencing a pointer.
bool is_wrong_call(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return num_args < 0 || (args == nullptr && num_args != 0) || result == nullptr;
}

BINDING_COLD int refuse_wrong_call() {
  TVMFFIErrorSetRaisedFromCStr("ValueError",
                               "a Python function was called by C code without arguments or a "
                               "place for the result: `args` and `result` must not be NULL, and "
                               "`num_args` not negative");
  return -1;
}

int refuse_after_shutdown() {
  TVMFFIErrorSetRaisedFromCStr("RuntimeError",
                               "cannot call into Python: the interpreter has shut down");
  return -1;
}

}  // namespace

int callback_safe_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (BINDING_UNLIKELY(is_wrong_call(args, num_args, result))) return refuse_wrong_call();
  AttachForCall attached;
  if (BINDING_UNLIKELY(!attached)) return refuse_after_shutdown();
  // Keep the callable alive, because the call may release the last reference to the function
  // object.
  auto* object = static_cast<CallbackObject*>(self);
  Ref callable = Ref::borrow(object->callable);
  RecursionLevel level(" while calling a Python function from FFI");
  if (BINDING_UNLIKELY(!level)) return raise_to_slot();
  if (BINDING_UNLIKELY(run(callable.get(), object->exchange_api, args, num_args, result) < 0)) {
    return raise_to_slot();
  }
  return 0;
}

PyObject* callback_callable(TVMFFIObject* function) {
  if (TVMFFIFunctionGetCellPtr(function)->safe_call != callback_safe_call) return nullptr;
  return reinterpret_cast<CallbackObject*>(function)->callable;
}

PyObject* callback_replace_callable_steal(TVMFFIObject* function, PyObject* callable) {
  return std::exchange(reinterpret_cast<CallbackObject*>(function)->callable, callable);
}

void callback_mark_stored(TVMFFIObject* function, PyObject* callable) {
  if (callback_callable(function) != callable) return;
  reinterpret_cast<CallbackObject*>(function)->is_stored = true;
}

PyObject* stored_to_py_steal(TVMFFIAny value) {
  if (value.type_index != kTVMFFIFunction) return value_to_py_steal(value);
  PyObject* callable = callback_callable(value.v_obj);
  if (callable == nullptr || !reinterpret_cast<CallbackObject*>(value.v_obj)->is_stored) {
    return value_to_py_steal(value);
  }
  Ref result = Ref::borrow(callable);
  value_release(&value);
  return result.release();
}

TVMFFIObject* function_from_callable(PyObject* callable, const DLPackExchangeAPI* api) {
  auto* object = new (std::nothrow) CallbackObject;
  if (object == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  object->header.combined_ref_count = kStrongOne + kWeakOne;
  object->header.type_index = kTVMFFIFunction;
  object->header.__padding = 0;
  object->header.deleter = callback_deleter;
  object->cell.safe_call = callback_safe_call;
  object->cell.cpp_call = nullptr;
  object->callable = compat_new_ref(callable);
  object->exchange_api = api;
  object->is_stored = false;
  return &object->header;
}

}  // namespace binding

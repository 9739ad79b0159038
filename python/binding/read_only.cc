// SPDX-License-Identifier: Apache-2.0
#include "read_only.h"

#include <tvm/ffi/container/map.h>

#include "call.h"
#include "callback.h"
#include "convert/convert.h"
#include "convert/native_value.h"
#include "type/types.h"

namespace binding {
namespace {

bool has_read_only(const TVMFFIAny& value);

bool map_has_read_only(TVMFFIObject* map) {
  auto* entries = reinterpret_cast<tvm::ffi::MapObj*>(map);
  for (const auto& [key, value] : *entries) {
    if (has_read_only(*tvm::ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value))) return true;
  }
  return false;
}

// Returns whether an argument is a read-only tensor, or contains one. Searches only containers that
// the conversion of the arguments made for this call: those with exactly one reference.
bool has_read_only(const TVMFFIAny& value) {
  if (IsReadOnlyTensor(&value)) return true;
  if (value.type_index == kTVMFFIObjectRValueRef) {
    return IsReadOnlyTensor(*static_cast<TVMFFIObject**>(value.v_ptr));
  }
  bool is_array = value.type_index == kTVMFFIArray;
  if ((!is_array && value.type_index != kTVMFFIMap) || object_strong_count(value.v_obj) != 1) {
    return false;
  }
  if (!is_array) return map_has_read_only(value.v_obj);
  const TVMFFISeqCell* cell = sequence_cell_of(value.v_obj);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (has_read_only(static_cast<const TVMFFIAny*>(cell->data)[i])) return true;
  }
  return false;
}

// Returns bytes with one byte for each parameter of a function: 0 if the function may write to the
// parameter, another number if the parameter is const. Returns True for a function that only reads
// its arguments, and NULL with an exception set. Runs Python.
PyObject* find_readers(PyObject* function) {
  Ref find(state_import("tvm_ffi._values.read_only", "readers"));
  return find ? PyObject_CallFunctionObjArgs(find.get(), function, nullptr) : nullptr;
}

// Returns the result of find_readers. Stores this result in the wrapper of the function, and reuses
// it in later calls.
Ref readers_of(PyObject* function) {
  if (!PyObject_TypeCheck(function, &FunctionType)) return Ref(find_readers(function));
  PyObject** kept = &reinterpret_cast<FunctionWrapper*>(function)->readers;
  if (BINDING_UNLIKELY(*kept == nullptr)) {
    PyObject* found = find_readers(function);
    if (found == nullptr) return Ref();
    publish_steal(kept, found);
  }
  return Ref::borrow(*kept);
}

// Returns the index of the first read-only tensor that the function must not get; -1 if there is
// none.
Py_ssize_t first_refused(const Given& given, PyObject* readers) {
  if (readers == Py_True) return -1;
  Py_ssize_t known = PyBytes_Check(readers) ? PyBytes_GET_SIZE(readers) : 0;
  for (Py_ssize_t i = 0; i < given.size; ++i) {
    if (i < known && PyBytes_AS_STRING(readers)[i] != 0) continue;
    if (has_read_only(given.values[i])) return i;
  }
  return -1;
}

BINDING_COLD int refuse(PyObject* function, Py_ssize_t i, PyObject* argument) {
  Ref raise(state_import("tvm_ffi._values.read_only", "refuse"));
  Ref done(raise ? PyObject_CallFunction(raise.get(), "OnO", function, i, argument) : nullptr);
  return -1;
}

}  // namespace

int check_read_only(const Given& given) {
  if (TVMFFIFunctionGetCellPtr(given.function)->safe_call == callback_safe_call) return 0;
  Ref live(g_wrappers.get(given.function));
  if (BINDING_LIKELY(live && PyObject_TypeCheck(live.get(), &FunctionType))) {
    PyObject* known = reinterpret_cast<FunctionWrapper*>(live.get())->readers;
    if (BINDING_LIKELY(known != nullptr && first_refused(given, known) < 0)) return 0;
  }
  object_inc_ref(given.function);
  Ref function(function_wrapper_new_steal(given.function, false));
  if (!function) return -1;
  Ref readers = readers_of(function.get());
  if (!readers) return -1;
  Py_ssize_t i = first_refused(given, readers.get());
  return i < 0 ? 0 : refuse(function.get(), i, given.at(i));
}

int check_read_only_result(PyObject* returned, TVMFFIAny* result) {
  if (BINDING_LIKELY(result->type_index != kTVMFFITensor || !IsReadOnlyTensor(result->v_obj) ||
                     PyObject_TypeCheck(returned, &TensorType))) {
    return 0;
  }
  value_release(result);
  *result = value_none();
  PyErr_Format(PyExc_BufferError,
               "a Python function cannot return a read-only %s to native code, which could write "
               "to it; return a copy",
               Py_TYPE(returned)->tp_name);
  return -1;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Helpers for files that use the C++ containers: a guard that turns their exceptions into Python
// exceptions, owned C++ values, and construction of containers from elements.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

#include <utility>
#include <vector>

#include "../raise.h"
#include "array_pool.h"
#include "convert.h"

namespace binding {

// Runs `body`, which may throw the exceptions of the C++ containers. Returns 0, or -1 with an
// exception set.
template <typename F>
BINDING_INLINE int guarded(F&& body) {
  auto run = [&]() -> int {
    TVM_FFI_SAFE_CALL_BEGIN();
    body();
    TVM_FFI_SAFE_CALL_END();
  };
  int status = run();
  return BINDING_LIKELY(status == 0) ? 0 : raise_from_slot(status);
}

// Converts a Python object to an owned value; `context` as in value_from_py_owned. Returns 0, or -1
// with an exception set. May run Python.
inline int any_from_py(PyObject* x, tvm::ffi::Any* out, CallContext* context = nullptr) {
  TVMFFIAny value;
  if (value_from_py_owned(x, &value, context) < 0) return -1;
  *out = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(value);
  return 0;
}

inline TVMFFISeqCell* sequence_cell_of(TVMFFIObject* sequence) {
  return reinterpret_cast<TVMFFISeqCell*>(sequence + 1);
}

// Makes a native array of `n` elements. `fill(i, &place)` writes one element and returns 0 to
// continue. Returns 0 and an owned `*made`, or the first result of `fill` that is not 0. If the
// array cannot be made, returns -1 with an exception set.
template <typename F>
int array_filled(Py_ssize_t n, F&& fill, TVMFFIObject** made) {
  TVMFFIObject* empty = nullptr;
  if (guarded([&] {
        empty =
            tvm::ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(array_with_capacity(n));
      }) < 0) {
    return -1;
  }
  ObjectOwner array(empty);
  // The elements are written in place: no other code can access the array yet.
  TVMFFISeqCell* cell = sequence_cell_of(empty);
  auto* places = static_cast<TVMFFIAny*>(cell->data);
  for (Py_ssize_t i = 0; i < n; ++i) {
    int rc = fill(i, &places[i]);
    if (rc != 0) return rc;
    cell->size = i + 1;
  }
  *made = array.release();
  return 0;
}

// Makes a native list from the elements of an array. Steals the array. Owned result, or NULL with
// an exception set.
TVMFFIObject* list_from_array_steal(TVMFFIObject* array);

using Entries = std::vector<std::pair<tvm::ffi::Any, tvm::ffi::Any>>;

// Move the entries into a new native map or dict. Owned result, or NULL with an exception set.
TVMFFIObject* map_from_entries(Entries&& entries);
TVMFFIObject* dict_from_entries(Entries&& entries);

}  // namespace binding

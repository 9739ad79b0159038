// SPDX-License-Identifier: Apache-2.0
// What the rooms that are clients of the C++ containers share: the guard for what these throw, and
// values as the C++ side owns them.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>

#include "../raise.h"
#include "convert.h"

namespace binding {

// Runs `body`, which may throw as the C++ containers do. 0, or -1 with an exception set.
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

// Any Python object as an owned value; `context` as in value_from_py_owned. 0, or -1 with an
// exception set. May run Python.
inline int any_from_py(PyObject* x, tvm::ffi::Any* out, CallContext* context = nullptr) {
  TVMFFIAny value;
  if (value_from_py_owned(x, &value, context) < 0) return -1;
  *out = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(value);
  return 0;
}

}  // namespace binding

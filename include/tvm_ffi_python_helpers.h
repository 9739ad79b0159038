// SPDX-License-Identifier: Apache-2.0
// Marks the directory that `tvm_ffi.libinfo.find_python_helper_include_path()` returns. Extensions
// that include this header get the C ABI; nothing else is promised.
#ifndef TVM_FFI_PYTHON_HELPERS_H_
#define TVM_FFI_PYTHON_HELPERS_H_

#include <tvm/ffi/c_api.h>

#endif  // TVM_FFI_PYTHON_HELPERS_H_

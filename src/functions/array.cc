// SPDX-License-Identifier: Apache-2.0
// Global functions of arrays.
#include <tvm/ffi/container/array.h>

#include "functions/sequence.h"

namespace tvm::ffi::runtime {

void register_array_functions() { register_sequence<Array<Any>, ArrayObj>("ffi.Array"); }

}  // namespace tvm::ffi::runtime

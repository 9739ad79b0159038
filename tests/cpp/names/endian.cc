// SPDX-License-Identifier: Apache-2.0
#define TVM_FFI_CMAKE_LITTLE_ENDIAN 1
#include <tvm/ffi/endian.h>

#include <cstddef>

#include "use.h"

HOLDS(TVM_FFI_IO_USE_LITTLE_ENDIAN == 1);
HOLDS(TVM_FFI_LITTLE_ENDIAN == TVM_FFI_CMAKE_LITTLE_ENDIAN);
HOLDS(TVM_FFI_IO_NO_ENDIAN_SWAP);
HAS_TYPE(tvm::ffi::ByteSwap(The<void*>(), The<size_t>(), The<size_t>()), void);

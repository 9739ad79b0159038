// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/cuda/base.h>

#include "../../use.h"

namespace ffi = tvm::ffi;

void Check(cudaError_t error) { TVM_FFI_CHECK_CUDA_ERROR(error); }
HOLDS(std::is_default_constructible_v<ffi::dim3>&& std::is_constructible_v<ffi::dim3, unsigned>);
HOLDS(!std::is_convertible_v<unsigned, ffi::dim3>);
HOLDS(std::is_constructible_v<ffi::dim3, unsigned, unsigned>);
HOLDS(std::is_constructible_v<ffi::dim3, unsigned, unsigned, unsigned>);
HOLDS(sizeof(The<ffi::dim3>().x + The<ffi::dim3>().y + The<ffi::dim3>().z) == sizeof(unsigned));

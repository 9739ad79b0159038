// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/cuda/device_guard.h>

#include "../../use.h"

using tvm::ffi::CUDADeviceGuard;

HOLDS(!std::is_default_constructible_v<CUDADeviceGuard>);
HOLDS(!std::is_nothrow_destructible_v<CUDADeviceGuard>);
void Use() { CUDADeviceGuard guard(0); }

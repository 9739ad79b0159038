// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/cuda/internal/unified_api.h>

#include "../../../use.h"

namespace cuda_api = tvm::ffi::cuda_api;

HOLDS(TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API == 0 || TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API == 1);
void Check(cuda_api::ResultType result) { TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(result); }
HAS_TYPE(cuda_api::kSuccess, const cuda_api::ResultType);
HOLDS(sizeof(cuda_api::StreamHandle) + sizeof(cuda_api::DeviceHandle) > 0);
HOLDS(sizeof(cuda_api::LibraryHandle) + sizeof(cuda_api::KernelHandle) > 0);
HOLDS(sizeof(cuda_api::LaunchConfig) + sizeof(cuda_api::LaunchAttrType) > 0);
HOLDS(sizeof(cuda_api::DeviceAttrType) > 0);
// Only check that the functions exist: their parameters differ between the two CUDA APIs.
template <typename F>
constexpr bool IsFunction(F*) {
  return std::is_function_v<F>;
}
HOLDS(IsFunction(&cuda_api::GetErrorString) && IsFunction(&cuda_api::LoadLibrary));
HOLDS(IsFunction(&cuda_api::UnloadLibrary) && IsFunction(&cuda_api::GetKernel));
HOLDS(IsFunction(&cuda_api::GetDeviceHandle) && IsFunction(&cuda_api::LaunchKernel));
HOLDS(IsFunction(&cuda_api::GetKernelSharedMem));
HOLDS(IsFunction(&cuda_api::SetKernelMaxDynamicSharedMem));
HOLDS(IsFunction(&cuda_api::LaunchKernelEx) && IsFunction(&cuda_api::ConstructLaunchConfig));
HOLDS(IsFunction(&cuda_api::GetDeviceCount) && IsFunction(&cuda_api::GetDeviceAttribute));

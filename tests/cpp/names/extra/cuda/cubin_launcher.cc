// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/cuda/cubin_launcher.h>

#include "../../use.h"

namespace ffi = tvm::ffi;
namespace cuda_api = tvm::ffi::cuda_api;
using ffi::CubinKernel;
using ffi::CubinModule;

HOLDS(std::is_constructible_v<CubinModule, const ffi::Bytes&>);
HOLDS(std::is_constructible_v<CubinModule, const char*>);
HOLDS(std::is_constructible_v<CubinModule, const unsigned char*>);
HOLDS(std::is_move_constructible_v<CubinModule> && !std::is_copy_constructible_v<CubinModule>);
HAS_TYPE(The<CubinModule>().GetKernel("k"), CubinKernel);
HAS_TYPE(The<CubinModule>()["k"], CubinKernel);
HAS_TYPE(The<CubinModule>().GetKernelWithMaxDynamicSharedMemory("k"), CubinKernel);
HAS_TYPE(The<CubinModule>().GetKernelWithMaxDynamicSharedMemory("k", The<int64_t>()), CubinKernel);
HAS_TYPE(The<const CubinModule>().GetHandle(), cuda_api::LibraryHandle);
HOLDS(std::is_constructible_v<CubinKernel, cuda_api::LibraryHandle, const char*>);
HOLDS(std::is_move_constructible_v<CubinKernel>);
HAS_TYPE(The<CubinKernel>().Launch(The<void**>(), The<ffi::dim3>(), The<ffi::dim3>(),
                                   The<cuda_api::StreamHandle>()),
         cuda_api::ResultType);
HAS_TYPE(The<CubinKernel>().Launch(The<void**>(), The<ffi::dim3>(), The<ffi::dim3>(),
                                   The<cuda_api::StreamHandle>(), The<uint32_t>()),
         cuda_api::ResultType);
HAS_TYPE(The<CubinKernel>().LaunchEx(The<void**>(), The<const cuda_api::LaunchConfig>()),
         cuda_api::ResultType);
HAS_TYPE(The<const CubinKernel>().GetHandle(), cuda_api::KernelHandle);

TVM_FFI_EMBED_CUBIN(names_linked);
const char kBytes[] = "bytes";
TVM_FFI_EMBED_CUBIN_FROM_BYTES(names_bytes, kBytes);
CubinKernel Kernel() { return TVM_FFI_EMBED_CUBIN_GET_KERNEL(names_bytes, "kernel"); }

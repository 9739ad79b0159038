// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/cuda/internal/unified_api.h
 * \brief Common names for the functions of the CUDA runtime or driver API that the cubin launcher
 * needs.
 *
 * TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API selects the API: 0 for the runtime, which loads libraries
 * since CUDA 12.8, 1 for the driver (link with -lcuda).
 */
#ifndef TVM_FFI_EXTRA_CUDA_INTERNAL_UNIFIED_API_H_
#define TVM_FFI_EXTRA_CUDA_INTERNAL_UNIFIED_API_H_

#include <cuda.h>
#include <cuda_runtime.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/cuda/base.h>

#include <cstdint>

#ifndef TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
#if CUDART_VERSION >= 12080
#define TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API 0
#else
#define TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API 1
#endif
#elif !TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API && CUDART_VERSION < 12080
#error \
    "The CUDA runtime loads libraries since 12.8: TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API must be 1"
#endif

namespace tvm::ffi::cuda_api {

#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
using StreamHandle = CUstream;
using DeviceHandle = CUdevice;
using LibraryHandle = CUlibrary;
using KernelHandle = CUkernel;
using LaunchConfig = CUlaunchConfig;
using ResultType = CUresult;
using LaunchAttrType = CUlaunchAttribute;
using DeviceAttrType = CUdevice_attribute;
inline constexpr ResultType kSuccess = CUDA_SUCCESS;
#else
using StreamHandle = cudaStream_t;
using DeviceHandle = int;
using LibraryHandle = cudaLibrary_t;
using KernelHandle = cudaKernel_t;
using LaunchConfig = cudaLaunchConfig_t;
using ResultType = cudaError_t;
using LaunchAttrType = cudaLaunchAttribute;
using DeviceAttrType = cudaDeviceAttr;
inline constexpr ResultType kSuccess = cudaSuccess;
#endif

/*! \brief Get the name and the text of a result, which are static strings. */
inline void GetErrorString(ResultType error, const char** name, const char** text) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  if (cuGetErrorName(error, name) != CUDA_SUCCESS) *name = "CUDA_ERROR_UNKNOWN";
  if (cuGetErrorString(error, text) != CUDA_SUCCESS) *text = "unknown error";
#else
  *name = cudaGetErrorName(error);
  *text = cudaGetErrorString(error);
#endif
}

/*! \brief Clear the last error of this thread, which the runtime keeps and the driver does not. */
inline void ForgetLastError() {
#if !TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  (void)cudaGetLastError();
#endif
}

/*!
 * \brief Evaluate a call of this API once. Before an error is thrown, the last error that CUDA
 * keeps for the thread is cleared.
 * \throws RuntimeError `CUDA Error: <name> (<code>): <text>` when it does not succeed.
 */
#define TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(stmt)                                   \
  do {                                                                                  \
    ::tvm::ffi::cuda_api::ResultType tvm_ffi_cuda_error_ = (stmt);                      \
    if (TVM_FFI_PREDICT_FALSE(tvm_ffi_cuda_error_ != ::tvm::ffi::cuda_api::kSuccess)) { \
      const char* tvm_ffi_cuda_name_ = nullptr;                                         \
      const char* tvm_ffi_cuda_text_ = nullptr;                                         \
      ::tvm::ffi::cuda_api::GetErrorString(tvm_ffi_cuda_error_, &tvm_ffi_cuda_name_,    \
                                           &tvm_ffi_cuda_text_);                        \
      ::tvm::ffi::cuda_api::ForgetLastError();                                          \
      TVM_FFI_THROW(RuntimeError) << "CUDA Error: " << tvm_ffi_cuda_name_ << " ("       \
                                  << static_cast<int>(tvm_ffi_cuda_error_)              \
                                  << "): " << tvm_ffi_cuda_text_;                       \
    }                                                                                   \
  } while (0)

/*! \brief Load an image (cubin, fatbin, PTX); the driver copies it. */
inline ResultType LoadLibrary(LibraryHandle* library, const void* image) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  if (CUresult error = cuInit(0); error != CUDA_SUCCESS) return error;
  return cuLibraryLoadData(library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
#else
  return cudaLibraryLoadData(library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
#endif
}

inline ResultType UnloadLibrary(LibraryHandle library) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuLibraryUnload(library);
#else
  return cudaLibraryUnload(library);
#endif
}

inline ResultType GetKernel(KernelHandle* kernel, LibraryHandle library, const char* name) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuLibraryGetKernel(kernel, library, name);
#else
  return cudaLibraryGetKernel(kernel, library, name);
#endif
}

/*! \throws RuntimeError when there is no device with this index. */
inline DeviceHandle GetDeviceHandle(int device_id) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  CUdevice device;
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(cuDeviceGet(&device, device_id));
  return device;
#else
  return device_id;
#endif
}

inline ResultType LaunchKernel(KernelHandle kernel, void** args, tvm::ffi::dim3 grid,
                               tvm::ffi::dim3 block, StreamHandle stream,
                               uint32_t dyn_smem_bytes = 0) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), grid.x, grid.y, grid.z, block.x,
                        block.y, block.z, dyn_smem_bytes, stream, args, nullptr);
#else
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), {grid.x, grid.y, grid.z},
                          {block.x, block.y, block.z}, args, dyn_smem_bytes, stream);
#endif
}

/*! \brief Get the bytes of static shared memory; the runtime API reports the number for the current
 * device instead of `device`. */
inline ResultType GetKernelSharedMem(KernelHandle kernel, int& out,
                                     [[maybe_unused]] DeviceHandle device) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuKernelGetAttribute(&out, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, device);
#else
  cudaFuncAttributes attributes;
  cudaError_t error = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  if (error == cudaSuccess) out = static_cast<int>(attributes.sharedSizeBytes);
  return error;
#endif
}

inline ResultType SetKernelMaxDynamicSharedMem(KernelHandle kernel, int bytes,
                                               DeviceHandle device) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes, kernel,
                              device);
#else
  return cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes,
                                         device);
#endif
}

/*! \param config made by ConstructLaunchConfig, or by hand. */
inline ResultType LaunchKernelEx(KernelHandle kernel, void** args, const LaunchConfig& config) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), args, nullptr);
#else
  return cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), args);
#endif
}

/*!
 * \brief Fill a launch configuration.
 * \param cluster_dim blocks per cluster along x; 1 or less for no clusters.
 * \param attr receives the cluster attribute; must outlive `config`.
 */
inline ResultType ConstructLaunchConfig(KernelHandle kernel, StreamHandle stream,
                                        uint32_t smem_size, tvm::ffi::dim3 grid,
                                        tvm::ffi::dim3 block, int cluster_dim, LaunchConfig& config,
                                        LaunchAttrType& attr) {
  constexpr int kLargestPortableCluster = 8;
  config = {};
  attr = {};
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  config.gridDimX = grid.x;
  config.gridDimY = grid.y;
  config.gridDimZ = grid.z;
  config.blockDimX = block.x;
  config.blockDimY = block.y;
  config.blockDimZ = block.z;
  config.sharedMemBytes = smem_size;
  config.hStream = stream;
#else
  config.gridDim = {grid.x, grid.y, grid.z};
  config.blockDim = {block.x, block.y, block.z};
  config.dynamicSmemBytes = smem_size;
  config.stream = stream;
#endif
  if (cluster_dim <= 1) return kSuccess;
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  attr.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attr.value.clusterDim = {static_cast<unsigned int>(cluster_dim), 1, 1};
#else
  attr.id = cudaLaunchAttributeClusterDimension;
  attr.val.clusterDim = {static_cast<unsigned int>(cluster_dim), 1, 1};
#endif
  config.attrs = &attr;
  config.numAttrs = 1;
  if (cluster_dim <= kLargestPortableCluster) return kSuccess;
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel),
                            CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
#else
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                              cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
#endif
}

inline ResultType GetDeviceCount(int* count) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  if (CUresult error = cuInit(0); error != CUDA_SUCCESS) return error;
  return cuDeviceGetCount(count);
#else
  return cudaGetDeviceCount(count);
#endif
}

inline ResultType GetDeviceAttribute(int* value, DeviceAttrType attr, DeviceHandle device) {
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
  return cuDeviceGetAttribute(value, attr, device);
#else
  return cudaDeviceGetAttribute(value, attr, device);
#endif
}

/*! \brief The attribute for the largest shared memory that a block of a device may request. */
inline constexpr DeviceAttrType kMaxSharedMemoryPerBlockOptin =
#if TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
#else
    cudaDevAttrMaxSharedMemoryPerBlockOptin;
#endif

}  // namespace tvm::ffi::cuda_api

#endif  // TVM_FFI_EXTRA_CUDA_INTERNAL_UNIFIED_API_H_

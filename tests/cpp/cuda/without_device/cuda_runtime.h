// SPDX-License-Identifier: Apache-2.0
// A substitute for CUDA's header, which keeps the last error as CUDA does: a failing call sets it,
// and reading it clears it. It has no device besides number 0.
#ifndef TVM_FFI_TESTS_CPP_CUDA_WITHOUT_DEVICE_CUDA_RUNTIME_H_
#define TVM_FFI_TESTS_CPP_CUDA_WITHOUT_DEVICE_CUDA_RUNTIME_H_

#include <utility>

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidDevice = 101 };

inline cudaError_t last_cuda_error = cudaSuccess;

inline const char* cudaGetErrorName(cudaError_t) { return "cudaErrorInvalidDevice"; }
inline const char* cudaGetErrorString(cudaError_t) { return "invalid device ordinal"; }
inline cudaError_t cudaGetLastError() { return std::exchange(last_cuda_error, cudaSuccess); }
inline cudaError_t cudaPeekAtLastError() { return last_cuda_error; }
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  if (device == 0) return cudaSuccess;
  last_cuda_error = cudaErrorInvalidDevice;
  return cudaErrorInvalidDevice;
}

#endif  // TVM_FFI_TESTS_CPP_CUDA_WITHOUT_DEVICE_CUDA_RUNTIME_H_

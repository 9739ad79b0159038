// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/cuda/device_guard.h
 * \brief Make another CUDA device current for a scope. Needs the CUDA toolkit.
 */
#ifndef TVM_FFI_EXTRA_CUDA_DEVICE_GUARD_H_
#define TVM_FFI_EXTRA_CUDA_DEVICE_GUARD_H_

#include <tvm/ffi/extra/cuda/base.h>

#include <exception>

namespace tvm::ffi {

/*! \brief Makes a device current on this thread; the destructor restores the former device. */
struct CUDADeviceGuard {
  CUDADeviceGuard() = delete;
  /*! \throws RuntimeError the error that the CUDA runtime reports. */
  explicit CUDADeviceGuard(int device_index) : target_(device_index) {
    TVM_FFI_CHECK_CUDA_ERROR(cudaGetDevice(&original_));
    if (target_ != original_) TVM_FFI_CHECK_CUDA_ERROR(cudaSetDevice(target_));
  }
  CUDADeviceGuard(const CUDADeviceGuard&) = delete;
  CUDADeviceGuard& operator=(const CUDADeviceGuard&) = delete;
  /*! \throws RuntimeError like the constructor, but not during stack unwinding. */
  ~CUDADeviceGuard() noexcept(false) {
    if (target_ == original_) return;
    cudaError_t error = cudaSetDevice(original_);
    if (std::uncaught_exceptions() == uncaught_) TVM_FFI_CHECK_CUDA_ERROR(error);
    if (error != cudaSuccess) (void)cudaGetLastError();
  }

 private:
  int original_ = 0;
  int target_;
  int uncaught_ = std::uncaught_exceptions();
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_CUDA_DEVICE_GUARD_H_

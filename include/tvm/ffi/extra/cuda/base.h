// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/cuda/base.h
 * \brief Conversion of CUDA runtime errors to exceptions, and launch extents. Needs the CUDA
 * toolkit.
 */
#ifndef TVM_FFI_EXTRA_CUDA_BASE_H_
#define TVM_FFI_EXTRA_CUDA_BASE_H_

#include <cuda_runtime.h>
#include <tvm/ffi/error.h>

namespace tvm::ffi {

/*!
 * \brief Evaluate a call of the CUDA runtime once.
 *
 * Before an error is thrown, the last error that CUDA keeps for the thread is cleared. Otherwise
 * the next check of another library, such as PyTorch, would report the same error again.
 * \throws RuntimeError `CUDA Runtime Error: <name> (<code>): <text>` when it does not succeed.
 */
#define TVM_FFI_CHECK_CUDA_ERROR(stmt)                                                 \
  do {                                                                                 \
    cudaError_t tvm_ffi_cuda_error_ = (stmt);                                          \
    if (TVM_FFI_PREDICT_FALSE(tvm_ffi_cuda_error_ != cudaSuccess)) {                   \
      (void)cudaGetLastError();                                                        \
      TVM_FFI_THROW(RuntimeError) << "CUDA Runtime Error: "                            \
                                  << cudaGetErrorName(tvm_ffi_cuda_error_) << " ("     \
                                  << static_cast<int>(tvm_ffi_cuda_error_)             \
                                  << "): " << cudaGetErrorString(tvm_ffi_cuda_error_); \
    }                                                                                  \
  } while (0)

/*! \brief Extents of a grid or a block; extents that are not given are 1. */
struct dim3 {
  /*! \brief The size in the first dimension. */
  unsigned int x;
  /*! \brief The size in the second dimension. */
  unsigned int y;
  /*! \brief The size in the third dimension. */
  unsigned int z;

  dim3() : x(1), y(1), z(1) {}
  explicit dim3(unsigned int x) : x(x), y(1), z(1) {}
  dim3(unsigned int x, unsigned int y) : x(x), y(y), z(1) {}
  dim3(unsigned int x, unsigned int y, unsigned int z) : x(x), y(y), z(z) {}
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_CUDA_BASE_H_

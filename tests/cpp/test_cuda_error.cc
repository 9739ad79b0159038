// SPDX-License-Identifier: Apache-2.0
// Test that an error of CUDA is thrown and not kept as well: the next check of PyTorch reported it
// again. A substitute for CUDA's header makes the test run without a device.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/cuda/base.h>
#include <tvm/ffi/extra/cuda/device_guard.h>

#include "caught.h"

namespace {

constexpr const char kMessage[] =
    "RuntimeError: CUDA Runtime Error: cudaErrorInvalidDevice (101): invalid device ordinal";

TEST(CudaError, AThrownErrorIsNotKept) {
  EXPECT_EQ(ErrorOf([] { TVM_FFI_CHECK_CUDA_ERROR(cudaSetDevice(7)); }), kMessage);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(ErrorOf([] { tvm::ffi::CUDADeviceGuard guard(7); }), kMessage);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(CudaError, TheLastErrorOfALaunchIsThrown) {
  EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
  EXPECT_EQ(ErrorOf([] { TVM_FFI_CHECK_CUDA_ERROR(cudaGetLastError()); }), kMessage);
  EXPECT_EQ(ErrorOf([] { TVM_FFI_CHECK_CUDA_ERROR(cudaGetLastError()); }), "nothing");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Test the CUDA headers. The types are tested everywhere; errors, guard and launch need a device.
//
// Without a device the program prints the reason and exits with 77.
#include <cuda_fp16.h>
#include <tvm/ffi/extra/cuda/base.h>
#include <tvm/ffi/extra/cuda/cubin_launcher.h>
#include <tvm/ffi/extra/cuda/device_guard.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>

namespace ffi = tvm::ffi;
namespace cuda_api = tvm::ffi::cuda_api;

static_assert(!std::is_default_constructible_v<ffi::CUDADeviceGuard>);
static_assert(!std::is_copy_constructible_v<ffi::CubinModule>);
static_assert(std::is_nothrow_move_constructible_v<ffi::CubinModule>);
static_assert(!std::is_copy_constructible_v<ffi::CubinKernel>);
static_assert(std::is_nothrow_move_constructible_v<ffi::CubinKernel>);
static_assert(std::is_constructible_v<ffi::CubinModule, const ffi::Bytes&> &&
              std::is_constructible_v<ffi::CubinModule, const unsigned char*>);
static_assert(!std::is_convertible_v<unsigned int, ffi::dim3> && sizeof(ffi::dim3) == 12);

// nvcc must accept typed parameters.
int64_t Count(ffi::TypedTensorView<const __half, ffi::Dims<'n'>, ffi::Cuda> x,
              ffi::TypedTensorView<ffi::OneOf<float, double>, ffi::Dims<'n'>, ffi::Cuda>) {
  return x.numel();
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(count, Count);

namespace {

// PTX, which the driver of any device can compile.
const char kAddOne[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry add_one(.param .u64 data, .param .u32 count) {
  .reg .pred %p1;
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra done;
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  add.s32 %r4, %r3, 1;
  st.global.u32 [%rd3], %r4;
done:
  ret;
}
)";

TVM_FFI_EMBED_CUBIN_FROM_BYTES(add_one, kAddOne);

int failures = 0;

void Expect(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

template <typename F>
std::string MessageOf(F body) {
  try {
    body();
  } catch (const ffi::Error& error) {
    Expect(error.kind() == "RuntimeError", "the kind is RuntimeError");
    return error.message();
  }
  return "";
}

void CheckErrors() {
  // spec: R10
  TVM_FFI_CHECK_CUDA_ERROR(cudaSuccess);
  Expect(MessageOf([] { TVM_FFI_CHECK_CUDA_ERROR(cudaErrorInvalidValue); }) ==
             "CUDA Runtime Error: cudaErrorInvalidValue (1): invalid argument",
         "text of a runtime error");
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(cuda_api::kSuccess);
  std::string text = MessageOf(
      [] { TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(static_cast<cuda_api::ResultType>(1)); });
  Expect(text.rfind("CUDA Error: ", 0) == 0 && text.find(" (1): ") != std::string::npos,
         "text of a launcher error");
}

// The next check of PyTorch reported an error that had been thrown here.
void CheckLastError() {
  Expect(!MessageOf([] { TVM_FFI_CHECK_CUDA_ERROR(cudaSetDevice(10000)); }).empty(),
         "an unknown device is an error");
  Expect(cudaPeekAtLastError() == cudaSuccess, "a runtime error is not kept");
  // CUDA may load an image only when the first kernel is requested.
  Expect(!MessageOf([] { ffi::CubinModule("no image").GetKernel("add_one"); }).empty(),
         "a bad image throws");
  Expect(cudaPeekAtLastError() == cudaSuccess, "a launcher error is not kept");
}

void CheckGuard() {
  {
    ffi::CUDADeviceGuard guard(0);
    int device = -1;
    TVM_FFI_CHECK_CUDA_ERROR(cudaGetDevice(&device));
    Expect(device == 0, "the guard sets the device");
  }
  Expect(!MessageOf([] { ffi::CUDADeviceGuard guard(10000); }).empty(), "an unknown device throws");
  Expect(cudaPeekAtLastError() == cudaSuccess, "a guard leaves no last error");
}

void CheckLaunch() {
  constexpr uint32_t kCount = 10;
  int32_t values[kCount] = {};
  void* memory = nullptr;
  TVM_FFI_CHECK_CUDA_ERROR(cudaMalloc(&memory, sizeof(values)));
  TVM_FFI_CHECK_CUDA_ERROR(cudaMemcpy(memory, values, sizeof(values), cudaMemcpyHostToDevice));
  uint32_t count = kCount;
  void* args[] = {&memory, &count};
  ffi::CubinKernel kernel = TVM_FFI_EMBED_CUBIN_GET_KERNEL(add_one, "add_one");
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(
      kernel.Launch(args, ffi::dim3(1), ffi::dim3(32), nullptr));
  cuda_api::LaunchConfig config;
  cuda_api::LaunchAttrType attr;
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(cuda_api::ConstructLaunchConfig(
      kernel.GetHandle(), nullptr, 0, ffi::dim3(1), ffi::dim3(32), 1, config, attr));
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(kernel.LaunchEx(args, config));
  ffi::CubinModule module(kAddOne);
  ffi::CubinKernel large = module.GetKernelWithMaxDynamicSharedMemory("add_one");
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(
      large.Launch(args, ffi::dim3(1), ffi::dim3(32), nullptr, 60000));
  TVM_FFI_CHECK_CUDA_ERROR(cudaMemcpy(values, memory, sizeof(values), cudaMemcpyDeviceToHost));
  for (int32_t value : values) Expect(value == 3, "three launches added three");
  TVM_FFI_CHECK_CUDA_ERROR(cudaFree(memory));
  Expect(!MessageOf([&] { module.GetKernel("missing"); }).empty(), "an unknown kernel throws");
}

}  // namespace

int main() {
  CheckErrors();
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("skipped: no CUDA device\n");
    return failures == 0 ? 77 : 1;
  }
  CheckGuard();
  CheckLastError();
  CheckLaunch();
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/cuda/cubin_launcher.h
 * \brief Load device code from memory and launch its kernels. Needs the CUDA toolkit.
 *
 * Modules and kernels may be used from any thread; a launch runs on the current device of the
 * calling thread.
 */
#ifndef TVM_FFI_EXTRA_CUDA_CUBIN_LAUNCHER_H_
#define TVM_FFI_EXTRA_CUDA_CUBIN_LAUNCHER_H_

#include <tvm/ffi/extra/cuda/base.h>
#include <tvm/ffi/extra/cuda/internal/device_image.h>
#include <tvm/ffi/extra/cuda/internal/unified_api.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tvm::ffi {

/*! \brief A kernel of a CUDA library; valid as long as the CubinModule that loaded the library. */
class CubinKernel {
 public:
  /*! \throws RuntimeError when the library has no kernel of this name. */
  CubinKernel(cuda_api::LibraryHandle library, const char* name) {
    TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(cuda_api::GetKernel(&kernel_, library, name));
  }
  CubinKernel(const CubinKernel&) = delete;
  CubinKernel& operator=(const CubinKernel&) = delete;
  CubinKernel(CubinKernel&& other) noexcept : kernel_(std::exchange(other.kernel_, nullptr)) {}
  CubinKernel& operator=(CubinKernel&& other) noexcept {
    kernel_ = std::exchange(other.kernel_, nullptr);
    return *this;
  }

  /*!
   * \brief Launch the kernel.
   * \param args addresses of the arguments, which are copied.
   * \return the status of CUDA; check it with TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR.
   */
  cuda_api::ResultType Launch(void** args, dim3 grid, dim3 block, cuda_api::StreamHandle stream,
                              uint32_t dyn_smem_bytes = 0) {
    return cuda_api::LaunchKernel(kernel_, args, grid, block, stream, dyn_smem_bytes);
  }
  /*! \brief Launch the kernel with a configuration of cuda_api::ConstructLaunchConfig. */
  cuda_api::ResultType LaunchEx(void** args, const cuda_api::LaunchConfig& config) {
    return cuda_api::LaunchKernelEx(kernel_, args, config);
  }

  /*! \brief Return the handle of the kernel. */
  cuda_api::KernelHandle GetHandle() const { return kernel_; }

 private:
  friend class CubinModule;

  /*! \brief Set the limit of the kernel's dynamic shared memory on one device, and return whether
   * the device accepts this limit. If `bytes` is negative, the limit is the largest shared memory
   * of a block minus the static shared memory of the kernel. */
  bool AllowDynamicSharedMemory(int device_id, int64_t bytes) {
    cuda_api::DeviceHandle device = cuda_api::GetDeviceHandle(device_id);
    if (bytes < 0) {
      int limit = 0, used = 0;
      if (cuda_api::GetDeviceAttribute(&limit, cuda_api::kMaxSharedMemoryPerBlockOptin, device) !=
              cuda_api::kSuccess ||
          cuda_api::GetKernelSharedMem(kernel_, used, device) != cuda_api::kSuccess) {
        return false;
      }
      bytes = std::max(limit - used, 0);
    }
    return cuda_api::SetKernelMaxDynamicSharedMem(kernel_, static_cast<int>(bytes), device) ==
           cuda_api::kSuccess;
  }

  cuda_api::KernelHandle kernel_ = nullptr;
};

/*! \brief Device code that is loaded from memory; the destructor unloads it. */
class CubinModule {
 public:
  /*!
   * \brief Load an image, which may be freed afterwards.
   * \throws ValueError when the image is empty or its end is cut off.
   * \throws RuntimeError the error that CUDA reports.
   */
  explicit CubinModule(const Bytes& image) {
    Load(cuda_api::CheckedDeviceImage(image.data(), image.size()));
  }
  /*! \brief Load a whole image: its size is unknown, so it is not checked. */
  explicit CubinModule(const char* image) { Load(image); }
  explicit CubinModule(const unsigned char* image) { Load(image); }
  CubinModule(const CubinModule&) = delete;
  CubinModule& operator=(const CubinModule&) = delete;
  CubinModule(CubinModule&& other) noexcept : library_(std::exchange(other.library_, nullptr)) {}
  CubinModule& operator=(CubinModule&& other) noexcept {
    std::swap(library_, other.library_);
    return *this;
  }
  ~CubinModule() {
    // Ignore errors: at the end of the process, CUDA may be unloaded already.
    if (library_ != nullptr) (void)cuda_api::UnloadLibrary(library_);
  }

  /*! \throws RuntimeError when there is no kernel of this name. */
  CubinKernel GetKernel(const char* name) { return CubinKernel(library_, name); }
  CubinKernel operator[](const char* name) { return GetKernel(name); }

  /*!
   * \brief Return a kernel that may be launched with a large dynamic shared memory.
   * \param dynamic_smem_max the limit in bytes; -1 for all shared memory of each device that the
   *        static shared memory of the kernel does not use.
   * \throws RuntimeError when no device accepts the limit.
   */
  CubinKernel GetKernelWithMaxDynamicSharedMemory(const char* name, int64_t dynamic_smem_max = -1) {
    CubinKernel kernel = GetKernel(name);
    int count = 0;
    TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(cuda_api::GetDeviceCount(&count));
    bool granted = false;
    for (int device = 0; device < count; ++device) {
      // One device that accepts the limit is sufficient, because the image may not contain code for
      // the other devices.
      granted |= kernel.AllowDynamicSharedMemory(device, dynamic_smem_max);
    }
    cuda_api::ForgetLastError();
    if (!granted) {
      TVM_FFI_THROW(RuntimeError) << "Failed to set dynamic shared memory attribute for any device";
    }
    return kernel;
  }

  /*! \brief Return the handle of the CUDA library. */
  cuda_api::LibraryHandle GetHandle() const { return library_; }

 private:
  void Load(const void* image) {
    TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(cuda_api::LoadLibrary(&library_, image));
  }

  cuda_api::LibraryHandle library_ = nullptr;
};

/// \cond Doxygen_Suppress
#define TVM_FFI_EMBED_CUBIN_MODULE_(name, image)  \
  namespace {                                     \
  struct TVMFFIEmbeddedCubin_##name {             \
    ::tvm::ffi::CubinModule module{image};        \
    static TVMFFIEmbeddedCubin_##name* Global() { \
      static TVMFFIEmbeddedCubin_##name instance; \
      return &instance;                           \
    }                                             \
  };                                              \
  } /* namespace */                               \
  static_assert(true, "a semicolon may follow")
/// \endcond

/*!
 * \brief Embed device code that is linked in under the symbols `__tvm_ffi__cubin_<name>` and
 * `__tvm_ffi__cubin_<name>_end`. The code is loaded at its first use. Use the macro at namespace
 * scope.
 */
#define TVM_FFI_EMBED_CUBIN(name)                        \
  extern "C" const char __tvm_ffi__cubin_##name[];       \
  extern "C" const char __tvm_ffi__cubin_##name##_end[]; \
  TVM_FFI_EMBED_CUBIN_MODULE_(                           \
      name, ::tvm::ffi::cuda_api::CheckedDeviceImage(    \
                __tvm_ffi__cubin_##name,                 \
                static_cast<size_t>(__tvm_ffi__cubin_##name##_end - __tvm_ffi__cubin_##name)))

/*! \brief Embed device code that is in an array or Bytes. The code is loaded at its first use. Use
 * the macro at namespace scope. */
#define TVM_FFI_EMBED_CUBIN_FROM_BYTES(name, bytes) TVM_FFI_EMBED_CUBIN_MODULE_(name, bytes)

/*! \brief Return a CubinKernel of the device code that is embedded as `name` in this translation
 * unit. */
#define TVM_FFI_EMBED_CUBIN_GET_KERNEL(name, kernel_name) \
  (TVMFFIEmbeddedCubin_##name::Global()->module[kernel_name])

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_CUDA_CUBIN_LAUNCHER_H_

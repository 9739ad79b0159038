// SPDX-License-Identifier: Apache-2.0
// The DLPack exchange table of PyTorch's tensors, for releases that do not provide one.
// _build_optional_torch_c_dlpack.py compiles this file against PyTorch; it is not part of the build
// of the package.
#include <dlpack/dlpack.h>
// PyTorch's copy of DLPack has the same include guard, so the compiler ignores that copy.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>
#ifdef BUILD_WITH_CUDA
#include <c10/cuda/CUDAStream.h>
#endif
#ifdef BUILD_WITH_ROCM
#include <c10/hip/HIPStream.h>
#endif

#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

// ---- data types by PyTorch's names, which do not change between releases

struct NamedType {
  const char* name;
  DLDataType dtype;
};

constexpr NamedType kTypes[] = {
    {"Byte", {1, 8, 1}},
    {"Char", {0, 8, 1}},
    {"Short", {0, 16, 1}},
    {"Int", {0, 32, 1}},
    {"Long", {0, 64, 1}},
    {"UInt16", {1, 16, 1}},
    {"UInt32", {1, 32, 1}},
    {"UInt64", {1, 64, 1}},
    {"Half", {2, 16, 1}},
    {"Float", {2, 32, 1}},
    {"Double", {2, 64, 1}},
    {"BFloat16", {4, 16, 1}},
    {"ComplexHalf", {5, 32, 1}},
    {"ComplexFloat", {5, 64, 1}},
    {"ComplexDouble", {5, 128, 1}},
    {"Bool", {6, 8, 1}},
    {"Float8_e4m3fn", {10, 8, 1}},
    {"Float8_e4m3fnuz", {11, 8, 1}},
    {"Float8_e5m2", {12, 8, 1}},
    {"Float8_e5m2fnuz", {13, 8, 1}},
    {"Float8_e8m0fnu", {14, 8, 1}},
    {"Float4_e2m1fn_x2", {17, 4, 2}},
};

DLDataType dtype_from_torch(at::ScalarType type) {
  const char* name = c10::toString(type);
  for (const NamedType& one : kTypes) {
    if (std::strcmp(one.name, name) == 0) return one.dtype;
  }
  throw std::runtime_error(std::string("DLPack has no data type for torch's ") + name);
}

at::ScalarType dtype_to_torch(DLDataType dtype) {
  for (const NamedType& one : kTypes) {
    if (one.dtype.code != dtype.code || one.dtype.bits != dtype.bits ||
        one.dtype.lanes != dtype.lanes) {
      continue;
    }
    for (int i = 0; i < static_cast<int>(at::ScalarType::NumOptions); ++i) {
      auto type = static_cast<at::ScalarType>(i);
      if (std::strcmp(one.name, c10::toString(type)) == 0) return type;
    }
  }
  throw std::runtime_error("torch has no data type (" + std::to_string(dtype.code) + ", " +
                           std::to_string(dtype.bits) + ", " + std::to_string(dtype.lanes) + ")");
}

// ---- devices

#ifdef BUILD_WITH_ROCM
constexpr DLDeviceType kGpu = kDLROCM;  // In PyTorch, ROCm devices have the type `cuda`.
#else
constexpr DLDeviceType kGpu = kDLCUDA;
#endif

DLDevice device_from_torch(const at::Device& device) {
  int32_t index = device.has_index() ? static_cast<int32_t>(device.index()) : 0;
  if (device.is_cpu()) return {kDLCPU, 0};
  if (device.is_cuda()) return {kGpu, index};
  throw std::runtime_error("DLPack has no device for torch's " + device.str());
}

at::Device device_to_torch(DLDevice device) {
  if (device.device_type == kDLCPU) return at::Device(at::kCPU);
  if (device.device_type == kGpu) {
    return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.device_id));
  }
  throw std::runtime_error("torch has no device of DLPack's type " +
                           std::to_string(static_cast<int>(device.device_type)));
}

// ---- tensors

void describe(const at::Tensor& tensor, DLTensor* out) {
  if (tensor.layout() != at::kStrided) throw std::runtime_error("the tensor is not strided");
  out->data = tensor.data_ptr();
  out->device = device_from_torch(tensor.device());
  out->ndim = static_cast<int32_t>(tensor.dim());
  out->dtype = dtype_from_torch(tensor.scalar_type());
  // Do not copy the shape and the strides, because `tensor` owns both.
  out->shape = const_cast<int64_t*>(tensor.sizes().data());
  out->strides = const_cast<int64_t*>(tensor.strides().data());
  out->byte_offset = 0;
}

struct Exported {
  at::Tensor tensor;
  DLManagedTensorVersioned managed;
};

DLManagedTensorVersioned* export_tensor(at::Tensor tensor) {
  auto* exported = new Exported{std::move(tensor), {}};
  DLManagedTensorVersioned& managed = exported->managed;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.manager_ctx = exported;
  managed.deleter = [](DLManagedTensorVersioned* self) {
    delete static_cast<Exported*>(self->manager_ctx);
  };
  try {
    describe(exported->tensor, &managed.dl_tensor);
  } catch (...) {
    delete exported;
    throw;
  }
  return &managed;
}

// Converts a managed tensor to a PyTorch tensor. Takes ownership of `managed`, also on failure.
at::Tensor import_tensor(DLManagedTensorVersioned* managed) {
  std::shared_ptr<DLManagedTensorVersioned> owner(managed, [](DLManagedTensorVersioned* last) {
    if (last->deleter != nullptr) last->deleter(last);
  });
  const DLTensor& t = managed->dl_tensor;
  auto options =
      at::TensorOptions().dtype(dtype_to_torch(t.dtype)).device(device_to_torch(t.device));
  void* data = static_cast<char*>(t.data) + t.byte_offset;
  at::IntArrayRef sizes(t.shape, static_cast<size_t>(t.ndim));
  auto release = [owner](void*) mutable { owner.reset(); };
  if (t.strides == nullptr) return at::from_blob(data, sizes, release, options);
  at::IntArrayRef strides(t.strides, static_cast<size_t>(t.ndim));
  return at::from_blob(data, sizes, strides, release, options);
}

const at::Tensor& tensor_of(void* object) {
  auto* x = static_cast<PyObject*>(object);
  if (!THPVariable_Check(x)) throw std::runtime_error("expected a torch.Tensor");
  return THPVariable_Unpack(x);
}

// ---- the functions of the table, which return 0, or set a Python exception and return -1

template <typename F>
int guarded(F&& f) noexcept {
  try {
    f();
    return 0;
  } catch (const std::exception& error) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
  return -1;
}

int from_py(void* object, DLManagedTensorVersioned** out) {
  return guarded([&] { *out = export_tensor(tensor_of(object)); });
}

int to_py(DLManagedTensorVersioned* managed, void** out) {
  return guarded([&] {
    *out = THPVariable_Wrap(import_tensor(managed));
    if (*out == nullptr) throw std::runtime_error("torch could not wrap the tensor");
  });
}

int view_from_py(void* object, DLTensor* out) {
  return guarded([&] { describe(tensor_of(object), out); });
}

// Allocates a tensor. The caller need not hold the GIL. Errors are reported through `set_error`,
// not as Python exceptions.
int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_context,
             void (*set_error)(void*, const char*, const char*)) {
  try {
    at::IntArrayRef sizes(prototype->shape, static_cast<size_t>(prototype->ndim));
    auto options = at::TensorOptions()
                       .dtype(dtype_to_torch(prototype->dtype))
                       .device(device_to_torch(prototype->device));
    *out = export_tensor(at::empty(sizes, options));
    return 0;
  } catch (const std::exception& error) {
    set_error(error_context, "MemoryError", error.what());
  } catch (...) {
    set_error(error_context, "MemoryError", "unknown C++ exception");
  }
  return -1;
}

int current_stream(DLDeviceType type, int32_t id, void** out) {
  return guarded([&] {
    *out = nullptr;
    if (type != kGpu) return;
#if defined(BUILD_WITH_CUDA)
    *out = c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(id)).stream();
#elif defined(BUILD_WITH_ROCM)
    *out = c10::hip::getCurrentHIPStream(static_cast<c10::DeviceIndex>(id)).stream();
#else
    (void)id;
#endif
  });
}

DLPackExchangeAPI make_table() {
  DLPackExchangeAPI table{};
  table.header.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  table.managed_tensor_allocator = allocate;
  table.managed_tensor_from_py_object_no_sync = from_py;
  table.managed_tensor_to_py_object_no_sync = to_py;
  table.dltensor_from_py_object_no_sync = view_from_py;
  table.current_work_stream = current_stream;
  return table;
}

}  // namespace

#ifdef _WIN32
#define ADDON_EXPORT __declspec(dllexport)
#else
#define ADDON_EXPORT __attribute__((visibility("default")))
#endif

// Returns the address of the table, which is never destroyed.
extern "C" ADDON_EXPORT uint64_t TorchDLPackExchangeAPIPtr() {
  static const DLPackExchangeAPI table = make_table();
  return reinterpret_cast<uint64_t>(&table);
}

// SPDX-License-Identifier: Apache-2.0
// Computations on shapes and strides that cannot overflow.
#include "core/tensor_check.h"

#include <string>

#include "core/error_slot.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief Maximum number of dimensions, which is more than array libraries support. If `ndim` is
 * larger, the tensor is invalid, and its shape is not read. */
constexpr int32_t kMaxDimensions = 1024;

int refuse(std::string_view parameter, std::string_view member, std::string_view what) {
  return raise("ValueError", {"`", parameter, ".", member, "` ", what});
}

bool has_zero_extent(const DLTensor& tensor) {
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] == 0) return true;
  }
  return false;
}

/*! \brief Whether the size in bytes, and each product in its computation, fits in 64 bits. */
bool has_countable_size(const DLTensor& tensor) {
  if (has_zero_extent(tensor)) return true;
  int64_t count = 1;
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (__builtin_mul_overflow(count, tensor.shape[i], &count)) return false;
  }
  int64_t bits;
  return !__builtin_mul_overflow(count, int64_t{tensor.dtype.bits} * tensor.dtype.lanes, &bits) &&
         !__builtin_add_overflow(bits, int64_t{7}, &bits);
}

bool is_directly_addressable(DLDeviceType type) {
  return type <= kDLCUDAHost || type == kDLCUDAManaged || type == kDLROCM || type == kDLROCMHost;
}

}  // namespace

int check_tensor(const DLTensor& tensor, std::string_view parameter) {
  if (tensor.ndim < 0) return refuse(parameter, "ndim", "must not be negative");
  if (tensor.ndim > kMaxDimensions) return refuse(parameter, "ndim", "must not be above 1024");
  if (tensor.ndim > 0 && tensor.shape == nullptr) {
    return refuse(parameter, "shape", "must not be NULL when there are dimensions");
  }
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] < 0) {
      return refuse(parameter, "shape[" + std::to_string(i) + "]", "must not be negative");
    }
  }
  if (!has_countable_size(tensor)) {
    return refuse(parameter, "shape", "gives a size that overflows 64 bits");
  }
  return 0;
}

bool is_contiguous(const DLTensor& tensor) {
  if (tensor.strides == nullptr || has_zero_extent(tensor)) return true;
  int64_t expected = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 1) continue;
    if (tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

bool is_aligned(const DLTensor& tensor, uint32_t alignment) {
  uint64_t position = tensor.byte_offset;
  if (is_directly_addressable(tensor.device.device_type)) {
    position += reinterpret_cast<uintptr_t>(tensor.data);
  }
  return position % alignment == 0;
}

void fill_compact_strides(const DLTensor& tensor, int64_t* strides) {
  // The type is unsigned: if one extent is 0, the product of the others may overflow.
  uint64_t product = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    strides[i] = static_cast<int64_t>(product);
    product *= static_cast<uint64_t>(tensor.shape[i]);
  }
}

}  // namespace tvm::ffi::runtime

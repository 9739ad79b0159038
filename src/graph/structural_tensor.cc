// SPDX-License-Identifier: Apache-2.0
// Comparison and hash of the shape, dtype and bytes of tensors.
#include "graph/structural_tensor.h"

#include <tvm/ffi/base.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>

#include <cstring>

namespace tvm::ffi::runtime {
namespace {

const DLTensor& tensor_of(const TVMFFIObject* object) {
  return *TVMFFITensorGetDLTensorPtr(const_cast<TVMFFIObject*>(object));
}

const char* content_of(const DLTensor& tensor) {
  return static_cast<const char*>(tensor.data) + tensor.byte_offset;
}

bool same_shape(const DLTensor& lhs, const DLTensor& rhs) {
  if (lhs.ndim != rhs.ndim) return false;
  for (int32_t i = 0; i < lhs.ndim; ++i) {
    if (lhs.shape[i] != rhs.shape[i]) return false;
  }
  return true;
}

bool same_dtype(DLDataType lhs, DLDataType rhs) {
  return lhs.code == rhs.code && lhs.bits == rhs.bits && lhs.lanes == rhs.lanes;
}

// Checks that the bytes of a tensor can be read. Frameworks also have tensors without memory, which
// only have a shape.
void check_readable(const DLTensor& tensor, const char* verb) {
  TVM_FFI_ICHECK(tensor.device.device_type == kDLCPU) << "can only " << verb << " CPU tensor";
  TVM_FFI_ICHECK(IsContiguous(tensor)) << "Can only " << verb << " contiguous tensor";
  if (tensor.data == nullptr && GetDataSize(tensor) != 0) {
    TVM_FFI_THROW(ValueError) << "can only " << verb << " tensors with memory, this one has none";
  }
}

}  // namespace

bool equal_tensors(const TVMFFIObject* lhs, const TVMFFIObject* rhs, bool skip_content) {
  if (lhs == rhs) return true;
  const DLTensor& left = tensor_of(lhs);
  const DLTensor& right = tensor_of(rhs);
  if (!same_shape(left, right) || !same_dtype(left.dtype, right.dtype)) return false;
  if (skip_content) return true;
  check_readable(left, "compare");
  check_readable(right, "compare");
  size_t size = GetDataSize(left);
  return size == 0 || std::memcmp(content_of(left), content_of(right), size) == 0;
}

uint64_t hash_tensor(uint64_t hash, const TVMFFIObject* object, bool skip_content) {
  const DLTensor& tensor = tensor_of(object);
  hash = detail::StableHashCombine(hash, tensor.ndim);
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    hash = detail::StableHashCombine(hash, tensor.shape[i]);
  }
  uint64_t dtype = tensor.dtype.code | static_cast<uint64_t>(tensor.dtype.bits) << 8 |
                   static_cast<uint64_t>(tensor.dtype.lanes) << 16;
  hash = detail::StableHashCombine(hash, dtype);
  if (skip_content) return hash;
  check_readable(tensor, "hash");
  size_t size = GetDataSize(tensor);
  uint64_t content = size == 0 ? 0 : detail::StableHashBytes(content_of(tensor), size);
  return detail::StableHashCombine(hash, content);
}

}  // namespace tvm::ffi::runtime

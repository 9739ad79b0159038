// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/dltensor.h
 * \brief Questions about a plain DLTensor: layout, size, alignment, and whether it is well formed.
 * Part of container/tensor.h.
 */
#ifndef TVM_FFI_DETAIL_DLTENSOR_H_
#define TVM_FFI_DETAIL_DLTENSOR_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdint>

namespace tvm {
namespace ffi {

/*! \brief Whether `data` of a tensor on this device is an address to which bytes can be added. */
inline bool IsDirectAddressDevice(const DLDevice& device) {
  return device.device_type <= kDLCUDAHost || device.device_type == kDLCUDAManaged ||
         device.device_type == kDLROCM || device.device_type == kDLROCMHost;
}

/*!
 * \brief Whether the elements lie one after the other in row-major order.
 *
 * No strides mean yes, and so does a tensor without elements; the stride of an extent 1 is ignored.
 */
inline bool IsContiguous(const DLTensor& arr) {
  if (arr.strides == nullptr) return true;
  for (int32_t i = 0; i < arr.ndim; ++i) {
    if (arr.shape[i] == 0) return true;
  }
  uint64_t expected = 1;  // unsigned: a lying tensor may make it wrap
  for (int32_t i = arr.ndim; i-- > 0;) {
    if (arr.shape[i] == 1) continue;
    if (static_cast<uint64_t>(arr.strides[i]) != expected) return false;
    expected *= static_cast<uint64_t>(arr.shape[i]);
  }
  return true;
}

/*!
 * \brief Whether the first element is at a multiple of `alignment` bytes.
 *
 * Where `data` is a handle and not an address, only the byte offset counts. 0 asks for nothing.
 */
inline bool IsAligned(const DLTensor& arr, size_t alignment) {
  if (alignment == 0) return true;
  uint64_t position = arr.byte_offset;
  if (IsDirectAddressDevice(arr.device)) position += reinterpret_cast<uintptr_t>(arr.data);
  return position % alignment == 0;
}

/*!
 * \brief Bytes of `numel` elements packed without gaps: ceil(numel * bits * lanes / 8).
 * \throws OverflowError when that does not fit.
 */
inline size_t GetDataSize(size_t numel, DLDataType dtype) {
  // Groups of 8 elements make whole bytes, so the product in bits, which may not fit, is not
  // formed.
  size_t bits = static_cast<size_t>(dtype.bits) * dtype.lanes;
  size_t rest = (numel % 8 * bits + 7) / 8;
  if (bits != 0 && numel / 8 > (SIZE_MAX - rest) / bits) {
    TVM_FFI_THROW(OverflowError) << "The size in bytes of " << numel << " elements of " << bits
                                 << " bits does not fit";
  }
  return numel / 8 * bits + rest;
}

/*!
 * \brief Bytes of the elements of `arr`, packed without gaps.
 * \throws ValueError when an extent is negative; OverflowError when the size does not fit.
 */
inline size_t GetDataSize(const DLTensor& arr) {
  for (int32_t i = 0; i < arr.ndim; ++i) {
    if (arr.shape[i] < 0) {
      TVM_FFI_THROW(ValueError) << "shape[" << i << "] is negative: " << arr.shape[i];
    }
  }
  int64_t numel = detail::ExtentProduct(arr.shape, static_cast<size_t>(arr.ndim));
  return GetDataSize(static_cast<size_t>(numel), arr.dtype);
}

namespace detail {

/*!
 * \brief Refuse extents that no tensor can have.
 * \param who begins the messages.
 * \throws ValueError for a negative extent, and when the number or size of the elements does not
 *         fit 64 bits.
 */
inline void CheckExtents(const char* who, ShapeView shape, DLDataType dtype) {
  if (shape.size() > static_cast<size_t>(INT32_MAX)) {
    TVM_FFI_THROW(ValueError) << who << ": ndim does not fit int32: " << shape.size();
  }
  bool has_elements = true;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) {
      TVM_FFI_THROW(ValueError) << who << ": shape[" << i << "] is negative: " << shape[i];
    }
    if (shape[i] == 0) has_elements = false;
  }
  if (!has_elements) return;
  uint64_t numel = 1;
  for (int64_t extent : shape) {
    if (numel > static_cast<uint64_t>(INT64_MAX) / static_cast<uint64_t>(extent)) {
      TVM_FFI_THROW(ValueError) << who << ": shape has more elements than 64 bits can count";
    }
    numel *= static_cast<uint64_t>(extent);
  }
  uint64_t bits = static_cast<uint64_t>(dtype.bits) * dtype.lanes;
  if (bits != 0 && numel > (static_cast<uint64_t>(INT64_MAX) / bits) * 8) {
    TVM_FFI_THROW(ValueError) << who << ": shape and dtype need more bytes than 64 bits can count";
  }
}

/*! \brief Refuse a malformed tensor. \throws ValueError that names the member. */
inline void CheckDLTensor(const char* who, const DLTensor& tensor) {
  if (tensor.ndim < 0) {
    TVM_FFI_THROW(ValueError) << who << ": ndim is negative: " << tensor.ndim;
  }
  if (tensor.shape == nullptr && tensor.ndim > 0) {
    TVM_FFI_THROW(ValueError) << who << ": shape is NULL, ndim is " << tensor.ndim;
  }
  CheckExtents(who, ShapeView(tensor.shape, static_cast<size_t>(tensor.ndim)), tensor.dtype);
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_DLTENSOR_H_

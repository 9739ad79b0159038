// SPDX-License-Identifier: Apache-2.0
// Checks of the layout of tensors, and of members that contradict each other.
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>
#include <string_view>

namespace tvm::ffi::runtime {

/*!
 * \brief Check that `ndim` is between 0 and 1024, that the shape is not missing, that no extent is
 * negative, and that the size fits in 64 bits.
 * \param parameter name of the tensor in the message.
 * \return 0, or -1 with a ValueError that names the member.
 */
int check_tensor(const DLTensor& tensor, std::string_view parameter);

/*! \brief Whether a tensor is row-major without gaps. The tensor must have passed check_tensor. */
bool is_contiguous(const DLTensor& tensor);

/*! \brief Whether the address of the first element is a multiple of `alignment`. For a device whose
 * addresses are not host addresses, only the byte offset is checked. */
bool is_aligned(const DLTensor& tensor, uint32_t alignment);

/*! \brief Write row-major strides for the shape, `ndim` of them, counted in elements. */
void fill_compact_strides(const DLTensor& tensor, int64_t* strides);

}  // namespace tvm::ffi::runtime
